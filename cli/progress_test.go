package cli

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A command that is done soon reports nothing; one that reads for long reports
// its progress, until it is done.
func TestProgressIsSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var said []string
		far := func() string { return time.Now().Format("15:04:05") }
		stop := sayWhile(far, func(text string) {
			mu.Lock()
			defer mu.Unlock()
			said = append(said, text)
		})
		time.Sleep(4 * time.Second)
		stop()
		if len(said) > 0 {
			t.Errorf("after 4 s it says %q", said)
		}
		began := time.Now()
		stop = sayWhile(far, func(text string) {
			mu.Lock()
			defer mu.Unlock()
			said = append(said, text)
		})
		time.Sleep(16 * time.Second)
		stop()
		want := []string{began.Add(5 * time.Second).Format("15:04:05"), began.Add(15 * time.Second).Format("15:04:05")}
		time.Sleep(time.Minute)
		if !slices.Equal(said, want) {
			t.Errorf("it says %q, want %q", said, want)
		}
	})
}

// Printed lines are progress enough.
func TestNoProgressWhilePrinting(t *testing.T) {
	p := newLogPrinter(nil, nil, logLook{})
	far := p.whileSilent(func() string { return "reading" })
	if got := far(); got != "reading" {
		t.Errorf("nothing is printed, and it says %q", got)
	}
	p.printed.Add(1)
	if got := far(); got != "" {
		t.Errorf("a line was printed, and it says %q", got)
	}
	if got := far(); got != "reading" {
		t.Errorf("nothing more is printed, and it says %q", got)
	}
}
