package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/demo"
	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
)

func TestDemoPrintsAnInstant(t *testing.T) {
	out, messages, code := command(t, "", "demo")
	if code != exitDone || strings.Count(out, "\n") < 11 || !strings.Contains(out, "clip-b32") || !strings.Contains(out, "Failed") {
		t.Errorf("exit %d: %s\n%s", code, messages, out)
	}
	end, messages, code := command(t, "", "demo", "--at", "-1s")
	if code != exitDone || end == out || !strings.Contains(end, "dpo-mistral") {
		t.Errorf("its end, exit %d: %s\n%s", code, messages, end)
	}
	if _, messages, code := command(t, "", "demo", "--at", "-2h"); code != exitUsage || !strings.Contains(messages, "the recording lasts from") {
		t.Errorf("two hours before its end, exit %d: %s", code, messages)
	}
}

// It plays as if it happened now, and again when it has ended.
func TestDemoBeginsAgain(t *testing.T) {
	now := time.Date(2027, 3, 4, 5, 6, 7, 0, time.UTC)
	clock := func() time.Time { return now }
	f, err := openDemo(now, demo.Start)
	if err != nil {
		t.Fatal(err)
	}
	at := f.From().Add(demo.Start)
	show := &demoReplay{newReplay(f, &recording.Source{File: f, At: at}, clock), clock}
	if at.Sub(now).Abs() > time.Second {
		t.Errorf("it begins to play at %s, and now is %s", at, now)
	}
	first := demo.Chapters()[0]
	if text, keys := show.Story(at); text != first.Text || keys != first.Keys {
		t.Errorf("tells %q, %q, want %+v", text, keys, first)
	}
	if begins := show.At(); !begins.Equal(at) {
		t.Errorf("before it is read, it is %s there, want %s", begins, at)
	}
	s := store.New(clock)
	if err := show.Run(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	jobs := len(s.Snapshot().Jobs())
	_, to := show.Span()
	now = to
	again, err := show.Again(t.Context(), s.Snapshot())
	if err != nil {
		t.Fatal(err)
	}
	from, _ := show.Span()
	if snapshot := again.Snapshot(); len(snapshot.Jobs()) != jobs || jobs < 8 || snapshot.Now.Sub(now).Abs() > time.Second || now.Sub(from)-demo.Start > time.Second {
		t.Errorf("%d jobs at %s, at first %d; it begins at %s, and now is %s", len(snapshot.Jobs()), snapshot.Now, jobs, from, now)
	}
	if text, _ := show.Story(now); text != first.Text {
		t.Errorf("begun again it tells %q", text)
	}
}

// The demo refuses flags that name another source, and obeys those that choose among
// its jobs.
func TestDemoRefusesOtherSources(t *testing.T) {
	for _, flags := range [][]string{{"--from", "/nonexist"}, {"--context", "nope"}, {"--kubeconfig", "x"}, {"--prometheus", "off"}, {"-n", "foundation", "--user", "u"}} {
		out, messages, code := command(t, "", append([]string{"demo"}, flags...)...)
		if refused := flags[len(flags)-2]; code != exitUsage || out != "" || !strings.Contains(messages, "cannot follow "+refused+";") {
			t.Errorf("%v: exit %d, %s", flags, code, messages)
		}
	}
	if out, messages, code := command(t, "", "demo", "-n", "foundation", "--readonly", "--ascii"); code != 0 || !strings.Contains(out, "llama-70b") {
		t.Errorf("exit %d, %s", code, messages)
	}
}
