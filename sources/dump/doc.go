// Package dump is the source that reads files instead of a cluster: the output
// of kubectl (YAML, JSON, lists, several documents in one file, compressed or
// not), folders of it, the output folder of "kubectl cluster-info dump", and
// standard input.
//
//	path ─► walk ─► detect ─► cut into pieces ─► decode (workers) ─► store events
//
// A file is streamed: it is cut into the texts of single objects (a list into
// its items) without parsing, so that a broken object affects no other and
// memory stays near the size of the largest object, not of the file. The type
// of a file is decided by its content, not its name. Anything people paste
// around objects (prompts, fences, quotes, indentation) is removed
// (wrapped.go, quoted.go). Package document parses the text of one object, package
// exported the documents in which collectors and trainers keep logs.
//
// Logs are files too, alone or beside objects. They are read after the pods
// are known, since their names identify the pods (logname.go, logrank.go),
// then several at once through sources/logfeed, and followed while they grow
// (logtail.go). One file may have the lines of several pods (logsplit.go).
//
//	texts ─► whose log, which rank ─► tail ─► (splitter) ─► logs.Feed ─► store events
//
// Guarantees: every problem names file, line and cause, and the rest is still
// read. Literal values of environment variables whose names suggest secrets,
// and the data of Secrets and ConfigMaps, never leave this package. The
// store's clock is set to the newest instant in the objects, and no log moves
// it. For a log of any length only a Feed's state is in memory.
package dump
