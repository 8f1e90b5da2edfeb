package diagnose

import (
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// Steps to read a log name the rank and its pod, with the command that prints
// it; those to read a traceback name its last line and its file.
func TestStepsNameTheRankWhoseLogIsToBeRead(t *testing.T) {
	ranks := func(ends ...int) []train.Rank {
		var all []train.Rank
		for i, end := range ends {
			r := train.Rank{Index: i, Role: "Worker", RoleIndex: i, Namespace: "ml", Pod: "bert-worker-" + string(rune('0'+i)), Container: "pytorch", State: train.RankRunning}
			if end > 0 {
				r.State = train.RankFailed
				r.Attempts = []train.Attempt{{Pod: r.Pod, Finished: noon.Add(time.Duration(end) * time.Second)}}
			}
			all = append(all, r)
		}
		return all
	}
	log := func(rank int, text string, line int64) []train.Evidence {
		return []train.Evidence{{Kind: train.EvidenceLog, Rank: rank, Text: text, Line: line, Stream: train.StreamID{Namespace: "ml", Pod: "bert-worker-0", Container: "pytorch"}}}
	}
	for _, c := range []struct {
		name    string
		ranks   []train.Rank
		finding train.Finding
		text    string
		command string
	}{
		{"the line names its pod", ranks(0, 5, 9, 7), train.Finding{Cause: "nccl-connection-lost", Ranks: []int{0}, RootRank: -1, Evidence: log(0, "connection closed by peer bert-worker-3<4242>", 7)},
			"Look at the log of rank 3, bert-worker-3, from its end upwards.", "traintop logs ml/PyTorchJob/bert --ranks 3 --tail 100"},
		{"the other that ended first", ranks(4, 9, 7, 0), train.Finding{Cause: "gloo-connection-lost", Ranks: []int{0}, RootRank: -1, Evidence: log(0, "Connection closed by peer", 7)},
			"Look at the log of rank 2, bert-worker-2, from its end upwards.", "traintop logs ml/PyTorchJob/bert --ranks 2 --tail 100"},
		{"the only other", ranks(4, 0), train.Finding{Cause: "nccl-connection-lost", Ranks: []int{0}, RootRank: -1, Evidence: log(0, "remote process exited", 7)},
			"Look at the log of rank 1, bert-worker-1, from its end upwards.", "traintop logs ml/PyTorchJob/bert --ranks 1 --tail 100"},
		{"nobody knows which", ranks(4, 0, 0), train.Finding{Cause: "nccl-connection-lost", Ranks: []int{0}, RootRank: -1, Evidence: log(0, "remote process exited", 7)},
			"Read the end of the log of the rank that ended first; the message names the peer.", ""},
		{"a launcher's report", ranks(4, 5), train.Finding{Cause: "torchrun-child-failed", Ranks: []int{1}, RootRank: 1, Evidence: log(0, "exitcode: 1", 7)},
			"Look at the log of rank 1, bert-worker-1, from its end upwards.", "traintop logs ml/PyTorchJob/bert --ranks 1 --tail 100"},
		{"several", ranks(0, 0, 0), train.Finding{Cause: "horovod-stall", Ranks: []int{1, 2}, RootRank: -1, Evidence: log(0, "[missing ranks: 1, 2]", 7)},
			"Look at the logs of ranks 1, 2, from their ends upwards.", "traintop logs ml/PyTorchJob/bert --ranks 1,2 --tail 100"},
		{"a traceback", ranks(4, 5), train.Finding{Cause: "python-exception", Ranks: []int{0}, RootRank: 0, Evidence: log(0, "ValueError: (2, 3) is no size (train.py:88 in step)", 412)},
			"Read the traceback of rank 0, bert-worker-0, which ends in train.py:88 in step, from line 412 of the log upwards: ValueError: (2, 3) is no size", "traintop logs ml/PyTorchJob/bert --ranks 0 --tail 100"},
		{"a traceback without a file", ranks(4, 5), train.Finding{Cause: "python-exception", Ranks: []int{0}, RootRank: 0, Evidence: log(0, "KeyError: 'x'", 0)},
			"Read the traceback of rank 0, bert-worker-0, from its last line upwards: KeyError: 'x'", "traintop logs ml/PyTorchJob/bert --ranks 0 --tail 100"},
		{"a traceback in a file of several ranks", []train.Rank{{Index: 0}}, train.Finding{Cause: "python-exception", Ranks: []int{2}, RootRank: 2, Evidence: log(2, "KeyError: 'x'", 7)},
			"Read the traceback of rank 2, from line 7 of the log upwards: KeyError: 'x'", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			cluster := newCluster(t)
			snapshot := cluster.snapshot()
			job := &train.Job{Ref: train.Ref{Kind: "PyTorchJob", Namespace: "ml", Name: "bert"}, Ranks: c.ranks, LogsOnly: c.ranks[0].Pod == ""}
			s := rule.NewJobContext(&rule.ClusterContext{Snapshot: snapshot, Now: snapshot.Now, Causes: causes}, job)
			found := []train.Finding{c.finding}
			found[0].Next = causes.Of(c.finding.Cause).Steps()
			nameRanks(s, found)
			var texts, commands []string
			for _, step := range found[0].Next {
				texts, commands = append(texts, step.Text), append(commands, step.Command)
			}
			if !strings.Contains(strings.Join(texts, "\n"), c.text) || !strings.Contains(strings.Join(commands, "\n"), c.command) {
				t.Errorf("%q\n%q\nwant %q\n%q", texts, commands, c.text, c.command)
			}
			for i, step := range found[0].Next {
				if step.Text == c.text && step.Command != c.command {
					t.Errorf("step %d has the command %q, want %q", i, step.Command, c.command)
				}
			}
		})
	}
}
