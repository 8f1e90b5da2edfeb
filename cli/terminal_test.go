package cli

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/traintop/traintop/cli/config"
	"github.com/traintop/traintop/cli/process"
)

func TestCanDraw(t *testing.T) {
	check := func(what string, terminals []*os.File, keyboard error, want bool) {
		t.Helper()
		is := func(f *os.File) bool {
			for _, terminal := range terminals {
				if f == terminal {
					return true
				}
			}
			return false
		}
		if got := process.CanDraw(is, func() error { return keyboard }); got != want {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	none := errors.New("no such device")
	check("a terminal at both ends", []*os.File{os.Stdin, os.Stdout}, none, true)
	check("a dump at standard input, keys from the terminal", []*os.File{os.Stdout}, nil, true)
	check("a dump at standard input and nobody to press keys", []*os.File{os.Stdout}, none, false)
	t.Setenv("TERM", "dumb")
	check("a terminal that takes no escape sequences", []*os.File{os.Stdin, os.Stdout}, nil, false)
	t.Setenv("TERM", "xterm-256color")
	check("output into a pipe", []*os.File{os.Stdin}, nil, false)
}

// A dumb terminal gets the jobs once, and why there is no screen.
func TestADumbTerminalGetsAReason(t *testing.T) {
	t.Setenv("TERM", "dumb")
	for _, args := range [][]string{{"--from", "testdata/pending.yaml"}, {"demo"}} {
		out, messages, code := command(t, "", args...)
		if code != exitDone || !strings.Contains(out, "NAME") || !strings.Contains(messages, "TERM is dumb: this terminal takes no screen") || !strings.Contains(messages, "TERM=xterm-256color") {
			t.Errorf("%q: exit %d\n%s\n%s", args, code, out, messages)
		}
	}
}

// The fonts of Linux' console have no signs of states, sparklines and dots of charts.
// Where a person did not choose, the screen takes letters there.
func TestTheConsoleOfLinuxGetsASCII(t *testing.T) {
	yes, no := true, false
	for _, c := range []struct {
		term   string
		chosen *bool
		want   bool
	}{{"linux", nil, true}, {"linux", &no, false}, {"xterm", nil, false}, {"xterm", &yes, true}, {"linux-basic", nil, false}} {
		t.Setenv("TERM", c.term)
		o := &opening{}
		if got := o.drawsASCII(config.Settings{ASCII: c.chosen}); got != c.want {
			t.Errorf("TERM=%s, chosen %v: %v", c.term, c.chosen, got)
		}
	}
}

// fromPartOfTheDemo adds the objects, logs and GPUs of one namespace of the demo to a
// command line: all of it takes a second or two to read.
func fromPartOfTheDemo(args ...string) []string {
	for _, part := range []string{"llm.yaml", "cluster.yaml", "logs/llm", "metrics/gpu-h100-01.prom.gz"} {
		args = append(args, "--from", "../testdata/demo/"+part)
	}
	return args
}

// With --ascii what is printed for people is ASCII; data for programs is as it is.
func TestASCIIAlone(t *testing.T) {
	for _, line := range []string{"jobs", "jobs -o wide", "gpus", "diagnose", "curves", "compare llama-70b qwen3-sft"} {
		out, messages, _ := command(t, "", append(strings.Fields(line), fromPartOfTheDemo("--ascii")...)...)
		for _, text := range []string{out, messages} {
			if at := strings.IndexFunc(text, func(r rune) bool { return r > '~' }); at >= 0 {
				t.Errorf("%s prints %q", line, text[max(0, at-40):min(len(text), at+8)])
			}
		}
		if len(out) < 100 {
			t.Errorf("%s prints only %q, %q", line, out, messages)
		}
	}
	plain, _, _ := command(t, "", fromPartOfTheDemo("diagnose", "-o", "json")...)
	if out, _, _ := command(t, "", fromPartOfTheDemo("diagnose", "-o", "json", "--ascii")...); out != plain || !strings.Contains(out, "→") {
		t.Error("JSON is another with --ascii, or has no sign to tell by")
	}
}
