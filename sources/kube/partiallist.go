package kube

import (
	"fmt"

	"github.com/traintop/traintop/train/kinds"
)

// partialListError says why a list was given up of which something had come.
type partialListError struct {
	why     error
	objects []kinds.Object
	pages   int
}

// Error says why, and what had come.
func (e *partialListError) Error() string { return cause(e.why) + e.came() }

func (e *partialListError) came() string {
	pages := ""
	if e.pages > 1 {
		pages = fmt.Sprintf(" in %d pages", e.pages)
	}
	return fmt.Sprintf("; the %d objects that came%s are used, others may be missing", len(e.objects), pages)
}

// Unwrap is the reason.
func (e *partialListError) Unwrap() error { return e.why }
