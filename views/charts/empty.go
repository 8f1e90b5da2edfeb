package charts

import (
	"fmt"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// fewLogs is how many logs are named where there are no curves.
const fewLogs = 6

// nothing explains why there are no curves, and what to do.
func nothing(f views.Frame, job *train.Job) []string {
	logs := logsOf(f, job)
	lines := int64(0)
	for _, log := range logs {
		if n := log.Lines.Len(); n > 0 {
			lines += log.Lines.At(n - 1).Number
		}
	}
	if lines == 0 {
		return unread(f, job, logs)
	}
	texts := []string{
		fmt.Sprintf("nothing in %s of the log reads as a training metric yet", draw.Plural(int(lines), "line")),
		"press l to read the log",
		"a format of your own: add a pattern to the configuration file (patterns: name, match, example; docs/configuration.md)",
	}
	return append(texts, whichLogs(logs)...)
}

// unread lists which logs are being read and why others are not.
func unread(f views.Frame, job *train.Job, logs []*store.Log) []string {
	texts := []string{"no line of a log has been read yet"}
	texts = append(texts, whichLogs(logs)...)
	if f.Streams != nil {
		for i := range job.Ranks {
			if why := f.Streams.Why(job.ID, i); why != "" && len(texts) < fewLogs {
				texts = append(texts, fmt.Sprintf("rank %d: %s", job.Ranks[i].Index, why))
			}
		}
	}
	if len(texts) == 1 {
		switch {
		case job.Phase == train.Pending || job.Phase == train.Queued || job.Phase == train.Suspended:
			texts = append(texts, "the job has not begun to run: "+draw.Clean(job.Reason))
		case job.LogsOnly:
			texts = append(texts, "the file is empty or is still being read")
		default:
			texts = append(texts, "without a cluster, give the log with --from: --from 0=rank0.log")
		}
	}
	return texts
}

// whichLogs names some logs and the status of each.
func whichLogs(logs []*store.Log) []string {
	var texts []string
	for _, log := range logs {
		if len(texts) == fewLogs {
			return append(texts, fmt.Sprintf("and %d more", len(logs)-fewLogs))
		}
		text := log.ID.String() + ": " + string(log.Status.State)
		if log.Status.Text != "" {
			text += ", " + log.Status.Text
		}
		texts = append(texts, text)
	}
	return texts
}

// logsOf returns all logs of a job's ranks.
func logsOf(f views.Frame, job *train.Job) []*store.Log {
	var logs []*store.Log
	for i := range job.Ranks {
		logs = append(logs, f.Snapshot.RankLogs(job, i)...)
	}
	return logs
}
