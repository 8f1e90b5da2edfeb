package formats_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/traintop/traintop/sources/formats"
)

func FuzzLine(f *testing.F) {
	paths, err := filepath.Glob("testdata/*.log")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text[:min(len(text), 1500)])
	}
	f.Add([]byte("Progress on:it/it rate: remaining:"))                     // a bar without a name
	f.Add([]byte("one two\nthree four: 5\nsix seven: 8"))                   // a wrapped line ends where a prefix may
	f.Add([]byte("1: E0 Steps 10\n1: E0 Steps 1 Loss 0\n1: E10 Steps 2 0")) // a count of steps that turns out to be the step
	f.Fuzz(func(t *testing.T, text []byte) {
		p := formats.New(formats.Options{})
		check := func(r formats.Reading, number int64) {
			for _, s := range r.Samples {
				checkSane(t, s.Line > 0 && s.Line <= number && s.Rank >= -1, &s)
				checkSane(t, !math.IsNaN(s.Step) && !math.IsNaN(s.Epoch), &s)
				names := map[string]bool{}
				for _, m := range s.Metrics {
					checkSane(t, m.Name != "" && !names[m.Name], &s)
					names[m.Name] = true
				}
			}
		}
		lines := bytes.Split(text, []byte("\n"))
		for i, line := range lines {
			kept := bytes.Clone(line)
			check(p.Line(int64(i+1), time.Time{}, line), int64(i+1))
			if !bytes.Equal(kept, line) {
				t.Fatal("the line was changed")
			}
		}
		check(p.End(), int64(len(lines)))
	})
}

func checkSane(t *testing.T, sane bool, s any) {
	t.Helper()
	if !sane {
		t.Fatalf("an impossible sample: %+v", s)
	}
}
