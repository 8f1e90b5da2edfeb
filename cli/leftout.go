package cli

import (
	"fmt"

	"github.com/traintop/traintop/termtext"
)

// reportLeftOut names on standard error the parts of files that were skipped on
// purpose: files of a folder that are neither objects nor logs, text around
// objects. A person may have wanted them to be read.
func (a *app) reportLeftOut(s *session) {
	for _, h := range s.store.Snapshot().Health() {
		if _, is := h.Skips(); is {
			fmt.Fprintf(a.err, "traintop: %s\n", termtext.Line(h.Text))
		}
	}
}
