package diagnose

import (
	"github.com/traintop/traintop/train"
)

// fromSignals are findings of what was measured, one for each cause that the
// signals of the job speak for.
func (s *subject) fromSignals() []train.Finding {
	var found []train.Finding
	told := map[train.Cause]int{}
	for _, signal := range s.signals.Job(s.job.ID) {
		c := s.list.of(signal.Cause)
		if c == nil {
			continue
		}
		proof := train.Evidence{Kind: train.EvidenceSeries, Object: s.job.Ref, Text: plain(signal.Text), Time: signal.Since, Rank: signal.Rank, GPU: signal.GPU}
		if at, known := told[c.id]; known {
			found[at].Evidence = append(found[at].Evidence, proof)
			if signal.Rank >= 0 {
				found[at].Ranks = sorted(append(found[at].Ranks, signal.Rank))
			}
			continue
		}
		told[c.id] = len(found)
		s.current = c
		f := s.found(signal.Severity, signal.Since)
		f.Title, f.Confidence, f.Evidence = plain(signal.Text), train.Likely, []train.Evidence{proof}
		if signal.Rank >= 0 {
			f.Ranks = []int{signal.Rank}
		}
		s.explain(c, &f, nil)
		found = append(found, f)
	}
	return found
}
