package runtime

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var straggler = rule.Cause{
	ID: "straggler", Stage: train.StageProgress, OverTime: true,
	Words: logfindings.Words{
		Title:   "One rank is slower than the others",
		Meaning: "One rank is slower than the others, and all wait for it in every step.",
		Fix:     "Compare the ranks' GPUs; look at the slow rank's node, GPU and data, and move the rank to another node.",
	},
	Evidence: "One rank prints longer steps, or longer waits for data, than the others; one GPU with lower clocks or power.",

	Find: func(s *rule.JobContext) []train.Finding {
		speakers := s.LiveLogs()
		if len(speakers) < straggling {
			return nil
		}
		if v, d, others, is := slowest(speakers, func(d dataTime) float64 { return d.data }); is && d.share() >= 0.2 {
			return []train.Finding{straggles(s, v, "waits for data", d.data, others)}
		}
		if v, d, others, is := slowest(speakers, func(d dataTime) float64 { return d.step }); is {
			return []train.Finding{straggles(s, v, "takes", d.step, others)}
		}
		return nil
	},
}

const (
	// straggling is how many ranks have to print their times to be compared.
	straggling = 3
	// slower is by how much one is slower than the slowest of the others. No
	// source publishes a number: ranks that meet at each step print equal
	// times, so a quarter more is unusual. The newest steps of recorded logs
	// deviate by 0 to 1.4 % of their median, but for one: a run of
	// torchvision's reference script, whose times of single batches vary far
	// more. Where steps vary by themselves, as with sequences of many lengths,
	// the distance must also be more than the ranks' own median deviation.
	slower = 1.25
)

// slowest returns the one rank with a time far above those of all others.
func slowest(speakers []rule.LiveLog, of func(dataTime) float64) (v *rule.LiveLog, d dataTime, others float64, is bool) {
	type timed struct {
		v *rule.LiveLog
		d dataTime
	}
	var all []timed
	for i := range speakers {
		table := speakers[i].Log.Samples
		d, known := dataTimeOf(table)
		if step := table.Column(train.MetricStepTime); !known && step != nil {
			d.step, d.deviation, _ = newestMedian(step)
		}
		if of(d) > 0 {
			all = append(all, timed{&speakers[i], d})
		}
	}
	if len(all) < straggling {
		return nil, d, 0, false
	}
	slices.SortStableFunc(all, func(a, b timed) int { return cmp.Compare(of(b.d), of(a.d)) })
	first, next, last := of(all[0].d), of(all[1].d), of(all[len(all)-1].d)
	varies := max(all[0].d.deviation, all[1].d.deviation)
	return all[0].v, all[0].d, next, first > slower*next && first-next > varies && next < slower*last
}

func straggles(s *rule.JobContext, v *rule.LiveLog, what string, took, others float64) train.Finding {
	f := s.NewFinding(train.SeverityWarning, time.Time{})
	f.Ranks, f.RootRank, f.Confidence = []int{v.Rank.Index}, v.Rank.Index, train.Likely
	f.Title = fmt.Sprintf("Rank %d is slower than the others: it %s %s in each step, they %s at most", v.Rank.Index, what, coarse(took), coarse(others))
	f.Explanation = s.Current.Meaning
	if v.Rank.Node != "" {
		f.Explanation += " It runs on node " + v.Rank.Node + "."
	}
	f.Evidence = []train.Evidence{s.LastLine(v)}
	f.Next = s.Current.Advice()
	if v.Rank.Node != "" {
		f.Next = append(f.Next, rule.Look("See what is said about its node.", rule.Kubectl("describe", rule.CoreRef("Node", "", v.Rank.Node))...))
	}
	f.Verify = "Its steps take as long as those of the others."
	return f
}

// coarse formats seconds with two digits, so that the text stays while the
// value changes little.
func coarse(seconds float64) string { return fmt.Sprintf("%.2g s", seconds) }
