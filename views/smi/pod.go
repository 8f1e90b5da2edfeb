package smi

import (
	"slices"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/actions/smi"
	"github.com/traintop/traintop/train"
)

// pod is a container and what its tool has said.
type pod struct {
	actions.Target
	tool    smi.Tool
	running bool
	// answers are the newest of each view.
	answers map[smi.View]actions.Answer
	// readings are the newest GPUs, and trouble why there are no newer ones.
	readings  []train.GPUReading
	trouble   string
	processes []smi.Process
}

// viewOf is which view an answer is of: with the table of GPUs, processes are
// asked for as well.
func (p *pod) viewOf(a actions.Answer, shown smi.View) smi.View {
	if shown != smi.GPUs {
		return shown
	}
	for _, command := range p.tool.Commands(smi.Processes) {
		if slices.Equal(a.Command, command) {
			return smi.Processes
		}
	}
	return smi.GPUs
}

// take keeps an answer, and reads it.
func (p *pod) take(which smi.View, a actions.Answer) {
	p.answers[which] = a
	switch which {
	case smi.GPUs:
		readings, trouble := smi.Read(a)
		if len(readings) > 0 {
			p.readings = readings
		}
		p.trouble = trouble
	case smi.Processes:
		if p.tool.Name == "nvidia-smi" {
			p.processes, _ = smi.ReadProcesses(a)
		}
	}
}

func (p *pod) answered(which smi.View) bool {
	_, told := p.answers[which]
	return told
}

// why is the one line that tells why there is nothing to show of a view, and
// the way on; "" when there is, or nothing was asked yet.
func (p *pod) why(which smi.View) string {
	a, told := p.answers[which]
	switch {
	case !p.running:
		return "not running: its log (l) tells why"
	case p.tool.Commands(which) == nil:
		return p.tool.Name + " shows no " + string(which) + "; the raw text (r) may"
	case !told:
		return ""
	case a.Failure != nil:
		return wayOn(a.Failure)
	case which == smi.GPUs:
		return p.trouble
	case which == smi.Processes && p.tool.Name == "nvidia-smi":
		_, trouble := smi.ReadProcesses(a)
		return trouble
	}
	return ""
}

// wayOn adds what a person can do to a failure.
func wayOn(f *actions.Failure) string {
	if f.Kind == actions.NoProgram {
		return f.Text + "; the image has to bring it, or the NVIDIA runtime class mounts it; :gpus shows what exporters measure"
	}
	return f.Text
}
