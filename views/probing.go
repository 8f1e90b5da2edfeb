package views

import (
	"github.com/traintop/traintop/actions/probes"
	"github.com/traintop/traintop/actions/targets"
	"github.com/traintop/traintop/train"
)

// Probed runs a probe in the containers behind objects and shows the answers.
// One that changes something asks first.
func Probed(f Frame, p probes.Probe, on []train.Ref) Effect {
	then := OpenScreen{Route: AnswersRoute{Probe: p.ID, Pods: on}}
	if !p.Writes {
		return then
	}
	running, others := targets.Running(f.Snapshot, targets.Of(f.Snapshot, on))
	lines := []string{"It runs in " + TargetWords(f, running) + ".", p.About}
	if others > 0 {
		lines = append(lines, "Others do not run and are left out.")
	}
	return Confirm{Title: "Run " + p.Title + "?", Does: "Run", Lines: lines, Then: then}
}

// MayProbe is why a probe cannot run here, "" when it can.
func MayProbe(f Frame, p probes.Probe) string {
	switch {
	case f.Rights.NoCluster:
		return "there is no cluster here to run " + p.ID + " in, only what was read from files"
	case p.Writes && f.Rights.ReadOnly:
		return p.ID + " changes something, and this session is read-only"
	}
	return ""
}
