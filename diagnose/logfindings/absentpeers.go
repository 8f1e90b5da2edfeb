package logfindings

import (
	"fmt"
	"slices"

	"github.com/traintop/traintop/termtext"
)

// absentPeers names the ranks whose logs are missing between those that were
// given, where every given one waits for others in a collective: a rank that
// is not among them may be the one that does not take part.
func absentPeers(rankLogs []rankLog, all []candidate) []candidate {
	waits, ranks := map[int]*candidate{}, []int(nil)
	for i := range all {
		c := &all[i]
		if c.tier() <= tierGeneral && !c.healed {
			return nil // a rank has an error of its own
		}
		if rank := c.hitRank(rankLogs); c.cause == "nccl-timeout" && !c.healed && waits[rank] == nil {
			waits[rank] = c
		}
	}
	for i := range rankLogs {
		if rankLogs[i].rank < 0 || waits[rankLogs[i].rank] == nil {
			return nil
		}
		ranks = append(ranks, rankLogs[i].rank)
	}
	absent := gaps(ranks)
	if len(ranks) < 2 || len(absent) == 0 || len(absent) >= len(ranks) {
		return nil
	}
	first := waits[slices.Min(ranks)]
	c := candidate{cause: "nccl-timeout", weight: weightCollective - 1, symptom: true, rank: -1, at: first.at, hit: first.hit, log: first.log, ranks: absent, nobody: true, byPod: true}
	whose := "The log of " + termtext.Ranks(absent) + " was"
	if len(absent) > 1 {
		whose = "The logs of " + termtext.Ranks(absent) + " were"
	} else {
		c.rank, c.nobody = absent[0], false
	}
	c.title = fmt.Sprintf("%s not given, and all ranks that were wait in a collective: read it first", whose)
	return []candidate{c}
}
