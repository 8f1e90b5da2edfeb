package diagnose

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// raised is the log of a rank that failed with one line.
func raised(c *cluster, rank int, cause train.Cause, text string, minutes float64) {
	l := c.log(rank).steps(time.Duration(minutes*float64(time.Minute))+time.Minute, 2*time.Second)
	l.now = noon.Add(-time.Duration(minutes * float64(time.Minute)))
	l.hit(string(cause), cause, text)
}

// The end of a rank explains what others report because they lost it.
func TestTheRankThatDiedExplainsWhatOthersLost(t *testing.T) {
	lost := func(cause train.Cause, text string, minutes float64, root func(*corev1.Pod)) func(*cluster) {
		return func(c *cluster) {
			c.job(2, failed)
			c.node("gpu-0", 8)
			c.node("gpu-1", 8)
			c.worker(0, ended("gpu-0", 1, "Error", "", minutes))
			c.worker(1, root)
			raised(c, 0, cause, text, minutes)
		}
	}
	killed := ended("gpu-1", 137, "OOMKilled", "", 3)
	const python = train.Cause("python-exception")
	runScenarios(t, []scenario{
		{name: "a broken pipe", want: "oom-killed", rank: 1, never: []train.Cause{python}, build: lost(python, "BrokenPipeError: [Errno 32] Broken pipe", 2.5, killed)},
		{name: "an RPC without an answer", want: "oom-killed", never: []train.Cause{python}, build: lost(python, "grpc._channel._InactiveRpcError: status = StatusCode.UNAVAILABLE", 2.5, killed)},
		{name: "unhealthy tasks", want: "oom-killed", never: []train.Cause{python}, build: lost(python, "XlaRuntimeError: The following tasks are unhealthy (stopped sending heartbeats): task:1", 2.5, killed)},
		{name: "a barrier that names the rank", want: "oom-killed", never: []train.Cause{"one-rank-behind"}, build: lost("one-rank-behind", "RuntimeError: [Rank 0]: Ranks 1 failed to pass monitoredBarrier in 60000 ms", 2.5, killed)},
		{name: "a launcher", want: "oom-killed", never: []train.Cause{"mpi-worker-lost"}, build: lost("mpi-worker-lost", "ORTE has lost communication with a remote daemon.", 2.5, killed)},
		{name: "a launcher, and the worker runs again", want: "oom-killed", never: []train.Cause{"mpi-worker-lost"}, build: lost("mpi-worker-lost", "ORTE has lost communication with a remote daemon.", 2.5, func(p *corev1.Pod) {
			running("gpu-1", 2.9)(p)
			p.Status.ContainerStatuses[0].RestartCount = 1
			p.Status.ContainerStatuses[0].LastTerminationState = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 137, Reason: "OOMKilled", StartedAt: before(9), FinishedAt: before(3)}}
		})},
	})
	kept := func(name string, cause train.Cause, text string, minutes float64) {
		t.Helper()
		answer := answerOf(t, lost(cause, text, minutes, killed))
		if !slices.ContainsFunc(answer.Findings, func(f train.Finding) bool { return f.Cause == cause }) {
			t.Errorf("%s: %s is not found", name, cause)
		}
	}
	kept("an error of its own", python, "ValueError: could not convert string to float", 2.5)
	kept("a connection that was lost before", python, "BrokenPipeError: [Errno 32] Broken pipe", 4)
}

// A rank was killed and runs again, and the watchdogs of the others give up minutes later:
// its end is the cause, and an error, unless they began to wait long after it.
func TestTheRankThatRunsAgainExplainsTheCollective(t *testing.T) {
	const timeout = "[Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=4021, OpType=ALLREDUCE, Timeout(ms)=600000) ran for 600021 milliseconds before timing out."
	restarted := func(minutes float64) func(*cluster) {
		return func(c *cluster) {
			c.job(3, runs)
			for rank := range 3 {
				c.node(fmt.Sprintf("gpu-%d", rank), 8)
			}
			for _, rank := range []int{0, 2} {
				c.worker(rank, running(fmt.Sprintf("gpu-%d", rank), 90))
				l := c.log(rank).steps(15*time.Minute, 2*time.Second)
				l.now = before(2).Time
				l.hit("nccl-watchdog", "nccl-timeout", timeout)
			}
			c.worker(1, func(p *corev1.Pod) {
				running("gpu-1", minutes-0.5)(p)
				p.Status.ContainerStatuses[0].RestartCount = 1
				p.Status.ContainerStatuses[0].LastTerminationState = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 137, Reason: "OOMKilled", StartedAt: before(90), FinishedAt: before(minutes)}}
			})
		}
	}
	runScenarios(t, []scenario{{name: "a minute before they wait", want: "oom-killed", rank: 1, says: "The rank runs again, and the others still waited", never: []train.Cause{"nccl-timeout", "one-rank-behind"}, build: restarted(13)}})
	first := func(minutes float64) train.Finding { return answerOf(t, restarted(minutes)).Findings[0] }
	if f := first(13); f.Severity != train.SeverityError {
		t.Errorf("the job stands still, and that is %s", f.Severity)
	}
	if f := first(60); f.Cause == "oom-killed" {
		t.Errorf("an end 48 minutes before the others began to wait is the first: %s", f.Title)
	}
}

// hungCluster is a job whose first rank stops at 11:40, while the others print until a collective
// times out at 11:50.
func hungCluster(status string, hung, others func(node string) func(*corev1.Pod), previous bool) func(*cluster) {
	return func(c *cluster) {
		c.job(4, status)
		for rank := range 4 {
			node := fmt.Sprintf("gpu-%d", rank)
			c.node(node, 8)
			if rank == 1 {
				c.worker(rank, hung(node))
				c.log(rank).read("2026-11-20T11:39:00Z step 10 loss 2.5\n2026-11-20T11:40:00Z opening shard 412\n")
				continue
			}
			c.worker(rank, others(node))
			l := c.log(rank)
			l.read(fmt.Sprintf("2026-11-20T11:40:00Z step 10 loss 2.5\n2026-11-20T11:50:00Z [E ProcessGroupNCCL.cpp:616] [Rank %d] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=4021, OpType=ALLREDUCE, NumelIn=10, NumelOut=10, Timeout(ms)=600000) ran for 600021 milliseconds before timing out.\n", rank))
			if previous {
				l.stream.Restart = 1
				l.read("2026-11-20T11:51:00Z waiting for 4 ranks\n")
			}
		}
	}
}

// The rank for which the others waited hung, however its container was ended afterwards, and also
// where the others were restarted.
func TestTheRankThatHung(t *testing.T) {
	aborted := func(node string) func(*corev1.Pod) { return ended(node, 134, "Error", "", 9.5) }
	again := func(node string) func(*corev1.Pod) { return runsAfter(node, instance{90, 9.5, 134, "Error"}) }
	for name, c := range map[string]struct {
		build func(*cluster)
		want  train.Cause
		title string
	}{
		"killed afterwards":   {hungCluster(failed, func(node string) func(*corev1.Pod) { return ended(node, 137, "Error", "", 8) }, aborted, false), "one-rank-behind", "Rank 1 prints nothing more"},
		"ended afterwards":    {hungCluster(failed, func(node string) func(*corev1.Pod) { return ended(node, 143, "Error", "", 8) }, aborted, false), "one-rank-behind", "Rank 1 prints nothing more"},
		"killed before":       {hungCluster(failed, func(node string) func(*corev1.Pod) { return ended(node, 137, "Error", "", 19) }, aborted, false), "sigkill-received", "worker-1 was killed"},
		"the others go again": {hungCluster(runs, func(node string) func(*corev1.Pod) { return running(node, 90) }, again, true), "nccl-timeout", "worker-1 prints nothing since 11:40:00 (UTC), and a collective timed out in all other ranks"},
	} {
		f := answerOf(t, c.build).Findings[0]
		if f.Cause != c.want || !strings.HasPrefix(f.Title, c.title) || f.RootRank != 1 || f.Severity != train.SeverityError {
			t.Errorf("%s: %s %s, rank %d first: %s", name, f.Severity, f.Cause, f.RootRank, f.Title)
		}
	}
}

// Ranks that came to a monitored barrier and ended there name the one that did not come: its crash
// is the cause, though it runs again.
func TestTheBarrierToWhichARestartedRankDidNotCome(t *testing.T) {
	f := answerOf(t, func(c *cluster) {
		c.job(3, runs)
		for rank := range 3 {
			node := fmt.Sprintf("gpu-%d", rank)
			c.node(node, 8)
			if rank == 1 {
				c.worker(rank, runsAfter(node, instance{90, 20, 1, "Error"}))
				l := c.log(rank)
				l.read("2026-11-20T11:39:00Z step 10 loss 2.5\n2026-11-20T11:39:59Z Traceback (most recent call last):\n2026-11-20T11:39:59Z   File \"train.py\", line 9, in step\n2026-11-20T11:39:59Z KeyError: 'ids'\n")
				l.stream.Restart = 1
				l.read("2026-11-20T11:40:10Z waiting for 3 ranks\n")
				continue
			}
			c.worker(rank, ended(node, 1, "Error", "", 9.5))
			text := "Rank 0 successfully reached monitoredBarrier, but received errors while waiting for send/recv from rank 1. Please check rank 1 logs for faulty rank."
			if rank != 0 {
				text = "Rank 2 successfully reached monitoredBarrier, but received errors while waiting to receive a response from rank 0."
			}
			c.log(rank).read("2026-11-20T11:39:00Z step 10 loss 2.5\n2026-11-20T11:50:00Z Traceback (most recent call last):\n2026-11-20T11:50:00Z   File \"train.py\", line 9, in step\n2026-11-20T11:50:00Z RuntimeError: " + text + "\n")
		}
	}).Findings[0]
	if f.Cause != "python-exception" || f.RootRank != 1 || f.Severity != train.SeverityError || !slices.Contains(f.Hides, "one-rank-behind") {
		t.Errorf("%s %s explains %v: %s", f.Severity, f.Cause, f.Hides, f.Title)
	}
}

// A fault of a device shortly before explains a crash by a signal on its node.
func TestAFaultOfADeviceExplainsTheCrash(t *testing.T) {
	crash := func(code int, minutes float64, node string) func(*cluster) {
		return func(c *cluster) {
			c.job(2, failed)
			c.node("gpu-0", 8)
			c.node("gpu-1", 8)
			c.worker(0, ended("gpu-0", 1, "Error", "", 2))
			c.worker(1, ended("gpu-1", 139, "Error", "", 3))
			raised(c, 0, "nccl-connection-lost", "NCCL error: remote process exited or there was a network error", 2)
			c.event("Node", node, "Warning", "XidError", "NVRM: Xid (PCI:0000:3b:00): "+map[int]string{79: "79, pid=1, GPU has fallen off the bus.", 31: "31, pid=1, MMU Fault"}[code], minutes)
		}
	}
	runScenarios(t, []scenario{
		{name: "it fell off the bus", want: "gpu-fell-off-bus", rank: 1, says: "crashed with a segmentation fault", never: []train.Cause{"segfault", "nccl-connection-lost"}, build: crash(79, 3.1, "gpu-1")},
	})
	for _, near := range []struct {
		code    int
		minutes float64
		node    string
	}{{31, 3.1, "gpu-1"}, {79, 3.1, "gpu-0"}, {79, 1, "gpu-1"}} {
		answer := answerOf(t, crash(near.code, near.minutes, near.node))
		if !slices.ContainsFunc(answer.Findings, func(f train.Finding) bool { return f.Cause == "segfault" }) {
			t.Errorf("%+v: the crash is not found", near)
		}
	}
}

// An act of the kubelet on the pod itself comes before events of its node.
func TestAnEventOfThePodComesBeforeThatOfItsNode(t *testing.T) {
	killed := func(minutes float64) func(*cluster) {
		return func(c *cluster) {
			c.job(1, runs)
			c.node("gpu-0", 8)
			c.worker(0, crashing("gpu-0", 137, "Error", "", 3))
			c.event("Pod", "bert-worker-0", "Normal", "Killing", "Container pytorch failed liveness probe, will be restarted", minutes)
			c.event("Node", "gpu-0", "Warning", "SystemOOM", "System OOM encountered, victim process: python, pid: 4711", 1.5)
		}
	}
	runScenarios(t, []scenario{
		{name: "the probe failed just before", want: "liveness-probe-kill", never: []train.Cause{"host-oom"}, build: killed(1.3)},
		{name: "near miss: an earlier instance's", want: "host-oom", build: killed(8)},
	})
}

// A pod whose grace period is over and whose container runs on is stuck.
func TestPodsThatDoNotEnd(t *testing.T) {
	const cause = train.Cause("stuck-terminating")
	deleted := func(minutes float64, change ...func(*corev1.Pod)) func(*cluster) {
		return func(c *cluster) {
			c.job(2, runs)
			c.node("gpu-0", 8)
			c.node("gpu-1", 8)
			c.worker(0, running("gpu-0", 120))
			c.worker(1, append([]func(*corev1.Pod){running("gpu-1", 120), func(p *corev1.Pod) {
				grace, at := int64(30), before(minutes)
				p.DeletionTimestamp, p.DeletionGracePeriodSeconds = &at, &grace
			}}, change...)...)
		}
	}
	event := func(c *cluster) {
		deleted(15)(c)
		c.warn("Pod", "bert-worker-1", "FailedKillPod", "error killing pod: context deadline exceeded")
	}
	runScenarios(t, []scenario{
		{name: "for a quarter of an hour", want: cause, severity: train.SeverityError, rank: 1, title: "worker-1 has been terminating for 15m, past its grace period of 30s, on node gpu-1", build: deleted(15)},
		{name: "for some minutes", want: cause, severity: train.SeverityWarning, build: deleted(5)},
		{name: "the kubelet says why", want: cause, title: "context deadline exceeded", build: event},
		{name: "its node is gone", want: cause, title: "gpu-9, which does not exist any more", says: "--force", build: deleted(15, func(p *corev1.Pod) { p.Spec.NodeName = "gpu-9" })},
		{name: "near miss: its grace period has just ended", never: []train.Cause{cause}, build: deleted(1)},
		{name: "near miss: a long grace period", never: []train.Cause{cause}, build: deleted(-10)},
		{name: "near miss: its container ended", never: []train.Cause{cause}, build: deleted(15, func(p *corev1.Pod) {
			p.Status.ContainerStatuses[0].State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{FinishedAt: before(15)}}
		})},
		{name: "near miss: its node does not answer", want: "node-not-ready", never: []train.Cause{cause}, build: func(c *cluster) {
			deleted(15)(c)
			c.node("gpu-1", 8, silent)
		}},
	})
}

// Ranks that wait for one that has ended hang, whatever that one printed.
func TestHangsBesideRanksThatEnded(t *testing.T) {
	build := func(until time.Duration) func(*cluster) {
		return func(c *cluster) {
			c.trained(3)
			c.worker(2, running("gpu-2", 120), func(p *corev1.Pod) {
				p.Status.Phase = corev1.PodSucceeded
				p.Status.ContainerStatuses[0].State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "Completed", StartedAt: before(120), FinishedAt: metav1.NewTime(noon.Add(-40 * time.Minute))}}
			})
			for rank := range 2 {
				c.log(rank).steps(until, 2*time.Second)
			}
			l := c.log(2).steps(40*time.Minute, 2*time.Second).say(time.Second, "Training finished")
			c.events = append(c.events, store.Logged{Stream: l.stream, Marks: []train.Mark{{Kind: train.MarkFinished, Line: l.number, Time: l.now}}})
		}
	}
	runScenarios(t, []scenario{
		{name: "silent since", want: hung, severity: train.SeverityError, title: "worker-2 ended with success at 11:20:00 (UTC)", says: "worker-2 has ended", build: build(40 * time.Minute)},
		{name: "near miss: they go on", never: []train.Cause{hung}, build: build(time.Second)},
	})
}

// Ranks that meet others give up while the image of one is pulled: the pull is
// what they wait for, and no error.
func TestSlowStartExplainsThatRanksDoNotMeet(t *testing.T) {
	missed := func(signature, cause, text string, other func(*corev1.Pod)) func(*cluster) {
		return func(c *cluster) {
			c.job(2, runs)
			c.node("gpu-0", 8)
			c.node("gpu-1", 8)
			c.worker(0, crashing("gpu-0", 1, "Error", "", 2))
			c.worker(1, other)
			stream := train.StreamID{Namespace: ns, Pod: "bert-worker-0", UID: "uid-bert-worker-0", Container: "pytorch", Restart: 1}
			c.events = append(c.events, store.StreamChanged{Stream: stream, Rank: -1, Status: train.StreamStatus{State: train.StreamEnded}},
				store.Logged{Stream: stream, Lines: []train.LogLine{{Number: 1, Text: text, Time: before(2).Time}}, Hits: []train.LogHit{{Signature: signature, Cause: train.Cause(cause), Text: text, Line: 1, Time: before(2).Time, Rank: -1}}})
		}
	}
	pulling := func(c *cluster) {
		c.event("Pod", "bert-worker-1", "Normal", "Pulling", `Pulling image "registry.example.com/bert:1"`, 7)
	}
	const ssh = "ssh: Could not resolve hostname bert-worker-1.bert.ml.svc: Name or service not known"
	runScenarios(t, []scenario{
		{name: "a launcher", want: "slow-image-pull", severity: train.SeverityWarning, never: []train.Cause{"mpi-launcher-ssh-failure"}, build: both(missed("ssh-host", "mpi-launcher-ssh-failure", ssh, on("gpu-1")), pulling)},
		{name: "a launcher, and the worker had ended", want: "application-error", rank: 1, never: []train.Cause{"mpi-launcher-ssh-failure"}, build: missed("ssh-host", "mpi-launcher-ssh-failure", ssh, ended("gpu-1", 255, "Error", "", 3))},
		{name: "near miss: the worker ended later", want: "mpi-launcher-ssh-failure", build: missed("ssh-host", "mpi-launcher-ssh-failure", ssh, ended("gpu-1", 255, "Error", "", 1))},
		{name: "near miss: all run", want: "mpi-launcher-ssh-failure", build: missed("ssh-host", "mpi-launcher-ssh-failure", ssh, running("gpu-1", 9))},
	})
}

// Of the ranks that meet one does not come, and its container runs: it is the first, and its
// last line is quoted.
func TestTheRankThatDidNotComeIsTheFirst(t *testing.T) {
	f := answerOf(t, func(c *cluster) {
		c.job(3, failed)
		for rank := range 3 {
			node := fmt.Sprintf("gpu-%d", rank)
			c.node(node, 8)
			if rank == 1 {
				c.worker(rank, running(node, 15))
				c.log(rank).read("2026-11-20T11:46:00.000000001Z Downloading shards: 40%\n")
				continue
			}
			c.worker(rank, ended(node, 1, "Error", "", 2))
			c.log(rank).read("2026-11-20T11:58:00.000000001Z torch.distributed.DistStoreError: Timed out after 601 seconds waiting for clients. 2/3 clients joined.\n")
		}
	}).Findings[0]
	if f.Cause != "rendezvous-timeout" || f.RootRank != 1 || !strings.HasSuffix(f.Title, "its last line is: Downloading shards: 40%") {
		t.Errorf("%s of rank %d: %s", f.Cause, f.RootRank, f.Title)
	}
}

// A rank crashed and runs again, and the others report in other words than the watchdog's
// that they wait for it or lost it: its end is the cause, unless steps were made in
// between.
func TestTheRankThatRunsAgainIsNotOverItsCrash(t *testing.T) {
	answer := func(text string, went bool) train.Finding {
		return answerOf(t, func(c *cluster) {
			c.job(3, runs)
			for rank := range 3 {
				node := fmt.Sprintf("gpu-%d", rank)
				c.node(node, 8)
				if rank != 1 {
					c.worker(rank, running(node, 90))
					log := "2026-11-20T11:39:00.000000001Z step 1 loss 2.5\n"
					for minute := 45; went && minute < 50; minute++ {
						log += fmt.Sprintf("2026-11-20T11:%d:00.000000001Z step %d loss 2.5\n", minute, minute)
					}
					c.log(rank).read(log + "2026-11-20T11:50:30.000000001Z " + text + "\n")
					continue
				}
				c.worker(1, func(p *corev1.Pod) {
					running(node, 19)(p)
					p.Status.ContainerStatuses[0].RestartCount = 1
					p.Status.ContainerStatuses[0].LastTerminationState = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 137, Reason: "OOMKilled", StartedAt: before(90), FinishedAt: before(20)}}
				})
				l := c.log(1)
				l.stream.Restart = 1
				l.read("2026-11-20T11:41:00.000000001Z waiting for all ranks to join\n")
			}
		}).Findings[0]
	}
	for _, text := range []string{
		"torch.distributed.DistBackendError: NCCL error: remote process exited or there was a network error, NCCL version 2.21.5",
		"RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:525] Read error [10.0.0.7]:1234: Connection reset by peer",
		"torch.distributed.DistStoreError: Timed out after 601 seconds waiting for clients. 2/3 clients joined.",
		"[F1120 11:50:30.123456 ProcessGroupNCCL.cpp:1563] Terminating the process after attempting to dump debug info, due to ProcessGroupNCCL watchdog hang.",
	} {
		if f := answer(text, false); f.Cause != "oom-killed" || f.Severity != train.SeverityError || !slices.Equal(f.Ranks, []int{1}) {
			t.Errorf("%s\nfirst is %s, %s, of %v: %s", text, f.Cause, f.Severity, f.Ranks, f.Title)
		}
		if f := answer(text, true); f.Cause == "oom-killed" && f.Severity == train.SeverityError {
			t.Errorf("%s\nsteps were made after the crash, and it is the cause: %s", text, f.Title)
		}
	}
}

// The watchdogs of all others end their processes, and the rank that they wait for runs on:
// it is the finding, and not the first of those that gave up.
func TestTheRankThatHangsExplainsHowTheOthersEnded(t *testing.T) {
	answer := answerOf(t, func(c *cluster) {
		c.job(3, runs)
		for rank := range 3 {
			node := fmt.Sprintf("gpu-%d", rank)
			c.node(node, 8)
			if rank == 1 {
				c.worker(rank, running(node, 90))
				c.log(rank).read("2026-11-20T11:20:00.000000001Z step 1 loss 2.5\n2026-11-20T11:21:00.000000001Z opening shard s3://bucket/shard-00412.tar\n")
				continue
			}
			c.worker(rank, ended(node, 134, "Error", "", 27))
			c.log(rank).read(fmt.Sprintf("2026-11-20T11:20:00.000000001Z step 1 loss 2.5\n2026-11-20T11:31:00.000000001Z [rank%[1]d]:[E1120 11:31:00.1 ProcessGroupNCCL.cpp:616] [Rank %[1]d] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=4021, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600010 milliseconds before timing out.\n", rank))
		}
	})
	f := answer.Findings[0]
	if f.Cause != "one-rank-behind" || f.RootRank != 1 || f.Severity != train.SeverityError || !strings.HasPrefix(f.Title, "Rank 1 prints nothing more") || !slices.Contains(f.Hides, "nccl-timeout") {
		t.Errorf("first is %s, %s, of %d: %s, explains %v", f.Cause, f.Severity, f.RootRank, f.Title, f.Hides)
	}
	if len(answer.Findings) > 1 && answer.Findings[1].Cause == "nccl-timeout" {
		t.Error("the collective that timed out is a finding of its own")
	}
}

// That an exit code alone is the first finding, and the others wait for that rank, is not
// nothing wrong: the log from before the restart is missing.
func TestAnEndWithoutAReasonIsNotNothingWrong(t *testing.T) {
	answer := answerOf(t, func(c *cluster) {
		c.job(3, runs)
		for rank := range 3 {
			node := fmt.Sprintf("gpu-%d", rank)
			c.node(node, 8)
			if rank != 1 {
				c.worker(rank, running(node, 90))
				c.log(rank).read("2026-11-20T11:39:00.000000001Z step 1 loss 2.5\n2026-11-20T11:50:30.000000001Z [rank0]:[E1120 11:50:30.1 ProcessGroupNCCL.cpp:616] [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=4021, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600010 milliseconds before timing out.\n")
				continue
			}
			c.worker(1, func(p *corev1.Pod) {
				running(node, 19)(p)
				p.Status.ContainerStatuses[0].RestartCount = 1
				p.Status.ContainerStatuses[0].LastTerminationState = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 1, Reason: "Error", StartedAt: before(90), FinishedAt: before(20)}}
			})
			l := c.log(1)
			l.stream.Restart = 1
			l.read("2026-11-20T11:41:00.000000001Z waiting for all ranks to join\n")
		}
	})
	if f := answer.Findings[0]; f.Cause != "application-error" || f.Severity != train.SeverityError {
		t.Errorf("first is %s, %s: %s", f.Cause, f.Severity, f.Title)
	}
	if c := answer.Conclusion; c.Verdict != NotEnoughRead || !slices.ContainsFunc(c.Missing, func(m Missing) bool { return strings.HasSuffix(m.What, "from before the restart") }) {
		t.Errorf("%s: %s, missing %+v", c.Verdict, c.Sentence, c.Missing)
	}
}
