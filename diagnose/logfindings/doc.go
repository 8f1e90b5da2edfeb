// Package logfindings finds why a job failed or hangs from its logs: the lines that
// signatures matched, the samples, and how long a log has been silent. It is
// the only source when a person has nothing but a text, and it names the rank
// that failed first where several ranks report errors.
//
//	hits of each rank ─► candidates ─► healed ones reported as such
//	                                 ─► collectives compared over ranks
//	                                 ─► root first, symptoms hidden under it
//
// It is pure: it reads a snapshot and no clock.
package logfindings
