package recording

import (
	"context"
	"fmt"
	"time"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// SourceName starts the name of a recording in its health.
const SourceName = "recording"

// Source applies the state at one instant of a recording, and ends.
type Source struct {
	File *File
	// At is the instant; zero means the end.
	At time.Time
	// Backlog is as in File.Load; 0 means the default.
	Backlog int64
	// Name names the file in its health; "" reports no health.
	Name string
}

var _ sources.Source = (*Source)(nil)

// Run implements sources.Source.
func (s *Source) Run(ctx context.Context, sink sources.Sink) error {
	err := s.tell(ctx, sink)
	if ctx.Err() != nil {
		return nil // the reader left, which is no failure
	}
	return err
}

// tell is Run, but returns an error when the context ends.
func (s *Source) tell(ctx context.Context, sink sources.Sink) error {
	at, backlog := s.At, s.Backlog
	if at.IsZero() {
		at = s.File.To()
	}
	if backlog == 0 {
		backlog = Backlog
	}
	if err := s.File.Load(ctx, sink, at, backlog); err != nil {
		return err
	}
	if s.Name != "" {
		sink.Apply(store.HealthChanged{Health: s.health()})
		if h, is := s.skippedLogs(); is {
			sink.Apply(store.HealthChanged{Health: h})
		}
	}
	return nil
}

// skippedLogs notes what of logs the recorder was told to leave out.
func (s *Source) skippedLogs() (h train.Health, is bool) {
	h = train.Health{Source: train.SkippedIn(SourceName+" "+s.Name, 1), State: train.SourceRead, Since: s.File.At()}
	switch s.File.Info().About.Logs {
	case LogsMetrics:
		h.Resource, h.Text = train.LinesAlone, s.Name+": it was recorded with --logs metrics, and has the metrics of logs without their lines"
	case LogsNone:
		h.Resource, h.Text = train.WholeLogs, s.Name+": it was recorded with --logs none, and has nothing of logs"
	default:
		return h, false
	}
	return h, true
}

// health reports what is missing from the recording.
func (s *Source) health() train.Health {
	info := s.File.Info()
	h := train.Health{Source: SourceName + " " + s.Name, State: train.SourceRead, Since: s.File.At()}
	h.Text = fmt.Sprintf("recorded %s to %s", stamp(info.From), stamp(info.To))
	if info.Growing {
		h.Text += "; it is being written"
	}
	missing := info.missing()
	if !s.File.play.told { // an empty state that nobody has read is no answer
		missing = append([]string{"up to " + s.File.At().UTC().Format(time.RFC3339Nano) + " it tells of no source, object or log; an instant later in it (--at) may"}, missing...)
	}
	if len(missing) > 0 {
		h.State = train.SourceFailed
		h.Text += "; " + sayAll(missing)
	}
	return h
}

// missing lists what the recording lacks, one sentence each.
func (i *Info) missing() (all []string) {
	for _, l := range i.Damage {
		all = append(all, l.String())
	}
	for _, gap := range i.Gaps {
		all = append(all, gap.String())
	}
	for _, turn := range i.Turns {
		all = append(all, turn.String())
	}
	return all
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
