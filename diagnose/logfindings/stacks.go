package logfindings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/traintop/traintop/train"
)

// notInCollective finds the one rank whose main thread, in py-spy's dumps of
// several ranks, is not in a collective while those of all others are.
func notInCollective(rankLogs []rankLog) []candidate {
	var away, within []rankLog
	for _, v := range rankLogs {
		switch {
		case v.firstHit("py-spy-collective") != nil:
			within = append(within, v)
		case v.firstHit("py-spy-main") != nil:
			away = append(away, v)
		}
	}
	if len(away) != 1 || len(within) == 0 || away[0].rank < 0 {
		return nil
	}
	v := away[0]
	hit, log := v.firstHit("py-spy-main"), v.logs[0]
	c := candidate{cause: "hang-no-output", weight: weightCollective, rank: v.rank, at: hit.Time, hit: *hit, log: log, ranks: []int{v.rank}, byPod: true}
	c.title = fmt.Sprintf("Rank %d is not in the collective that the others wait in", v.rank)
	if at := log.Lines.Find(hit.Line + 1); at >= 0 && at < log.Lines.Len() {
		if frame := strings.TrimSpace(log.Lines.Plain(at)); frame != "" {
			c.title += ": it stands in " + safe(frame)
			c.hit.Text = safe(c.hit.Text + ", " + frame)
		}
	}
	other := within[0].firstHit("py-spy-collective")
	c.beside = &work{rank: within[0].rank, hit: *other, log: within[0].logs[0]}
	return []candidate{c}
}

// firstHit returns the first hit of a signature in a rank's only log.
func (v *rankLog) firstHit(signature string) *train.LogHit {
	if len(v.logs) != 1 {
		return nil
	}
	hits := v.logs[0].Hits
	i := slices.IndexFunc(hits, func(h train.LogHit) bool { return h.Signature == signature })
	if i < 0 {
		return nil
	}
	return &hits[i]
}
