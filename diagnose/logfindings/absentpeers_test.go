package logfindings

import (
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

func TestRankWhoseLogWasNotGiven(t *testing.T) {
	waiting := func(ranks ...int) (rankLogs []rankLog, all []candidate) {
		for _, rank := range ranks {
			rankLogs = append(rankLogs, rankLog{rank: rank})
			all = append(all, candidate{cause: "nccl-timeout", weight: weightCollective - 5, symptom: true, rank: rank, hit: train.LogHit{Rank: rank}})
		}
		return rankLogs, all
	}
	rankLogs, all := waiting(0, 1, 2, 4, 5, 6, 7)
	if got := absentPeers(rankLogs, all); len(got) != 1 || got[0].rank != 3 || !strings.Contains(got[0].title, "rank 3 was not given") {
		t.Errorf("rank 3 is missing: %+v", got)
	}
	if got := absentPeers(waiting(0, 1, 2)); len(got) != 0 {
		t.Errorf("no rank is missing: %+v", got)
	}
	rankLogs, all = waiting(0, 2)
	all[1].cause, all[1].weight, all[1].symptom = "cuda-out-of-memory", 85, false
	if got := absentPeers(rankLogs, all); len(got) != 0 {
		t.Errorf("a rank has an error of its own: %+v", got)
	}
}
