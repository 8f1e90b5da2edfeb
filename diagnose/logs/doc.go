// Package logs says why a job failed or hangs by what its logs hold: the lines
// that signatures found, the samples, and how long a log has been silent. It
// is what there is to go by when a person has nothing but a text, and it names
// the rank that failed first where several ranks complain.
//
//	hits of each rank ─► candidates ─► what healed is told as such
//	                                 ─► collectives compared over ranks
//	                                 ─► root first, symptoms hidden under it
//
// It is pure: it reads a snapshot and no clock.
package logs
