package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/train"
)

// maxFiled bounds how many answers of probes are kept as evidence.
const maxFiled = 2000

// filing keeps answers of probes as evidence. Each new answer makes a new list,
// since a diagnosis may be reading the old one.
type filing struct {
	answers []diagnose.ProbeAnswer
	version uint64
}

// filedUnder identifies an answer: a newer one of the same rank to the same
// probe replaces the old one.
type filedUnder struct {
	probe string
	job   train.JobID
	rank  int
}

// file keeps answers of probes, and starts a diagnosis with them.
func (m *model) file(answers []diagnose.ProbeAnswer) tea.Cmd {
	newer := map[filedUnder]bool{}
	for _, a := range answers {
		newer[filedUnder{a.Probe, a.Job, a.Rank}] = true
	}
	var kept []diagnose.ProbeAnswer
	for _, b := range m.filed.answers {
		if !newer[filedUnder{b.Probe, b.Job, b.Rank}] {
			kept = append(kept, b)
		}
	}
	kept = append(kept, answers...)
	m.filed.answers = slices.Clip(kept[max(0, len(kept)-maxFiled):])
	m.filed.version++
	return m.analyse(false)
}
