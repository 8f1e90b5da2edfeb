package diagnose

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/diagnose/signals"
	"github.com/traintop/traintop/train"
)

// fromSignals returns findings from measurements, one for each cause that the
// job's signals indicate. They are worse than a warning only where the job
// loses the GPU.
func fromSignals(s *rule.JobContext) []train.Finding {
	var found []train.Finding
	reported := map[train.Cause]int{}
	for _, signal := range s.Signals.Job(s.Job.ID) {
		c := s.Causes.Of(signal.Cause)
		if c == nil {
			continue
		}
		if at, known := reported[c.ID]; known {
			found[at].Evidence = append(found[at].Evidence, measured(s, &signal))
			found[at].Ranks = sorted(append(found[at].Ranks, ranksOf(&signal)...))
			continue
		}
		reported[c.ID] = len(found)
		found = append(found, signalFinding(s, c, &signal))
	}
	return found
}

func signalFinding(s *rule.JobContext, c *rule.Cause, signal *signals.Signal) train.Finding {
	s.Current = c
	f := s.NewFinding(signal.Severity, signal.Since)
	f.Title, f.Confidence, f.Evidence, f.Ranks = titleOf(signal), train.Likely, []train.Evidence{measured(s, signal)}, ranksOf(signal)
	if signal.Severity == train.SeverityInfo {
		f.Confidence = train.Possible // a notice: it may never happen
	}
	if len(f.Ranks) == 1 && len(s.Job.Ranks) > 1 {
		f.RootRank = f.Ranks[0]
	}
	f.Next = append(c.Advice(), signalSteps(s, signal)...)
	f.Verify = fmt.Sprintf("The GPUs no longer show %q for this job.", signal.Word)
	explain(s, c, &f, nil)
	return f
}

// titleOf returns the text of a signal as the beginning of a sentence.
func titleOf(signal *signals.Signal) string {
	text := rule.Plain(signal.Text)
	if said, of := strings.CutPrefix(text, signal.Node+": "); of && signal.Node != "" {
		return "Node " + signal.Node + ": " + said
	}
	return rule.Capital(text)
}

// measured returns the series that a signal was read from.
func measured(s *rule.JobContext, signal *signals.Signal) train.Evidence {
	e := train.Evidence{Kind: train.EvidenceSeries, Object: s.Job.Ref, Text: rule.Plain(signal.Text), Time: signal.Since, Rank: signal.Rank, GPU: signal.GPU}
	if len(signal.Quantities) > 0 {
		e.Metric = signals.QuantityName(signal.Quantities[0])
	}
	return e
}

// ranksOf returns the ranks that a signal is about; nil for the whole job.
func ranksOf(signal *signals.Signal) []int {
	if len(signal.Ranks) > 0 {
		return append([]int(nil), signal.Ranks...)
	}
	if signal.Rank >= 0 {
		return []int{signal.Rank}
	}
	return nil
}

// signalSteps returns steps that show more of a signal: the GPUs as the pod
// sees them, and the state of the node.
func signalSteps(s *rule.JobContext, signal *signals.Signal) []train.Step {
	var steps []train.Step
	rank, node := signal.Rank, signal.Node
	if ranks := ranksOf(signal); rank < 0 && len(ranks) > 0 {
		rank = ranks[0]
	}
	for i := range s.Job.Ranks {
		r := &s.Job.Ranks[i]
		if r.Index != rank && rank >= 0 || r.Pod == "" || r.State != train.RankRunning {
			continue
		}
		arguments := []string{"kubectl", "exec", "-n", r.Namespace, r.Pod}
		if r.Container != "" {
			arguments = append(arguments, "-c", r.Container)
		}
		steps = append(steps, rule.Look("See the GPUs of "+rule.RankName(r)+".", append(arguments, "--", "nvidia-smi", "-q", "-d", "PERFORMANCE,POWER,TEMPERATURE,ECC,CLOCK")...))
		node = cmp.Or(node, r.Node)
		break
	}
	if node != "" {
		steps = append(steps, rule.Look("See what is said about node "+node+".", rule.Kubectl("describe", rule.CoreRef("Node", "", node))...))
	}
	return steps
}
