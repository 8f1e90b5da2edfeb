package logfindings

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"github.com/traintop/traintop/sources/signatures"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// The runner of a program reports how it ended in a form of its own, whatever level the
// record has: a status that is none of success, a signal, or a state among its states.

// badEnd matches what supervisors, workflows, tables and editors report about a bad
// end.
var badEnd = regexp.MustCompile(`(?i)` + strings.Join([]string{
	`\b(?:exited, )?code=exited, status=(?P<code>[1-9]\d*)\b|\b(?:exited, )?code=(?:killed|dumped), status=(?P<signal>[1-9]\d*)\b`,
	`\b(?:exit(?:ed)?|return(?:ed)?|terminat(?:ed|ion)|ended|finished|stopped)\b[^\n:;]{0,40}?\b(?:code|status|value)\b[ =:(]{1,4}(?P<code>-?[1-9]\d{0,9})\b`,
	`\bexit[_ ](?:status|code)\b[ =:(]{1,4}(?P<code>-?[1-9]\d{0,9})\b`,
	`\bexited (?:with )?\(?(?P<code>-?[1-9]\d{0,9})\b\)?`,
	// states
	`\bActive: (?:failed|activating \(auto-restart\)) \(Result: [a-z-]+\)`,
	`\b(?:entered|in) (?:an? |the )?(?-i:FATAL|FAILED|ERROR|failed|error) state\b`,
	`\bmark(?:ing|ed) (?:[\w-]+ )?as (?:failed|failure|error)\b|^\s*Finished: FAILURE\s*$|^Error in (?:rule|job|step|task) \S`,
	`\b(?:final|job|run|task|training|build|pipeline|app|end)[ _]?(?:job)?[ _]?(?:state|status|phase|result|outcome)["']?\s*[:=]\s*["']?(?:[A-Z]+_)*(?:failed|failure|error|errored|crashed|fatal)\b`,
	`^\s*(?-i:Phase|Application State):\s{2,}(?-i:Failed|Error|FAILED|ERROR)\s*$`,
	`\((?:state|status): (?:failed|error)\)|\b(?:state|status) '(?:failed|error)'`,
	`[|│]\s*(?-i:ERROR|FAILED)\s*[|│]|:\s+ERROR, \d+ failures|^\S+\s+(?-i:FATAL|BACKOFF)\s{2,}Exited\b`,
	`\b(?:terminated|exited|quit|died|stopped|closed|ended|crashed) unexpectedly\b|\bbecause of the following (?:error|exception)\b|\bRun \S+ errored\b`,
	// an operation of TensorFlow that did not run, which it prints before it raises
	`\bOP_REQUIRES failed at [^\n]{1,80} : (?-i:[A-Z][A-Za-z_ ]+): `,
}, "|"))

// noBadEnd matches what is no end, or one that nobody waits for: conditions, what ended long
// ago, ends of a sequence, and calls that something else cut short.
var noBadEnd = regexp.MustCompile(`(?i)\b(?:if|when|unless) \w|\bretry(?:ing)?\b|\bretries left\b|\bwill be retried\b|\b(?:hours?|days?|weeks?|months?|years?) ago\b|\bOUT_OF_RANGE\b|\bOut of range\b|\bEnd of sequence\b|\bCANCELLED\b|\bCancelled\b|\bdeferral\b`)

// stackHead matches the head of a stack that a program prints as it ends.
var stackHead = regexp.MustCompile(`\bC\+\+ Traceback \(most recent call last\)|^\s*(?:Stack dump|Backtrace|Stack ?trace|Call stack):\s*$`)

// stackLines is how many lines a stack may have below its head.
const stackLines = 60

// endedBadly reports whether a line states that a program ended badly.
func endedBadly(line string) bool {
	return badEnd.MatchString(line) && !noBadEnd.MatchString(line) && !ofCode.MatchString(line)
}

// EndedBadly reports whether a line states that a program ended badly, with a status, a
// signal or a state.
func EndedBadly(line string) bool { return endedBadly(line) }

// IsBearable reports whether a line states that nothing is wrong, or what happens instead
// of what failed.
func IsBearable(line string) bool {
	return signatures.IsHarmless(line) || bearableFailure.MatchString(line)
}

// Ended is the finding of the line with which a log ends, where no rule knows its words.
func Ended(job *train.Job, rank int, log *store.Log, at int) train.Finding {
	line := log.Lines.At(at)
	hit := train.LogHit{Signature: "name-reserved", Cause: causeInWords(line.Text), Line: line.Number, Time: line.Time, Text: line.Text, Rank: -1}
	return perhapsFailed(job, rank, log, hit)
}

// causeOfEnd returns the cause that the status or the signal of an end is, "" for none.
func causeOfEnd(line string) train.Cause {
	m := badEnd.FindStringSubmatch(line)
	for i, name := range badEnd.SubexpNames() {
		if m == nil || name == "" || m[i] == "" {
			continue
		}
		code, err := strconv.Atoi(m[i])
		if err != nil {
			continue
		}
		if name == "signal" {
			code = -code
		}
		return cmp.Or(signatures.CauseOfExit(code), "application-error")
	}
	return ""
}
