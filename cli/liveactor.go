package cli

import (
	"path/filepath"

	"github.com/adrg/xdg"

	"github.com/traintop/traintop/actions"
)

// actor acts in the cluster of this session, nil for files. It belongs to the
// session and not to the program: an action started in one context never
// continues in another one.
func (s *session) actor() actions.Actor {
	if s.cluster == nil {
		return nil // not a nil pointer in an interface
	}
	return s.cluster.Actor
}

// auditPath is the log of changes, in all contexts
// ($XDG_STATE_HOME/traintop/audit.jsonl).
func auditPath() string { return filepath.Join(xdg.StateHome, "traintop", "audit.jsonl") }
