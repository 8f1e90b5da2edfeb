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
