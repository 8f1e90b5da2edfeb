package runtime

import (
	"fmt"
	"slices"
	"time"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

var rankEndedEarly = rule.Cause{
	ID: "rank-ended-early", Stage: train.StageProgress,
	Words: logfindings.Words{
		Title:   "A rank has ended with success long before the others",
		Meaning: "The ranks of one process group end together: one that has fewer batches than the others, or leaves its loop early, ends first, and the others wait for it in the next collective until its timeout.",
		Fix: "Read the end of that rank's log, and the newest lines of the others: do their steps go on?\n" +
			"If they wait, give each rank the same number of batches (drop_last, an even split, torch's Join), and start the job again from its checkpoint.",
	},
	Evidence: "A pod Succeeded more than ten minutes ago in a job of fixed size whose pods are one process group (PyTorchJob, PaddleJob), while at least two pods of the job run on; no line of their logs and no use of GPUs shows that they go on.",

	Find: func(s *rule.JobContext) []train.Finding {
		ended := endedRanks(s)
		switch {
		case len(ended) == 0:
			s.CheckPassed("no rank has ended")
			return nil
		case s.Job.Phase != train.Running || s.Job.Elastic != nil || !isOneGroup(s.Job):
			s.CheckSkipped("the job does not run, or its ranks may end one by one")
			return nil
		case len(s.LiveLogs()) > 0 || s.Opening:
			s.CheckSkipped("the logs are followed, and say whether the others go on")
			return nil
		}
		first := slices.MinFunc(ended, func(a, b *train.Rank) int { return a.Since.Compare(b.Since) })
		on := runningLonger(s, first.Since)
		if on < 2 || first.Since.IsZero() || !s.OlderThan(first.Since, othersEnd) {
			return nil
		}
		if works, power := stillComputes(s, first.Since); works {
			s.CheckPassed("the GPUs of the others compute (" + power + ")")
			return nil
		}
		return []train.Finding{endedEarly(s, first, len(ended), on)}
	},
}

// othersEnd is how long after the first rank the others may end: they evaluate, write
// a checkpoint, or upload it.
const othersEnd = 10 * time.Minute

// isOneGroup reports whether the operator of a job makes its pods one process group,
// so that none can go on when another has ended.
func isOneGroup(job *train.Job) bool {
	return job.Ref.Kind == "PyTorchJob" || job.Ref.Kind == "PaddleJob"
}

// runningLonger counts the ranks that ran when another one ended and run still.
func runningLonger(s *rule.JobContext, ended time.Time) (n int) {
	for i := range s.Job.Ranks {
		if r := &s.Job.Ranks[i]; r.State == train.RankRunning && !r.Since.After(ended) {
			n++
		}
	}
	return n
}

func endedEarly(s *rule.JobContext, first *train.Rank, ended, on int) train.Finding {
	f := s.NewFinding(train.SeverityWarning, first.Since)
	f.Confidence, f.RootRank = train.Possible, first.Index
	f.Title = fmt.Sprintf("%s ended with success %s ago", rule.RankName(first), termtext.Duration(s.Now.Sub(first.Since)))
	if ended > 1 {
		f.Title += ", as " + termtext.Count(ended-1, "other rank")
	}
	f.Title += fmt.Sprintf(", and %s on: they may wait for it", termtext.Count(on, "rank")+" "+termtext.Agree(on, "runs", "run"))
	f.Explanation = s.Current.Meaning
	f.Evidence = []train.Evidence{rule.StatusEvidence(rule.CoreRef("Pod", first.Namespace, first.Pod), "status.phase", "ended with success", first.Since, first.Index)}
	f.Next = append([]train.Step{rule.Look("Read how that rank ended.", "kubectl", "logs", "-n", first.Namespace, first.Pod, "--tail=50")}, s.Current.Advice()...)
	f.Verify = "The other ranks make steps, or end too."
	return f
}
