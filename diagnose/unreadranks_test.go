package diagnose

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// TestSilenceNeedsEveryTriedLog checks that no rank is called silent whose log
// was tried and gives no newest line.
func TestSilenceNeedsEveryTriedLog(t *testing.T) {
	for state, text := range map[train.StreamState]string{train.StreamForbidden: "no right", train.StreamFailed: "stream error", train.StreamLive: ""} {
		t.Run(string(state), func(t *testing.T) {
			answer := answerOf(t, func(c *cluster) {
				c.trained(2)
				c.log(0).steps(30*time.Minute, 2*time.Second)
				other := c.log(1)
				c.events = append(c.events, store.StreamChanged{Stream: other.stream, Rank: -1, Status: train.StreamStatus{State: state, Text: text}})
			})
			if len(answer.Findings) != 1 || answer.Findings[0].Cause != hung || answer.Findings[0].Severity != train.SeverityInfo || !strings.Contains(answer.Findings[0].Title, "what rank 1 printed since is not known") {
				t.Errorf("found %+v", answer.Findings)
			}
			if answer.Conclusion.Verdict != NotEnoughRead {
				t.Errorf("the verdict is %s: %s", answer.Conclusion.Verdict, answer.Conclusion.Sentence)
			}
		})
	}
}

// TestRunningRankExplainsNoFailure checks that an error in the log of a rank
// that runs does not explain why another failed whose log was not read.
func TestRunningRankExplainsNoFailure(t *testing.T) {
	exception := func(rank int) *Answer {
		return answerOf(t, func(c *cluster) {
			c.job(2, failed)
			c.node("gpu-0", 8)
			c.worker(0, running("gpu-0", 9))
			c.worker(1, ended("gpu-0", 1, "Error", "", 1))
			c.log(rank).hit("python-exception", "python-exception", "ConnectionResetError: [Errno 104] Connection reset by peer")
		})
	}
	if got := exception(0).Conclusion; got.Verdict != NotEnoughRead {
		t.Errorf("the log of the rank that runs: %s: %s", got.Verdict, got.Sentence)
	}
	if found := exception(0).Findings; len(found) != 2 || found[0].Cause != "application-error" || found[1].Cause != "python-exception" {
		t.Errorf("the end of the failed rank does not lead: %+v", found)
	}
	if found := exception(1).Findings; len(found) != 1 || found[0].Cause != "python-exception" {
		t.Errorf("the reason in the log of the failed rank does not lead: %+v", found)
	}
	if got := exception(1).Conclusion; got.Verdict != CauseFound {
		t.Errorf("the log of the rank that failed: %s: %s", got.Verdict, got.Sentence)
	}
}

// TestSidecarExplainsNoTrainer checks that the end of another container does
// not explain why the one that trains ended.
func TestSidecarExplainsNoTrainer(t *testing.T) {
	answer := answerOf(t, failing(func(p *corev1.Pod) {
		ended("gpu-0", 1, "Error", "", 2)(p)
		p.Spec.Containers = append(p.Spec.Containers, corev1.Container{Name: "proxy", Image: "proxy:1"})
		p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, corev1.ContainerStatus{Name: "proxy", State: corev1.ContainerState{
			Terminated: &corev1.ContainerStateTerminated{ExitCode: 137, Reason: "OOMKilled", StartedAt: before(9), FinishedAt: before(3)},
		}})
	}))
	if len(answer.Findings) < 2 || answer.Findings[0].Cause != "application-error" || answer.Findings[1].Cause != "oom-killed" || answer.Findings[1].Severity != train.SeverityWarning {
		t.Errorf("found %+v", answer.Findings)
	}
	if answer.Conclusion.Verdict != NotEnoughRead {
		t.Errorf("the verdict is %s: %s", answer.Conclusion.Verdict, answer.Conclusion.Sentence)
	}
}

// TestEndsAreNamedByTheirOwnCode checks that a title has the exit code of the
// end, and that a program which made steps was a command that exists.
func TestEndsAreNamedByTheirOwnCode(t *testing.T) {
	first := func(code int32, log func(*rankWriter)) train.Finding {
		found := answerOf(t, func(c *cluster) {
			failing(ended("gpu-0", code, "Error", "", 1))(c)
			log(c.log(0).steps(3*time.Minute, 10*time.Second))
			c.events = append(c.events, store.StreamChanged{Stream: c.log(0).stream, Rank: -1, Status: train.StreamStatus{State: train.StreamEnded}})
		}).Findings
		if len(found) == 0 {
			t.Fatal("nothing is found")
		}
		return found[0]
	}
	f := first(1, func(l *rankWriter) {
		l.hit("death-signal", "sigterm-received", "Received 15 death signal, shutting down workers")
	})
	if f.Cause != "sigterm-received" || !strings.Contains(f.Title, "exit code 1)") {
		t.Errorf("%s: %s", f.Cause, f.Title)
	}
	for _, code := range []int32{126, 127} {
		if f := first(code, func(*rankWriter) {}); f.Cause != "application-error" {
			t.Errorf("exit code %d after steps: %s: %s", code, f.Cause, f.Title)
		}
	}
}
