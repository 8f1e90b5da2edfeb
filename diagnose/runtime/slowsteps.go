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

var stepsSlowed = rule.Cause{
	ID: "steps-slowed", Stage: train.StageSpeed, OverTime: true,
	Words: logfindings.Words{
		Title:   "Steps take far longer than before",
		Meaning: "The training makes steps, but each takes far longer than in the same run before. Something that it needs became slow: a node, the network, the storage, or another process on its GPUs or CPUs.",
		Fix:     "See what changed when it began: other pods on the nodes, clocks and temperatures of the GPUs, the rate of the storage. Longer sequences or a larger batch, by plan of the program, look the same.",
	},
	Evidence: "The newest steps, over ten minutes and at least three, took more than three times as long as the median of the same run before, or twice as long while the tokens or FLOPS in a second that the program prints fell to half; waits around checkpoints and evaluations do not count.",

	Find: func(s *rule.JobContext) []train.Finding {
		if logs := s.LiveLogs(); len(logs) > 0 {
			return slowSteps(s, logs)
		}
		return slowSteps(s, filesOfRunning(s))
	},
}

// filesOfRunning returns the logs of ranks that run which are files, read to their end.
func filesOfRunning(s *rule.JobContext) []rule.LiveLog {
	var logs []rule.LiveLog
	for i := range s.Job.Ranks {
		if r := &s.Job.Ranks[i]; r.State == train.RankRunning {
			if log := rule.EndedFile(s.Snapshot, s.Job, i); log != nil {
				logs = append(logs, rule.LiveLog{Rank: r, Log: log})
			}
		}
	}
	return logs
}

// SlowStepsInFiles finds the same in logs that are files, of which nobody
// knows whether they grow.
func SlowStepsInFiles(s *rule.JobContext) []train.Finding {
	s.Current = &stepsSlowed
	var logs []rule.LiveLog
	for i := range s.Job.Ranks {
		if log := s.RankLog(s.Job, i); log != nil && log.Lines.Len() > 0 {
			logs = append(logs, rule.LiveLog{Rank: &s.Job.Ranks[i], Log: log})
		}
	}
	return slowSteps(s, logs)
}

const (
	// slowedFactor is by how much steps have to be longer than before. No
	// source publishes a number; sequences that grow by plan, and ranks that
	// share a node with others, change steps by less than three.
	slowedFactor = 3
	// slowedWithRate is by how much where the tokens or the arithmetic in a second
	// that the program prints fell by as much: sequences that grow by plan leave
	// these nearly as they were.
	slowedWithRate = 2
	// slowedFor and slowedSteps are how long that has to last: one evaluation
	// or one save without a word takes one wait.
	slowedFor   = 10 * time.Minute
	slowedSteps = 3
	// slowedBefore and slowedLeast are how much of the run has to lie before:
	// the first steps compile and fill caches.
	slowedBefore = 20
	slowedLeast  = 5 * time.Minute
)

// slowdown is how long steps take now and took before, in seconds per unit of
// the axis.
type slowdown struct {
	before, now float64
	since       time.Time
	line        int64 // of the first slow step
	steps       int   // waits that were slow
}

// slowSteps reports the first log that shows it: ranks wait for each other, so
// the others show the same.
func slowSteps(s *rule.JobContext, logs []rule.LiveLog) []train.Finding {
	for i := range logs {
		if d, is := slowdownOf(logs[i].Log.Samples, logs[i].Log.Marks); is {
			return []train.Finding{slowed(s, &logs[i], d)}
		}
	}
	return nil
}

// stepWait is the time between two printed steps.
type stepWait struct {
	perUnit  float64 // seconds per unit of the axis
	took     time.Duration
	from, to *series.Row
}

// slowdownOf compares the newest waits of the newest attempt with those before
// them.
func slowdownOf(table series.Table, marks []train.Mark) (slowdown, bool) {
	waits := stepWaits(table, marks)
	if len(waits) < slowedBefore+slowedSteps {
		return slowdown{}, false
	}
	waits = waits[fewestPoints/2:]
	first, lasted := len(waits), time.Duration(0)
	for first > 0 && (lasted < slowedFor || len(waits)-first < slowedSteps) {
		first--
		lasted += waits[first].took
	}
	usual, known := usualWait(waits[:first])
	if !known || lasted < slowedFor {
		return slowdown{}, false
	}
	now, factor := quartilesOf(waits[first:]), float64(slowedFactor)
	if now[0] >= slowedWithRate*usual && rateFell(table, waits[first].from.Line) {
		factor = slowedWithRate
	}
	if now[0] < factor*usual || meanWait(waits[first:]) < factor*meanWait(waits[:max(first/2, 1)]) {
		return slowdown{}, false
	}
	for first > 0 && waits[first-1].perUnit >= factor*usual {
		first--
	}
	began := waits[first].from
	return slowdown{before: usual, now: quartilesOf(waits[first:])[1], since: time.Unix(0, began.Time).UTC(), line: waits[first].to.Line, steps: len(waits) - first}, true
}

// rateFell reports whether the rate that a log prints is, from a line on, at most
// the part of the one before that slowedWithRate leaves: in the median, and in
// the first half before too. Of several rates the first is enough.
func rateFell(table series.Table, from int64) bool {
	for _, name := range [...]string{train.MetricTokens, train.MetricTFLOPS, train.MetricMFU} {
		c := table.Column(name)
		if c == nil {
			continue
		}
		at := sort.Search(len(c.Row), func(i int) bool { return table.Rows[c.Row[i]].Line > from })
		if at < slowedBefore || len(c.Row)-at < slowedSteps {
			return false
		}
		before := min(medianOf(c.Values[:at]), medianOf(c.Values[:at/2]))
		return medianOf(c.Values[at:])*slowedWithRate <= before
	}
	return false
}

func medianOf(values []float64) float64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return sorted[len(sorted)/2]
}

// stepWaits returns the waits between the steps of the newest attempt, oldest
// first, without those in which a checkpoint was saved or an evaluation was
// printed.
func stepWaits(table series.Table, marks []train.Mark) []stepWait {
	c := table.Column(train.MetricLoss)
	if c == nil {
		c = table.Column(train.MetricStepTime)
	}
	if c == nil || len(c.Row) == 0 {
		return nil
	}
	attempt := table.Rows[c.Row[len(c.Row)-1]].Attempt
	others := linesBeside(table, c, marks)
	var waits []stepWait
	var last *series.Row
	for _, at := range c.Row {
		row := &table.Rows[at]
		if row.Attempt != attempt || row.Time == 0 {
			continue
		}
		if last == nil {
			last = row
			continue
		}
		took, units := time.Duration(row.Time-last.Time), row.X-last.X
		if took == 0 || units <= 0 && took > 0 {
			continue // lines of one instant, or of one step, end one wait
		}
		if took > 0 && !anyBetween(others, last.Line, row.Line) {
			waits = append(waits, stepWait{took.Seconds() / units, took, last, row})
		}
		last = row
	}
	return waits
}

// linesBeside returns the lines of checkpoints, and of samples that are none
// of a training step, ascending.
func linesBeside(table series.Table, of *series.Column, marks []train.Mark) []int64 {
	var lines []int64
	for i := range marks {
		lines = append(lines, marks[i].Line)
	}
	for i := range table.Columns {
		if c := &table.Columns[i]; c.Name == train.MetricEvalLoss && c.Rank == of.Rank {
			for _, at := range c.Row {
				lines = append(lines, table.Rows[at].Line)
			}
		}
	}
	slices.Sort(lines)
	return lines
}

func anyBetween(lines []int64, after, to int64) bool {
	at, exact := slices.BinarySearch(lines, after)
	if exact {
		return true // the step's own line, or one of its instant
	}
	return at < len(lines) && lines[at] <= to
}

// usualWait returns the median before: of all or, where the slow part is
// longer than what is looked at, of the first half.
func usualWait(before []stepWait) (usual float64, known bool) {
	if len(before) < slowedBefore {
		return 0, false
	}
	lasted := time.Duration(0)
	for i := range before {
		lasted += before[i].took
	}
	usual = min(quartilesOf(before)[1], quartilesOf(before[:len(before)/2])[1])
	return usual, lasted >= slowedLeast && usual > 0
}

// quartilesOf returns the first quartile and the median of the time per unit.
func quartilesOf(waits []stepWait) [2]float64 {
	values := make([]float64, len(waits))
	for i := range waits {
		values[i] = waits[i].perUnit
	}
	slices.Sort(values)
	return [2]float64{values[len(values)/4], values[len(values)/2]}
}

// meanWait returns the time per unit over all: lines that come in bursts have
// a median of nothing.
func meanWait(waits []stepWait) float64 {
	took, units := 0.0, 0.0
	for i := range waits {
		took, units = took+waits[i].took.Seconds(), units+waits[i].to.X-waits[i].from.X
	}
	if units <= 0 {
		return math.Inf(1)
	}
	return took / units
}

func slowed(s *rule.JobContext, v *rule.LiveLog, d slowdown) train.Finding {
	f := s.NewFinding(train.SeverityWarning, d.since)
	unit := map[series.Unit]string{series.UnitEpochs: "An epoch takes", series.UnitItems: "A sample takes", series.UnitSamples: "A printed line takes"}[v.Log.Samples.Unit]
	if unit == "" {
		unit = "A step takes"
	}
	f.Confidence = train.Likely
	f.Title = fmt.Sprintf("%s about %s since %s (UTC); before, in the same run, it took %s", unit, waitText(d.now), d.since.Format("15:04:05"), waitText(d.before))
	f.Explanation = s.Current.Meaning + fmt.Sprintf(" That is about %s times as long.", timesAsLong(d.now/d.before))
	f.Evidence = []train.Evidence{s.LineEvidence(v, d.line, fmt.Sprintf("from this line on a step takes about %s, and took %s before (median)", waitText(d.now), waitText(d.before)))}
	f.Evidence[0].Time = d.since
	f.Next = s.Current.Advice()
	if v.Rank.Pod != "" {
		f.Next = append(f.Next, rule.Look("See what CPU and memory the pod uses.", "kubectl", "top", "pod", v.Rank.Pod, "-n", v.Rank.Namespace, "--containers"))
	}
	if v.Rank.Node != "" {
		f.Next = append(f.Next, rule.Look("See what else runs on its node.", "kubectl", "get", "pods", "-A", "-o", "wide", "--field-selector", "spec.nodeName="+v.Rank.Node))
	}
	f.Verify = "Steps take as long as before."
	return f
}

// timesAsLong rounds a factor so that it changes little while steps come.
func timesAsLong(factor float64) string {
	if factor >= 10 {
		return fmt.Sprintf("%.0f", 10*math.Round(factor/10))
	}
	return fmt.Sprintf("%.0f", factor)
}

// waitText writes seconds with two digits, and minutes where they are many.
func waitText(seconds float64) string {
	if seconds < 99.5 {
		return coarse(seconds)
	}
	return termtext.Duration(time.Duration(seconds * float64(time.Second)))
}
