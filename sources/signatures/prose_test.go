package signatures

import (
	"slices"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// causesOf returns the causes that a scanner of a file of any kind finds.
func causesOf(lines ...string) (causes []train.Cause) {
	s := NewScanner(InAnyText)
	for i, line := range lines {
		for _, hit := range s.Line(int64(i+1), time.Time{}, []byte(line)) {
			causes = append(causes, hit.Cause)
		}
	}
	for _, hit := range s.End() {
		causes = append(causes, hit.Cause)
	}
	return causes
}

// TestSentencesOfPeople checks that what a person supposes, remembers or rules
// out is no evidence.
func TestSentencesOfPeople(t *testing.T) {
	for _, line := range []string{
		"We already ruled out OOMKilled.",
		"Could it be OOMKilled?",
		"yesterday the same job was OOMKilled, I raised the memory since.",
		"kubectl describe shows no OOMKilled, no Evicted.",
		"The pod is not OOMKilled and the events look fine",
		"Our nodes are healthy and there is no CrashLoopBackOff either.",
		"Is this a CrashLoopBackOff because of the image?",
		"The pod was not evicted and there was no CUDA out of memory.",
		"We have checked the driver, no NCCL WARN and no ErrImagePull",
		"I thought of ImagePullBackOff first, but the image is there",
		"Is it CUDA out of memory?",
	} {
		if found := causesOf(line); len(found) > 0 {
			t.Errorf("%q: %v, want nothing", line, found)
		}
	}
	if _, _, found := Hint("We already ruled out that the job was killed by signal 9"); found {
		t.Error("what was ruled out is a hint")
	}
	for line, want := range map[string]train.Cause{
		"OOMKilled":                                        "oom-killed",
		"    Reason:       OOMKilled":                      "oom-killed",
		"bert-worker-0   0/1   OOMKilled   3   5m":         "oom-killed",
		"bert-worker-0 0/1 OOMKilled 3 5m":                 "oom-killed",
		`{"reason": "OOMKilled", "exitCode": 137}`:         "oom-killed",
		"Container trainer was OOMKilled.":                 "oom-killed",
		"main container OOMKilled (exit code 137)":         "oom-killed",
		"pod terminated with reason OOMKilled and restart": "oom-killed",
		"| bert-worker-0 | OOMKilled | 137 |":              "oom-killed",
		"RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB. Is the batch too large?":                   "cuda-out-of-memory",
		"We get this: RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 15.78 GiB total)":      "cuda-out-of-memory",
		"torch.distributed.DistNetworkError: The server socket has failed to listen on any local network address": "port-in-use",
	} {
		if found := causesOf(line); !slices.Contains(found, want) {
			t.Errorf("%q: %v, want %s", line, found, want)
		}
	}
}

// TestDeadlinesOfCalls checks that the deadline of a call is not taken for that
// of the job.
func TestDeadlinesOfCalls(t *testing.T) {
	for line, want := range map[string]bool{
		"CoordinationServiceAgent: DEADLINE_EXCEEDED: Deadline Exceeded": false,
		"errors_impl.DeadlineExceededError: Deadline Exceeded":           false,
		"the job's deadline was exceeded":                                true,
		"Workflow deadline exceeded (activeDeadlineSeconds: 60)":         true,
	} {
		if cause, _, _ := Hint(line); (cause == "active-deadline-exceeded") != want {
			t.Errorf("%q: %s", line, cause)
		}
	}
}
