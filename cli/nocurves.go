package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/traintop/traintop/cli/arguments"
	"github.com/traintop/traintop/cli/logsread"
	"github.com/traintop/traintop/cli/points"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// logCount counts the logs of an answer: those that were read, empty ones too,
// with their lines, and those that could not be read.
type logCount struct {
	read, unread int
	lines        int64
}

func countLogs(snapshot *store.Snapshot, jobs []*train.Job) (c logCount) {
	for _, job := range jobs {
		for rank := range job.Ranks {
			c.add(snapshot.RankLogs(job, rank))
		}
	}
	return c
}

func (c *logCount) add(logs []*store.Log) {
	for _, log := range logs {
		switch state := log.Status.State; {
		case state == train.StreamLive, state == train.StreamEnded, log.LinesRead() > 0:
			c.read, c.lines = c.read+1, c.lines+log.LinesRead()
		case state != train.StreamWaiting:
			c.unread++
		}
	}
}

// chosenWithoutLog names the ranks that were chosen where no log of any of them was read:
// no answer without metrics shows whether they print some.
func chosenWithoutLog(snapshot *store.Snapshot, jobs []*train.Job, ranks *arguments.Ranks) (problems []problemAnswer) {
	for _, job := range jobs {
		for _, rank := range ranks.Indices(job) {
			var c logCount
			if c.add(snapshot.RankLogs(job, rank)); c.read > 0 {
				return nil
			}
			problems = append(problems, problemAnswer{Source: logsread.RankSource(job, rank), Text: "no log of this rank was read"})
		}
	}
	return problems
}

// readNoLog fails where there are logs, or files that may be some, and not one
// could be read.
func (s *session) readNoLog(snapshot *store.Snapshot, jobs []*train.Job) error {
	const why = "; why stands above, and in the problems of -o json"
	c := countLogs(snapshot, jobs)
	switch {
	case c.read > 0:
		return nil
	case c.unread > 0:
		return fmt.Errorf("not one log could be read, of %s"+why, termtext.Count(c.unread, "log"))
	case s.cluster == nil && len(unread(snapshot)) > 0:
		return errors.New("no log was read, and not all that was given could be" + why)
	}
	return nil
}

// words reports how much was read.
func (c *logCount) words() string {
	return termtext.Count(int(c.lines), "line") + " of " + termtext.Count(c.read, "log")
}

// noCurves explains why there is nothing to print.
func noCurves(snapshot *store.Snapshot, jobs []*train.Job, o curveOptions) string {
	c := countLogs(snapshot, jobs)
	switch {
	case c.read == 0:
		return "No logs were read, so there are no metrics."
	case c.lines == 0:
		return fmt.Sprintf("No metrics: what was read is empty (%s).", termtext.Count(c.read, "log"))
	case len(o.metrics) > 0:
		return fmt.Sprintf("No %s in %s%s.", strings.Join(o.metrics, " or "), c.words(), otherMetrics(snapshot, jobs))
	}
	return fmt.Sprintf("No metrics in %s. curves --explain FILE:LINE says why a line gives none. A format that is not known can be described in the configuration file (docs/configuration.md, patterns).", c.words())
}

// otherMetrics reports which metrics the logs of jobs have, "" for none.
func otherMetrics(snapshot *store.Snapshot, jobs []*train.Job) string {
	var names []string
	for _, job := range jobs {
		if run := snapshot.Run(job); run != nil {
			names = append(names, run.Metrics...)
		}
	}
	if slices.Sort(names); len(names) == 0 {
		return ""
	}
	return "; they have " + strings.Join(slices.Compact(names), ", ")
}

// absentMetrics names the metrics that were asked for and that no curve has; ""
// where each is there, and without any curve, of which noCurves reports more.
func absentMetrics(curves []*points.Curve, asked []string) string {
	if len(asked) == 0 || len(curves) == 0 {
		return ""
	}
	has := points.MetricNames(curves)
	absent := slices.DeleteFunc(slices.Clone(asked), func(name string) bool {
		return slices.ContainsFunc(has, func(n string) bool { return strings.EqualFold(n, name) })
	})
	if len(absent) == 0 {
		return ""
	}
	return "no log that was read has " + strings.Join(absent, " or ") + "; the other metrics are printed"
}
