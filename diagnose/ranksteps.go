package diagnose

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// readsLog are the causes of which a step is to read a log, and the ranks whose
// log that is.
var readsLog = map[train.Cause]func(*rule.JobContext, *train.Finding) []*train.Rank{
	"nccl-connection-lost": lostRank, "gloo-connection-lost": lostRank, "mpi-worker-lost": lostRank,
	"torchrun-child-failed": rootRank, "one-rank-behind": rootRank, "python-exception": rootRank, "horovod-stall": rootRank,
}

// nameRanks names the rank and its pod in steps to read a log: the cause knows
// only that it is another rank's.
func nameRanks(s *rule.JobContext, found []train.Finding) {
	for i := range found {
		f := &found[i]
		c, of := s.Causes.Of(f.Cause), readsLog[f.Cause]
		if c == nil || of == nil {
			continue
		}
		general := c.Steps()
		at := slices.IndexFunc(f.Next, func(step train.Step) bool {
			return strings.HasPrefix(step.Text, "Read the ") && slices.ContainsFunc(general, func(g train.Step) bool { return g.Text == step.Text })
		})
		if at < 0 {
			continue
		}
		if f.Cause == "python-exception" {
			f.Next[at] = tracebackStep(s, f, of(s, f))
		} else if ranks := of(s, f); len(ranks) > 0 {
			f.Next[at] = logStep(s, f, ranks)
		}
	}
}

// logStep is the step to read the logs of ranks.
func logStep(s *rule.JobContext, f *train.Finding, ranks []*train.Rank) train.Step {
	text := "Look at the log of " + rankAndPod(ranks[0]) + ", from its end upwards."
	if len(ranks) > 1 {
		text = "Look at the logs of ranks " + rankList(ranks, ", ") + ", from their ends upwards."
	}
	return readStep(s, f, text, ranks)
}

// readStep is a step with the command that prints the logs of ranks, where there
// are pods that have some and no other step has a command for that.
func readStep(s *rule.JobContext, f *train.Finding, text string, ranks []*train.Rank) train.Step {
	if len(ranks) == 0 || ranks[0].Pod == "" || s.Job.LogsOnly || slices.ContainsFunc(f.Next, func(step train.Step) bool { return printsLog(step, ranks[0].Pod) }) {
		return rule.Do(text)
	}
	arguments := []string{"traintop", "logs", s.Job.Ref.String(), "--ranks", rankList(ranks, ","), "--tail", "100"}
	if runsAgain(f, ranks[0]) {
		arguments = append(arguments, "--previous")
	}
	return rule.Look(text, arguments...)
}

func printsLog(step train.Step, pod string) bool {
	return len(step.Arguments) > 2 && step.Arguments[1] == "logs" && slices.ContainsFunc(step.Arguments, func(a string) bool { return strings.TrimPrefix(a, "pod/") == pod })
}

// runsAgain reports whether a rank runs again since it printed what a finding
// quotes.
func runsAgain(f *train.Finding, r *train.Rank) bool {
	return r.State == train.RankRunning && slices.ContainsFunc(f.Evidence, func(e train.Evidence) bool {
		return e.Kind == train.EvidenceLog && e.Rank == r.Index && e.Stream.Pod == r.Pod && e.Stream.Container == r.Container && len(r.Attempts) > 0 && e.Stream.Restart < r.Restarts
	})
}

// frameAtEnd is the file that a quoted line of a traceback ends with.
var frameAtEnd = regexp.MustCompile(`^(.*) \((\S+:\d+(?: in \S+)?)\)$`)

// tracebackStep is the step to read a traceback: its last line, and the file.
func tracebackStep(s *rule.JobContext, f *train.Finding, ranks []*train.Rank) train.Step {
	const longest = 120
	text := "Read the traceback"
	at := slices.IndexFunc(f.Evidence, func(e train.Evidence) bool { return e.Kind == train.EvidenceLog })
	if at >= 0 && len(ranks) > 0 && !s.Job.LogsOnly {
		if pod := f.Evidence[at].Stream.Pod; pod != "" && pod != ranks[0].Pod { // the rank has another pod now
			before := *ranks[0]
			before.Pod = pod
			ranks = []*train.Rank{&before}
		}
	}
	switch {
	case s.Job.LogsOnly && len(f.Ranks) == 1: // the file may have the lines of several ranks
		text += fmt.Sprintf(" of rank %d", f.Ranks[0])
	case len(ranks) > 0:
		text += " of " + rankAndPod(ranks[0])
	}
	if at < 0 {
		return readStep(s, f, text+", from its last line upwards.", ranks)
	}
	e := &f.Evidence[at]
	line, frame := e.Text, ""
	if m := frameAtEnd.FindStringSubmatch(e.Text); m != nil {
		line, frame = m[1], m[2]
	}
	if frame != "" {
		text += ", which ends in " + frame
	}
	if e.Line > 0 {
		text += fmt.Sprintf(", from line %d of the log upwards", e.Line)
	} else {
		text += ", from its last line upwards"
	}
	return readStep(s, f, text+": "+termtext.Short(line, longest), ranks)
}

// rankAndPod is "rank 3, bert-worker-3".
func rankAndPod(r *train.Rank) string {
	if r.Pod == "" {
		return fmt.Sprintf("rank %d", r.Index)
	}
	return fmt.Sprintf("rank %d, %s", r.Index, r.Pod)
}

func rankList(ranks []*train.Rank, comma string) string {
	var list []string
	for _, r := range ranks {
		list = append(list, strconv.Itoa(r.Index))
	}
	return strings.Join(list, comma)
}

// rootRank is the rank that failed first, or else those concerned.
func rootRank(s *rule.JobContext, f *train.Finding) []*train.Rank {
	var ranks []*train.Rank
	for i := range s.Job.Ranks {
		r := &s.Job.Ranks[i]
		switch {
		case r.Index == f.RootRank:
			return []*train.Rank{r}
		case f.RootRank < 0 && slices.Contains(f.Ranks, r.Index):
			ranks = append(ranks, r)
		}
	}
	if len(ranks) == 0 && len(s.Job.Ranks) == 1 {
		ranks = []*train.Rank{&s.Job.Ranks[0]}
	}
	return ranks
}

// lostRank is the rank to which a connection was lost: the one that a line
// names, the only other one, or else of the others the one that ended first.
func lostRank(s *rule.JobContext, f *train.Finding) []*train.Rank {
	for i := range f.Evidence {
		if r := peerIn(s, f.Evidence[i].Text); r != nil && r.Index != f.Evidence[i].Rank {
			return []*train.Rank{r}
		}
	}
	var others []*train.Rank
	for i := range s.Job.Ranks {
		if r := &s.Job.Ranks[i]; len(f.Ranks) > 0 && !slices.Contains(f.Ranks, r.Index) {
			others = append(others, r)
		}
	}
	if len(others) == 1 {
		return others
	}
	others = slices.DeleteFunc(others, func(r *train.Rank) bool { return !troubled(r) || endOf(r).IsZero() })
	if len(others) == 0 {
		return nil
	}
	return []*train.Rank{slices.MinFunc(others, func(a, b *train.Rank) int {
		return cmp.Or(endOf(a).Compare(endOf(b)), cmp.Compare(a.Index, b.Index))
	})}
}

// endOf is when the newest attempt of a rank that ended did so, zero for none.
func endOf(r *train.Rank) time.Time {
	for i := len(r.Attempts) - 1; i >= 0; i-- {
		if at := r.Attempts[i].Finished; !at.IsZero() {
			return at
		}
	}
	return time.Time{}
}
