package client

import (
	"fmt"

	"github.com/traintop/traintop/train/kinds"
)

// PartialListError says why a list was given up of which something had come.
type PartialListError struct {
	Why     error
	Objects []kinds.Object
	Pages   int
}

// Error says why, and what had come.
func (e *PartialListError) Error() string { return Cause(e.Why) + e.came() }

func (e *PartialListError) came() string {
	pages := ""
	if e.Pages > 1 {
		pages = fmt.Sprintf(" in %d pages", e.Pages)
	}
	return fmt.Sprintf("; the %d objects that came%s are used, others may be missing", len(e.Objects), pages)
}

// Unwrap is the reason.
func (e *PartialListError) Unwrap() error { return e.Why }
