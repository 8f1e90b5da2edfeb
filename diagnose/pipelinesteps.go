package diagnose

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/train"
)

// printed sets earlier stages from logs alone: a rank that prints has started.
func (w *way) printed() {
	for _, s := range podStages {
		w.set(s.stage, StageUnknown, "only logs are known of this job")
	}
	if w.logs() > 0 {
		w.set(train.StageStart, StagePassed, "it prints")
	}
}

// logs counts the logs of the job of which something was read.
func (w *way) logs() (n int) {
	if w.snapshot.JobLogsVersion(w.job.ID) == 0 {
		return 0
	}
	for i := range w.job.Ranks {
		n += len(w.snapshot.RankLogs(w.job, i))
	}
	return n
}

// steps sets the stages that logs show: a rank that makes steps has met the
// others.
func (w *way) steps() {
	run := w.snapshot.Run(w.job)
	stepping := run != nil && len(run.Metrics) > 0
	switch {
	case stepping:
		w.set(train.StageRendezvous, StagePassed, "steps are made, so the ranks have met")
		w.set(train.StageProgress, StagePassed, progressText(&run.Progress))
	case w.job.Phase == train.Succeeded:
		w.set(train.StageRendezvous, StagePassed, "the job is done")
		w.set(train.StageProgress, StagePassed, "the job is done")
	default:
		text := "no log has been read"
		if w.logs() > 0 {
			text = "no line that was read tells of a step"
		}
		w.set(train.StageRendezvous, StageUnknown, text)
		w.set(train.StageProgress, StageUnknown, text)
	}
}

// progressText returns "step 12431 of 50000, loss 1.842".
func progressText(o *series.Progress) string {
	var parts []string
	of := func(name string, now, total float64) {
		switch {
		case math.IsNaN(now):
		case math.IsNaN(total) || total <= 0:
			parts = append(parts, name+" "+rule.Number(now))
		default:
			parts = append(parts, name+" "+rule.Number(now)+" of "+rule.Number(total))
		}
	}
	of("step", o.Step, o.TotalSteps)
	if math.IsNaN(o.Step) {
		of("epoch", o.Epoch, o.TotalEpochs)
	}
	if o.LossName != "" && !math.IsNaN(o.Loss) {
		parts = append(parts, o.LossName+" "+strconv.FormatFloat(o.Loss, 'g', 4, 64))
	}
	if len(parts) == 0 {
		return "steps are made"
	}
	return strings.Join(parts, ", ")
}

// speed is passed where something was measured and there is no finding.
func (w *way) speed() {
	var parts []string
	if run := w.snapshot.Run(w.job); run != nil && run.StepTime > 0 {
		parts = append(parts, stepTime(run.StepTime)+" each step")
	}
	sum := w.snapshot.JobGPUs(w.job)
	if busy, known := busyShare(sum); known && w.job.Phase == train.Running {
		parts = append(parts, fmt.Sprintf("GPUs %.0f %% busy", busy))
	}
	switch {
	case len(parts) > 0:
		w.set(train.StageSpeed, StagePassed, strings.Join(parts, ", "))
	case sum != nil:
		w.set(train.StageSpeed, StageUnknown, "no time of steps is known, and what is measured of its GPUs does not say how busy they are")
	default:
		w.set(train.StageSpeed, StageUnknown, "no time of steps and no GPU is measured")
	}
}

// busyShare returns how busy the GPUs of a job are in percent, 0 included:
// their utilization or, where slices of GPUs have none, the share of time in
// which they computed.
func busyShare(sum *store.JobGPUs) (percent float64, known bool) {
	switch {
	case sum == nil:
		return 0, false
	case sum.Mean.Known():
		return sum.Mean.Value, true
	case sum.GraphicsMean.Known():
		return 100 * sum.GraphicsMean.Value, true
	case sum.SMMean.Known():
		return 100 * sum.SMMean.Value, true
	}
	return 0, false
}

func stepTime(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.3g s", d.Seconds())
}
