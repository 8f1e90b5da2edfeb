package signatures

import (
	"bytes"
	"regexp"
	"strconv"
)

// rankSpellings are the ways in which a message names the rank that it is about. A bare
// "rank 3" is none: frameworks also call the number of a tensor's dimensions a rank, and
// LoRA the size of its matrices.
var rankSpellings = []struct {
	// word is a literal that every match contains.
	word    string
	pattern string
	origin  string
}{
	{"Rank ", `ProcessGroup\w+\.cpp:\d+\] \[(?:PG [^\]]*)?Rank (?P<rank>\d+)\]`, "PyTorch ProcessGroupNCCL.cpp, createLogPrefix"},
	{" terminated with ", `\bprocess (?P<rank>\d+) terminated with (?:signal [A-Z\d]|exit code \d)`, "torch.multiprocessing.spawn, ProcessExitedException"},
	{"ank ", `^(?:[A-Za-z_][\w.]*(?:Error|Exception): )?\[?Rank (?P<rank>\d+)[\]:,]`, "Megatron-LM rerun_state_machine.py, PyTorch: the message begins with it"},
	{"ank", `\bon (?:global |world )?rank:? ?(?P<rank>\d+)\b`, "Megatron-LM, PyTorch distributed_c10d.py, DeepSpeed"},
	{"ank", `\b(?:[Gg]lobal|[Ww]orld)[_ ][Rr]ank[=:]? ?\[?(?P<rank>\d+)\b`, "torchrun, Lightning, NeMo"},
	{"rank=", `\brank=\[(?P<rank>\d+)\]|, rank=(?P<rank2>\d+)\]`, "structured loggers, NVRx"},
	{"[Rank:", `\[Rank:(?P<rank>\d+)\]`, "Habana's bridge for PyTorch, its log and its exceptions"},
	{"RankID", `\bRankID[:=] ?(?P<rank>\d+)\b`, "torch_npu NPUException.h"},
	{"ank_id", `\brank_id[:=] ?\[?(?P<rank>\d+)\b`, "HCCL, MindSpore"},
	{"[rank: ", `^\[rank: (?P<rank>\d+)\]`, "Lightning utilities/rank_zero.py"},
	{"/replica:0/task:", `/job:worker/replica:0/task:(?P<rank>\d+)/device:`, "TensorFlow: the task whose device it is"},
	{"CheckpointException ranks:", `CheckpointException ranks: ?dict_keys\(\[(?P<rank>\d+)\]\)`, "PyTorch torch/distributed/checkpoint/api.py"},
	{"Culprit", `\bCulprit rank (?P<rank>\d+)\b`, "PyTorch torchfrtrace"},
}

// compiledSpellings are the patterns of rankSpellings.
var compiledSpellings = func() []*regexp.Regexp {
	all := make([]*regexp.Regexp, len(rankSpellings))
	for i := range rankSpellings {
		all[i] = regexp.MustCompile(rankSpellings[i].pattern)
	}
	return all
}()

// sglangTag matches the tag of SGLang's scheduler: with the rank of its replica or of the
// attention's data parallelism, and with its rank within the tensor parallelism.
var sglangTag = regexp.MustCompile(`^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?: DP(\d+))? TP(\d+)(?: EP\d+)?\]`)

// sglangRank returns the rank that SGLang's tag names, -1 for none: that within the tensor
// parallelism, where it counts in the whole job. It does in the first replica, and where the
// attention is parallel over as many.
func sglangRank(text []byte) int {
	m := sglangTag.FindSubmatch(text)
	if m == nil {
		return -1
	}
	rank, known := number(m[2])
	if replica, has := number(m[1]); !known || has && replica > 0 && replica != rank {
		return -1
	}
	return rank
}

// namedRank returns the rank that a message names, -1 for none.
func namedRank(text []byte) int {
	if bytes.Contains(text, []byte(" TP")) {
		if rank := sglangRank(text); rank >= 0 {
			return rank
		}
	}
	for i := range rankSpellings {
		if !bytes.Contains(text, []byte(rankSpellings[i].word)) {
			continue
		}
		m := compiledSpellings[i].FindSubmatch(text)
		for _, found := range m[min(1, len(m)):] {
			if rank, err := strconv.Atoi(string(found)); err == nil {
				return rank
			}
		}
	}
	return -1
}
