package charts

import (
	"fmt"

	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/sources/formats/draft"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// fewLogs is how many logs are named where there are no curves.
const fewLogs = 6

// nothing explains why there are no curves, and what to do.
func (n *nearest) nothing(f views.Frame, logs []*store.Log) []string {
	texts := []string{
		fmt.Sprintf("nothing in %s of the log reads as a training metric yet", draw.Plural(int(linesOf(logs)), "line")),
	}
	if line, text := n.find(logs); line > 0 {
		texts = append(texts, fmt.Sprintf("line %s looks most like one:", draw.Count(int(line))), draw.Cut(draw.Clean(text), max(20, f.Width-4), f.Theme.Glyphs.Ellipsis),
			"f makes a format of it: pick its numbers, see what that reads, save it")
	} else {
		texts = append(texts, "no line has numbers that come again with other values")
	}
	return append(append(texts, "l reads the log"), whichLogs(logs)...)
}

// linesOf is how many lines the logs have.
func linesOf(logs []*store.Log) (lines int64) {
	for _, log := range logs {
		if n := log.Lines.Len(); n > 0 {
			lines += log.Lines.At(n - 1).Number
		}
	}
	return lines
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
	return termtext.FewLinesOf(logs, fewLogs, func(log *store.Log) string {
		text := log.ID.String() + ": " + string(log.Status.State)
		if log.Status.Text != "" {
			text += ", " + log.Status.Text
		}
		return text
	})
}

// logsOf returns all logs of a job's ranks.
func logsOf(f views.Frame, job *train.Job) []*store.Log {
	var logs []*store.Log
	for i := range job.Ranks {
		logs = append(logs, f.Snapshot.RankLogs(job, i)...)
	}
	return logs
}

// nearest is the line of the logs that looks most like a metric, looked for again
// when they have grown.
type nearest struct {
	lines int64 // that were read when it was looked for
	line  int64 // its number, 0 where there is none
	text  string
}

// mostNear is how many of the newest lines are looked at.
const mostNear = 500

// find returns the line and its number, 0 where none looks like a metric.
func (n *nearest) find(logs []*store.Log) (line int64, text string) {
	var best *store.Log
	for _, log := range logs {
		if log.Lines.Len() > 0 && (best == nil || log.Lines.Len() > best.Lines.Len()) {
			best = log
		}
	}
	if best == nil {
		return 0, ""
	}
	count := best.Lines.Len()
	if newest := best.Lines.At(count - 1).Number; n.lines == newest {
		return n.line, n.text
	}
	from := max(0, count-mostNear)
	texts := make([]string, 0, count-from)
	for i := from; i < count; i++ {
		texts = append(texts, ansi.Strip(best.Lines.At(i).Text))
	}
	*n = nearest{lines: best.Lines.At(count - 1).Number}
	if found := draft.Nearest(texts, 1); len(found) > 0 {
		n.line, n.text = best.Lines.At(from+found[0]).Number, texts[found[0]]
	}
	return n.line, n.text
}
