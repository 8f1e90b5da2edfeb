package draw

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"
)

func TestDurationReadsAsKubectlPrintsIt(t *testing.T) {
	for d := time.Duration(0); d < 20*365*24*time.Hour; d = d*11/10 + 700*time.Millisecond {
		if got, want := Duration(d), duration.HumanDuration(d); got != want {
			t.Errorf("%v: got %s, kubectl prints %s", d, got, want)
		}
	}
	if got := Duration(-time.Hour); got != "0s" {
		t.Errorf("an hour to come prints as %s", got)
	}
}

func TestAgesNoteWhetherSecondsShow(t *testing.T) {
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	f := func(age time.Duration, want bool) {
		t.Helper()
		a := &Ages{Now: now}
		first := a.Since(now.Add(-age))
		if a.Seconds != want {
			t.Errorf("%v (%s): seconds %v, want %v", age, first, a.Seconds, want)
		}
	}
	f(time.Second, true)
	f(9*time.Minute, true)
	f(11*time.Minute, false)
	f(50*time.Hour, false)
	if a := (&Ages{Now: now}); a.Since(time.Time{}) != "" || a.Seconds {
		t.Error("a time that is not known has an age")
	}
}
