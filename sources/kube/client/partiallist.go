package client

import (
	"fmt"

	"github.com/traintop/traintop/train/kinds"
)

// PartialListError reports why a list was abandoned after a part of it.
type PartialListError struct {
	Why     error
	Objects []kinds.Object
	Pages   int
}

// Error returns the reason, and how much had come.
func (e *PartialListError) Error() string { return Cause(e.Why) + e.came() }

func (e *PartialListError) came() string {
	pages := ""
	if e.Pages > 1 {
		pages = fmt.Sprintf(" in %d pages", e.Pages)
	}
	return fmt.Sprintf("; the %d objects that came%s are used, others may be missing", len(e.Objects), pages)
}

// Unwrap returns the reason.
func (e *PartialListError) Unwrap() error { return e.Why }
