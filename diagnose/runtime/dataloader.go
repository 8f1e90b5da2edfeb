package runtime

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/train"
)

var dataloaderBound = rule.Cause{
	ID: "dataloader-bound", Stage: train.StageSpeed, OverTime: true,
	Words: logfindings.Words{
		Title:   "The training waits for data",
		Meaning: "The GPUs wait for data: the data loader gives batches more slowly than the training takes them, or not at all.",
		Fix: "Look whether the storage answers and whether the pod's CPUs are at their limit.\n" +
			"Give the data loader more workers and prefetching, raise limits.cpu, or keep the data on a volume nearby; a longer timeout of the loader only hides that it is slow.",
	},
	Evidence: "The time for data is a large part of the step's, as logs print it; use of GPUs that goes up and down like a saw while CPUs are at their limit.",
	Hides:    []train.Cause{"low-gpu-utilisation"},

	Find: func(s *rule.JobContext) []train.Finding {
		var worst *rule.LiveLog
		var most dataTime
		speakers := s.LiveLogs()
		for i := range speakers {
			if d, known := dataTimeOf(speakers[i].Log.Samples); known && d.share() > most.share() {
				worst, most = &speakers[i], d
			}
		}
		if most.share() < dataShare {
			return nil
		}
		return []train.Finding{starves(s, worst, most)}
	},
}

// dataShare is the part of a step from which on waiting for data makes it
// slow. No source publishes a number; at a half, loading decides: without it a
// step would take less than half as long. Of the recorded logs that print both
// it is 0.1 % (maskrcnn-benchmark) and, where an epoch begins, 79 %
// (torchvision), which is why the first points do not count.
const dataShare = 0.5

// dataTime is how long a step takes, and how much of it is waiting for data:
// medians in seconds over the newest steps.
type dataTime struct {
	data, step float64
	deviation  float64 // of the step's, see newestMedian
	name       string
}

func (d dataTime) share() float64 {
	if d.step <= 0 || d.data > d.step {
		return 0 // they do not count the same
	}
	return d.data / d.step
}

// tenths returns the share rounded to tenths, so that it does not change with
// every line.
func (d dataTime) tenths() int { return int(10*d.share()) * 10 }

// dataTimeOf reads both from a log that prints them (OpenMMLab, detectron2,
// torchvision's MetricLogger and others print data_time beside the step's).
func dataTimeOf(table series.Table) (d dataTime, known bool) {
	step := table.Column(train.MetricStepTime)
	if step == nil {
		return d, false
	}
	for i := range table.Columns {
		if c := &table.Columns[i]; isDataTime(c.Name) {
			d.data, _, known = newestMedian(c)
			d.step, d.deviation, _ = newestMedian(step)
			d.name = c.Name
			return d, known && d.step > 0
		}
	}
	return d, false
}

var wordBreaks = strings.NewReplacer("_", "", " ", "", "-", "", "/", "", ".", "")

func isDataTime(name string) bool {
	switch wordBreaks.Replace(strings.ToLower(name)) {
	case "datatime", "timedata", "dataloadtime", "dataloadingtime", "timedataload", "timedataloading", "perfdatatime", "dataloadertime":
		return true
	}
	return false
}

const (
	recentPoints = 32 // how many of the newest steps are considered
	fewestPoints = 12 // the first ones fill caches
)

// newestMedian returns the median of the newest values, and their median
// absolute deviation from it; known is false while there are few.
func newestMedian(c *series.Column) (median, deviation float64, known bool) {
	if len(c.Values) < fewestPoints {
		return 0, 0, false
	}
	newest := slices.Clone(c.Values[max(fewestPoints/2, len(c.Values)-recentPoints):])
	slices.Sort(newest)
	median = newest[len(newest)/2]
	for i, v := range newest {
		newest[i] = math.Abs(v - median)
	}
	slices.Sort(newest)
	return median, newest[len(newest)/2], true
}

func starves(s *rule.JobContext, v *rule.LiveLog, d dataTime) train.Finding {
	f := s.NewFinding(train.SeverityWarning, time.Time{})
	f.Title = fmt.Sprintf("Waiting for data takes more than %d %% of each step", d.tenths())
	f.Explanation, f.Confidence = s.Current.Meaning, train.Likely
	f.Evidence = []train.Evidence{s.LastLine(v)}
	f.Evidence[0].Metric = d.name
	f.Next = append(s.Current.Advice(), rule.Look("See how much CPU the pods use against their limit.", "kubectl", "top", "pod", v.Rank.Pod, "-n", v.Rank.Namespace, "--containers"))
	f.Verify = d.name + " falls, and steps take less time."
	return f
}
