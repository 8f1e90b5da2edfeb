package describe

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views/draw"
	"github.com/traintop/traintop/views/eventtable"
)

// maxEvents bounds the events listed of one object, the newest being kept.
const maxEvents = 200

// events are those about the object, the newest first.
func (p *page) events(ref train.Ref) {
	events := p.f.Snapshot.EventsAbout(ref)
	p.section("Events")
	if len(events) == 0 {
		p.add(dim("  " + p.noEvents(ref)))
		return
	}
	slices.Reverse(events)
	var rows [][]draw.Span
	for _, e := range events[:min(maxEvents, len(events))] {
		rows = append(rows, p.event(e))
	}
	p.table([]string{"TYPE", "LAST SEEN", "COUNT", "REASON", "SOURCE", "MESSAGE"}, rows)
	if older := len(events) - maxEvents; older > 0 {
		p.add(dim("  " + draw.Plural(older, "older event") + " not shown"))
	}
}

// noEvents distinguishes none from unknown.
func (p *page) noEvents(ref train.Ref) string {
	if p.f.Snapshot.Complete(kinds.EventKind, ref.Namespace) {
		return "none; clusters keep events for an hour by default"
	}
	return "none are known, and not all could be read"
}

func (p *page) event(e *corev1.Event) []draw.Span {
	role := themes.Text
	if eventtable.Warning(e) {
		role = themes.Bad
	}
	return []draw.Span{
		{Text: cmp.Or(e.Type, "unknown"), Role: role},
		dim(p.age(kinds.EventTime(e))),
		dim(draw.Count(kinds.EventCount(e))),
		{Text: e.Reason, Role: themes.Strong},
		dim(cmp.Or(e.Source.Component, e.ReportingController)),
		plain(redact.Mask(e.Message)),
	}
}
