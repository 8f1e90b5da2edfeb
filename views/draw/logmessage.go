package draw

import "regexp"

var (
	// stamps is the time that a line of a log begins with: ISO 8601 or a date and
	// a time (Python's logging, most launchers), a time alone, or klog's, each
	// with or without brackets, and after the names of a rank and of a logger in
	// brackets ("[rank1]:[titan] 2026-11-20 10:01:58,001 - ": torchtitan).
	stamps = regexp.MustCompile(`^\s*(?:\[[\w.-]{1,24}\]:?\s*){0,3}[\[(]?(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d|\d\d:\d\d:\d\d|[IWEF]\d{4} \d\d:\d\d:\d\d)(?:[.,:]\d+)?(?:Z|[+-]\d\d:?\d\d)?[\])]?(?:\s*[-|:]\s)?\s*`)
	// rankPrefix is the rank before a line: "[rank0]:", "[default3]:" (torchrun).
	rankPrefix = regexp.MustCompile(`^\[[a-z]*\d+\]:\s*`)
)

// LogMessage is a plain line of a log without the rank and the time that it
// begins with; the whole line where there is nothing else.
func LogMessage(plain string) string {
	for _, prefix := range []*regexp.Regexp{stamps, rankPrefix} {
		if at := prefix.FindStringIndex(plain); at != nil && at[1] < len(plain) {
			plain = plain[at[1]:]
		}
	}
	return plain
}
