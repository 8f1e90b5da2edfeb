package logfeed

import (
	"testing"
	"time"
)

// The time in front of a line is read in the ways that programs write a full date.
func TestDatesOfPrograms(t *testing.T) {
	want := time.Date(2026, 11, 20, 14, 33, 33, 0, time.UTC)
	for _, line := range []string{
		"11/20/2026 14:33:33 - INFO - __main__ - step 1",
		"20.11.2026 14:33:33 step 1",
		"20/11/2026 14:33:33 step 1",
		"Fri Nov 20 14:33:33 2026 step 1",
		"[Fri Nov 20 14:33:33 2026] step 1",
		"20261120T143333Z step 1",
		"20261120T143333 step 1",
		"[20/Nov/2026:14:33:33 +0000] step 1",
		"[11/20/2026 14:33:33] step 1",
		`{"time": "2026-11-20T14:33:33Z", "step": 1}`,
		`{"level":"info","ts":1795185213,"msg":"step 1"}`,
		`{"timestamp": 1795185213000, "step": 1}`,
		`{"asctime": "2026-11-20 14:33:33,000", "message": "step 1"}`,
		`{"msg":"a","ts":"x","time":"11/20/2026 14:33:33"}`,
	} {
		if got := TimeOf([]byte(line), time.UTC); !got.Equal(want) {
			t.Errorf("%s: %s", line, got)
		}
	}
	for _, line := range []string{
		"[20/Nov/20x6:14:33:33 +0000] step 1", "[2x/Nov/2026:14:33:33 +0000] step 1", "[20/Nov/2026:14-33:33 +0000] step 1",
		"[20/Nov/2026:14:33-33 +0000] step 1", "[20/Nox/2026:14:33:33 +0000] step 1", "Fri Nov 2x 14:33:33 2026 step 1", "Fri Nov 20 14:33:33 20x6 step 1",
		"Fri Nov 20 14-33:33 2026 step 1", "2026x120T143333 step 1", "202611x0T143333Z step 1", "20x61120T143333 step 1",
	} {
		if got := TimeOf([]byte(line), time.UTC); !got.IsZero() {
			t.Errorf("%s: %s, which is no date", line, got)
		}
	}
	afternoon := []string{"11/20/2026 02:33:33 PM step 1", "20.11.2026 02:33:33 pm", "[11/20/2026 02:33:33 PM] step 1"}
	for _, line := range afternoon {
		if got := TimeOf([]byte(line), time.UTC); !got.Equal(want) {
			t.Errorf("%s: %s", line, got)
		}
	}
	if got := TimeOf([]byte("11/21/2026 12:00:00 AM step 1"), time.UTC); !got.Equal(time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("midnight: %s", got)
	}
	early := time.Date(2026, 11, 2, 14, 33, 33, 0, time.UTC)
	for _, line := range []string{"Mon Nov  2 14:33:33 2026 step 1", "02.11.2026 14:33:33 step 1"} {
		if got := TimeOf([]byte(line), time.UTC); !got.Equal(early) {
			t.Errorf("%s: %s", line, got)
		}
	}
	for _, line := range []string{
		"I1120 14:33:33.000000 140 train.py:88] step 1", // without its year
		"14:33:33 step 1",
		"11/20/2026 step 1",
		"11/02/2026 14:33:33 step 1", // either may be the month
		"11/20/2026 14:33:33 PM step 1",
		"Fri Nov 20 14:33:33 step 1",
		"13/20/2026 14:33:33 step 1",
		"Fri Foo 20 14:33:33 2026 step 1",
		"loss/acc/2026 14:33:33",
		`{"time": 12.5, "step": 1}`,
		`{"time": "0:00:12", "step": 1}`,
		`{"step_time": "2026-11-20T14:33:33Z"}`,
		`{"time"`, `{"time":`, "20261120T", "Fri Nov 20",
	} {
		if got := TimeOf([]byte(line), time.UTC); !got.IsZero() {
			t.Errorf("%s: %s", line, got)
		}
	}
}

// Which number is the month is known once one of them was above 12, and the same for the rest
// of the log.
func TestTheOrderOfDatesIsThatOfTheLog(t *testing.T) {
	for _, c := range []struct {
		known string
		month time.Month
	}{{"13/02/2026 10:00:00", time.April}, {"02/13/2026 10:00:00", time.March}} {
		var order dateOrder
		if got := programStamp([]byte("03/04/2026 10:00:00"), time.UTC, &order); !got.IsZero() {
			t.Errorf("before it is known: %s", got)
		}
		programStamp([]byte(c.known), time.UTC, &order)
		if got := programStamp([]byte("03/04/2026 10:00:00"), time.UTC, &order); got.Month() != c.month {
			t.Errorf("after %s: %s", c.known, got)
		}
	}
}
