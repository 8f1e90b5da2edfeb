package tasks

import "cmp"

// Tasks are all tasks of one program; they share a host.
type Tasks struct {
	Copies   *Copies
	Forwards *Forwards
	Edits    *Edits
	Changes  *Changes
	Outcomes *Outcomes
	Debugs   *Debugs
	Shells   *Shells
	Secrets  *Secrets
	// NodeShells open shells on nodes.
	NodeShells *NodeShells
	Programs   *Programs
}

// New makes them.
func New(host *Host) *Tasks {
	outcomes, debugs := &Outcomes{host: host}, &Debugs{host: host}
	return &Tasks{
		Copies:     &Copies{host: host},
		Forwards:   &Forwards{host: host},
		Edits:      &Edits{host: host, outcomes: outcomes},
		Changes:    &Changes{host: host, outcomes: outcomes},
		Outcomes:   outcomes,
		Debugs:     debugs,
		Shells:     &Shells{host: host, debugs: debugs},
		Secrets:    &Secrets{host: host},
		NodeShells: &NodeShells{host: host, debugs: debugs},
		Programs:   &Programs{host: host},
	}
}

// Begin ends the tasks of an earlier session. debugImage is the first image of
// debug containers, "" for DebugImage.
func (t *Tasks) Begin(debugImage string) {
	t.Copies.End()
	t.Forwards.EndAll()
	t.Outcomes.open = nil
	t.UseDebugImage(debugImage)
}

// UseDebugImage changes the first image of debug containers, "" for DebugImage.
func (t *Tasks) UseDebugImage(image string) { t.Debugs.Image = cmp.Or(image, DebugImage) }
