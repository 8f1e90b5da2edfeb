package diagnose

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/traintop/traintop/diagnose/signals"
	"github.com/traintop/traintop/train"
)

// fromSignals are findings of what was measured, one for each cause that the
// signals of the job speak for. What they say is worse than a warning only
// where the GPU is lost to the job.
func (s *jobContext) fromSignals() []train.Finding {
	var found []train.Finding
	told := map[train.Cause]int{}
	for _, signal := range s.signals.Job(s.job.ID) {
		c := s.causes.of(signal.Cause)
		if c == nil {
			continue
		}
		if at, known := told[c.id]; known {
			found[at].Evidence = append(found[at].Evidence, s.measured(&signal))
			found[at].Ranks = sorted(append(found[at].Ranks, ranksOf(&signal)...))
			continue
		}
		told[c.id] = len(found)
		found = append(found, s.signalFinding(c, &signal))
	}
	return found
}

func (s *jobContext) signalFinding(c *cause, signal *signals.Signal) train.Finding {
	s.current = c
	f := s.newFinding(signal.Severity, signal.Since)
	f.Title, f.Confidence, f.Evidence, f.Ranks = titleOf(signal), train.Likely, []train.Evidence{s.measured(signal)}, ranksOf(signal)
	if signal.Severity == train.SeverityInfo {
		f.Confidence = train.Possible // good to know: it may never come to that
	}
	if len(f.Ranks) == 1 && len(s.job.Ranks) > 1 {
		f.RootRank = f.Ranks[0]
	}
	f.Next = append([]train.Step{do(c.fix)}, s.signalSteps(signal)...)
	f.Verify = fmt.Sprintf("The GPUs no longer show %q for this job.", signal.Word)
	s.explain(c, &f, nil)
	return f
}

// titleOf is what a signal says, as a sentence begins.
func titleOf(signal *signals.Signal) string {
	text := plain(signal.Text)
	if said, of := strings.CutPrefix(text, signal.Node+": "); of && signal.Node != "" {
		return "Node " + signal.Node + ": " + said
	}
	return capital(text)
}

// measured is the series that a signal was read from.
func (s *jobContext) measured(signal *signals.Signal) train.Evidence {
	e := train.Evidence{Kind: train.EvidenceSeries, Object: s.job.Ref, Text: plain(signal.Text), Time: signal.Since, Rank: signal.Rank, GPU: signal.GPU}
	if len(signal.Quantities) > 0 {
		e.Metric = signals.QuantityName(signal.Quantities[0])
	}
	return e
}

// ranksOf are the ranks that a signal is about; nil for the whole job.
func ranksOf(signal *signals.Signal) []int {
	if len(signal.Ranks) > 0 {
		return append([]int(nil), signal.Ranks...)
	}
	if signal.Rank >= 0 {
		return []int{signal.Rank}
	}
	return nil
}

// signalSteps are what shows a person more of a signal: the GPUs as the pod
// sees them, and what is said about the node.
func (s *jobContext) signalSteps(signal *signals.Signal) []train.Step {
	var steps []train.Step
	rank, node := signal.Rank, signal.Node
	if ranks := ranksOf(signal); rank < 0 && len(ranks) > 0 {
		rank = ranks[0]
	}
	for i := range s.job.Ranks {
		r := &s.job.Ranks[i]
		if r.Index != rank && rank >= 0 || r.Pod == "" || r.State != train.RankRunning {
			continue
		}
		arguments := []string{"kubectl", "exec", "-n", r.Namespace, r.Pod}
		if r.Container != "" {
			arguments = append(arguments, "-c", r.Container)
		}
		steps = append(steps, look("See the GPUs of "+rankName(r)+".", append(arguments, "--", "nvidia-smi", "-q", "-d", "PERFORMANCE,POWER,TEMPERATURE,ECC,CLOCK")...))
		node = cmp.Or(node, r.Node)
		break
	}
	if node != "" {
		steps = append(steps, look("See what is said about node "+node+".", kubectl("describe", coreRef("Node", "", node))...))
	}
	return steps
}
