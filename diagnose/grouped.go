package diagnose

import (
	"slices"
	"strings"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// BySameHelp groups what was not read by what would let it be read, in the order
// of the first of each.
func BySameHelp(missing []Missing) [][]Missing {
	var groups [][]Missing
	for _, m := range missing {
		at := slices.IndexFunc(groups, func(g []Missing) bool { return g[0].Help == m.Help })
		if at < 0 {
			groups = append(groups, []Missing{m})
			continue
		}
		groups[at] = append(groups[at], m)
	}
	return groups
}

// Unchecked are causes that could not be checked for one reason.
type Unchecked struct {
	Why    string // a clause: "configmaps, secrets cannot be seen: …"
	Causes []train.Cause
}

// Uncheckeds groups causes that could not be checked by the reason, the one that
// hides most causes first. Causes that cannot be checked for one reason are one
// group.
func Uncheckeds(checks []train.Check) []Unchecked {
	type group struct {
		subjects []string
		why      string
		causes   []train.Cause
	}
	var groups []group
	for _, c := range checks {
		subject, why, unseen := strings.Cut(c.Why, rule.Unseen)
		if !unseen {
			subject, why = "", c.Why
		}
		at := slices.IndexFunc(groups, func(g group) bool { return g.why == why && (g.subjects != nil) == unseen })
		if at < 0 {
			at = len(groups)
			groups = append(groups, group{why: why})
		}
		g := &groups[at]
		if unseen && !slices.Contains(g.subjects, subject) {
			g.subjects = append(g.subjects, subject)
		}
		g.causes = append(g.causes, c.Cause)
	}
	slices.SortStableFunc(groups, func(a, b group) int { return len(b.causes) - len(a.causes) })
	all := make([]Unchecked, 0, len(groups))
	for _, g := range groups {
		if g.subjects != nil {
			g.why = rule.Names(g.subjects) + rule.Unseen + g.why
		}
		all = append(all, Unchecked{g.why, g.causes})
	}
	return all
}
