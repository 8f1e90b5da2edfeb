package jobrows

import (
	"regexp"
	"strings"
)

// What stands in front of the telling half of a reason: how many nodes there
// are is the same in every row, and "and 3 more" can be said in two letters.
var (
	// kube-scheduler: "0/21 nodes are available: ", Volcano 1.10: "... are unavailable: ".
	noNodeFits = regexp.MustCompile(`\b0/\d+ nodes are (un)?available: `)
	andMore    = regexp.MustCompile(`^(\S+) and (\d+) more: `)
	// Kueue 0.10: "couldn't assign flavors to pod set master: insufficient ...".
	noFlavors = regexp.MustCompile(`^couldn't assign flavors to pod set \S+: `)
)

// short is a reason for one cell of a list. The whole sentence stands below
// the table when the row is under the cursor.
func short(reason string) string {
	if !strings.Contains(reason, ": ") {
		return reason
	}
	reason = andMore.ReplaceAllString(reason, "$1 +$2: ")
	reason = noNodeFits.ReplaceAllString(reason, "")
	return noFlavors.ReplaceAllString(reason, "")
}
