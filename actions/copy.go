package actions

import "context"

// Transfer is a copy of files from a container to this machine, or the other way.
type Transfer struct {
	Container
	// Up copies Local to Remote, else Remote is copied to Local. Either may
	// be a folder; as with cp, a copy into an existing folder keeps its base
	// name.
	Up            bool
	Local, Remote string
	// Overwrite allows replacing existing files at the destination.
	Overwrite bool
	// Progress, when set, is called often, from another goroutine, with the
	// bytes copied so far and in all (0 while unknown).
	Progress func(done, all int64)
}

// Transferred is the result of a copy.
type Transferred struct {
	Files int
	Bytes int64
	// Skipped names what was left out and why (links that leave the tree,
	// devices, names that cannot be created).
	Skipped []string
	// Path is the local or remote path that was written.
	Path string
	// Verified is how both sides were compared afterwards: "sha256", or "" if the
	// container has no sha256sum.
	Verified string
}

// Copier copies files.
type Copier interface {
	// Copy returns errors as *Failure. It removes a file that it could not
	// complete.
	Copy(ctx context.Context, t Transfer) (Transferred, error)
}
