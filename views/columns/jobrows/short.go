package jobrows

import (
	"regexp"
	"strings"
)

// Prefixes that hide the important half of a reason: the number of nodes is the
// same in every row, and "and 3 more" fits in two letters.
var (
	// kube-scheduler: "0/21 nodes are available: ", Volcano 1.10: "... are unavailable: ".
	noNodeFits = regexp.MustCompile(`\b0/\d+ nodes are (un)?available: `)
	andMore    = regexp.MustCompile(`^(\S+) and (\d+) more: `)
	// Kueue 0.10: "couldn't assign flavors to pod set master: insufficient ...".
	noFlavors = regexp.MustCompile(`^couldn't assign flavors to pod set \S+: `)
)

// short is a reason for one cell of a list. The whole sentence is below the
// table when the row is under the cursor.
func short(reason string) string {
	if !strings.Contains(reason, ": ") {
		return reason
	}
	reason = andMore.ReplaceAllString(reason, "$1 +$2: ")
	reason = noNodeFits.ReplaceAllString(reason, "")
	return noFlavors.ReplaceAllString(reason, "")
}
