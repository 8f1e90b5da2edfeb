package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/sources/redact/eventmask"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/ui"
)

var _, _, _ ui.Excerpts = (*replay)(nil), (*rewind)(nil), (*knownNow)(nil)

// excerptOf are the options for a recording of one job; secrets that the
// larger one may hold are masked.
func excerptOf(job *train.Job, at time.Time, path string) recording.Excerpt {
	return recording.Excerpt{Job: job.ID, Created: job.Created, UpTo: at, Path: path, Program: version(), Redact: eventmask.New()}
}

// Excerpt implements ui.Excerpts.
func (r *replay) Excerpt(ctx context.Context, job *train.Job, at time.Time, path string) (bytes int64, err error) {
	return r.WriteExcerpt(ctx, excerptOf(job, at, path))
}

// Excerpt implements ui.Excerpts, once all events up to the instant are in
// the file.
func (r *rewind) Excerpt(ctx context.Context, job *train.Job, at time.Time, path string) (bytes int64, err error) {
	select {
	case <-ctx.Done():
		return 0, ctx.Err()
	case <-time.After(at.Add(flushed + flushed/4).Sub(r.clock())):
	}
	f, err := recording.Open(r.path)
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }() // read only
	return f.WriteExcerpt(ctx, excerptOf(job, at, path))
}

// knownNow is a store's current data, of a cluster whose past is not kept or of
// files: an excerpt made of it is one instant, with the logs, curves and
// readings kept until then.
type knownNow struct {
	store *store.Store
	place string
}

// Excerpt implements ui.Excerpts.
func (k *knownNow) Excerpt(ctx context.Context, job *train.Job, _ time.Time, path string) (bytes int64, err error) {
	snapshot := k.store.Snapshot()
	if job = snapshot.Job(job.ID); job == nil {
		return 0, errors.New("the job is no longer there, and nothing of the past is kept here")
	}
	return k.write(ctx, snapshot, excerptOf(job, snapshot.Now, path))
}

// write makes a recording of all data, which other users of the machine cannot
// read, and extracts the excerpt from it.
func (k *knownNow) write(ctx context.Context, snapshot *store.Snapshot, excerpt recording.Excerpt) (bytes int64, err error) {
	folder, err := os.MkdirTemp("", "traintop-excerpt-")
	if err != nil {
		return 0, fmt.Errorf("making room for the excerpt: %w", err)
	}
	defer func() { _ = os.RemoveAll(folder) }() // the system removes the rest
	all := filepath.Join(folder, "all.ttrec")
	if err := k.record(snapshot, &excerpt, all); err != nil {
		return 0, err
	}
	f, err := recording.Open(all)
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }() // read only
	return f.WriteExcerpt(ctx, excerpt)
}

// record writes the data on the job and around it.
func (k *knownNow) record(snapshot *store.Snapshot, excerpt *recording.Excerpt, path string) error {
	w, err := recording.Create(path, recording.Options{
		About: recording.About{Program: version(), Source: k.place, Began: snapshot.Now.UTC(), Logs: recording.LogsAll, Redacted: excerpt.Redact != nil},
		Now:   func() time.Time { return snapshot.Now }, Redact: excerpt.Redact,
	})
	if err != nil {
		return err
	}
	var events []store.Event
	snapshot.Export(snapshot.Job(excerpt.Job), func(event store.Event) { events = append(events, event) })
	w.Apply(events...)
	return w.Close()
}

// excerptLimits keep of files what a recording of them would have.
var excerptLimits = store.Limits{LogBytes: fileLimits.LogBytes, AllLogBytes: fileLimits.AllLogBytes, Values: curveLimits.Values, AllValues: curveLimits.AllValues}

// sayNotKept names the logs of a job of which an excerpt has a part, since more is not
// held.
func sayNotKept(w io.Writer, snapshot *store.Snapshot, job *train.Job) {
	for rankIndex := range job.Ranks {
		for _, log := range snapshot.RankLogs(job, rankIndex) {
			if lines, _ := log.Lines.Dropped(); lines > 0 {
				fmt.Fprintf(w, "traintop: the first %d lines of %s are left out: more than %d MiB of a log, or %d MiB of all, is not held\n",
					lines, log.ID, excerptLimits.LogBytes>>20, excerptLimits.AllLogBytes>>20)
			}
			if of := log.Samples.Thinned; of > 1 {
				fmt.Fprintf(w, "traintop: of each %d older points of %s the smallest, largest and last are in it: more than %d values of a log are not held\n", of, log.ID, excerptLimits.Values)
			}
		}
	}
}

// recordJob writes a recording of one job out of a larger one, up to --at, or
// out of files.
func (a *app) recordJob(ctx context.Context, opened *opening, w recordWanted) error {
	if len(opened.from) == 0 {
		return errors.New("--job takes a job out of a recording or of files, and none is given: --from names them; a live one saves with the key I")
	}
	session, err := opened.once()
	if err != nil {
		return err
	}
	whole, is := session.replay.(*replay)
	if !is {
		session.store.SetLimits(excerptLimits)
	}
	snapshot, err := session.gather(ctx)
	if err != nil {
		return err
	}
	job, err := session.jobOfLogs(snapshot, w.job)
	if err != nil {
		return fmt.Errorf("%w; --at chooses an instant at which a job was there", err)
	}
	if store.IsDeletedJob(job.ID) {
		fmt.Fprintf(a.err, "traintop: %s is deleted; what was recorded of it, its pods and its logs is taken\n", termtext.Line(job.Ref.String()))
	}
	if earlier := earlierJobs(snapshot, job); earlier != "" {
		fmt.Fprintf(a.err, "traintop: %s: %s\n", termtext.Line(job.Ref.String()), termtext.Line(earlier))
	}
	excerpt := excerptOf(job, snapshot.Now, w.output)
	secrets, _ := excerpt.Redact.(*eventmask.Redactor)
	if !w.redact {
		excerpt.Redact, secrets = nil, nil
	}
	var size int64
	if is {
		excerpt.UpTo = whole.at
		size, err = whole.WriteExcerpt(ctx, excerpt)
	} else {
		sayNotKept(a.err, snapshot, job)
		size, err = (&knownNow{session.store, session.place}).write(ctx, snapshot, excerpt)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(a.err, "traintop: wrote what %s tells of %s into %s, %s%s\n", termtext.Line(session.place), termtext.Line(job.Ref.String()), termtext.Line(w.output), termtext.Bytes(size), takenOut(secrets))
	return nil
}
