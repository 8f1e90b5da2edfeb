package formats_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/sources/formats"
	"github.com/traintop/traintop/train"
)

// strangePrefixes are written by no logger, launcher or collector that is known.
var strangePrefixes = map[string]func(line int) string{
	"constant":          func(int) string { return "<trainer@n7> " },
	"seconds":           func(i int) string { return fmt.Sprintf("~ job-77 ~ %d ~ ", 1700000000+i) },
	"number of line":    func(i int) string { return fmt.Sprintf("%6d\t", i+1) },
	"columns":           func(i int) string { return fmt.Sprintf("w7;out;%d;", i) },
	"box of a terminal": func(int) string { return "│ " },
	"comment":           func(int) string { return "# " },
	"file and line":     func(i int) string { return fmt.Sprintf("logs/train.log:%d:", i+1) },
	"one of three":      func(i int) string { return fmt.Sprintf("<n%d> ", i%3) },
}

// Behind each prefix nearly all logs give the losses that they give without it,
// and no log without metrics gives a point.
func TestLogsBehindStrangePrefixes(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.log")
	if err != nil || len(paths) < 100 {
		t.Fatalf("only %d logs in testdata (%v)", len(paths), err)
	}
	for name, prefix := range strangePrefixes {
		t.Run(name, func(t *testing.T) {
			logs, differ := 0, []string{}
			for _, path := range paths {
				text, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				lines := bytes.Split(bytes.TrimRight(text, "\n"), []byte("\n"))
				if len(lines) < 3 {
					continue
				}
				plain, prefixed := lossesOf(lines, func(int) string { return "" }), lossesOf(lines, prefix)
				if logs++; plain != prefixed {
					differ = append(differ, filepath.Base(path))
				}
			}
			const most = 0.08
			if float64(len(differ)) > most*float64(logs) {
				t.Errorf("%d of %d logs give other losses: %s", len(differ), logs, strings.Join(differ, ", "))
			}
		})
	}
}

// lossesOf reads lines behind a prefix, and returns each line's step and losses.
func lossesOf(lines [][]byte, prefix func(line int) string) string {
	p := formats.New(formats.Options{})
	newest := map[int64]string{}
	take := func(r formats.Reading) {
		for _, s := range r.Samples {
			for _, m := range s.Metrics {
				if m.Name == train.MetricLoss || m.Name == train.MetricEvalLoss {
					newest[s.Line] = fmt.Sprint(s.Step, s.Epoch, m.Name, m.Value)
				}
			}
		}
	}
	for i, line := range lines {
		for k, state := range bytes.Split(bytes.TrimSuffix(line, []byte("\r")), []byte("\r")) {
			if k == 0 {
				state = append([]byte(prefix(i)), state...)
			}
			take(p.Line(int64(i+1), time.Time{}, state))
		}
	}
	take(p.End())
	return fmt.Sprint(newest)
}

// A line that gave its step and its loss is not reported again for the epoch that
// shows when the prefix is known: its step would look like a run that goes on from
// there.
func TestStepsAreReadOnceBehindAPrefix(t *testing.T) {
	for name, prefix := range strangePrefixes {
		steps := map[float64]int{}
		p := formats.New(formats.Options{})
		for i := range 40 {
			line := fmt.Sprintf("%s%d|%d|Loss: %.3f:  26%%|██▌       | %d/101 [06:45<17:27, 13.96s/it]", prefix(i), i/10, i, 3-0.01*float64(i), i+1)
			for _, s := range p.Line(int64(i+1), time.Time{}, []byte(line)).Samples {
				steps[s.Step]++
			}
		}
		if len(steps) != 40 {
			t.Errorf("%s: %d steps of 40", name, len(steps))
		}
		for step, times := range steps {
			if times > 1 {
				t.Errorf("%s: step %v is told %d times", name, step, times)
			}
		}
	}
}

// torchrun's template of prefixes may name the rank and the local rank.
func TestPrefixWithLocalRank(t *testing.T) {
	p := formats.New(formats.Options{})
	samples := p.Line(1, time.Time{}, []byte("[trainer5|1]:step 3 loss 2.5")).Samples
	if len(samples) != 1 || samples[0].Rank != 5 || samples[0].Step != 3 || len(samples[0].Metrics) != 1 {
		t.Errorf("got %+v", samples)
	}
}

// A word that differs from line to line is data, and stays.
func TestNoPrefixIsLearnedFromData(t *testing.T) {
	logs := map[string]func(i int) string{
		"counter first":   func(i int) string { return fmt.Sprintf("[%d]\tvalid's loss: %.2f", i, 3-0.1*float64(i)) },
		"line as counter": func(i int) string { return fmt.Sprintf("iter %d: loss %.2f", i+1, 3-0.1*float64(i)) },
		"named counter":   func(i int) string { return fmt.Sprintf("Update %d | loss %.2f", i+1, 3-0.1*float64(i)) },
		"epoch and batch": func(i int) string { return fmt.Sprintf("[%d][%d/9] loss %.2f", i/3, i%3, 3-0.1*float64(i)) },
		"unknown metric":  func(i int) string { return fmt.Sprintf("step %d | zeta %.2f | loss %.2f", i, float64(i), 2.5) },
	}
	for name, line := range logs {
		var lines [][]byte
		for i := range 40 {
			lines = append(lines, []byte(line(i)))
		}
		p := formats.New(formats.Options{})
		points := map[int64]bool{}
		for i, text := range lines {
			for _, s := range p.Line(int64(i+1), time.Time{}, text).Samples {
				if s.HasStep {
					points[s.Line] = true
				}
			}
		}
		if len(points) < 38 {
			t.Errorf("%s: only %d of 40 lines have a step", name, len(points))
		}
	}
}

// A wrapped line may end where most others go on with a sign.
func TestLineThatEndsWhereAPrefixMay(t *testing.T) {
	for _, text := range []string{
		"copying a param\nwith shape torch.Size([8, 2048])\nmodel is torch.Size([16, 2048]).",
		"one two\nthree four: 5\nsix seven: 8",
		"three four: 5\nsix seven: 8\none two",
	} {
		p := formats.New(formats.Options{})
		lines := strings.Split(text, "\n")
		for i, line := range lines {
			if r := p.Line(int64(i+1), time.Time{}, []byte(line)); len(r.Samples) > 0 {
				t.Errorf("%q gives %+v", line, r.Samples)
			}
		}
		if r := p.End(); len(r.Samples) > 0 {
			t.Errorf("%q gives %+v", text, r.Samples)
		}
	}
}

// A log that begins inside a box, as "kubectl logs --tail" cuts it, has one sample for
// each box: the bars of its rows are no prefix.
func TestRowsOfABoxHaveNoPrefix(t *testing.T) {
	text, err := os.ReadFile("testdata/sb3-tail-f.log")
	if err != nil {
		t.Fatal(err)
	}
	p := formats.New(formats.Options{})
	samples := 0
	for i, line := range bytes.Split(text, []byte("\n")) {
		samples += len(p.Line(int64(i+1), time.Time{}, line).Samples)
	}
	if samples += len(p.End().Samples); samples != 2 {
		t.Errorf("%d samples of 2 boxes", samples)
	}
}
