package prometheus

import (
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// Samples that are too old to be shown are counted and reported with their age.
func TestOldSamplesAreNamed(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	r := &session{source: New(Options{Now: func() time.Time { return now }}), every: DefaultInterval, gpus: 1}
	for _, c := range []struct {
		ages []time.Duration
		says string
	}{
		{[]time.Duration{time.Second, time.Minute}, ""},
		{[]time.Duration{time.Second, 3 * time.Hour, 4 * time.Hour}, "the newest sample of 2 GPUs is 3h old, older than 3m, and is left out"},
	} {
		var readings []train.GPUReading
		for _, age := range c.ages {
			readings = append(readings, train.GPUReading{At: now.Add(-age)})
		}
		r.noteOld(readings, train.ExpiredAfter*r.every)
		if got := r.health().Text; !strings.Contains(got, c.says) || c.says == "" && strings.Contains(got, "old") {
			t.Errorf("%v: %q", c.ages, got)
		}
	}
}
