package logsread

import (
	"fmt"

	"github.com/traintop/traintop/cli/jsontext"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Unread is why a log could not be read, or not to its end; "" where it
// could.
func Unread(log *store.Log) string {
	switch log.Status.State {
	case train.StreamForbidden, train.StreamFailed, train.StreamRetrying:
	case train.StreamOpening:
		if log.LinesRead() == 0 {
			return NotComeYet
		}
		return ""
	default:
		return ""
	}
	if log.BrokeOff() {
		return fmt.Sprintf("only %d lines of it came before it broke off: %s", log.LinesRead(), log.Status.Text)
	}
	return log.Status.Text
}

// NotComeYet is the note on a log that was asked for, and of which nothing came
// before a recording, or what is shown of it, ended.
const NotComeYet = "it was asked for, and no answer had come yet"

// NothingWritten is why the log of a container may be empty.
const NothingWritten = "it is empty: the program was killed before it wrote anything or flushed its output, writes to a file instead, or the kubelet has rotated the log away"

// Empty reports that the log of a rank that failed or was restarted was read and is
// empty; it is "" for any other.
func Empty(r *train.Rank, log *store.Log) string {
	if log.Status.State != train.StreamEnded || log.ID.File != "" || log.LinesRead() > 0 || len(log.Hits) > 0 || !troubled(r) {
		return ""
	}
	return NothingWritten
}

// UnreadOf are the logs of ranks that could not be read, or not to their end.
func UnreadOf(snapshot *store.Snapshot, jobs []*train.Job) (all []jsontext.Problem) {
	for _, job := range jobs {
		for rankIndex := range job.Ranks {
			for _, log := range snapshot.RankLogs(job, rankIndex) {
				if text := Unread(log); text != "" {
					all = append(all, jsontext.Problem{Source: RankSource(job, rankIndex), Text: text})
				}
			}
		}
	}
	return all
}

// RankSource names the log of a rank as the source of a problem.
func RankSource(job *train.Job, rankIndex int) string {
	return fmt.Sprintf("%s rank %d", job.Ref, job.Ranks[rankIndex].Index)
}

// Health is the status of the logs of ranks, as the health of sources.
func Health(snapshot *store.Snapshot) (all []train.Health) {
	snapshot.Logs(func(log *store.Log) bool {
		job, rankIndex, _ := snapshot.RankOfLog(log.ID)
		if job != nil && rankIndex >= 0 && rankIndex < len(job.Ranks) {
			all = append(all, train.Health{Source: "log of " + RankSource(job, rankIndex) + " (" + log.ID.String() + ")", State: logSourceState(log), Text: Unread(log)})
		}
		return true
	})
	return all
}

// logSourceState maps the state of a log to that of a source.
func logSourceState(log *store.Log) train.SourceState {
	switch log.Status.State {
	case train.StreamForbidden:
		return train.SourceForbidden
	case train.StreamFailed:
		return train.SourceFailed
	case train.StreamRetrying:
		return train.SourceRetrying
	case train.StreamLive, train.StreamEnded:
		return train.SourceLive
	}
	return train.SourceConnecting // no failure is known
}
