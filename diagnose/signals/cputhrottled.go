package signals

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

var (
	cpuThrottledShare = Limit{
		Name: "cpuThrottled", Preset: 25, Least: 1, Most: 100, Unit: "% of the periods",
		Meaning: "share of its CFS periods in which a container had to wait for its CPU limit",
		Source:  "kubernetes-mixin: CPUThrottlingHigh above 25 % for 15 minutes",
	}
	cpuThrottledFor = Limit{
		Name: "cpuThrottledFor", Preset: 15, Least: 0, Most: 240, Unit: "min",
		Meaning: "how long", Source: "kubernetes-mixin: CPUThrottlingHigh above 25 % for 15 minutes",
	}
)

// A CPU limit throttles data loaders and the threads that launch kernels.
func cpuThrottledRule() rule {
	return rule{
		kind: "cpu-throttled", word: "CPU throttled", cause: "cpu-throttled",
		meaning: "the CPU limit of a rank's container holds it up",
		limits:  []Limit{cpuThrottledShare, cpuThrottledFor},
		job:     cpuThrottled,
	}
}

func cpuThrottled(j *job) []Signal {
	worst, ranks := j.throttledRanks()
	if len(ranks) == 0 {
		return nil
	}
	since, enough := j.lasts("cpu-throttled", time.Time{}, j.limits.minutes(&cpuThrottledFor))
	if !enough {
		return nil
	}
	s := Signal{Severity: train.SeverityInfo, Rank: -1, Since: since, Ranks: ranks}
	if use, known := meanUse(j); known && use < busyUse {
		s.Severity = train.SeverityWarning
	}
	s.Text = fmt.Sprintf("%s: CPU throttled in %s of the time%s", termtext.Ranks(ranks), percent(worst), lasting(j.now, since))
	return []Signal{s}
}

// busyUse is the mean utilization at which GPUs are as busy as they can be.
const busyUse = 0.9

// throttledRanks returns the ranks with a throttled container, and the share
// of the worst.
func (j *job) throttledRanks() (worst float64, ranks []int) {
	least := j.limits.of(&cpuThrottledShare) / 100
	for _, c := range j.containers() {
		share, known := c.usage.Values.Get(train.UsedCPUThrottled)
		if !known || share <= least {
			continue
		}
		worst = max(worst, share)
		if len(ranks) == 0 || ranks[len(ranks)-1] != c.rank {
			ranks = append(ranks, c.rank)
		}
	}
	return worst, ranks
}

// meanUse returns the current mean utilization of the job's GPUs.
func meanUse(j *job) (use float64, known bool) {
	sum, n := 0.0, 0.0
	for _, g := range j.fresh {
		if share, _, known := g.use(); known {
			sum, n = sum+share, n+1
		}
	}
	return sum / max(1, n), n > 0
}
