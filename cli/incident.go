package cli

import (
	"context"
	"errors"
	"fmt"
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

var _, _, _ ui.Incidents = (*replay)(nil), (*rewind)(nil), (*knownNow)(nil)

// incidentOf are the options for a recording of one job; secrets that the
// larger one may hold are masked.
func incidentOf(job *train.Job, at time.Time, path string) recording.Incident {
	return recording.Incident{Job: job.ID, Created: job.Created, UpTo: at, Path: path, Program: version(), Redact: eventmask.New()}
}

// Incident implements ui.Incidents.
func (r *replay) Incident(ctx context.Context, job *train.Job, at time.Time, path string) (bytes int64, err error) {
	return r.WriteIncident(ctx, incidentOf(job, at, path))
}

// Incident implements ui.Incidents, once all events up to the instant are in
// the file.
func (r *rewind) Incident(ctx context.Context, job *train.Job, at time.Time, path string) (bytes int64, err error) {
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
	return f.WriteIncident(ctx, incidentOf(job, at, path))
}

// knownNow is a store's current data, of a cluster whose past is not kept or of
// files: an incident made of it is one instant, with the logs, curves and
// readings kept until then.
type knownNow struct {
	store *store.Store
	place string
}

// Incident implements ui.Incidents.
func (k *knownNow) Incident(ctx context.Context, job *train.Job, _ time.Time, path string) (bytes int64, err error) {
	snapshot := k.store.Snapshot()
	if job = snapshot.Job(job.ID); job == nil {
		return 0, errors.New("the job is no longer there, and nothing of the past is kept here")
	}
	return k.write(ctx, snapshot, incidentOf(job, snapshot.Now, path))
}

// write makes a recording of all data, which other users of the machine cannot
// read, and extracts the incident from it.
func (k *knownNow) write(ctx context.Context, snapshot *store.Snapshot, incident recording.Incident) (bytes int64, err error) {
	folder, err := os.MkdirTemp("", "traintop-incident-")
	if err != nil {
		return 0, fmt.Errorf("making room for the incident: %w", err)
	}
	defer func() { _ = os.RemoveAll(folder) }() // the system removes the rest
	all := filepath.Join(folder, "all.ttrec")
	if err := k.record(snapshot, &incident, all); err != nil {
		return 0, err
	}
	f, err := recording.Open(all)
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }() // read only
	return f.WriteIncident(ctx, incident)
}

// record writes the data on the job and around it.
func (k *knownNow) record(snapshot *store.Snapshot, incident *recording.Incident, path string) error {
	w, err := recording.Create(path, recording.Options{
		About: recording.About{Program: version(), Source: k.place, Began: snapshot.Now.UTC(), Logs: recording.LogsAll, Redacted: incident.Redact != nil},
		Now:   func() time.Time { return snapshot.Now }, Redact: incident.Redact,
	})
	if err != nil {
		return err
	}
	var events []store.Event
	snapshot.Export(snapshot.Job(incident.Job), func(event store.Event) { events = append(events, event) })
	w.Apply(events...)
	return w.Close()
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
	snapshot, err := session.gather(ctx)
	if err != nil {
		return err
	}
	job, err := session.jobOfLogs(snapshot, w.job)
	if err != nil {
		return fmt.Errorf("%w; --at chooses an instant at which a job was there", err)
	}
	incident := incidentOf(job, snapshot.Now, w.output)
	secrets, _ := incident.Redact.(*eventmask.Redactor)
	if !w.redact {
		incident.Redact, secrets = nil, nil
	}
	var size int64
	if is {
		incident.UpTo = whole.at
		size, err = whole.WriteIncident(ctx, incident)
	} else {
		size, err = (&knownNow{session.store, session.place}).write(ctx, snapshot, incident)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(a.err, "traintop: wrote what %s tells of %s into %s, %s%s\n", termtext.Line(session.place), termtext.Line(job.Ref.String()), termtext.Line(w.output), sizeText(size), takenOut(secrets))
	return nil
}
