package runtime

import (
	"fmt"
	"slices"
	"time"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/train"
)

var nothingGained = rule.Cause{
	ID: "nothing-gained", Stage: train.StageProgress, OverTime: true,
	Words: logfindings.Words{
		Title:   "Training is resumed again and again and gets no further",
		Meaning: "The program goes on from a checkpoint again and again, and each time it stops before it gets further than an earlier attempt did. The container is not restarted, so no count of restarts shows it.",
		Fix:     "Read the log around the last step of an attempt, where the program or its launcher starts again.\nWhere the reason passes by itself, as with a preempted worker, save checkpoints more often.",
	},
	Evidence: "At least three attempts in one log that are over and got no further than one before them; that each was resumed, a line says, or its first step and its time show it. An attempt that got further than all before it gained something: however little where it also began later, else by a tenth of its steps.",

	Find: func(s *rule.JobContext) []train.Finding {
		if s.Job.Restarts >= restartsShow {
			return nil // restart-loop-waste names them
		}
		for i := range s.Job.Ranks {
			r := &s.Job.Ranks[i]
			log, _ := rule.CurrentLog(s.Snapshot, s.Job, i)
			if log == nil {
				log = rule.EndedFile(s.Snapshot, s.Job, i)
			}
			if r.State != train.RankRunning || log == nil {
				continue
			}
			if lost := gainless(log.Samples.Rows, log.Marks); len(lost) >= gainlessLeast {
				return []train.Finding{nothingGainedBy(s, &rule.LiveLog{Rank: r, Log: log}, lost)}
			}
		}
		return nil
	},
}

// NothingGainedInFiles finds the same in logs that are files.
func NothingGainedInFiles(s *rule.JobContext) []train.Finding {
	s.Current = &nothingGained
	for i := range s.Job.Ranks {
		if log := s.RankLog(s.Job, i); log != nil {
			if lost := gainless(log.Samples.Rows, log.Marks); len(lost) >= gainlessLeast {
				return []train.Finding{nothingGainedBy(s, &rule.LiveLog{Rank: &s.Job.Ranks[i], Log: log}, lost)}
			}
		}
	}
	return nil
}

const (
	// gainlessLeast is how many attempts have to gain nothing: one or two happen to a run
	// on nodes that are taken away.
	gainlessLeast = 3
	// littleGain is the part of an attempt by which a later one that began no later has to
	// get further: where a program fails for lack of memory or time, its end varies.
	littleGain = 0.1
)

// stepAttempt is one attempt in a log: its first step and how far it got.
type stepAttempt struct {
	number        int32
	from, reached float64
	first, last   int64 // lines
	began, ended  int64 // Unix nanoseconds, 0 for unknown
	resumed       bool  // it went on from a checkpoint
}

// gainless returns the newest attempts of a log that gained nothing, without the last one,
// which may go on.
func gainless(rows []series.Row, marks []train.Mark) []stepAttempt {
	if len(rows) == 0 || rows[len(rows)-1].Attempt < gainlessLeast || slices.ContainsFunc(marks, func(m train.Mark) bool { return m.Kind == train.MarkFinished }) {
		return nil
	}
	all := stepAttempts(rows, marks)
	best, since := all[0].reached, 1
	for i := 1; i < len(all); i++ {
		a, before := &all[i], &all[i-1]
		later := a.from > before.from
		if !a.resumed || a.reached > best && (later || a.reached > best+littleGain*(best-a.from)) {
			since = i + 1
		}
		best = max(best, a.reached)
	}
	return all[min(since, len(all)-1) : len(all)-1]
}

// stepAttempts returns the attempts of the rank that printed the last row.
func stepAttempts(rows []series.Row, marks []train.Mark) []stepAttempt {
	var all []stepAttempt
	rank := rows[len(rows)-1].Rank
	for i := range rows {
		row := &rows[i]
		if row.Rank != rank {
			continue
		}
		if n := len(all); n == 0 || all[n-1].number != row.Attempt {
			all = append(all, stepAttempt{number: row.Attempt, from: row.X, first: row.Line, began: row.Time})
		}
		a := &all[len(all)-1]
		a.reached, a.last, a.ended = max(a.reached, row.X), row.Line, row.Time
	}
	for i := 1; i < len(all); i++ {
		a, before := &all[i], &all[i-1]
		// ranks that share a log, and passes over the data, begin where the run did
		inOrder := before.ended != 0 && a.began >= before.ended
		a.resumed = series.ResumedBetween(marks, before.last, a.first) || inOrder && a.from > all[0].from+littleGain*(before.reached-all[0].from)
	}
	return all
}

func nothingGainedBy(s *rule.JobContext, v *rule.LiveLog, lost []stepAttempt) train.Finding {
	var since time.Time
	if lost[0].began != 0 {
		since = time.Unix(0, lost[0].began).UTC()
	}
	f := s.NewFinding(train.SeverityWarning, since)
	f.Confidence = train.Likely
	from, reached := lost[0].from, lost[0].reached
	for i := range lost {
		from, reached = min(from, lost[i].from), max(reached, lost[i].reached)
	}
	f.Title = fmt.Sprintf("Nothing was gained in %d attempts: they began at %s or later, and none got further than %s", len(lost), stepName(v, from), stepName(v, reached))
	if !slices.ContainsFunc(lost, func(a stepAttempt) bool { return a.from != from }) {
		f.Title = fmt.Sprintf("Nothing was gained in %d attempts: each began at %s, and none got further than %s", len(lost), stepName(v, from), stepName(v, reached))
	}
	f.Explanation = s.Current.Meaning
	for _, a := range lost[max(0, len(lost)-gainlessLeast):] {
		text := fmt.Sprintf("from this line on attempt %d went from %s to %s", a.number, stepName(v, a.from), stepName(v, a.reached))
		e := s.LineEvidence(v, a.first, text)
		e.Time = time.Time{}
		if a.began != 0 {
			e.Time = time.Unix(0, a.began).UTC()
		}
		f.Evidence = append(f.Evidence, e)
	}
	f.Next = s.Current.Advice()
	f.Verify = "The step number goes beyond what it has reached."
	return f
}
