package ui

import "github.com/traintop/traintop/diagnose"

// maxFiled bounds how many answers of probes are kept as evidence.
const maxFiled = 2000

// file keeps answers of probes; a newer answer of the same rank to the same
// probe takes the place of the one before.
func (m *model) file(answers []diagnose.ProbeAnswer) {
	for _, a := range answers {
		kept := m.filed[:0:0]
		for _, b := range m.filed {
			if b.Probe != a.Probe || b.Job != a.Job || b.Rank != a.Rank {
				kept = append(kept, b)
			}
		}
		m.filed = append(kept, a)
	}
	if over := len(m.filed) - maxFiled; over > 0 {
		m.filed = m.filed[over:]
	}
}
