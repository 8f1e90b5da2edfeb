package actions

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// executor answers commands from a table: a fake container.
type executor map[string]func(ctx context.Context, e Exec) error

func (x executor) Execute(ctx context.Context, e Exec) error {
	if do, there := x[e.Command[0]]; there {
		return do(ctx, e)
	}
	return &Failure{Kind: NoProgram, Text: e.Command[0] + " is not there"}
}

func container() executor {
	return executor{
		"py-spy": func(context.Context, Exec) error { return &ExitError{Code: 127} },
		"hostname": func(_ context.Context, e Exec) error {
			_, err := e.Stdout.Write([]byte("bert-0\n"))
			return err
		},
		"false": func(_ context.Context, e Exec) error {
			_, err := e.Stderr.Write([]byte("no"))
			return errors.Join(&ExitError{Code: 3}, err)
		},
		"sleep": func(ctx context.Context, _ Exec) error {
			<-ctx.Done()
			return &Failure{Kind: TooLate, Text: context.Cause(ctx).Error()}
		},
		"yes": func(ctx context.Context, e Exec) error {
			for ctx.Err() == nil {
				if _, err := e.Stdout.Write([]byte(strings.Repeat("y\n", 100))); err != nil {
					return err
				}
			}
			return ctx.Err()
		},
	}
}

func TestCollect(t *testing.T) {
	for name, c := range map[string]struct {
		commands [][]string
		exit     int
		out      string
		cut      bool
		failure  FailureKind
	}{
		"the first that is there": {[][]string{{"nvidia-smi"}, {"hostname"}, {"false"}}, 0, "bert-0\n", false, ""},
		"an exit code":            {[][]string{{"false"}, {"hostname"}}, 3, "", false, ""},
		"a shell that misses it":  {[][]string{{"py-spy"}, {"hostname"}}, 0, "bert-0\n", false, ""},
		"only a shell that does":  {[][]string{{"py-spy"}}, 127, "", false, ""},
		"nothing is there":        {[][]string{{"a"}, {"b"}}, -1, "", false, NoProgram},
		"no commands":             {nil, -1, "", false, NoProgram},
		"never ends":              {[][]string{{"sleep"}}, -1, "", false, TooLate},
		"prints for ever":         {[][]string{{"yes"}}, -1, strings.Repeat("y\n", 500), true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			a := collector(container()).Collect(t.Context(), Target{Label: "3"}, c.commands)
			kind := FailureKind("")
			if a.Failure != nil {
				kind = a.Failure.Kind
			}
			if a.Exit != c.exit || string(a.Stdout) != c.out || a.Cut != c.cut || kind != c.failure || a.Target.Label != "3" {
				t.Errorf("%+v, failure %q", a, kind)
			}
		})
	}
}

// collector has a clock that advances a second with each call.
func collector(e Executor) Collector {
	at := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	var mu sync.Mutex
	now := func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		at = at.Add(time.Second)
		return at
	}
	return Collector{Executor: e, Now: now, Limit: 1000, Timeout: 50 * time.Millisecond, Parallel: 4}
}

func TestCollectDatesAnswers(t *testing.T) {
	a := collector(container()).Collect(t.Context(), Target{}, [][]string{{"hostname"}})
	if want := time.Date(2026, 11, 20, 8, 0, 1, 0, time.UTC); !a.Began.Equal(want) || a.Took != time.Second {
		t.Errorf("it began at %s and took %s, want %s and 1s", a.Began, a.Took, want)
	}
}

func TestCollectNamesWhatItTried(t *testing.T) {
	at := Target{Container: Container{Pod: "bert-0", Name: "pytorch"}}
	a := collector(container()).Collect(t.Context(), at, [][]string{{"/opt/rocm/bin/rocm-smi"}, {"amd-smi"}})
	if a.Failure == nil || a.Failure.Text != "pod bert-0, container pytorch: it has none of rocm-smi, amd-smi" {
		t.Errorf("it says %v", a.Failure)
	}
	a = collector(container()).Collect(t.Context(), at, [][]string{{"neuron-ls", "--show-all-procs"}, {"neuron-ls"}})
	if a.Failure == nil || strings.Contains(a.Failure.Text, "none of") {
		t.Errorf("of one program it says %v", a.Failure)
	}
}

// crowd counts how many commands run at once.
type crowd struct{ now, most, all atomic.Int32 }

func (c *crowd) Execute(ctx context.Context, e Exec) error {
	now := c.now.Add(1)
	defer c.now.Add(-1)
	for {
		most := c.most.Load()
		if now <= most || c.most.CompareAndSwap(most, now) {
			break
		}
	}
	c.all.Add(1)
	select {
	case <-ctx.Done():
		return &Failure{Kind: Cancelled, Text: "stopped"}
	case <-time.After(time.Millisecond):
	}
	_, err := e.Stdout.Write([]byte(e.Pod))
	return err
}

func ranks(n int) []Target {
	targets := make([]Target, n)
	for i := range targets {
		targets[i] = Target{Container: Container{Pod: fmt.Sprintf("bert-%d", i)}, Rank: i}
	}
	return targets
}

func TestCollectAll(t *testing.T) {
	defer goleak.VerifyNone(t)
	var crowd crowd
	answered := map[int]string{} // each is never called twice at once
	collector(&crowd).CollectAll(t.Context(), ranks(32), func(Target) [][]string { return [][]string{{"hostname"}} }, func(a Answer) {
		answered[a.Target.Rank] = string(a.Stdout)
	})
	for i := range 32 {
		if answered[i] != fmt.Sprintf("bert-%d", i) {
			t.Errorf("rank %d answered %q", i, answered[i])
		}
	}
	if most := crowd.most.Load(); most > 4 || most < 2 {
		t.Errorf("%d ran at once, want up to 4", most)
	}
}

// An answer that is stopped in the middle is still reported, every rank once.
func TestCollectAllIsStopped(t *testing.T) {
	defer goleak.VerifyNone(t)
	ctx, stop := context.WithCancel(t.Context())
	answered, whole := 0, 0
	collector(&crowd{}).CollectAll(ctx, ranks(32), func(Target) [][]string { return [][]string{{"hostname"}} }, func(a Answer) {
		stop()
		answered++
		if a.Failure == nil || a.Failure.Kind != Cancelled {
			whole++ // it had ended before, and may be reported late
		}
	})
	if whole > 8 {
		t.Errorf("%d answers are whole, though all but the first few were stopped", whole)
	}
	if answered != 32 {
		t.Errorf("%d answers, want 32", answered)
	}
}
