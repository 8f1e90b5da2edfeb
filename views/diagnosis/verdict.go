package diagnosis

import (
	"strings"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
)

// verdict writes the verdict of the diagnosis.
func (w *writer) verdict(c *diagnose.Conclusion) {
	if c == nil {
		return
	}
	words := capital(c.Verdict.Words())
	if c.Verdict != diagnose.CauseFound {
		words += ": " + c.Sentence
	}
	w.text(verdictRole(c.Verdict), "", words+".")
	w.blank()
}

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// basis lists what a verdict is based on, and what was not read: why, and what
// would let it be read.
func (w *writer) basis(c *diagnose.Conclusion) {
	if c == nil {
		return
	}
	if len(c.LookedAt) > 0 {
		w.text(themes.Dim, "  Looked at  ", strings.Join(c.LookedAt, ", "))
	}
	groups := diagnose.BySameHelp(c.Missing)
	for _, group := range groups[:min(len(groups), mostReasons)] {
		w.unread(group)
	}
	w.blank()
}

// mostOfOneHelp is how many things are named that the same would let be read.
const mostOfOneHelp = 4

// unread lists what was not read, and once what would let all of it be read.
func (w *writer) unread(group []diagnose.Missing) {
	for _, why := range termtext.FewLinesOf(group, mostOfOneHelp, func(m diagnose.Missing) string { return m.Why }) {
		w.text(themes.Waiting, "  Not read  ", why)
	}
	w.text(themes.Dim, "    to read "+termtext.Agree(len(group), "it", "them")+"  ", group[0].Help)
}

func verdictRole(v diagnose.Verdict) themes.Role {
	switch v {
	case diagnose.NothingWrong:
		return themes.Good
	case diagnose.NotEnoughRead:
		return themes.Waiting
	}
	return themes.Text
}
