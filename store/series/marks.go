package series

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/traintop/traintop/train"
)

// marksOf merges the marks of all logs in order; marks that several ranks
// print about one event appear once.
func marksOf(before *Run, sources []Source) []train.Mark {
	if before != nil && sameMarks(before.sources, sources) {
		return before.Marks
	}
	var all []train.Mark
	for i := range sources {
		all = append(all, sources[i].Marks...)
	}
	slices.SortStableFunc(all, byMoment)
	var kept []train.Mark
	for _, m := range all {
		if !isKept(kept, m) {
			kept = append(kept, m)
		}
	}
	return kept
}

func sameMarks(before, now []Source) bool {
	return slices.EqualFunc(before, now, func(a, b Source) bool {
		return a.Stream == b.Stream && len(a.Marks) == len(b.Marks) && (len(a.Marks) == 0 || &a.Marks[0] == &b.Marks[0])
	})
}

func byMoment(a, b train.Mark) int {
	if !a.Time.IsZero() && !b.Time.IsZero() {
		return a.Time.Compare(b.Time)
	}
	if a.HasStep && b.HasStep {
		return cmp.Compare(a.Step, b.Step)
	}
	return cmp.Compare(a.Line, b.Line)
}

// sameMoment is the largest time between marks of ranks about one event. A
// guess.
const sameMoment = 30 * time.Second

// isKept reports whether one of the marks just before is about the same event.
func isKept(kept []train.Mark, m train.Mark) bool {
	for i := len(kept) - 1; i >= 0 && i >= len(kept)-8; i-- {
		k := &kept[i]
		if k.Kind != m.Kind {
			continue
		}
		timed := !k.Time.IsZero() && !m.Time.IsZero()
		near := timed && m.Time.Sub(k.Time).Abs() <= sameMoment
		switch {
		case k.HasStep && m.HasStep && math.Abs(k.Step-m.Step) <= 1:
			return near || !timed
		case !k.HasStep || !m.HasStep:
			if near {
				return true
			}
		}
	}
	return false
}

// ResumedBetween reports whether a line from one on up to another states that training
// was resumed. The marks are those of one log.
func ResumedBetween(marks []train.Mark, from, to int64) bool {
	return slices.ContainsFunc(marks, func(m train.Mark) bool {
		return m.Kind == train.MarkResumed && m.Line >= from && m.Line <= to
	})
}
