package demo_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/traintop/traintop/demo"
	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Limits of the demo's size and length.
const (
	mostBytes = 3 << 20
	leastTime = 14 * time.Minute
	mostTime  = 17 * time.Minute
)

func opened(t testing.TB) *recording.File {
	t.Helper()
	f, err := demo.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// at is the snapshot of an instant, as the time since the beginning.
func at(t testing.TB, f *recording.File, offset time.Duration) *store.Snapshot {
	t.Helper()
	s := store.New(func() time.Time { return time.Unix(0, 0) })
	if err := f.Load(t.Context(), s, f.From().Add(offset), recording.Backlog); err != nil {
		t.Fatal(err)
	}
	return s.Snapshot()
}

func TestTheRecordingIsWholeAndSmall(t *testing.T) {
	f := opened(t)
	info := f.Info()
	if len(info.Damage)+len(info.Gaps) > 0 || !info.Closed || !info.About.Redacted || info.Trimmed > 0 {
		t.Errorf("info %+v", info)
	}
	if lasts := f.To().Sub(f.From()); info.Bytes > mostBytes || lasts < leastTime || lasts > mostTime {
		t.Errorf("%d bytes that last %s", info.Bytes, lasts)
	}
	if marks, err := f.Marks(t.Context()); err != nil || len(marks) < 10 {
		t.Errorf("%d marks (%v)", len(marks), err)
	}
	snapshot := at(t, f, f.To().Sub(f.From()))
	if damage := f.Info().Damage; len(damage) > 0 {
		t.Errorf("reading all of it: %q", damage)
	}
	if jobs, nodes := len(snapshot.Jobs()), len(snapshot.Nodes()); jobs < 10 || nodes != 12 {
		t.Errorf("%d jobs on %d nodes at its end", jobs, nodes)
	}
}

func TestChaptersAreInOrderAndFitALine(t *testing.T) {
	chapters := demo.Chapters()
	if len(chapters) < 10 || chapters[0].At != 0 {
		t.Fatalf("chapters %+v", chapters)
	}
	for i, c := range chapters {
		if width := utf8.RuneCountInString(c.Text); width == 0 || width > 76 || c.Keys == "" || c.Job == "" {
			t.Errorf("%d cells: %+v", width, c)
		}
		if i > 0 && c.At < chapters[i-1].At+20*time.Second {
			t.Errorf("too soon to be read after the one before: %+v", c)
		}
		if got := demo.At(c.At + time.Second); got != c {
			t.Errorf("a second behind its beginning %+v is told, want %+v", got, c)
		}
	}
	text, err := demo.Write(chapters)
	if err != nil || strings.Count(string(text), `"text"`) != len(chapters) {
		t.Errorf("written as %s (%v)", text, err)
	}
}

// During a chapter, the diagnosis of its job finds the chapter's cause, first
// of all, and nothing by the end where nothing is wrong; with the times moved
// as the command moves them.
func TestTheDiagnosisFindsWhatTheSceneSays(t *testing.T) {
	f := opened(t)
	f.Shift(1000 * time.Hour)
	chapters := demo.Chapters()
	for i, c := range chapters {
		end := f.To().Sub(f.From())
		if i+1 < len(chapters) {
			end = chapters[i+1].At
		}
		found, there := causesOf(t, f, end-3*time.Second, c.Job)
		for earlier := c.At + 10*time.Second; there && c.Cause != "" && !isFirst(found, c.Cause) && earlier < end; earlier += 10 * time.Second {
			found, _ = causesOf(t, f, earlier, c.Job)
		}
		if !there || c.Cause == "" && len(found) > 0 || c.Cause != "" && !isFirst(found, c.Cause) {
			t.Errorf("by %s, %q: found %q in %s (it is there: %t)", end, c.Text, found, c.Job, there)
		}
	}
}

func isFirst(found []train.Cause, cause string) bool {
	return len(found) > 0 && found[0] == train.Cause(cause)
}

// causesOf are those of the findings in a job at an instant, the worst first.
func causesOf(t *testing.T, f *recording.File, offset time.Duration, name string) (causes []train.Cause, there bool) {
	t.Helper()
	snapshot := at(t, f, offset)
	job := jobOf(snapshot, name)
	if job == nil {
		return nil, false
	}
	if answer := diagnose.Run(snapshot, diagnose.Options{}, nil).Job(job.ID); answer != nil {
		for _, finding := range answer.Findings {
			causes = append(causes, finding.Cause)
		}
	}
	return causes, true
}

func jobOf(snapshot *store.Snapshot, name string) *train.Job {
	for _, job := range snapshot.Jobs() {
		if job.Ref.Namespace+"/"+job.Ref.Name == name {
			return job
		}
	}
	return nil
}

// The screen needs this much to show an instant.
func BenchmarkInstant(b *testing.B) {
	f := opened(b)
	for _, by := range []time.Duration{0, 1000 * time.Hour} {
		f.Shift(by)
		b.Run(map[bool]string{true: "plain", false: "shifted"}[by == 0], func(b *testing.B) {
			for b.Loop() {
				at(b, f, 12*time.Minute)
			}
		})
	}
}
