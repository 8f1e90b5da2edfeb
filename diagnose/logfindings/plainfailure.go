package logfindings

import (
	"cmp"
	"math"
	"regexp"
	"strings"

	"github.com/traintop/traintop/sources/signatures"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// A text may end with a failure that no rule knows and that no level marks: a command's
// message, a check of a C++ program, a controller's record of a state. Such lines have
// their grammar in common: what was tried and did not succeed, what is absent, refused or
// too much, or that the program ends itself.

// plainFailure matches a line that states in plain words that something failed.
var plainFailure = regexp.MustCompile(`(?i)` + strings.Join([]string{
	// what was tried and did not succeed
	`\b(?:failed|failure|unable|(?:was|were|is|are) not able|refus(?:es|ed|ing)) to \w{2}`,
	`\b(?:could not|couldn'?t|cannot|can'?t|can not) (?:be )?(?:\w+ly )?(?:accept|access|acquire|add|alloc\w*|apply|assign|attach|authenticate|bind|build|call|cast|change|chdir|compile|complete|connect\w*|contact|continue|convert|copy|create|decode|deserialize|detect|determine|download|establish|exec\w*|fetch|find|found|fork|get|import|infer|init\w*|join|launch|list|load\w*|locate|lock|make|map|match|mount|obtain|open\w*|parse|perform|ping|place|proceed|process|pull|reach\w*|read|register|reserve|resolve|restore|retrieve|run|save|schedule|seek|send|serialize|set|spawn|start|stat|submit|switch|unpack|use|verify|watch|write)\b`,
	`(?:^|[\s"')\]])(?:has |have |was |were |is |are )?failed(?:[.:!;,]|\W*$| (?:with|after|because|due|during|while|on|in|at|for|as|since|and)\b)`,
	`\b(?:has|have|had|was|were|is|are) (?:crashed|died|aborted|rejected|evicted|terminated|killed|denied|refused|unsuccessful)\b`,
	// what is absent, refused or too much
	`\bno such [a-z]|\b(?:is|was|were|are|does|do|did) not (?:exist|allowed|permitted|available|defined|installed|recognized|recognised|found|registered|running|ready|reachable|configured|valid|compatible|match)\b|\bnot found\b`,
	`\b(?:permission|access|connection|authorization) (?:is |was )?(?:denied|refused|reset|lost|closed)|\bdenied\b|\btimed out\b|\btimeout (?:exceeded|expired|reached|waiting)|\bdeadline exceeded\b|\bunreachable\b`,
	`\b(?:ran |run )?out of (?:\w+ )?(?:memory|space|disk|inodes|resources|slots|quota|range|bounds|handles|descriptors|ports)\b|\bno (?:free|available|more|enough) \w+|\bnot enough \w+|\binsufficient \w+|\b(?:limit|quota|maximum)\b[^\n]{0,30}\b(?:exceeded|reached)\b|\bexceed(?:s|ed) (?:the |its )?(?:\w+ ){0,2}(?:limit|quota|maximum|capacity)`,
	`\b(?:invalid|illegal|unsupported|unrecognized|unrecognised|unknown|unexpected|missing|corrupt(?:ed)?|mismatched|incompatible|malformed|undefined) [a-z]\w+|\bmismatch\b|\bexpired\b`,
	// how it ended
	`(?:[,;.:(-] ?|^)(?:exiting|aborting|quitting|giving up|bailing out|terminating)\b|\b(?:exit(?:ed)?|return(?:ed)?) (?:with )?(?:an? )?(?:non-?zero|(?:code|status):? ?[1-9])`,
	`\bcheck failed\b|\bassert(?:ion)?\b[^\n]{0,120}\bfailed\b|\bnon-ok-status\b`,
}, "|"))

// becameFailed matches a record that something's state became that of a failure.
var becameFailed = regexp.MustCompile(`(?i)(?:->|=>) (?:failed|error|crashed|lost)\b|\b(?:new\.)?(?:phase|status|state)["']?\s?[:=]\s?"?(?:failed|error|failure|crashed)\b`)

// phaseFailed matches the phase of an object that ended badly, where only a part of it was
// pasted; reasonOf matches the field with the reason.
var (
	phaseFailed = regexp.MustCompile(`^\s*(?:- )?["']?phase["']?: ["']?Failed["']?,?\s*$`)
	reasonOf    = regexp.MustCompile(`^\s*["']?reason["']?: ["']?[A-Z]\w+["']?,?\s*$`)
)

// besidePhase is how many lines before and behind a phase its reason may be.
const besidePhase = 3

// atReason returns the line with the reason beside a phase.
func atReason(log *store.Log, n int) (reason train.LogLine, found bool) {
	for at := max(n-besidePhase, 0); at <= min(n+besidePhase, log.Lines.Len()-1); at++ {
		if line := log.Lines.At(at); reasonOf.MatchString(line.Text) {
			return line, true
		}
	}
	return reason, false
}

// bearableFailure matches a line that states what happens instead, that it is tried again,
// or that it is a warning, a condition, a question, code or a setting: it ends nothing.
var bearableFailure = regexp.MustCompile(`(?i)\bwarn(?:ing|ed|s)?\b|^\s*(?:\[[^\]\n]*\]:?\s*){0,3}W\d{0,8}[ \d]|\bunknown because\b|\bError from server \(NotFound\)|(?:^|\s)W tensorflow|\bretry|\bretries\b|\btry(?:ing)? again\b|\bfall(?:ing|s|en)?[ -]?back\b|\bskip|\bignor|\binstead\b|, using \w|\brespawn|\boptional\b|\bdefault(?:s|ing)? to\b|\busing default|\bwill (?:be|not|use|try)\b|\bif (?:you|this|it|the|a)\b|\bunless\b|\bmay\b|\bmight\b|\bin case\b|\bdeprecat|\bplease (?:note|wait)|\bno (?:errors?|failures?)\b|\b0 (?:errors?|failed|failures?)\b|\b(?:errors?|failed|failures?|timeouts?)["']?\s*[:=]\s*(?:0|none|null|false)\b|\?\s*$|\b\d+ (?:failed|errors?)(?:[^\w\s]|\s*$| in\b)|:\s*(?:set\(\)|\[\]|\{\}|none|null)\s*$|` +
	// a field and its value
	`^\s*(?:- )?["']?[A-Za-z][\w ./-]{0,40}["']?:\s*[\w"'./-]*,?\s*$|^\s*(?:- )?["']?(?:message|reason)["']?: |^\s*(?:- )?[a-z]\w*: \{\w+: |` +
	`^\s*#{1,4} |^\s*-{1,2}\w|\|\s*(?:INFO|DEBUG)\s*\||^\s*I\d{4} |(?:^|\s)I tensorflow|\bNCCL INFO\b`)

// ofCode matches a line of a program or of its stack, which may name any failure.
var ofCode = regexp.MustCompile(`^\s*(?:raise|return|def|class|assert|except|if|elif|else|for|while|with|import|from|try|print|echo|export|logger|log)\b[^\n]*[:(\[=]|^\s*File "|^\s*at [\w.$<>]+\(`)

// failedLevel matches a severity that the line has as one letter or word where loggers of
// C++ and of launchers write it, behind any times and names in brackets: a letter before the
// place in the source ("E 12 12] core.cc:513: "), "ERROR:" and "Error " before words.
var failedLevel = regexp.MustCompile(`(?:^|[\s\]])[EF](?:\d{4,8})?[ \d.:]{0,40}[\]:]? ?[\w./+-]+\.(?:cc|cpp|cxx|cu|cuh|c|h|hpp|go|py|rs):\d+[\]:]\s*\S[^\n]{7,}` +
	`|^\s*(?:\[[^\]\n]{0,60}\]\s*){0,4}(?:FATAL|ERROR|CRITICAL|Fatal|Error|fatal|error)(?:\[\w+\])?:\s+[A-Za-z"'(\[/][^\n]{7,}` +
	`|^\s*(?:\[[^\]\n]{0,60}\]\s*){0,4}(?:ERROR|Error|error) [a-z][\w-]* [a-z(\['"\d/][^\n]{7,}` +
	// a command's own name before the level, also as syslog has it; runners of builds and npm
	`|^(?:(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d )?[\w.-]+ )?[\w./+-]{1,60}(?:\[\d+\])?: (?:[Ee]rror|ERROR|[Ff]atal|FATAL)(?: [a-z]+){0,3}: \S[^\n]{7,}` +
	`|^\s*(?:##\[error\]|::error\b[^\n:]*::|npm ERR! |npm error |make(?:\[\d+\])?: \*\*\* |[×✗✘❌] )\S[^\n]{7,}`)

// endsItself matches what a program prints just before it ends, whatever its level.
var endsItself = regexp.MustCompile(`(?i)\b(?:stopping|aborting|terminating) (?:the )?(?:training|job|run)\b[^\n]{0,20}\b(?:due to|because|after)\b|\b(?:unable|failed|could not|couldn'?t|cannot|can'?t|no |not |missing|invalid|error)\b[^\n]{0,160}[,;.:(>-] ?(?:now )?(?:(?:exiting|aborting|quitting|giving up|bailing out|terminating)\b|(?:exit|abort|quit)[.!]*\s*$)`)

// endLines is how many lines before the end of a text a failure in plain words counts: what
// ends a program is printed there, and may have its stack below it.
const endLines = 12

// plainLines is the same for words that a program which goes on prints too.
const plainLines = 4

// reachOf returns within how many lines from the end of a text a line counts that
// reports a failure, 0 for a line that reports none. One that its level marks counts
// anywhere.
func reachOf(line string) int {
	switch {
	case endsItself.MatchString(line) || endedBadly(line):
		return endLines
	case phaseFailed.MatchString(line):
		return endLines
	case stackHead.MatchString(line):
		return stackLines
	case informs.MatchString(line):
		if becameFailed.MatchString(line) {
			return endLines
		}
		return 0
	case signatures.IsHarmless(line) || bearableFailure.MatchString(line) || ofCode.MatchString(line):
		return 0
	case failedLevel.MatchString(line):
		return math.MaxInt
	case plainFailure.MatchString(line) || becameFailed.MatchString(line):
		return plainLines
	}
	return 0
}

// saidFailure quotes the last line of a pasted text that reports that something failed,
// where nobody knows its words and no training follows.
func saidFailure(job *train.Job, rankLogs []rankLog) []train.Finding {
	for i := range rankLogs {
		for _, log := range rankLogs[i].logs {
			if hit, found := lastFailure(log); found {
				return []train.Finding{perhapsFailed(job, rankLogs[i].rank, log, hit)}
			}
		}
	}
	return nil
}

// lastFailure returns the line nearest to the end of a text that reports a failure. One
// that no level marks counts only near the end.
func lastFailure(log *store.Log) (hit train.LogHit, found bool) {
	behind := 0
	for n := FewLines(log) - 1; n >= 0; n-- {
		line := log.Lines.At(n)
		if strings.TrimSpace(line.Text) == "" {
			continue
		}
		behind++
		if behind > reachOf(line.Text) {
			continue
		}
		if phaseFailed.MatchString(line.Text) {
			reason, found := atReason(log, n)
			if !found {
				continue
			}
			line = reason
		}
		hit = train.LogHit{Signature: "name-reserved", Cause: causeInWords(line.Text), Line: line.Number, Time: line.Time, Text: line.Text, Rank: -1}
		if !healed(log, &hit) {
			return hit, true
		}
	}
	return hit, false
}

// level matches the level that a line has in front.
var level = regexp.MustCompile(`^[^\n]{0,80}?(?:\[(?:INFO|DEBUG)\]|\b(?:INFO|DEBUG):?) *`)

// causeInWords returns what the words of a failure name, whatever its level.
func causeInWords(line string) train.Cause {
	if cause, _, found := signatures.Hint(level.ReplaceAllString(line, "")); found {
		return cause
	}
	return cmp.Or(causeOfEnd(line), "application-error")
}

// perhapsFailed is the finding of a line that nobody knows.
func perhapsFailed(job *train.Job, rank int, log *store.Log, hit train.LogHit) train.Finding {
	c := candidate{cause: hit.Cause, rank: rank, at: hit.Time, hit: hit, log: log, title: strings.TrimSpace(hit.Text)}
	f := c.finding(job, Words{
		Meaning: "The text holds no wording that is known; this line says that something failed, and nothing behind it shows that it went on.",
		Fix:     "Read the lines before it, and look for its words in the documentation of the program that printed it.",
	})
	f.Severity, f.Confidence, f.Title = train.SeverityInfo, train.Possible, perhaps+safe(f.Title)
	return f
}
