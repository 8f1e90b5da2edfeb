package diagnosis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
)

// checks list what was ruled out at the stage, how much elsewhere, and what
// could not be checked. Without a stage everything is named. Stages that the
// job has not reached are left out.
func (w *writer) checks(checks []train.Check, stage train.Stage, way []diagnose.StageStatus) {
	var here []train.Cause
	var unknown []train.Check
	others := 0
	for _, c := range checks {
		switch {
		case c.Result == train.CheckUnknown && c.Stage != stage && isAhead(way, c.Stage):
		case c.Result == train.CheckUnknown:
			unknown = append(unknown, c)
		case c.Result != train.CheckPass:
		case stage == "" || c.Stage == stage:
			here = append(here, c.Cause)
		default:
			others++
		}
	}
	w.ruledOut(here, others)
	w.unknown(unknown)
}

func isAhead(way []diagnose.StageStatus, stage train.Stage) bool {
	return slices.ContainsFunc(way, func(s diagnose.StageStatus) bool { return s.Stage == stage && s.State == diagnose.StageAhead })
}

func (w *writer) ruledOut(here []train.Cause, others int) {
	if w.runs != nil && len(here) > mostRuledOut { // on a screen
		others += len(here) - mostRuledOut
		here = here[:mostRuledOut]
	}
	text := joinCauses(here)
	switch {
	case len(here) == 0 && others == 0:
		return
	case len(here) == 0:
		text = fmt.Sprintf("%d causes at other stages", others)
	case others > 0:
		text += fmt.Sprintf(" and %d others", others)
	}
	w.text(themes.Dim, "  Ruled out  ", text)
}

const (
	// mostReasons reasons are shown why causes could not be checked, and for
	// each mostNamed causes.
	mostReasons = 5
	mostNamed   = 3
	// mostRuledOut ruled out causes are named.
	mostRuledOut = 12
)

// unknown groups causes that could not be checked by the missing right or
// source, the one that hides most causes first.
func (w *writer) unknown(checks []train.Check) {
	var reasons []string
	causes := map[string][]train.Cause{}
	for _, c := range checks {
		if causes[c.Why] == nil {
			reasons = append(reasons, c.Why)
		}
		causes[c.Why] = append(causes[c.Why], c.Cause)
	}
	slices.SortStableFunc(reasons, func(a, b string) int { return len(causes[b]) - len(causes[a]) })
	for _, why := range reasons[:min(len(reasons), mostReasons)] {
		w.text(themes.Waiting, "  Not checked  ", fmt.Sprintf("%s (%s)", why, few(causes[why])))
	}
	if more := len(reasons) - mostReasons; more > 0 {
		w.text(themes.Waiting, "  Not checked  ", fmt.Sprintf("and more, for %d other reasons; :sources says what could not be read", more))
	}
}

// few names the first of some causes and counts the others.
func few(causes []train.Cause) string {
	if len(causes) <= mostNamed {
		return joinCauses(causes)
	}
	return fmt.Sprintf("%s and %d more", joinCauses(causes[:mostNamed]), len(causes)-mostNamed)
}

func joinCauses(causes []train.Cause) string {
	words := make([]string, 0, len(causes))
	for _, c := range causes {
		if !slices.Contains(words, string(c)) {
			words = append(words, string(c))
		}
	}
	return strings.Join(words, ", ")
}
