package diagnosis

import (
	"fmt"
	"slices"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/draw"
)

// checks count what was ruled out, and what could not be checked and why; where
// listed they name the causes in words, those of the chosen stage first. Stages
// that the job has not reached are left out.
func (w *writer) checks(checks []train.Check, stage train.Stage, way []diagnose.StageStatus, listed bool) {
	var passed, unknown []train.Check
	for _, c := range checks {
		switch {
		case c.Result == train.CheckUnknown && c.Stage != stage && isAhead(way, c.Stage):
		case c.Result == train.CheckUnknown:
			unknown = append(unknown, c)
		case c.Result == train.CheckPass:
			passed = append(passed, c)
		}
	}
	w.ruledOut(passed, stage, listed)
	w.unknown(unknown, listed)
}

func isAhead(way []diagnose.StageStatus, stage train.Stage) bool {
	return slices.ContainsFunc(way, func(s diagnose.StageStatus) bool { return s.Stage == stage && s.State == diagnose.StageAhead })
}

func (w *writer) ruledOut(passed []train.Check, stage train.Stage, listed bool) {
	if len(passed) == 0 {
		return
	}
	text := draw.Plural(len(passed), "cause")
	if here := len(ofStage(passed, stage)); here > 0 && here < len(passed) {
		text += fmt.Sprintf(", %d of them at %s", here, stage)
	}
	if !listed {
		text += "; " + keyOf(keymap.ShowRuledOut) + " lists them"
	}
	w.text(themes.Dim, "  Ruled out  ", text)
	if !listed {
		return
	}
	others := slices.DeleteFunc(slices.Clone(train.Stages), func(s train.Stage) bool { return s == stage })
	for _, s := range append([]train.Stage{stage}, others...) {
		for i, c := range ofStage(passed, s) {
			name := string(s)
			if i > 0 {
				name = ""
			}
			w.text(themes.Dim, "    "+draw.Fit(name, stageWidth, false, ""), diagnose.CauseWords(c.Cause))
		}
	}
}

// keyOf is the key of an action of the screen, as people read it.
func keyOf(action keymap.Action) string {
	all := keymap.In(keymap.Diagnosis)
	at := slices.IndexFunc(all, func(b keymap.Binding) bool { return b.Action == action })
	if at < 0 {
		return ""
	}
	return keymap.Print(all[at].Keys[0])
}

func ofStage(checks []train.Check, stage train.Stage) []train.Check {
	return slices.DeleteFunc(slices.Clone(checks), func(c train.Check) bool { return c.Stage != stage })
}

// mostReasons reasons are shown why causes could not be checked.
const mostReasons = 5

// unknown groups causes that could not be checked by the missing right or
// source.
func (w *writer) unknown(checks []train.Check, listed bool) {
	groups := diagnose.Uncheckeds(checks)
	most := len(groups)
	if !listed {
		most = min(most, mostReasons)
	}
	for _, g := range groups[:most] {
		w.text(themes.Waiting, "  Not checked  ", draw.Plural(len(g.Causes), "cause")+": "+g.Why)
		if listed {
			w.text(themes.Dim, "    ", diagnose.CausesInWords(g.Causes))
		}
	}
	if more := len(groups) - most; more > 0 {
		w.text(themes.Waiting, "  Not checked  ", "and more, for "+draw.Plural(more, "other reason")+"; :sources says what could not be read")
	}
}
