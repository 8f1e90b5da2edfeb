package diagnose

import (
	"github.com/traintop/traintop/train"
)

// fromLogs are findings of what the logs of ranks say that no end of a
// container has been explained with.
func (s *subject) fromLogs() []train.Finding { return nil }
