package series

import (
	"math"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

func TestTheNewestValueIsThatOfTheFirstRankThatPrintsIt(t *testing.T) {
	speed := func(s train.Sample, value float64) train.Sample {
		s.Metrics = append(s.Metrics, train.Metric{Name: train.MetricTokens, Value: value})
		return s
	}
	run := Join([]Source{
		source(0, 0, at(1, 0, 9)),
		source(1, 0, speed(at(1, 0, 9), 100), speed(at(2, 1, 8), 200)),
		source(1, 1, speed(at(2, 60, 8), 300), at(3, 61, math.NaN())),
		source(2, 0, speed(at(9, 99, 1), 900)),
	})
	if got, known := run.NewestValue(train.MetricTokens); !known || got != 300 {
		t.Errorf("tokens per second are %g, %v", got, known)
	}
	if got, known := run.NewestValue(train.MetricLoss); !known || got != 9 {
		t.Errorf("the loss of rank 0 is %g, %v", got, known)
	}
	if got, known := run.NewestValue(train.MetricMFU); known {
		t.Errorf("a metric that nobody prints is %g", got)
	}
	if _, known := (*Run)(nil).NewestValue(train.MetricLoss); known {
		t.Error("no run has a loss")
	}
}

func TestTheAgeOfTheNewestSampleIsUnknownWithoutAFollowedLog(t *testing.T) {
	now := begin.Add(time.Hour)
	followed := source(0, 0, steps(0, 100, 10, 0, 10)...)
	if age, known := func() (time.Duration, bool) { r := Join([]Source{followed}); return r.Age(now) }(); !known || age != time.Hour-100*time.Second {
		t.Errorf("the age is %v, %v", age, known)
	}
	ended, opened := followed, followed
	ended.Ended = true
	opened.Status.Since = now
	for name, s := range map[string]Source{"ended": ended, "just opened": opened} {
		if age, known := Join([]Source{s}).Age(now); known {
			t.Errorf("of a log that has %s the age is %v", name, age)
		}
	}
}
