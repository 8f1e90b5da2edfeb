package diagnose

import (
	"regexp"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// speaksOfAnEnd are the words with which programs, launchers and kubectl close
// a log that did not end well. They decide on a last line alone: in the middle
// of a log they are common and mean little.
var speaksOfAnEnd = regexp.MustCompile(`(?i)\b(fatal|panic|panicked|critical|abort(ed|ing)|terminated|killed|giving up|shutting down|halted|out of memory|outofmemoryerror)\b` +
	`|\bexit(ed)?( with)?( non-?zero)?( exit)?( code| status)?:? ?[1-9][0-9]{0,2}\b|\bstatus code [1-9]` +
	`|^(\S+ ){0,4}(?-i:\[?ERR(OR)?\]?[: ])|^(error|failed):|^make(\[[0-9]+\])?: \*\*\*|unexpected eof|rpc error|goaway|unable to retrieve container logs|core dumped` +
	`|^(died at|keyboardinterrupt|systemexit)\b|run with .?rust_backtrace|^\s*(at|@) \S.*:[0-9]+\)?$|^(错误|エラー|ошибка)`)

// missingEnd: a log whose last line speaks of an end in words that no rule
// knows is not well; what ended it is not known.
func (c *concluder) missingEnd() {
	if line := c.answer.seen.badEnd; line != "" && !c.hasCause() {
		c.miss(true, "what ended the log", "its last line speaks of an end, in words that no rule knows: "+line,
			"give the logs of the other ranks and of the launcher, and what kubectl describe says of the pod")
	}
}

// badEndOf is the last line of the first log of a job that is known by its
// logs alone and whose last line speaks of an end, "" for none.
func badEndOf(s *store.Snapshot, job *train.Job) string {
	if !job.LogsOnly {
		return ""
	}
	for i := range job.Ranks {
		for _, log := range s.RankLogs(job, i) {
			if line := endOfLog(log); speaksOfAnEnd.MatchString(line) {
				return line
			}
		}
	}
	return ""
}

// endOfLog is the last line of a log that is not blank.
func endOfLog(log *store.Log) string {
	for i := log.Lines.Len() - 1; i >= max(0, log.Lines.Len()-8); i-- {
		if text := rule.Plain(log.Lines.Plain(i)); text != "" && text != " " {
			return text
		}
	}
	return ""
}
