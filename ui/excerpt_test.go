package ui

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Excerpt implements Excerpts.
func (p tape) Excerpt(ctx context.Context, job *train.Job, at time.Time, path string) (int64, error) {
	return p.WriteExcerpt(ctx, recording.Excerpt{Job: job.ID, Created: job.Created, UpTo: at, Path: path})
}

func TestAnExcerptIsSavedUpToTheInstantShown(t *testing.T) {
	d := replaying(t, 160, 30)
	d.m.o.SaveIn = t.TempDir()
	d.keys("I").shows("no job is chosen")
	d.keys("(", "(", "(", "I").shows("saved ")
	files, err := filepath.Glob(filepath.Join(d.m.o.SaveIn, "*"))
	if err != nil || len(files) != 1 || filepath.Base(files[0]) != "excerpt-ml-bert-2026-11-20T09-07-00Z.ttrec" {
		t.Fatalf("saved are %q, %v", files, err)
	}
	if info, err := os.Stat(files[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info, err)
	}
	f, err := recording.Open(files[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := store.New(f.To)
	if err := f.Load(t.Context(), s, f.To(), recording.Everything); err != nil {
		t.Fatal(err)
	}
	jobs := s.Snapshot().Jobs()
	if len(jobs) != 1 || jobs[0].Phase != train.Failed || !f.To().Equal(recordedFrom.Add(7*time.Minute)) || !f.From().Equal(recordedFrom.Add(time.Minute)) {
		t.Errorf("from %s to %s there are %d jobs", f.From(), f.To(), len(jobs))
	}
	d.keys("I").shows("saved ")
	if files, _ = filepath.Glob(filepath.Join(d.m.o.SaveIn, "*")); len(files) != 2 {
		t.Errorf("saved are %q: the first one was written over", files)
	}
}

// unsavable is a past from which nothing can be saved.
type unsavable struct{ tape }

func (unsavable) Excerpt(context.Context, *train.Job, time.Time, string) (int64, error) {
	return 0, errors.New("no space left on device")
}

func TestAnExcerptThatCannotBeSavedIsSaid(t *testing.T) {
	d := replaying(t, 160, 30)
	d.m.o.SaveIn = t.TempDir()
	d.keys("(", "(", "(")
	d.m.session.Past = unsavable{d.m.session.Past.(tape)}
	d.keys("I").shows("no space left on device")
	d.m.session.Past = struct{ Timeline }{d.m.session.Past}
	d.keys("I").shows("cannot be made of what is shown here")
}

func TestWhereNoPastIsKeptAnExcerptIsSavedOfWhatIsKnown(t *testing.T) {
	d := replaying(t, 160, 30)
	d.m.o.SaveIn = t.TempDir()
	d.keys("(", "(", "(")
	d.m.session.Known = d.m.session.Past.(tape)
	d.m.session.Past = struct{ Timeline }{d.m.session.Past}
	d.keys("I").shows("saved ")
	if files, err := filepath.Glob(filepath.Join(d.m.o.SaveIn, "excerpt-ml-bert-*")); err != nil || len(files) != 1 {
		t.Errorf("saved are %q, %v", files, err)
	}
}

// A log that is read from its beginning is read once its newest line is of now, or
// rests; a pause of a second in the middle is no end, and neither is a line older than
// what the screen had of it before.
func TestALogIsReadBeforeItsExcerptIsSaved(t *testing.T) {
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	id := train.StreamID{Namespace: "ml", Pod: "bert-0", UID: "u", Container: "c"}
	for name, c := range map[string]struct {
		known time.Duration   // the age of the newest line that was here before, 0 for none
		ages  []time.Duration // of the newest line at each check
		want  int             // the check at which it is read, -1 for none
	}{
		"it comes to now":                {0, []time.Duration{600 * time.Second, 300 * time.Second, 2 * time.Second}, 2},
		"it pauses and goes on":          {0, []time.Duration{600 * time.Second, 601 * time.Second, 601 * time.Second, 300 * time.Second, 300 * time.Second, time.Second}, 5},
		"it rests":                       {0, []time.Duration{60 * time.Second, 60 * time.Second, 61 * time.Second, 61 * time.Second, 62 * time.Second, 62 * time.Second, 63 * time.Second}, 6},
		"it is older than what was here": {30 * time.Second, []time.Duration{60 * time.Second, 60 * time.Second, 61 * time.Second, 61 * time.Second, 62 * time.Second, 62 * time.Second, 63 * time.Second, 64 * time.Second}, -1},
	} {
		now := at
		s := store.New(func() time.Time { return now })
		s.Apply(store.StreamChanged{Stream: id, Rank: -1, Status: train.StreamStatus{State: train.StreamLive}})
		i := excerpt{read: map[train.StreamID]*readSoFar{}}
		if c.known > 0 {
			i.read[id] = &readSoFar{known: at.Add(-c.known)}
		}
		read := -1
		for n, age := range c.ages {
			now = at.Add(time.Duration(n) * gatherEvery)
			s.Apply(store.Logged{Stream: id, Lines: []train.LogLine{{Number: int64(n + 1), Time: now.Add(-age), Text: "a line"}}})
			if i.isRead(s.Snapshot().Log(id), id, now) {
				read = n
				break
			}
		}
		if read != c.want {
			t.Errorf("%s: read at check %d, want %d", name, read, c.want)
		}
	}
}
