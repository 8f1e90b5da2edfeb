// Package dump is the source that reads files instead of a cluster: what
// kubectl printed (YAML, JSON, lists, several documents in one file, gzip or
// not), folders of it, the output folder of "kubectl cluster-info dump", and
// standard input.
//
//	path ─► walk ─► detect ─► cut into pieces ─► decode (workers) ─► store events
//
// A file is streamed: it is cut into the texts of single objects (a list into
// its items) without parsing it, so that a broken object costs only itself and
// memory stays near the size of the largest object, not of the file. What a
// file is, its content decides, not its name. What people paste around objects
// (prompts, fences, quotes, an indentation) is taken off (wrapped.go, quoted.go).
//
// Logs are files too, alone or beside objects. They wait until the pods are
// known, since their names say whose they are (logname.go, logrank.go), and are
// then read several at once through sources/logs, and followed while they grow
// (logtail.go). One file may hold the lines of several pods (logsplit.go).
//
//	texts ─► whose log, which rank ─► tail ─► (splitter) ─► logs.Feed ─► store events
//
// Promises: every problem names file, line and cause, and the rest is still
// read; literal values of environment variables that sound like secrets,
// and the data of Secrets and ConfigMaps, never leave this package; the store's
// clock is pinned to the newest instant that the objects mention, and no log
// moves it; of a log of any length only what a Feed needs is in memory.
package dump
