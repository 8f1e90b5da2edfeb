package draft

import (
	"fmt"
	"math"
	"testing"

	"github.com/traintop/traintop/sources/formats"
)

func TestFieldsAreTheNumbersOfALine(t *testing.T) {
	for line, want := range map[string]string{
		"[2026-11-20 09:00:01,123] rank0 trainer.py:88 it=12 perplexity=31.5 grad -1.5e-3": "step 12|perplexity 31.5|grad -1.5e-3|",
		"node 10.0.0.7 v2.3.1 says nan":                       "says nan|",
		"eval_v2 3d_model sees 12ms and 5%":                   "sees 12|and 5|",
		"GET https://hub.example:8443/api/3?page=2 took 7 ms": "took 7|",
		"no number here":                                      "",
		"17 of 20":                                            " 17|of 20|",
	} {
		got := ""
		for _, f := range Fields(line) {
			got += f.Name + " " + line[f.From:f.To] + "|"
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", line, got, want)
		}
	}
}

// The line that comes again with other numbers is nearest, not the one with most
// numbers; a line that never changes is last.
func TestNearestIsTheKindThatComesAgain(t *testing.T) {
	lines := []string{"config 1 2 3 4 5 6 0.1 0.2 0.3", "heartbeat 7 ok"}
	for i := range 20 {
		lines = append(lines, fmt.Sprintf("tick %d >> quality ~ %.3f", i, 9/float64(i+1)), "heartbeat 7 ok")
	}
	best := Nearest(lines, 3)
	if len(best) != 3 || lines[best[0]] != "tick 19 >> quality ~ 0.450" || lines[best[2]] != "heartbeat 7 ok" {
		t.Errorf("got %v", best)
	}
	if none := Nearest([]string{"nothing", ""}, 3); len(none) != 0 {
		t.Errorf("lines without a number: %v", none)
	}
}

// A pattern that was made of one line is one that the configuration takes, and
// reads the others.
func TestAMatchReadsTheOtherLines(t *testing.T) {
	var lines []string
	for i := range 30 {
		lines = append(lines, fmt.Sprintf("09:00:%02d worker (a+b) | tick %4d/900 >> quality ~ %.4f | seen %d", i, i, 9/float64(i+1), i*7))
	}
	lines = append(lines, "09:01:00 done", "09:01:02 worker (a+b) | tick  900/900 >> quality ~ nan | seen 1")
	fields := Fields(lines[3])
	names := make([]string, len(fields))
	for i, f := range fields {
		if f.Name == "quality" || f.Name == "step" {
			names[i] = f.Name
		}
	}
	match := Match(lines[3], fields, names)
	p := formats.Pattern{Name: "ours", Match: match, Example: lines[3]}
	if err := p.Check(); err != nil {
		t.Fatalf("%s: %v", match, err)
	}
	got, err := Read(match, lines)
	if err != nil || got.Lines != 32 || got.Matched != 31 || len(got.Values) != 2 {
		t.Fatalf("%s: %+v %v", match, got, err)
	}
	if q := got.Values[1]; q.Name != "quality" || q.Count != 31 || q.First != 9 || !math.IsNaN(q.Last) || q.High != 9 || q.Low != 0.3 {
		t.Errorf("%s: %+v", match, q)
	}
	if Match(lines[3], fields, make([]string, len(fields))) != "" {
		t.Error("no field is named, and there is a pattern")
	}
	if _, err := Read("(", lines); err == nil {
		t.Error("what is no expression is taken")
	}
}
