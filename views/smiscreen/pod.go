package smiscreen

import (
	"slices"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/actions/smi"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

// pod is a container and the output of its tool.
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

// viewOf is the view of an answer, found by its command: an answer to an
// earlier tab's command may arrive after the tab changed. A command that serves
// several views belongs to the one that is shown.
func (p *pod) viewOf(a actions.Answer, shown smi.View) smi.View {
	answers := func(v smi.View) bool {
		return slices.ContainsFunc(p.tool.Commands(v), func(command []string) bool { return slices.Equal(a.Command, command) })
	}
	if answers(shown) {
		return shown
	}
	for _, v := range p.tool.Views() {
		if answers(v) {
			return v
		}
	}
	return shown
}

// take keeps an answer, and parses it.
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
	_, known := p.answers[which]
	return known
}

// why is the line that explains why a view is empty, and what to do; "" when it
// is not, or nothing was run yet.
func (p *pod) why(which smi.View) string {
	a, known := p.answers[which]
	switch {
	case !p.running:
		return "not running: its log (l) tells why"
	case p.tool.Commands(which) == nil:
		return p.tool.Name + " shows no " + string(which) + "; the raw text (r) may"
	case !known:
		return ""
	case a.Failure != nil:
		return p.wayOn(a.Failure)
	case which == smi.GPUs:
		return p.trouble
	case which == smi.Processes && p.tool.Name == "nvidia-smi":
		_, trouble := smi.ReadProcesses(a)
		return trouble
	}
	return ""
}

// wayOn adds to a failure what a person can do.
func (p *pod) wayOn(f *actions.Failure) string {
	text := views.WithoutPod(p.Target, f.Text)
	if f.Kind != actions.NoProgram {
		return text
	}
	text += "; the image has to bring it"
	if p.tool.Name == "nvidia-smi" {
		text += ", or the NVIDIA runtime class mounts it"
	}
	return text + "; :gpus shows what exporters measure"
}
