package signals

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// An Xid is an error that the driver wrote to the kernel's log. Exporters
// report the code of the last one, which stays until they are restarted
// (dcgm-exporter issue 500): a change is the event, and a code from before the
// pod began means nothing for it.
func xidRule() rule {
	return rule{
		kind: "xid", word: "error", stale: true, // the cause is the code's
		meaning: "the driver reported an error of the GPU (Xid) since its pod began; codes of programs and of repairs are no hardware's",
		gpu:     xid,
		board:   true,
	}
}

func xid(g *gpu) (Signal, bool) {
	x, at, w := g.worstXid()
	if w == never {
		return Signal{}, false
	}
	s := Signal{
		Severity: x.Severity(), Word: fmt.Sprintf("Xid %d", x.Code), Cause: x.CauseNow(),
		Quantities: []train.Quantity{train.GPUXid},
	}
	switch {
	case w == during:
		s.Since = at
		s.Text = fmt.Sprintf("Xid %d: %s, %s ago", x.Code, x.Meaning, termtext.Duration(g.now.Sub(at)))
	case x.Severity() == train.SeverityInfo || x.Blame == train.BlameApplication:
		return Signal{}, false // of an earlier program, most likely
	case w == earlier:
		s.Severity, s.Cause = train.SeverityInfo, ""
		s.Text = fmt.Sprintf("Xid %d: %s, before this pod began", x.Code, x.Meaning)
	default:
		s.Severity = train.SeverityWarning
		s.Text = fmt.Sprintf("Xid %d: %s, nobody saw when", x.Code, x.Meaning)
	}
	return s, true
}

// worstXid returns the worst that happened since the pod began, or else the
// code that is still reported.
func (g *gpu) worstXid() (worst train.Xid, at time.Time, w when) {
	take := func(x train.Xid, seenAt time.Time) {
		if w != during || x.Severity().Order() < worst.Severity().Order() {
			worst, at, w = x, seenAt, during
		}
	}
	seen := false
	for _, c := range g.changes() {
		if c.Quantity != train.GPUXid || c.To <= 0 {
			continue
		}
		seen = true
		if c.At.After(g.from()) {
			take(train.XidOf(int(c.To)), c.At)
		}
	}
	for i := range g.Events {
		if e := &g.Events[i]; e.Kind == "xid" && e.Count > 0 && !g.At.Add(-e.Window).Before(g.held) {
			if x, is := train.XidNamed(e.Name); is {
				take(x, g.At)
			}
		}
	}
	code, known := g.Values.Get(train.GPUXid)
	if w == during || !known || code <= 0 {
		return worst, at, w
	}
	if seen || g.knownSince(train.GPUXid, code) {
		return train.XidOf(int(code)), time.Time{}, earlier
	}
	return train.XidOf(int(code)), time.Time{}, unseen
}
