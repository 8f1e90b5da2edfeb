package diagnose

import (
	"regexp"
	"strings"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// waitsOrRetries matches how programs and launchers report that they wait for
// others, or that they try again. Each line is one way to print it.
var waitsOrRetries = regexp.MustCompile(`(?i)` + strings.Join([]string{
	`\b(?:waiting|awaiting|waits?) (?:\d+ ?\w+ )?(?:for|on|until|till)\b|\bawaiting \w`,
	`\bwaiting (?:(?:all|other|the|\d+) )*(?:peers?|masters?|workers?|nodes?|ranks?|servers?|schedulers?|trainers?|pods?|others)\b`,
	`\b(?:still|keep|keeps) waiting\b|\bwaiting\W*$`,
	`\brendezvous'?ing\b|\b(?:joining|entering|starting) (?:the )?rendezvous\b|\bnext rendezvous round\b`,
	`\b(?:retry(?:ing)?|reconnect(?:ing)?|try(?:ing)? again|will try again) (?:in|after|to|for|every|later|\d|\()|\bretrying\b|\[retry \d+/\d+\]|\bretry \d+ ?(?:/|of) ?\d+`,
	`\b(?:sleep(?:ing)?|back(?:ing)? off)\b.*\b(?:before|retry|again)\b|\b(?:is|are) not (?:yet )?(?:ready|up|available)(?: yet)?\W*$`,
	`等待|待機(?:中|して)|대기 ?중|ожидани[ея]|warte auf|en attente de|esperando`,
}, "|"))

// waitsToEnd matches waits of a run that has done its work.
var waitsToEnd = regexp.MustCompile(`(?i)\bto (?:be )?(?:finish|exit|end|complete|terminate|quit|shut|stop|close|flush|upload|saved?|sync)|\b(?:upload|finish|sync|sav|flush|download|clean|shut|clos)\w*\b`)

// waitAtEnd returns the last line of the first log of a job known only from its
// logs, if no log has a sample and that line waits or tries again; "" for none.
func waitAtEnd(s *store.Snapshot, job *train.Job) string {
	if !job.LogsOnly {
		return ""
	}
	waits := ""
	for i := range job.Ranks {
		for _, log := range s.RankLogs(job, i) {
			if len(log.Samples.Rows) > 0 {
				return ""
			}
			line := endOfLog(log)
			if message := messageOf(line); waits == "" && waitsOrRetries.MatchString(message) && !waitsToEnd.MatchString(message) {
				waits = line
			}
		}
	}
	return waits
}

// missingPeers adds what the run waits for as missing when its logs end in a
// wait and show no step: such a job has not started.
func (c *concluder) missingPeers() {
	if line := c.answer.seen.waits; line != "" && c.answer.seen.badEnd == "" && !c.hasCause() {
		c.miss(true, "what it waits for", "it has not started: no line shows a step, and the last one waits or tries again: "+line,
			"give the logs of the ranks, servers or launcher that it waits for, and what kubectl get pods,events -o yaml prints")
	}
}
