package config

import (
	"fmt"
	"strings"

	"github.com/traintop/traintop/termtext"
)

// unknown reports a setting that does not exist, and the one that may be meant.
// A rule with one is left out: it may be what narrows the rule.
func (r *reader) unknown(path, key string, known []string) {
	full := strings.TrimPrefix(path+"."+key, ".")
	text := fmt.Sprintf("there is no setting %q%s (see docs/configuration.md)", full, didYouMean(key, known))
	if inRule(full) {
		text += "; " + itemOf(full) + " is left out"
	}
	r.add(full, "%s", text)
}

// didYouMean suggests the nearest known name, "" where none is near: one letter
// in three may differ.
func didYouMean(key string, known []string) string {
	best, least := "", len(key)/3+2
	for _, name := range known {
		if d := termtext.Distance(strings.ToLower(key), strings.ToLower(name)); d < least {
			best, least = name, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}
