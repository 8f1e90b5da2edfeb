package formats_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/sources/formats"
	"github.com/traintop/traintop/train"
)

// Each testdata/NAME.log is an excerpt of a real log, byte for byte; the first
// line of NAME.want names its origin. The other lines of NAME.want:
//
//	none                       the log has no metric: no sample at all
//	total 97                   the number of steps in its progress hints
//	12 step=3 epoch=1 loss=2   a sample at line 12; 10-12 if its parts are on several lines
//	quiet 1 2 7                lines that are no measurement
func TestLogsOfTheWorld(t *testing.T) {
	wanted, err := filepath.Glob("testdata/*.want")
	if err != nil || len(wanted) < 50 {
		t.Fatalf("only %d logs in testdata (%v)", len(wanted), err)
	}
	for _, want := range wanted {
		t.Run(strings.TrimSuffix(filepath.Base(want), ".want"), func(t *testing.T) { checkLog(t, want) })
	}
}

func checkLog(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	samples, outlook := readLog(t, strings.TrimSuffix(path, ".want")+".log")
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if !strings.HasPrefix(lines[0], "# origin: ") {
		t.Errorf("%s does not say where its log comes from", path)
	}
	for _, line := range lines[1:] {
		words := strings.Fields(line)
		switch words[0] {
		case "none":
			if len(samples) > 0 {
				t.Errorf("invented %d samples, the first: %+v", len(samples), samples[0])
			}
		case "total":
			if total, _ := strconv.ParseFloat(words[1], 64); outlook.TotalSteps != total {
				t.Errorf("total steps %v, want %v", outlook.TotalSteps, total)
			}
		case "quiet":
			checkQuiet(t, words[1:], samples)
		default:
			checkPoint(t, line, samples)
		}
	}
}

func checkPoint(t *testing.T, line string, samples []train.Sample) {
	t.Helper()
	words := strings.Fields(line)
	low, high, ranged := strings.Cut(words[0], "-")
	if !ranged {
		high = low
	}
	first, _ := strconv.ParseInt(low, 10, 64)
	last, _ := strconv.ParseInt(high, 10, 64)
	for _, s := range samples {
		if s.Line >= first && s.Line <= last && agrees(s, words[1:]) {
			return
		}
	}
	t.Errorf("nothing like %q", line)
	for _, s := range samples {
		if s.Line >= first && s.Line <= last {
			t.Logf("    got %+v", s)
		}
	}
}

func agrees(s train.Sample, wanted []string) bool {
	for _, word := range wanted {
		name, text, _ := strings.Cut(word, "=")
		want, err := strconv.ParseFloat(text, 64)
		got, has := s.Value(name)
		switch name {
		case "step":
			got, has = s.Step, s.HasStep
		case "epoch":
			got, has = s.Epoch, s.HasEpoch
		}
		same := got == want || math.IsNaN(got) && math.IsNaN(want) || math.Abs(got-want) <= 1e-9*math.Abs(want)
		if err != nil || !has || !same {
			return false
		}
	}
	return true
}

func checkQuiet(t *testing.T, numbers []string, samples []train.Sample) {
	t.Helper()
	quiet := map[int64]bool{}
	for _, n := range numbers {
		line, _ := strconv.ParseInt(n, 10, 64)
		quiet[line] = true
	}
	for _, s := range samples {
		for _, name := range [...]string{train.MetricLoss, train.MetricEvalLoss, train.MetricLR} {
			if _, has := s.Value(name); has && quiet[s.Line] {
				t.Errorf("a sample on line %d, which measures nothing: %+v", s.Line, s)
				break
			}
		}
	}
}

// readLog feeds a log to a parser as a source does: split at newlines, then at
// carriage returns.
func readLog(t testing.TB, path string) (samples []train.Sample, outlook train.ProgressHints) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p := formats.New(formats.Options{})
	take := func(r formats.Reading) {
		samples = append(samples, r.Samples...)
		if r.Hints != nil {
			outlook = *r.Hints
		}
	}
	for i, line := range bytes.Split(text, []byte("\n")) {
		line = bytes.TrimSuffix(line, []byte("\r"))
		for state := range bytes.SplitSeq(line, []byte("\r")) {
			take(p.Line(int64(i+1), time.Time{}, state))
		}
	}
	take(p.End())
	return samples, outlook
}
