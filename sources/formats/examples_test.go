package formats

import (
	"flag"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

var update = flag.Bool("update", false, "write docs/formats.md anew")

func TestFormatsAreDocumented(t *testing.T) {
	const path = "../../docs/formats.md"
	if *update {
		if err := os.WriteFile(path, []byte(Markdown()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != Markdown() {
		t.Errorf("%s is stale (%v): run make generate", path, err)
	}
}

func TestExamples(t *testing.T) {
	for _, f := range list() {
		for _, e := range f.examples {
			t.Run(f.name, func(t *testing.T) {
				sample, found := lastSample(e.lines)
				if !found {
					t.Fatalf("nothing read from %q", e.lines)
				}
				for word := range strings.FieldsSeq(e.want) {
					checkWord(t, &sample, word)
				}
			})
		}
	}
}

func lastSample(lines []string) (last train.Sample, found bool) {
	p := New(Options{})
	take := func(r Reading) {
		if n := len(r.Samples); n > 0 {
			last, found = r.Samples[n-1], true
		}
	}
	for i, line := range lines {
		take(p.Line(int64(i+1), time.Time{}, []byte(line)))
	}
	take(p.End())
	return last, found
}

func checkWord(t *testing.T, s *train.Sample, word string) {
	t.Helper()
	name, text, _ := strings.Cut(word, "=")
	want, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	got, has := s.Value(name)
	switch name {
	case "step":
		got, has = s.Step, s.HasStep
	case "epoch":
		got, has = s.Epoch, s.HasEpoch
	}
	if !has || got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
		t.Errorf("%s is %v (%v), want %v; all: %+v", name, got, has, want, *s)
	}
}

// Each example is claimed by only one format's reader, so the order of the list affects
// only speed.
func TestNoTwoReadersClaimAnExample(t *testing.T) {
	for _, f := range list() {
		for _, e := range f.examples {
			for _, line := range e.lines {
				if claims := claimants(line); len(claims) > 1 && !(len(claims) == 2 && claims[1] == tqdmBar.name) {
					t.Errorf("%s: %q is claimed by %v", f.name, line, claims)
				} else if len(claims) == 1 && f.read != nil && claims[0] != f.name {
					t.Errorf("%s: %q is claimed by %v", f.name, line, claims)
				}
			}
		}
	}
}

func claimants(text string) (names []string) {
	for _, f := range readers() {
		p := New(Options{})
		p.formats = []format{f}
		l := line{number: 1}
		p.cleaner.states([]byte(text), func(state []byte) {
			l.whole = state
			l.text, l.prefix = strip(state)
			l.stream = p.streamOf(l.prefix.stream)
			if f.read(p, &l) {
				names = append(names, f.name)
			}
		})
	}
	return names
}
