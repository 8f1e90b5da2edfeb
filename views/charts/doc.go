// Package charts draws the training metrics in the logs of a job: the loss and
// all other metrics as strips on one axis with one crosshair, the progress and
// expected end, and the log line behind each point.
//
// A chart is a sheet: curves (computed from a track as it grows), marks
// (markFinder), and drawing settings. A painter draws one strip of it, a
// rowWriter writes strips, legends and axis as lines. The viewport is the part
// that a person looks at: zoom, crosshair, following; the View adds keys, the
// mouse and the picker. Text draws a sheet without a person.
package charts
