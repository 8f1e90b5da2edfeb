package logfindings_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

// lastWork returns the report of a PyTorch 2.7 watchdog about one process
// group.
func lastWork(process, inGroup int, group string, failed, enqueued int) string {
	return fmt.Sprintf("[rank%d]:[E626 16:48:25.440243908 ProcessGroupNCCL.cpp:2268] [PG ID 5 PG GUID %s Rank %d]  failure detected by watchdog at work sequence id: %d PG status: last enqueued work: %d, last completed work: %d\n",
		process, group, inGroup, failed, enqueued, failed-1)
}

// Ranks are compared within one process group and named by their number in the
// whole job.
func TestRanksAreComparedWithinTheirGroup(t *testing.T) {
	f := func(name, text string, want train.Cause, root int, ranks ...int) {
		t.Helper()
		found := diagnosed(text)
		if len(found) == 0 || found[0].Cause != want || found[0].RootRank != root || ranks != nil && fmt.Sprint(found[0].Ranks) != fmt.Sprint(ranks) {
			t.Errorf("%s: got %+v, want %s of rank %d %v", name, found, want, root, ranks)
		}
	}
	const tp2, tp3, world = "22(TENSOR_MODEL_PARALLEL_GROUP)", "23(TENSOR_MODEL_PARALLEL_GROUP)", "0(default_pg)"
	f("two groups at different numbers are both in step", lastWork(8, 0, tp2, 809868, 809948)+lastWork(9, 1, tp2, 809868, 809948)+lastWork(12, 0, tp3, 500, 510)+lastWork(13, 1, tp3, 500, 510),
		"nccl-timeout", -1)
	f("the one that is behind in its group", lastWork(8, 0, tp2, 100, 110)+lastWork(9, 1, tp2, 100, 100)+lastWork(10, 2, tp2, 100, 110)+lastWork(12, 0, tp3, 50, 51)+lastWork(13, 1, tp3, 50, 51),
		"one-rank-behind", 9)
	all := ""
	for rank := range 64 {
		enqueued := 811
		if rank == 37 {
			enqueued = 808
		}
		all += watchdog(fmt.Sprint(rank), "808", "ALLREDUCE", "10", fmt.Sprint(enqueued))
	}
	f("one of 64 in one log", all, "one-rank-behind", 37)
	f("one whose watchdog does not name the collective", watchdog("0", "1580", "ALLREDUCE", "10", "1582")+lastWork(3, 3, world, 1580, 1582), "nccl-timeout", -1)
	node := ""
	for rank := range 8 {
		node += lastWork(rank, rank, world, 40, 40+rank/6)
	}
	f("most of them behind is nobody", node, "nccl-timeout", -1)
	few := ""
	for rank := range 8 {
		few += lastWork(rank, rank, world, 40, 41-(7-rank)/5)
	}
	f("several are behind together", few, "one-rank-behind", -1, 0, 1, 2)
	// The heartbeat's report about the default group, in which nothing hangs.
	heartbeat := "[rank3]:[E723 01:58:45.667329643 ProcessGroupNCCL.cpp:1743] [PG ID 0 PG GUID 0(default_pg) Rank 3] Received a dump signal due to a collective timeout from  rank 2 and we will try our best to dump the debug info. Last enqueued NCCL work: 57, last completed NCCL work: 57.\n"
	f("another group than the one that hangs", heartbeat+strings.ReplaceAll(strings.ReplaceAll(heartbeat, "rank3", "rank2"), "57", "58")+lastWork(2, 0, tp2, 100, 110)+lastWork(3, 1, tp2, 100, 110), "nccl-timeout", -1)
}

// The wording is that of TraceUtils.h (PyTorch 1.11 to 2.9), the numbers are a
// test's.
func TestDesyncReports(t *testing.T) {
	const head = "[E ProcessGroupNCCL.cpp:821] [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=39, OpType=ALLREDUCE, NumelIn=10, NumelOut=10, Timeout(ms)=600000) ran for 600030 milliseconds before timing out.\n" +
		"[E ProcessGroupNCCL.cpp:474] \n\t - [0] Timeout at collective: ALLREDUCE, #39\n"
	f := func(name, rest string, want train.Cause, root int, word string) {
		t.Helper()
		found := diagnosed(head + rest)
		if len(found) == 0 || found[0].Cause != want || found[0].RootRank != root || !strings.Contains(found[0].Title, word) {
			t.Errorf("%s: got %+v", name, found)
		}
	}
	f("a rank that never came", "\t - To our best knowledge, ranks [3] are the lagging ranks that caused this timeout. They never joined any collectives\n", "nccl-desync", 3, "Rank 3 did not come")
	f("a rank that stands between two", "\t - To our best knowledge, the lagging/dead/mismatched ranks that caused the desync are:\n\t     [2] finished collective #38, but didn't join collective #39 (count from 1)\n\t - Snapshot of ranks' latest states:\n\t   #39 started ranks:\n\t     [0, 1, 3] started ALLREDUCE\n",
		"nccl-desync", 2, "finished collective 38")
	f("several", "\t     [4, 5, 6] finished collective #38, but didn't join collective #39 (count from 1)\n", "nccl-desync", -1, "Ranks 4-6 finished")
	f("all of them are in it", "\t - To our best knowledge, the lagging/dead/mismatched ranks that caused the desync are:\n\t   - [0, 1, 2, 3] joined but didn't finish collective #39 (count from 1)\n", "nccl-timeout", -1, "the program is in step")
	f("some are in an earlier one", "\t   - [1, 2] joined but didn't finish collective #38 (count from 1)\n", "nccl-desync", -1, "Ranks 1-2 are still in collective 38 while others wait in 39")
}

// The first is in the wording of PyTorch's tutorial of the flight recorder
// (2.5), the second in that of a pull request (pytorch/pytorch#140969, 2.6).
func TestFlightRecorderReports(t *testing.T) {
	f := func(text string, want train.Cause, root int, word string) {
		t.Helper()
		found := diagnosed(text)
		if len(found) == 0 || found[0].Cause != want || found[0].RootRank != root || !strings.Contains(found[0].Title, word) {
			t.Errorf("%q: got %+v", text, found)
		}
	}
	f("Not all ranks joining collective 5 at entry 4\ngroup info: 0:default_pg\ncollective: nccl:all_reduce\nmissing ranks: {1}\ninput sizes: [[3, 4]]\noutput sizes: [[3, 4]]\nexpected ranks: 2\ncollective state: scheduled\n",
		"one-rank-behind", 1, "Rank 1 did not join collective 5")
	f("Not all ranks joining collective: sequence number: 31117\ninternal record id: 31116\ngroup info: 0:default_pg\ncollective: nccl:all_reduce\nmissing ranks: {3, 4, 5, 6, 7}\ninput sizes: [[1571911]]\nworld size: 8\nexpected ranks: {0, 1, 2, 3, 4, 5, 6, 7}\n",
		"one-rank-behind", -1, "Ranks 3-7 did not join collective 31117")
	f("Collective sequence number: 3 has errors\ncollective: nccl:all_reduce\nerror msg: Culprit rank 1; Error type: COLLECTIVE_TYPE_MISMATCH, Expected collective type: 'all_reduce' does not match found collective type: 'broadcast'\n",
		"nccl-desync", 1, "does not match")
	if found := diagnosed("All collectives match: expected ranks: {0, 1}\nmissing ranks: set()\ncollective state: completed\n"); len(found) > 0 {
		t.Errorf("a report without an error: %+v", found)
	}
}
