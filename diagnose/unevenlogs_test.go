package diagnose

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

func TestRanksWithoutALog(t *testing.T) {
	for name, c := range map[string]struct {
		present []int
		want    string
		few     bool
	}{
		"one is left out":        {[]int{0, 1, 3}, "rank 2", true},
		"the first is left out":  {[]int{1, 2, 3}, "", false},
		"two in front":           {[]int{2, 3, 4}, "rank 1", true},
		"none":                   {[]int{0, 1, 2, 3}, "", false},
		"a choice of ranks":      {[]int{0, 7}, "ranks 1-6", false},
		"numbers that are times": {[]int{0, 1_700_000_000}, "", false},
		"one log":                {[]int{5}, "", false},
		"a large choice":         {[]int{0, 5000}, "ranks 1-4999", false},
		"several gaps":           {[]int{1, 3, 9000, 9002}, "ranks 2, 4-8999, 9001", false},
	} {
		job := &train.Job{LogsOnly: true}
		for _, rank := range c.present {
			job.Ranks = append(job.Ranks, train.Rank{Index: rank})
		}
		if got, few := absentRanks(job); got != c.want || few != c.few {
			t.Errorf("%s: %q, %t, want %q, %t", name, got, few, c.want, c.few)
		}
	}
}

func TestLogsThatEndEarly(t *testing.T) {
	minute := int64(time.Minute)
	whole := func(rank int, end int64) rankSteps { return rankSteps{rank, false, 400, 1, 400, end, "step"} }
	for name, c := range map[string]struct {
		one  rankSteps
		want string
	}{
		"cut, without times":        {rankSteps{3, false, 150, 1, 150, 0, "step"}, "rank 3"},
		"cut, with times":           {rankSteps{3, false, 150, 1, 150, 15 * minute, "step"}, "rank 3"},
		"as long as the others":     {whole(3, 40*minute), ""},
		"a few lines in a buffer":   {rankSteps{3, false, 396, 1, 396, 0, "step"}, ""},
		"copied a minute before":    {rankSteps{3, false, 300, 1, 300, 39 * minute, "step"}, ""},
		"prints every 100th step":   {rankSteps{3, false, 5, 1, 301, 0, "step"}, ""},
		"counts something else":     {rankSteps{3, false, 10, 1, 10, 0, "epoch"}, ""},
		"ended before others began": {rankSteps{3, false, 10, 0, 0.9, 0, "step"}, ""},
	} {
		early, ends, _ := earlyEnds([]rankSteps{whole(0, 40*minute), whole(1, 40*minute), whole(2, 40*minute), c.one})
		if early != c.want {
			t.Errorf("%s: %q (%s), want %q", name, early, ends, c.want)
		}
	}
	if early, ends, _ := earlyEnds([]rankSteps{whole(0, 0), {1, false, 100, 1, 100, 0, "step"}}); early != "rank 1" || ends != "at step 100, and the others go on to 400" {
		t.Errorf("of two: %q %q", early, ends)
	}
}

// keptSteps gives every rank of a job that runs a file of its log with a step each ten
// seconds, and the last rank one that ends that much earlier.
func keptSteps(earlier time.Duration, change func(*rankWriter), pod ...func(*corev1.Pod)) func(*cluster) {
	return func(c *cluster) {
		c.job(3, runs)
		c.node("gpu-0", 8)
		for rank := range 3 {
			c.worker(rank, append([]func(*corev1.Pod){running("gpu-0", 120)}, pod...)...)
			l := c.log(rank)
			c.events = c.events[:len(c.events)-1] // it is a file, and never live
			l.stream.File = l.stream.Pod + ".log"
			until := 2 * time.Minute
			if rank == 2 {
				change(l)
				until += earlier
			}
			l.steps(until, 10*time.Second)
			c.events = append(c.events, store.StreamChanged{Stream: l.stream, Rank: -1, Status: train.StreamStatus{State: train.StreamEnded}})
		}
	}
}

// A rank that runs and whose log ends far behind those of the others is reported with
// the objects of the job too: its log was cut, or it hangs alone.
func TestLogsOfARunningJobThatEndEarly(t *testing.T) {
	same := func(*rankWriter) {}
	restarted := func(p *corev1.Pod) {
		p.Status.ContainerStatuses[0].RestartCount = 1
		p.Status.ContainerStatuses[0].LastTerminationState.Terminated = &corev1.ContainerStateTerminated{ExitCode: 0, Reason: "Completed", FinishedAt: before(119)}
	}
	for name, f := range map[string]struct {
		build func(*cluster)
		early bool
	}{
		"one ends early":                  {keptSteps(80*time.Minute, same), true},
		"near miss: all are whole":        {keptSteps(0, same), false},
		"near miss: copied before others": {keptSteps(time.Minute, same), false},
		"near miss: it is read live":      {keptSteps(80*time.Minute, func(l *rankWriter) { l.stream.File = "" }), false},
		"near miss: before its restart":   {keptSteps(80*time.Minute, same, restarted), false},
		"near miss: of an earlier pod":    {keptSteps(80*time.Minute, func(l *rankWriter) { l.stream.UID, l.now = "uid-before", l.now.Add(-3*time.Hour) }), false},
	} {
		got := verdictOf(t, f.build)
		if says := strings.Contains(got.Sentence, "the log of rank 2 ends at step 228, and the others go on to 708"); says != f.early || says && got.Verdict != NotEnoughRead {
			t.Errorf("%s: %s: %s", name, got.Verdict, got.Sentence)
		}
	}
}

// A rank that runs and whose log, which is followed, has no line any more while the others
// make steps is reported.
func TestARankThatFallsSilentAlone(t *testing.T) {
	ranks := func(n int, ended, others time.Duration) func(*cluster) { // so long before now
		return func(c *cluster) {
			c.job(n, runs)
			c.node("gpu-0", 8)
			for rank := range n {
				c.worker(rank, running("gpu-0", 120))
				l := c.log(rank)
				if rank == n-1 {
					l.steps(ended, 10*time.Second)
					continue
				}
				l.steps(others, 10*time.Second)
			}
		}
	}
	live := func(ended, others time.Duration) func(*cluster) { return ranks(3, ended, others) }
	for name, f := range map[string]struct {
		build func(*cluster)
		says  bool
	}{
		"it is silent":                     {live(50*time.Minute, time.Minute), true},
		"one of two is":                    {ranks(2, 50*time.Minute, time.Minute), true},
		"near miss: it goes on":            {live(time.Minute, time.Minute), false},
		"near miss: for a moment":          {live(4*time.Minute, time.Second), false},
		"near miss: it printed a few ones": {live(115*time.Minute, time.Minute), false},
	} {
		got := verdictOf(t, f.build)
		if says := strings.Contains(got.Sentence, " has no line since "); says != f.says || says && got.Verdict != NotEnoughRead {
			t.Errorf("%s: %s: %s", name, got.Verdict, got.Sentence)
		}
	}
}

// A rank that falls silent in a log that several share, which their labels show, is
// reported as if each had a log of its own.
func TestARankThatFallsSilentInASharedLog(t *testing.T) {
	write := func(label string, until int) string {
		var b strings.Builder
		for step := range 600 {
			for rank := range 4 {
				if rank != 2 || step < until {
					fmt.Fprintf(&b, label+noon.Add(time.Duration(step)*time.Second).Format(time.RFC3339)+" step %d loss %.3f\n", rank, step, 3-.001*float64(step))
				}
			}
		}
		return b.String()
	}
	const says = "in the log of several ranks the lines of rank 2 end at step 299, and the others go on to 599"
	for _, label := range []string{"[default%d]:", "[rank%d]: ", "[1,%d]<stdout>:", "%d: "} {
		if got := ofLog(t, write(label, 300)).Conclusion; got.Verdict != NotEnoughRead || !strings.Contains(got.Sentence, says) {
			t.Errorf("%q: %s: %s", label, got.Verdict, got.Sentence)
		}
		if got := ofLog(t, write(label, 590)).Conclusion; got.Verdict != NothingWrong {
			t.Errorf("%q of all: %s: %s", label, got.Verdict, got.Sentence)
		}
	}
	live := func(silent time.Duration) func(*cluster) {
		return func(c *cluster) {
			c.job(1, runs)
			c.node("gpu-0", 8)
			c.worker(0, running("gpu-0", 120))
			var b strings.Builder
			for step := range 600 {
				for rank := range 4 {
					at := noon.Add(time.Duration(step-600) * 10 * time.Second)
					if rank != 2 || at.Before(noon.Add(-silent)) {
						_, _ = fmt.Fprintf(&b, "%s [rank%d]: step %d loss %.3f\n", at.Format(time.RFC3339), rank, step, 3-.001*float64(step))
					}
				}
			}
			c.log(0).read(b.String())
		}
	}
	if got := verdictOf(t, live(50*time.Minute)); got.Verdict != NotEnoughRead || !strings.Contains(got.Sentence, "the log has no step of rank 2 since 11:09:50 (UTC), after step 299") {
		t.Errorf("live: %s: %s", got.Verdict, got.Sentence)
	}
	if got := verdictOf(t, live(time.Minute)); strings.Contains(got.Sentence, "no step of rank") {
		t.Errorf("live, for a moment: %s", got.Sentence)
	}
}
