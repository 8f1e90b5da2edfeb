package actions

import "context"

// Transfer is files copied from a container to this machine, or the other way.
type Transfer struct {
	Container
	// Up copies Local to Remote, else Remote is copied to Local. Either may
	// be a folder; what is copied keeps its base name below a folder that
	// exists, as with cp.
	Up            bool
	Local, Remote string
	// Overwrite allows replacing what exists where it is copied to.
	Overwrite bool
	// Progress, when set, is told the bytes copied so far and in all (0 while
	// unknown), often, from another goroutine.
	Progress func(done, all int64)
}

// Transferred is what was copied.
type Transferred struct {
	Files int
	Bytes int64
	// Skipped names what was left out and why (links out of the tree, devices,
	// names that cannot be made).
	Skipped []string
	// Path is the local or remote one that was written.
	Path string
	// Verified says what was compared on both sides afterwards: "sha256", or ""
	// where the container has no sha256sum.
	Verified string
}

// Copier copies files.
type Copier interface {
	// Copy errors are *Failure. What was written of a file that could not be
	// completed is removed.
	Copy(ctx context.Context, t Transfer) (Transferred, error)
}
