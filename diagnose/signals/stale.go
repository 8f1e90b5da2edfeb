package signals

import (
	"fmt"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// Old numbers count as unknown: no other rule reads them (except counted
// errors), and this one reports them. The age at which numbers are old is no
// threshold: screens grey them by the same measure (train.StaleAfter).
func staleRule() rule {
	return rule{
		kind: "stale", word: "stale", stale: true,
		meaning: fmt.Sprintf("numbers are older than %d intervals of their source: nothing can be said of now", train.StaleAfter),
		gpu:     stale,
		together: func(j *job, all []Signal) string {
			return fmt.Sprintf("no numbers of %d of %d GPUs for %s", len(all), len(j.gpus), termtext.Duration(j.now.Sub(all[0].Since)))
		},
	}
}

func stale(g *gpu) (Signal, bool) {
	if g.Freshness(g.now) == train.Fresh {
		return Signal{}, false
	}
	return Signal{
		Severity: train.SeverityInfo, Since: g.At,
		Text: fmt.Sprintf("no numbers for %s (measured every %s)", termtext.Duration(g.now.Sub(g.At)), termtext.Duration(g.Every)),
	}, true
}
