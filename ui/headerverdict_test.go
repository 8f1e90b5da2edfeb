package ui

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// The header shows a tick only for data that was read: not for zero jobs, and
// not for a source that is out of reach or still lists.
func TestHeaderTicksOnlyWhatWasRead(t *testing.T) {
	for _, f := range []struct {
		state train.SourceState
		want  string
	}{
		{train.SourceLive, "nothing to look at"},
		{train.SourceListing, "not enough was read to say: kube has not been read yet since 12:00:00Z"},
		{train.SourceRetrying, "not enough was read to say: kube cannot be read since 12:00:00Z: connection refused"},
	} {
		noon := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
		st := store.New(func() time.Time { return noon })
		st.Apply(store.HealthChanged{Health: train.Health{Source: "kube", State: f.state, Text: "connection refused", Since: noon}})
		d := drive(t, Options{Session: Session{Store: st}}, 120, 40)
		d.m.analysis.report = diagnose.Run(st.Snapshot(), diagnose.Options{}, nil)
		line := d.m.painter.line()
		d.m.head.addVerdict(line, diagnose.Sum{})
		text := ansi.Strip(line.String())
		if !strings.Contains(text, f.want) || strings.Contains(text, d.m.theme.Glyphs.Done) {
			t.Errorf("%s: %q", f.state, text)
		}
	}
}

// TestHeaderCallsACutRecordingIncomplete holds that a recording that lacks
// something, and was read, is not called failed.
func TestHeaderCallsACutRecordingIncomplete(t *testing.T) {
	d := drive(t, withHealth(train.Health{Source: "recording night.ttrec", State: train.SourceFailed, Text: "cut"}), 160, 30)
	d.shows("▲ recording incomplete")
	if text := ansi.Strip(d.m.head.healthLine(80).String()); strings.Contains(text, "failed") {
		t.Errorf("the header says %q", text)
	}
}
