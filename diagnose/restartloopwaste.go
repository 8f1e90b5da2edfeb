package diagnose

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/train"
)

var restartLoopWaste = cause{
	id: "restart-loop-waste", stage: train.StageSpeed,
	meaning:  "Ranks start again and again and lose what was trained since the last checkpoint.",
	evidence: "Restarts of containers and pods, with steps made between them.",
	fix:      "Find why they end; save checkpoints more often.",

	find: func(s *subject) []train.Finding {
		if s.job.Phase.Terminal() || s.job.Restarts < 3 {
			return nil
		}
		f := s.found(train.SeverityWarning, time.Time{})
		worst := worstRank(s.job)
		f.Ranks = []int{worst.Index}
		f.Title = fmt.Sprintf("%s has been restarted %d times, %s alone %d times", s.job.Ref, s.job.Restarts, rankName(worst), worst.Restarts)
		f.Explanation = s.current.meaning
		f.Evidence = []train.Evidence{status(s.job.Ref, "", count(s.job.Restarts, "restart"), time.Time{}, worst.Index)}
		f.Next = []train.Step{do(s.current.fix)}
		f.Verify = "The count of restarts stays."
		return []train.Finding{f}
	},
}

func worstRank(job *train.Job) *train.Rank {
	worst := &job.Ranks[0]
	for i := range job.Ranks {
		if job.Ranks[i].Restarts > worst.Restarts {
			worst = &job.Ranks[i]
		}
	}
	return worst
}
