package logfindings

import (
	"regexp"
	"strings"

	"github.com/traintop/traintop/sources/signatures"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Open MPI, PRRTE and OpenPMIx print what went wrong as a message over several lines
// between two rules of hyphens (opal/util/show_help.c): each line of it is a part of a
// sentence, so the message is read as a whole.
var (
	helpRule = regexp.MustCompile(`^(?:\[[\d,]+\](?:<\w+>)?:?)?\s*-{74,76}\s*$`)
	// helpOf matches names that occur in these messages.
	helpOf = regexp.MustCompile(`\b(?:Open MPI|PRR?TE|ORTE|OMPI|PMIx|MPI|MCA|mpirun|mpiexec|prterun|orted|prted|daemons?|slots?|hostfile|rankfile|process(?:es)?|hosts?|nodes?|allocat\w+|ranks?|components?|bind\w*|mapp\w+)\b`)
	// helpWarns matches the beginning of one that is no failure.
	helpWarns = regexp.MustCompile(`(?i)^(?:warning|note|deprecated)\b|\b(?:will be|is|are) ignored\b|\bfalling back\b|\b(?:job|program) will continue\b|\bYou can turn off this warning\b`)
	// helpEnds matches the clauses that say that everything ends now, whatever the reason.
	helpEnds = regexp.MustCompile(`(?i)\b(?:your|the) (?:job|program|process|parallel process)\b[^.]{0,40}\b(?:abort\w*|terminat\w*)|\bcause the program to abort\b|\btherefore will terminate\b`)
)

// longestHelp is how many lines such a message has at most.
const longestHelp = 60

// helpMessage returns the message whose first rule is at a line, on one line, and the line
// of its last rule.
func helpMessage(log *store.Log, n, few int) (text string, end int, is bool) {
	if !helpRule.MatchString(log.Lines.At(n).Text) {
		return "", n, false
	}
	var parts []string
	for end = n + 1; end < min(few, n+longestHelp); end++ {
		line := log.Lines.At(end).Text
		if helpRule.MatchString(line) {
			text = strings.Join(parts, " ")
			return text, end, len(parts) > 0 && helpOf.MatchString(text)
		}
		if line = strings.TrimSpace(line); line != "" {
			parts = append(parts, line)
		}
	}
	return "", n, false
}

// helpCandidate returns what a message is about: the cause that its words name, or that the
// program ended with an error. Which nodes, addresses and disks the cluster has, MPI does not
// know.
func helpCandidate(rank int, log *store.Log, n int, text string) (c candidate, place int, is bool) {
	if helpWarns.MatchString(text) {
		return c, 0, false
	}
	cause, place, found := signatures.Hint(helpEnds.ReplaceAllString(text, ""))
	if !found || cause == "mpi-worker-lost" || !fitsException(cause, "RuntimeError: "+text) {
		cause, place = "application-error", leastPlace
	}
	line := log.Lines.At(n + 1)
	hit := train.LogHit{Signature: "name-reserved", Cause: cause, Line: line.Number, Time: line.Time, Text: firstSentence(text), Rank: -1}
	return candidate{cause: cause, rank: rank, at: line.Time, hit: hit, log: log, title: hit.Text}, place, !healed(log, &hit)
}

// leastPlace is the place of a cause that no hint names.
const leastPlace = 1 << 20

func firstSentence(text string) string {
	if at := strings.Index(text, ". "); at > 0 {
		return text[:at+1]
	}
	return text
}
