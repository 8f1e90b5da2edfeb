package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/traintop/traintop/sources/recording"
	redactevents "github.com/traintop/traintop/sources/redact/events"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/ui"
)

var _, _ ui.Incidents = (*replay)(nil), (*rewind)(nil)

// incidentOf says how a recording of one job is written; secrets that the
// larger one may hold are taken out.
func incidentOf(job *train.Job, at time.Time, path string) recording.Incident {
	return recording.Incident{Job: job.ID, Created: job.Created, UpTo: at, Path: path, Program: version(), Redact: redactevents.New()}
}

// Incident implements ui.Incidents.
func (r *replay) Incident(ctx context.Context, job *train.Job, at time.Time, path string) (bytes int64, err error) {
	return r.WriteIncident(ctx, incidentOf(job, at, path))
}

// Incident implements ui.Incidents, once all up to the instant is in the file.
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
	defer f.Close() // read only
	return f.WriteIncident(ctx, incidentOf(job, at, path))
}

// recordJob writes a recording of one job out of a larger one, up to --at.
func (a *app) recordJob(ctx context.Context, opened *opening, w recordWanted) error {
	session, err := opened.once()
	if err != nil {
		return err
	}
	whole, is := session.replay.(*replay)
	if !is {
		return errors.New("--job takes a job out of a recording, and none is given: --from FILE names one that 'traintop record' has written")
	}
	snapshot, err := session.gather(ctx)
	if err != nil {
		return err
	}
	job, err := session.jobOfLogs(snapshot, w.job)
	if err != nil {
		return fmt.Errorf("%w; --at chooses an instant at which a job was there", err)
	}
	incident := incidentOf(job, whole.at, w.output)
	secrets, _ := incident.Redact.(*redactevents.Redactor)
	if !w.redact {
		incident.Redact, secrets = nil, nil
	}
	size, err := whole.WriteIncident(ctx, incident)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.err, "traintop: wrote what %s tells of %s into %s, %s%s\n", plain(session.place), plain(job.Ref.String()), plain(w.output), sizeText(size), takenOut(secrets))
	return nil
}
