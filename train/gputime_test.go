package train

import (
	"testing"
	"time"
)

func TestGPUSecondsCountAllAttempts(t *testing.T) {
	start := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	after := func(d time.Duration) time.Time { return start.Add(d) }
	job := &Job{Ranks: []Rank{
		{GPUs: 8, Attempts: []Attempt{{Started: start, Finished: after(time.Minute)}, {Started: after(2 * time.Minute)}, {Started: after(3 * time.Minute)}}},
		{GPUs: 1, Attempts: []Attempt{{Started: start}}},
		{Attempts: []Attempt{{Started: start}}}, // holds none
	}}
	if got, known := job.GPUSeconds(after(4 * time.Minute)); !known || got != 8*60+8*60+8*60+240 {
		t.Errorf("a job that runs held %g s, %v", got, known)
	}
	job.Finished = after(5 * time.Minute)
	if got, _ := job.GPUSeconds(after(time.Hour)); got != 8*60+8*60+8*120+300 {
		t.Errorf("a job that has ended held %g s", got)
	}
	if got, known := (&Job{Ranks: []Rank{{GPUs: 8}}}).GPUSeconds(start); known {
		t.Errorf("a job of which no start is known held %g s", got)
	}
}

// A pod holds its devices from its node to its end: while its image does not come, and
// between two restarts in place, of which the newest alone is known.
func TestGPUSecondsOfAPodThatRestarts(t *testing.T) {
	bound := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	late, now := bound.Add(9*time.Hour), bound.Add(10*time.Hour)
	for name, r := range map[string]Rank{
		"between two restarts": {State: RankCrashing, Attempts: []Attempt{{PodUID: "a", Bound: bound, Started: late, Finished: late.Add(time.Minute)}}},
		"after a restart":      {State: RankRunning, Attempts: []Attempt{{PodUID: "a", Bound: bound, Started: late, Finished: late.Add(time.Minute)}, {PodUID: "a", InPlace: true, Started: late.Add(time.Hour / 2)}}},
		"without its image":    {State: RankWaiting, Attempts: []Attempt{{PodUID: "a", Bound: bound, Started: bound.Add(time.Second)}}},
		"after another pod":    {State: RankRunning, Attempts: []Attempt{{PodUID: "b", Bound: bound, Started: bound, Finished: late}, {PodUID: "a", Bound: late}}},
		"ended":                {State: RankFailed, Attempts: []Attempt{{PodUID: "a", Bound: bound, Started: bound, Finished: late}, {PodUID: "a", InPlace: true, Started: late, Finished: now}}},
	} {
		r.Pod, r.PodUID, r.GPUs = "pod", "a", 2
		if got, known := (&Job{Ranks: []Rank{r}}).GPUSeconds(now); !known || got != 20*3600 {
			t.Errorf("%s: %g s, %v", name, got, known)
		}
	}
}
