package diagnose

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/diagnose/runtime"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// calmChecks returns the checks of a job that runs with every rank and so has
// passed all stages. Calm jobs of one sort share their checks: there are
// thousands of them.
func calmChecks(job *train.Job, logs rule.LogReading, trends *trends, gpus *gpuReading, lists *checkLists) []train.Check {
	checks := calmTable()[calmSort{job.Phase == train.Succeeded, gpus.measured, trends.isUnfollowed(), logs.Why}]
	if len(gpus.ranks) == 0 && (gpus.pastUnread == "" || !gpus.measured || job.Phase == train.Succeeded) {
		return checks
	}
	draft := lists.begin()
	copy(draft, checks)
	for i, c := range causes {
		switch {
		case from(c)[0] == "metrics" && len(gpus.ranks) > 0:
			draft[i].Result, draft[i].Why = train.CheckUnknown, notAllMeasured(gpus.ranks)
		case c.FromPast && gpus.pastUnread != "":
			draft[i].Result, draft[i].Why = train.CheckUnknown, gpus.pastUnread
		}
	}
	return lists.keep()
}

// calmSort is what the checks of a calm job depend on.
type calmSort struct {
	done, measured bool
	unfollowed     bool   // no newer line of its logs would be known
	unread         string // why no log was read
}

var calmTable = sync.OnceValue(func() map[calmSort][]train.Check {
	table := map[calmSort][]train.Check{}
	both := []bool{false, true}
	for _, done := range both {
		for _, measured := range both {
			for _, unread := range []string{"", rule.NoLogRead, rule.LogsForbidden} {
				for _, unfollowed := range both {
					sort := calmSort{done, measured, unfollowed, unread}
					table[sort] = sort.checks()
				}
			}
		}
	}
	return table
})

func (s calmSort) checks() []train.Check {
	checks := make([]train.Check, len(causes))
	why := "every rank runs and has not been restarted"
	if s.done {
		why = "the job is done"
	}
	for i, c := range causes {
		check := train.Check{Cause: c.ID, Stage: c.Stage, Result: train.CheckPass, Why: why}
		switch from := from(c)[0]; {
		case from == "metrics" && !s.measured && !s.done:
			check.Result, check.Why = train.CheckUnknown, notMeasured
		case from == "logs" && s.unread != "" && !s.done:
			check.Result, check.Why = train.CheckUnknown, s.unread
		case s.unfollowed && !s.done && c.ID == runtime.HangCause:
			check.Result, check.Why = train.CheckUnknown, runtime.Unfollowed
		case from != "objects":
			check.Why = "nothing that was read says so"
		}
		checks[i] = check
	}
	return checks
}

// outlinedChecks are the checks of a job of which only its resources were
// kept: no rule looks at it.
var outlinedChecks = sync.OnceValue(func() []train.Check {
	checks := make([]train.Check, len(causes))
	for i, c := range causes {
		checks[i] = train.Check{Cause: c.ID, Stage: c.Stage, Result: train.CheckUnknown, Why: outlineOnly}
	}
	return checks
})

const outlineOnly = "this is the excerpt file of another job, which keeps of this one only the room that it takes"

// notMeasured is why causes that only numbers show could not be looked for.
const notMeasured = "no GPU of the job is measured"

// notAllMeasured returns why such causes could not be looked for in some ranks.
func notAllMeasured(ranks []int) string { return "no GPU of " + termtext.Ranks(ranks) + " was read" }

// CauseWords returns what a cause is, in a few words for people.
func CauseWords(id train.Cause) string {
	if title := causes.Words(id).Title; title != "" {
		return title
	}
	return strings.ReplaceAll(string(id), "-", " ")
}

// CausesInWords returns the words of causes, each once, in one line.
func CausesInWords(ids []train.Cause) string {
	var words []string
	for _, id := range ids {
		if text := CauseWords(id); !slices.Contains(words, text) {
			words = append(words, text)
		}
	}
	return strings.Join(words, "; ")
}

// completeChecks fills in what rules left open: found, ruled out, or which
// source is missing.
func completeChecks(s *rule.JobContext, checks []train.Check, found []train.Finding, gpus *gpuReading) {
	for i, c := range causes {
		check := &checks[i]
		if finding := slices.IndexFunc(found, func(f train.Finding) bool { return f.Cause == c.ID || slices.Contains(f.Hides, c.ID) }); finding >= 0 {
			check.Result, check.Why = train.CheckFail, found[finding].Title
			if found[finding].Cause != c.ID {
				check.Why = "explained by " + string(found[finding].Cause)
			}
			continue
		}
		if check.Result != "" {
			continue
		}
		check.Result, check.Why = openCheck(s, c, s.Reading, gpus)
	}
}

// gpuReading is what was read of the GPUs of a job.
type gpuReading struct {
	measured bool  // any of them
	ranks    []int // of which none was read
	// pastUnread is the reason why their last hour was not read whole, "" where it
	// was.
	pastUnread string
}

func openCheck(s *rule.JobContext, c *rule.Cause, logs rule.LogReading, gpus *gpuReading) (train.CheckResult, string) {
	for _, kind := range c.Needs {
		if why := s.WhyUnseen(kind); why != "" {
			return train.CheckUnknown, why
		}
	}
	from := from(c)[0]
	if from != "objects" && logs.Logs == 0 && !gpus.measured && !s.Job.LogsOnly && !begun(s) {
		return train.CheckSkipped, "no rank has started yet"
	}
	switch from {
	case "metrics":
		if !gpus.measured {
			return train.CheckUnknown, notMeasured
		}
		if len(gpus.ranks) > 0 {
			return train.CheckUnknown, notAllMeasured(gpus.ranks)
		}
		if c.FromPast && gpus.pastUnread != "" {
			return train.CheckUnknown, gpus.pastUnread
		}
		return train.CheckPass, "no measurement says so"
	case "logs":
		if logs.Logs == 0 {
			return train.CheckUnknown, logs.Why
		}
		return train.CheckPass, fmt.Sprintf("no line of %s says so", termtext.Count(logs.Logs, "log"))
	}
	if s.Job.LogsOnly {
		return train.CheckUnknown, "only logs are known of this job"
	}
	if c.FromMessages && s.Count(kinds.EventKind) == 0 && !s.Complete(kinds.EventKind, s.Job.Ref.Namespace) {
		return train.CheckUnknown, "events cannot be read: " + s.WhyUnlisted(kinds.EventKind, s.Job.Ref.Namespace)
	}
	return train.CheckPass, "no status, condition or event says so"
}

// begun reports whether any rank has ever started.
func begun(s *rule.JobContext) bool {
	return slices.ContainsFunc(s.Job.Ranks, func(r train.Rank) bool {
		switch r.State {
		case train.RankMissing, train.RankGated, train.RankPending, train.RankStarting, train.RankWaiting:
			return slices.ContainsFunc(r.Attempts, func(a train.Attempt) bool { return !a.Started.IsZero() })
		}
		return true
	})
}
