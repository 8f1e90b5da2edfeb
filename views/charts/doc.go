// Package charts shows what the logs of a job say about its training: the loss
// and whatever else they print as strips on one axis with one crosshair, how
// far it is and when it will be over, and the log line behind each point.
//
// A chart is a sheet: curves (what is worked out of a track as it grows),
// marks (markFinder), and how they are looked at. A painter draws one strip of
// it, a rowWriter writes strips, legends and axis as lines. The viewport is
// the part that a person looks at: zoom, crosshair, following; the View adds
// keys, the mouse and the picker. Text draws a sheet without a person.
package charts
