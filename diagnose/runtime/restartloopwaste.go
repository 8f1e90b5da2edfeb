package runtime

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

var restartLoopWaste = rule.Cause{
	ID: "restart-loop-waste", Stage: train.StageSpeed,
	Words: logfindings.Words{
		Title:   "Restarts lose what was trained since the last checkpoint",
		Meaning: "Ranks start again and again and lose what was trained since the last checkpoint.",
		Fix:     "Find out why the ranks end; save checkpoints more often.",
	},
	Evidence: "Restarts of containers and pods, the newest of them young, with steps made again between them.",

	Find: func(s *rule.JobContext) []train.Finding {
		if s.Job.Phase.Terminal() || s.Job.Restarts < restartsShow || len(s.Job.Ranks) == 0 {
			return nil
		}
		worst := worstRank(s.Job)
		if worst.State == train.RankRunning && s.OlderThan(worst.Since, loopOver) {
			s.CheckPassed(fmt.Sprintf("%s, the newest more than an hour ago", termtext.Count(s.Job.Restarts, "restart")))
			return nil
		}
		f := s.NewFinding(train.SeverityWarning, time.Time{})
		f.Ranks = []int{worst.Index}
		f.Title = fmt.Sprintf("%s has been restarted %d times, %s alone %d times", s.Job.Ref, s.Job.Restarts, rule.RankName(worst), worst.Restarts)
		f.Explanation = s.Current.Meaning
		f.Evidence = []train.Evidence{rule.StatusEvidence(s.Job.Ref, "", termtext.Count(s.Job.Restarts, "restart"), time.Time{}, worst.Index)}
		addWaste(s, &f)
		f.Next = s.Current.Advice()
		f.Verify = "The count of restarts stays, and the step number goes beyond what it has reached."
		return []train.Finding{f}
	},
}

// restartsShow is from how many restarts on a job is one that starts again and again.
const restartsShow = 3

// loopOver is how long a rank must run again until its restarts no longer
// count.
const loopOver = time.Hour

func worstRank(job *train.Job) *train.Rank {
	worst := &job.Ranks[0]
	for i := range job.Ranks {
		if job.Ranks[i].Restarts > worst.Restarts {
			worst = &job.Ranks[i]
		}
	}
	return worst
}

// addWaste adds what was trained again, as far as logs of earlier container
// instances show it.
func addWaste(s *rule.JobContext, f *train.Finding) {
	if s.JobLogsVersion(s.Job.ID) == 0 {
		return
	}
	run := s.Run(s.Job)
	if run == nil {
		return
	}
	if run.LostSteps > 0 {
		text := fmt.Sprintf("the newest life began %s steps before what the life before it had reached", rule.Number(run.LostSteps))
		if run.LostTime > 0 {
			text += ", " + termtext.Duration(run.LostTime) + " of work"
		}
		f.Evidence = append(f.Evidence, train.Evidence{Kind: train.EvidenceSeries, Object: s.Job.Ref, Text: text, Time: run.Newest, Rank: -1, Metric: run.LossName})
	}
	if first, lives := sameBeginning(run); lives >= 3 {
		f.Title = fmt.Sprintf("%s gets nowhere: its last %d starts all began at step %s", s.Job.Ref, lives, rule.Number(first))
		f.Explanation += " No start lives long enough to save a checkpoint that the next one could go on from."
	}
}

// sameBeginning counts the newest container instances of one rank that all
// began at one step: no checkpoint was saved in between.
func sameBeginning(run *series.Run) (first float64, lives int) {
	tracks := run.Tracks(run.LossName)
	for i := len(tracks) - 1; i >= 0; i-- {
		t := &tracks[i]
		if t.Len() == 0 || t.Rank != tracks[len(tracks)-1].Rank || t.Unit != series.UnitSteps {
			continue
		}
		if lives > 0 && t.X(0) != first {
			break
		}
		first, lives = t.X(0), lives+1
	}
	return first, lives
}
