package draw

import (
	"testing"
	"time"
)

func TestAgesNoteHowSoonTheyAreOutOfDate(t *testing.T) {
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	f := func(age time.Duration, want time.Duration) {
		t.Helper()
		a := &Ages{Now: now}
		first := a.Since(now.Add(-age))
		if a.Turn != want {
			t.Errorf("%v (%s): anew after %v, want %v", age, first, a.Turn, want)
		}
	}
	f(time.Second, time.Second)
	f(119*time.Second, time.Second)
	f(2*time.Minute, slowTurn)
	f(9*time.Minute, slowTurn)
	f(11*time.Minute, 0)
	f(50*time.Hour, 0)
	a := &Ages{Now: now}
	for _, age := range []time.Duration{time.Hour, 3 * time.Minute, time.Second, 4 * time.Minute} {
		a.Of(age)
	}
	if a.Turn != time.Second {
		t.Errorf("of several ages anew after %v, want the shortest", a.Turn)
	}
	if a := (&Ages{Now: now}); a.Since(time.Time{}) != "" || a.Turn != 0 {
		t.Error("a time that is not known has an age")
	}
}
