package diagnose

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// stepsAround writes the log of rank 0 with a line that matches a signature, and
// that many steps before and after it.
func stepsAround(c *cluster, before, after int, hit train.LogHit) {
	log := c.log(0)
	steps := func(n int) {
		for range n {
			log.now, log.step = log.now.Add(time.Second), log.step+1
			log.one()
		}
	}
	steps(before)
	log.say(time.Second, hit.Text)
	hit.Line, hit.Time, hit.Rank = log.number, log.now, -1
	c.events = append(c.events, store.Logged{Stream: log.stream, Hits: []train.LogHit{hit}})
	steps(after)
}

// TestRecoveredErrorExplainsNoEnd checks that an error after which training
// went on for many steps does not explain how the container ended, and that
// one shortly before the end does.
func TestRecoveredErrorExplainsNoEnd(t *testing.T) {
	oom := train.LogHit{Signature: "cuda-oom", Cause: "cuda-out-of-memory", Text: "torch.OutOfMemoryError: CUDA out of memory."}
	for _, test := range []struct {
		name  string
		code  int32
		after int
		want  train.Cause
		why   Verdict
	}{
		{"exit 1", 1, 200, "application-error", NotEnoughRead},
		{"exit 137", 137, 200, "sigkill-received", CauseFound},
		{"exit 143", 143, 200, "sigterm-received", CauseFound},
		{"other processes of the pod print a few more steps", 1, 3, "cuda-out-of-memory", CauseFound},
		{"nothing follows", 1, 0, "cuda-out-of-memory", CauseFound},
	} {
		t.Run(test.name, func(t *testing.T) {
			answer := answerOf(t, func(c *cluster) {
				failing(ended("gpu-0", test.code, "Error", "", 1))(c)
				stepsAround(c, 50, test.after, oom)
			})
			if len(answer.Findings) == 0 || answer.Findings[0].Cause != test.want || answer.Conclusion.Verdict != test.why {
				t.Fatalf("found %+v, %s", answer.Findings, answer.Conclusion.Verdict)
			}
			beside := slices.ContainsFunc(answer.Findings, func(f train.Finding) bool {
				return f.Cause == "cuda-out-of-memory" && f.Severity == train.SeverityInfo
			})
			if went := test.want != "cuda-out-of-memory"; beside != went {
				t.Errorf("the error as info beside the end: %t, want %t", beside, went)
			}
		})
	}
}

// TestRefusedMemoryIsNoKill checks that an allocation that a program was
// refused is not reported as a kill for the container's limit.
func TestRefusedMemoryIsNoKill(t *testing.T) {
	refused := train.LogHit{Signature: "memory-error", Cause: "oom-killed", Text: "MemoryError: Unable to allocate 300. GiB for an array"}
	of := func(reason string, code int32) train.Finding {
		found := answerOf(t, func(c *cluster) {
			failing(ended("gpu-0", code, reason, "", 1))(c)
			stepsAround(c, 20, 0, refused)
		}).Findings
		if len(found) == 0 || found[0].Cause != "oom-killed" {
			t.Fatalf("found %+v", found)
		}
		return found[0]
	}
	if f := of("Error", 1); strings.Contains(f.Title, "killed") || !strings.Contains(f.Title, "refused") || f.Confidence != train.Likely || strings.Contains(f.Next[0].Text, "limits.memory") {
		t.Errorf("%s: %s, %+v", f.Confidence, f.Title, f.Next)
	}
	if f := of("OOMKilled", 137); !strings.Contains(f.Title, "was killed") || f.Confidence != train.Certain {
		t.Errorf("%s: %s", f.Confidence, f.Title)
	}
}
