package config

import (
	"fmt"
	"strings"

	"github.com/traintop/traintop/termtext"
)

// unknown reports a setting that does not exist, and the one that may be meant.
func (r *reader) unknown(path, key string, known []string) {
	full := strings.TrimPrefix(path+"."+key, ".")
	r.add(full, "there is no setting %q%s (see docs/configuration.md)", full, didYouMean(key, known))
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
