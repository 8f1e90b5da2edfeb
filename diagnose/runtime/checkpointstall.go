package runtime

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"time"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

var checkpointStall = rule.Cause{
	ID: "checkpoint-stall", Stage: train.StageSpeed, OverTime: true,
	Words: logfindings.Words{
		Title:   "Training pauses while checkpoints are saved",
		Meaning: "Training pauses while checkpoints are saved, and that takes much of the time.",
		Fix:     "Save asynchronously (torch.distributed.checkpoint.async_save), less often, or to faster storage.",
	},
	Evidence: "Long steps at the save interval, beside the lines that tell of checkpoints.",

	Find: func(s *rule.JobContext) []train.Finding {
		for _, v := range s.LiveLogs() {
			if stall, is := stallOf(&v); is {
				return []train.Finding{stalled(s, &v, stall)}
			}
		}
		return nil
	},
}

const (
	// stallShare is the share of the time that checkpoints may take. No source
	// publishes a number; one tenth is where a person would investigate:
	// saving every hour, as large runs do, costs one in thirty (two minutes of
	// BigScience's chronicles). Each must also take at least two usual waits,
	// so that normal variation is not counted.
	stallShare = 0.1
	// stallSaves is how many checkpoints are needed to compute an interval.
	stallSaves = 3
	// stallNewest is how many of the newest are considered.
	stallNewest = 8
)

// stall is the cost of checkpoints.
type stall struct {
	share    float64
	each     time.Duration // median
	interval float64       // steps between two, 0 when they differ
	saves    int
	line     int64 // of the newest
}

// stallOf measures, for each of the newest checkpoints, how much longer the
// wait between the two samples around it was than is usual.
func stallOf(v *rule.LiveLog) (stall, bool) {
	rows, unit := v.Log.Samples.Rows, v.Log.Samples.Unit
	saves := slices.DeleteFunc(slices.Clone(v.Log.Marks), func(m train.Mark) bool { return m.Kind != train.MarkCheckpoint })
	if len(saves) < stallSaves || len(rows) < 4*stallSaves || unit != series.UnitSteps {
		return stall{}, false
	}
	saves = saves[max(0, len(saves)-stallNewest):]
	from := after(rows, saves[0].Line) - 2
	usual := medianGap(rows[max(0, from):])
	if from < 0 || usual == 0 {
		return stall{}, false
	}
	var extra, steps []float64
	last := -1
	for _, m := range saves {
		at := after(rows, m.Line)
		if at < 1 || at >= len(rows) || at == last || rows[at].Attempt != rows[at-1].Attempt || isRedrawn(rows, at-1) {
			continue
		}
		if last >= 0 {
			steps = append(steps, rows[at].X-rows[last].X)
		}
		extra, last = append(extra, float64(rows[at].Time-rows[at-1].Time)-float64(usual)), at
	}
	if len(extra) < stallSaves {
		return stall{}, false
	}
	// Whole rounds only: from before the first wait to before the last one.
	span := float64(rows[last-1].Time - rows[from].Time)
	sum := 0.0
	for _, e := range extra[:len(extra)-1] {
		sum += max(0, e)
	}
	slices.Sort(extra)
	each := extra[len(extra)/2]
	found := stall{share: sum / span, each: time.Duration(each), saves: len(extra), line: saves[len(saves)-1].Line}
	if slices.Sort(steps); len(steps) > 0 && steps[0] == steps[len(steps)-1] {
		found.interval = steps[0]
	}
	return found, span > 0 && found.share >= stallShare && each >= 2*float64(usual) && each >= float64(5*time.Second)
}

// after returns the index of the first row after a line.
func after(rows []series.Row, line int64) int {
	return sort.Search(len(rows), func(i int) bool { return rows[i].Line > line })
}

// isRedrawn reports whether a row is of a line that was drawn again and again, as bars are:
// all its states have the time of the line, so that how long the last one lasted is
// unknown.
func isRedrawn(rows []series.Row, at int) bool {
	return at > 0 && rows[at].Line == rows[at-1].Line && rows[at].Time == rows[at-1].Time
}

// medianGap returns the usual time between two rows, 0 when they have no
// times.
func medianGap(rows []series.Row) time.Duration {
	const newest = 256
	rows = rows[max(0, len(rows)-newest):]
	var gaps []int64
	for i := 1; i < len(rows); i++ {
		if rows[i-1].Time != 0 && rows[i].Time > rows[i-1].Time {
			gaps = append(gaps, rows[i].Time-rows[i-1].Time)
		}
	}
	if len(gaps) < 3 {
		return 0
	}
	slices.Sort(gaps)
	return time.Duration(gaps[len(gaps)/2])
}

func stalled(s *rule.JobContext, v *rule.LiveLog, stall stall) train.Finding {
	f := s.NewFinding(train.SeverityWarning, time.Time{})
	every := ""
	if stall.interval > 0 {
		every = fmt.Sprintf(", every %s steps", rule.Number(stall.interval))
	}
	f.Confidence = train.Likely
	f.Title = fmt.Sprintf("Saving checkpoints takes about %.0f %% of the time: %s each%s", 100*math.Min(1, stall.share), termtext.Duration(stall.each), every)
	f.Explanation = s.Current.Meaning + " What is counted is how much longer than usual the wait between the two steps around each checkpoint was."
	f.Evidence = []train.Evidence{s.LineEvidence(v, stall.line, fmt.Sprintf("the newest of %s", termtext.Count(stall.saves, "checkpoint")))}
	f.Next = s.Current.Advice()
	f.Verify = "The steps at the save interval take as long as the others."
	return f
}
