package recording

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
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
	end := newEndOfLogs(sink)
	err := s.publish(ctx, end)
	if ctx.Err() != nil {
		return nil // the reader left, which is no failure
	}
	end.settle(s.File.At())
	return err
}

// publish is Run, but returns an error when the context ends.
func (s *Source) publish(ctx context.Context, sink sources.Sink) error {
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
		s.reportSkipped(sink)
	}
	return nil
}

// reportSkipped notes what the recorder was told to leave out by the instant.
func (s *Source) reportSkipped(sink sources.Sink) {
	runs := s.File.runsAt(micros(s.File.At()))
	for _, h := range []train.Health{s.skippedLogs(runs), s.skippedNamespaces(runs), s.droppedBeginning()} {
		if h.Text != "" {
			h.Text, h.State, h.Since = s.Name+": "+h.Text, train.SourceRead, s.File.At()
			sink.Apply(store.HealthChanged{Health: h})
		}
	}
}

// skippedLogs notes which parts of logs were not to be recorded; the resource is that
// of the newest run.
func (s *Source) skippedLogs(runs []run) train.Health {
	h := train.Health{Source: train.SkippedIn(SourceName+" "+s.Name, 1)}
	spans := askedSpans(runs, func(about *About) string { return string(cmp.Or(about.Logs, LogsAll)) })
	var texts []string
	for i := range spans {
		h.Resource = ""
		text := spans[i].when() + "it was recorded with --logs " + spans[i].asked
		switch Logs(spans[i].asked) {
		case LogsMetrics:
			h.Resource, text = train.LinesAlone, text+", and has the metrics of logs without their lines"
		case LogsNone:
			h.Resource, text = train.WholeLogs, text+", and has nothing of logs"
		default:
			continue
		}
		if i < len(spans)-1 {
			text += " but what was read again later"
		}
		texts = append(texts, text)
	}
	h.Text = sayAll(texts)
	return h
}

// skippedNamespaces notes when one namespace alone was to be recorded, where runs asked
// for different ones. Where all asked for the same, the lists in the recording show it.
func (s *Source) skippedNamespaces(runs []run) train.Health {
	h := train.Health{Source: train.SkippedIn(SourceName+" "+s.Name, 2)}
	spans := askedSpans(runs, func(about *About) string { return about.Namespace })
	var texts []string
	for i := range spans {
		if spans[i].asked == "" || len(spans) == 1 {
			continue
		}
		text := spans[i].when() + "it was recorded with -n " + spans[i].asked
		if i == len(spans)-1 {
			text += ", and nothing is known of other namespaces; --at shows what was recorded of them before"
		}
		texts = append(texts, text)
	}
	h.Text = sayAll(texts)
	return h
}

// droppedBeginning notes that the oldest part went because of the recording's limits.
// The state at the beginning of what is left has a part of the metrics of before.
func (s *Source) droppedBeginning() train.Health {
	h := train.Health{Source: train.SkippedIn(SourceName+" "+s.Name, 3)}
	if info := s.File.Info(); info.Trimmed > 0 {
		h.Text = fmt.Sprintf("its oldest %d bytes went, to stay within --max-size or --keep: of what was printed and measured before %s it has the last lines of logs and some of the values alone",
			info.Trimmed, stamp(info.From))
	}
	return h
}

// askedSpan is a time in which runs asked for the same; from is zero for the first and
// to for the last.
type askedSpan struct {
	asked    string
	from, to time.Time
}

func (s *askedSpan) when() string {
	switch {
	case s.from.IsZero() && s.to.IsZero():
		return ""
	case s.from.IsZero():
		return "until " + stamp(s.to) + " "
	case s.to.IsZero():
		return "from " + stamp(s.from) + " on "
	}
	return "from " + stamp(s.from) + " to " + stamp(s.to) + " "
}

// askedSpans returns what runs asked for, in order of time.
func askedSpans(runs []run, asked func(*About) string) (spans []askedSpan) {
	for i := range runs {
		is, n := termtext.Short(asked(&runs[i].about), mostNoted), len(spans)
		if n > 0 && spans[n-1].asked == is {
			continue
		}
		span := askedSpan{asked: is}
		if n > 0 {
			span.from = instant(runs[i].from)
			spans[n-1].to = span.from
		}
		spans = append(spans, span)
	}
	return spans
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
	if !s.File.play.answered { // an empty state that nobody has read is no answer
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
