package diagnosis

import (
	"fmt"
	"slices"
	"time"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// healed is a finding that is no longer there.
type healed struct {
	finding train.Finding
	at      time.Time
}

// mostHealed findings that went away are shown, the newest.
const mostHealed = 5

// heal records findings that an answer no longer has, and forgets those that
// are back.
func (v *View) heal(answer *diagnose.Answer, f views.Frame) {
	if v.before != nil {
		for _, was := range v.before.Findings {
			if !has(answer.Findings, was.Cause) && was.Severity != train.SeverityInfo {
				v.gone = append(v.gone, healed{was, f.Now()})
			}
		}
	}
	v.gone = slices.DeleteFunc(v.gone, func(h healed) bool { return has(answer.Findings, h.finding.Cause) })
	v.gone = v.gone[max(0, len(v.gone)-mostHealed):]
}

func has(findings []train.Finding, cause train.Cause) bool {
	return slices.ContainsFunc(findings, func(f train.Finding) bool {
		return f.Cause == cause || slices.Contains(f.Hides, cause)
	})
}

// sayHealed lists findings that went away while the screen was open.
func (v *View) sayHealed(w *writer) {
	for _, h := range v.gone {
		mark := draw.State{Mark: w.f.Theme.Glyphs.Done, Role: themes.Good}
		w.marked(mark, "", themes.Good, fmt.Sprintf("gone since %s: %s", clock(h.at, w.f.Now()), h.finding.Title))
	}
	if len(v.gone) > 0 {
		w.blank()
	}
}
