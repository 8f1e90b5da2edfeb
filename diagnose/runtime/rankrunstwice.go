package runtime

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

var rankRunsTwice = rule.Cause{
	ID: "rank-runs-twice", Stage: train.StageProgress,
	Words: logfindings.Words{
		Title:   "Two pods run the same rank",
		Meaning: "The operator made a pod anew before the old one ended. Both have the same rank: the process group takes one of them, the other waits or disturbs it, and both may write the same checkpoint.",
		Fix: "Read the logs of both pods: which of them makes steps with the other ranks?\n" +
			"Delete the other pod, and look at the operator's log for why it made the pod anew.",
	},
	Evidence: "Two pods of the job with the same role and index have run beside each other for more than two minutes, and neither is being deleted.",

	Find: func(s *rule.JobContext) []train.Finding {
		older := map[string][]*rule.Pod{} // by the newest pod of the rank
		for _, p := range s.Pods {
			if p.Rank.DuplicateOf != "" {
				older[p.Rank.DuplicateOf] = append(older[p.Rank.DuplicateOf], p)
			}
		}
		if len(older) == 0 {
			s.CheckPassed("no two pods have the same rank")
			return nil
		}
		var found []train.Finding
		for _, newest := range s.Pods {
			pods := slices.DeleteFunc(append(older[newest.Name], newest), func(p *rule.Pod) bool { return p.Rank.State != train.RankRunning })
			if len(pods) < 2 || s.Job.Phase.Terminal() {
				continue
			}
			slices.SortStableFunc(pods, func(a, b *rule.Pod) int { return a.Rank.Since.Compare(b.Rank.Since) })
			if since := pods[1].Rank.Since; s.OlderThan(since, besideFor) {
				found = append(found, runsTwice(s, newest.Rank, pods, since))
			}
		}
		return found
	},
}

// besideFor is how long two pods of one rank may run beside each other: a pod that was
// replaced is deleted at once, and ends within its grace period.
const besideFor = 2 * time.Minute

// mostShown bounds how many pods of one rank are evidence.
const mostShown = 8

// runsTwice is the finding of a rank that several pods run, two of them since then.
func runsTwice(s *rule.JobContext, rank *train.Rank, pods []*rule.Pod, since time.Time) train.Finding {
	shown := pods[:min(len(pods), mostShown)]
	f := s.NewFinding(train.SeverityWarning, since)
	f.Ranks, f.RootRank = []int{rank.Index}, rank.Index
	names := make([]string, len(pods))
	for i, p := range pods {
		names[i] = p.Name
	}
	for _, p := range shown {
		f.Evidence = append(f.Evidence, rule.StatusEvidence(s.Ref(p), "status.phase", string(p.Status.Phase)+" as "+rule.RankName(rank), p.Rank.Since, rank.Index))
	}
	f.Title = fmt.Sprintf("Rank %d runs twice, in %s", rank.Index, strings.Join(names, " and "))
	if len(pods) > 2 {
		f.Title = fmt.Sprintf("Rank %d runs %d times, in %s", rank.Index, len(pods), rule.Names(names))
	}
	if !since.IsZero() {
		f.Title += ", for " + termtext.Duration(s.Now.Sub(since))
	}
	f.Explanation = s.Current.Meaning
	f.Next = append([]train.Step{rule.Look("See both pods.", "kubectl", "get", "pod", "-n", rank.Namespace, names[0], names[1])}, s.Current.Advice()...)
	f.Verify = "One pod of the rank is left, and the job makes steps."
	return f
}
