package diagnose

import (
	"testing"
	"time"

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
	whole := func(rank int, end int64) rankSteps { return rankSteps{rank, 400, 1, 400, end, "step"} }
	for name, c := range map[string]struct {
		one  rankSteps
		want string
	}{
		"cut, without times":        {rankSteps{3, 150, 1, 150, 0, "step"}, "rank 3"},
		"cut, with times":           {rankSteps{3, 150, 1, 150, 15 * minute, "step"}, "rank 3"},
		"as long as the others":     {whole(3, 40*minute), ""},
		"a few lines in a buffer":   {rankSteps{3, 396, 1, 396, 0, "step"}, ""},
		"copied a minute before":    {rankSteps{3, 300, 1, 300, 39 * minute, "step"}, ""},
		"prints every 100th step":   {rankSteps{3, 5, 1, 301, 0, "step"}, ""},
		"counts something else":     {rankSteps{3, 10, 1, 10, 0, "epoch"}, ""},
		"ended before others began": {rankSteps{3, 10, 0, 0.9, 0, "step"}, ""},
	} {
		early, ends := earlyEnds([]rankSteps{whole(0, 40*minute), whole(1, 40*minute), whole(2, 40*minute), c.one})
		if early != c.want {
			t.Errorf("%s: %q (%s), want %q", name, early, ends, c.want)
		}
	}
	if early, ends := earlyEnds([]rankSteps{whole(0, 0), {1, 100, 1, 100, 0, "step"}}); early != "rank 1" || ends != "at step 100, and the others go on to 400" {
		t.Errorf("of two: %q %q", early, ends)
	}
}
