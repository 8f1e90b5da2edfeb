package diagnose

import (
	"slices"

	"github.com/traintop/traintop/diagnose/admission"
	"github.com/traintop/traintop/diagnose/images"
	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/diagnose/runtime"
	"github.com/traintop/traintop/diagnose/scheduling"
	"github.com/traintop/traintop/diagnose/startup"
	"github.com/traintop/traintop/diagnose/volumes"
	"github.com/traintop/traintop/train"
)

// causes are all causes, in the order of the stages that every job takes, and
// within a stage in order of precedence.
var causes = rule.CauseTable(slices.Concat(
	admission.Causes, volumes.Claims, scheduling.Causes, volumes.Mounts, images.Causes, startup.Causes, runtime.Causes,
))

// Description is the text of one cause in docs/causes.md.
type Description struct {
	ID    train.Cause
	Stage train.Stage
	logfindings.Words
	Evidence string
	// Hides are the symptoms that it explains.
	Hides []train.Cause
	// From names what it is read from: "objects", "logs", "metrics".
	From []string
}

// Causes describes every cause, in the order in which a job passes the stages,
// and within a stage in order of precedence.
func Causes() []Description {
	described := make([]Description, 0, len(causes))
	for _, c := range causes {
		described = append(described, Description{
			ID: c.ID, Stage: c.Stage, Words: c.Words, Evidence: c.Evidence, Hides: c.Hides, From: from(c),
		})
	}
	return described
}

// from returns the sources of a cause: one that no rule over objects looks for
// comes from logs, or from metrics where it slows a job down.
func from(c *rule.Cause) []string {
	switch {
	case c.OverTime:
		return []string{"logs", "metrics"}
	case c.FromMetrics:
		return []string{"metrics", "objects"}
	case c.FromMessages || c.FromStatus || c.MatchesEnd != nil || c.Find != nil:
		return []string{"objects", "logs"}
	case c.Stage == train.StageSpeed:
		return []string{"metrics"}
	}
	return []string{"logs"}
}
