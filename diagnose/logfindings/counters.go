package logfindings

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/traintop/traintop/store"
)

// counts matches how programs count what they work on: "40/100", "3 of 60",
// "40%", "batch 7", "7 samples".
var counts = regexp.MustCompile(`(?i)\b(\d+)\s*(?:/|of|out of)\s*\d+\b|\b(\d+)(?:\.\d+)?\s?%|` + counted + `s?[ #:=]*(\d+)\b|\b(\d+) ` + counted + `s?\b`)

const counted = `\b(?:batch|step|iter|iteration|sample|example|prompt|sequence|shard|chunk|part|file|image|video|clip|document|doc|record|row|item|question|task|episode|rollout|epoch|fold|split|layer|block|tensor|bucket)`

// waits matches lines that count while nothing is done: time that passes,
// signs of life, tries, and the use of a machine.
var waits = regexp.MustCompile(`(?i)wait|heartbeat|alive|pulse|stuck|\bhang|\bhung\b|\bidle\b|no progress|\bretr(?:y|ies)|\battempt|time-?out|timed out|watchdog|elapsed|uptime|monitor|\butili[sz]|\b(?:gpu|cpu|mem|memory|power|temp|temperature)\b|blocked|stall|pending|polling`)

// mostCounted bounds the lines that are searched for counters.
const mostCounted = 5000

// lastCount returns the index of the last line, from an index on, whose count
// is greater than that of the line of the same wording before it: a phase
// after the steps goes on. It returns -1 where none rises.
func lastCount(log *store.Log, from int) int {
	before, last := map[string][]int64{}, -1
	n := log.Lines.Len()
	for i := max(from, n-mostCounted); i < n; i++ {
		text := log.Lines.Plain(i)
		text = text[:min(len(text), countBytes)]
		if waits.MatchString(text) {
			continue
		}
		now := countsOf(text)
		if len(now) == 0 {
			continue
		}
		key := wordingOf(text)
		if earlier, known := before[key]; known && slices.Compare(now, earlier) > 0 {
			last = i
		}
		before[key] = now
	}
	return last
}

// countBytes is how much of a line is searched for counters.
const countBytes = 256

// countsOf returns the counts of a line in their order, without what they are
// counted up to.
func countsOf(text string) []int64 {
	var found []int64
	for _, m := range counts.FindAllStringSubmatch(text, 4) {
		for _, group := range m[1:] {
			if n, err := strconv.ParseInt(group, 10, 64); err == nil {
				found = append(found, n)
			}
		}
	}
	return found
}

// wordingOf returns the letters of a line: lines of one counter differ only in
// digits and in the parts of a bar.
func wordingOf(text string) string {
	letters := make([]byte, 0, len(text))
	for i := range len(text) {
		if c := text[i] | 0x20; 'a' <= c && c <= 'z' {
			letters = append(letters, c)
		}
	}
	return string(letters)
}
