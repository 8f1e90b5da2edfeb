package diagnose

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// overAndHolding adds a job that failed and whose pod runs on with all GPUs of a node.
func overAndHolding(c *cluster) {
	c.object(kinds.Jobs()[1].GroupKind, "{apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: old, namespace: zz, uid: job-2}, spec: {pytorchReplicaSpecs: {Worker: {replicas: 1, template: {spec: {containers: [{name: pytorch, image: img}]}}}}}, status: {"+
		`conditions: [{type: Failed, status: "True", reason: PyTorchJobFailed, lastTransitionTime: "2026-11-20T11:00:00Z"}], completionTime: "2026-11-20T11:00:00Z"}}`)
	p := podOf("old-worker-0", 8)
	yes := true
	p.Namespace, p.OwnerReferences = "zz", []metav1.OwnerReference{{APIVersion: "kubeflow.org/v1", Kind: "PyTorchJob", Name: "old", UID: "job-2", Controller: &yes}}
	running("gpu-0", 90)(p)
	c.add(kinds.PodKind, p)
}

func TestWhoMustEndIsNamed(t *testing.T) {
	short := waiting("0/2 nodes are available: 2 Insufficient nvidia.com/gpu.")
	node := func(name string, held ...int) func(*cluster) {
		return func(c *cluster) {
			c.node(name, 8)
			for _, gpus := range held {
				c.holder(name, gpus)
			}
		}
	}
	for _, test := range []struct {
		name  string
		build func(*cluster)
		want  string // the first step
	}{
		{"one", both(short, node("gpu-0", 8)), "Wait for other/Pod/other-1 to end: it holds 8 nvidia.com/gpu on gpu-0, and the pod fits there then."},
		{"several that fit", both(func(c *cluster) {
			c.job(2, created)
			for i := range 2 {
				c.worker(i, unschedulable("0/1 nodes are available: 1 Insufficient nvidia.com/gpu."))
			}
		}, node("gpu-0", 4, 4)), "Wait for other/Pod/other-1 (4) and other/Pod/other-2 (4) to end: they hold 8 nvidia.com/gpu on gpu-0, and one of the pods fits there then."},
		{"the smallest that suffices", both(short, node("gpu-0", 1, 7), node("gpu-1", 2, 4)), "Wait for other/Pod/other-4 (4) and other/Pod/other-3 (2) to end: they hold 6 nvidia.com/gpu on gpu-1, and the pod fits there then."},
		{"fewer rather than smaller", both(short, node("gpu-0", 2, 2, 2), node("gpu-1", 8)), "Wait for other/Pod/other-4 to end: it holds 8 nvidia.com/gpu on gpu-1, and the pod fits there then."},
		{"too many to wait for", both(short, node("gpu-0", 1, 1, 1, 1, 1, 1, 1, 1)), "Wait until GPUs become free, or ask for fewer."},
		{"not for the job itself", func(c *cluster) {
			short(c)
			node("gpu-0")(c)
			node("gpu-1", 8)(c)
			c.worker(1, running("gpu-0", 5))
		}, "Wait for other/Pod/other-1 to end: it holds 8 nvidia.com/gpu on gpu-1, and the pod fits there then."},
		{"a job that is over", both(short, node("gpu-0"), overAndHolding), "zz/PyTorchJob/old has failed, and its pods still hold 8 nvidia.com/gpu on gpu-0: end them, and the pod fits there then."},
		{"for the job itself there is no plan", func(c *cluster) {
			short(c)
			node("gpu-0")(c)
			c.worker(1, running("gpu-0", 5))
		}, "Wait until GPUs become free, or ask for fewer."},
	} {
		t.Run(test.name, func(t *testing.T) {
			found := answerOf(t, test.build).Findings
			if len(found) == 0 || found[0].Cause != "insufficient-gpu" {
				t.Fatalf("found %v", found)
			}
			if got := found[0].Next[0].Text; got != test.want {
				t.Errorf("the first step is %q, want %q", got, test.want)
			}
			look := found[0].Next[len(found[0].Next)-1]
			if _, node, named := strings.Cut(test.want, " on "); named && !strings.HasSuffix(look.Command, "spec.nodeName="+node[:len("gpu-0")]) {
				t.Errorf("the command is %q", look.Command)
			}
		})
	}
}

// A rank that crashes on its own while the killed one runs again has a reason
// of its own, and its restarts count for it.
func TestRestartsGoToTheRankThatHasThem(t *testing.T) {
	two := func(worker1 func(*corev1.Pod)) func(*cluster) {
		return func(c *cluster) {
			c.job(3, runs)
			c.node("gpu-0", 24)
			c.worker(0, running("gpu-0", 1), func(p *corev1.Pod) {
				p.Status.ContainerStatuses[0].RestartCount = 2
				p.Status.ContainerStatuses[0].LastTerminationState = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 137, Reason: "OOMKilled", StartedAt: before(2), FinishedAt: before(1)}}
			})
			c.worker(1, worker1)
			c.worker(2, on("gpu-0"), waits("ImagePullBackOff", `Back-off pulling image "registry.example.com/bert:2": ErrImagePull: rpc error: code = NotFound desc = failed to pull and unpack image: not found`))
		}
	}
	hides := func(build func(*cluster), cause train.Cause) []train.Cause {
		found := answerOf(t, build).Findings
		if i := slices.IndexFunc(found, func(f train.Finding) bool { return f.Cause == cause }); i >= 0 {
			return found[i].Hides
		}
		t.Errorf("%s is not found, but %v", cause, found)
		return nil
	}
	crashes := two(crashing("gpu-0", 1, "Error", "", 7))
	if got := hides(crashes, "application-error"); !slices.Contains(got, "restart-loop-waste") {
		t.Errorf("what crashes seven times explains %v", got)
	}
	if got := hides(crashes, "image-not-found"); len(got) > 0 {
		t.Errorf("an image that was never there explains %v", got)
	}
	if got := hides(two(crashing("gpu-0", 1, "Error", "", 2)), "oom-killed"); !slices.Contains(got, "application-error") {
		t.Errorf("a rank killed for memory explains %v of one that ended as often", got)
	}
}

func TestAClaimThatDoesNotExistHasNoVolumeToLose(t *testing.T) {
	check := checkOf(t, "pvc-lost", both(func(c *cluster) { c.node("gpu-0", 8) }, waiting(`0/1 nodes are available: persistentvolumeclaim "data" not found.`, mounts("data"))))
	if check.Result != train.CheckPass || check.Why != "claim data does not exist" {
		t.Errorf("the check says %s: %s", check.Result, check.Why)
	}
}

func TestAGangWithoutPodsIsReported(t *testing.T) {
	gang := func(says string) string {
		found := answerOf(t, gangOf(`{phase: Pending, conditions: [{type: Unschedulable, status: "True", reason: NotEnoughResources, message: "`+says+`"}]}`, "")).Findings
		if len(found) == 0 || found[0].Cause != "gang-not-ready" {
			t.Fatalf("found %v", found)
		}
		return found[0].Explanation
	}
	if got := gang("2/0 tasks in gang unschedulable: pod group is not ready, 2 minAvailable"); !strings.Contains(got, "No pod of it exists yet") {
		t.Error(got)
	}
	if got := gang("1/2 tasks in gang unschedulable: pod group is not ready, 2 minAvailable, 1 Pending"); strings.Contains(got, "No pod") {
		t.Error(got)
	}
}

// The output of a program while it ends well is no error: of a tracker that does
// not answer, of ranks that leave one after another. Its own error is one, since
// a pipe hides exit codes.
func TestGoodEndsOutweighTheirLastLines(t *testing.T) {
	finished := func(hit train.LogHit, phase string, pod func(*corev1.Pod)) func(*cluster) {
		return func(c *cluster) {
			c.job(1, phase)
			c.node("gpu-0", 8)
			c.worker(0, pod)
			stepsAround(c, 50, 0, hit)
		}
	}
	well := bothPods(ended("gpu-0", 0, "Completed", "", 1), func(p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded })
	const succeeded = `conditions: [{type: Succeeded, status: "True", reason: PyTorchJobSucceeded, lastTransitionTime: "2026-11-20T11:59:00Z"}]`
	wandb := train.LogHit{Signature: "wandb", Cause: "wandb-timeout", Text: "wandb: ERROR Error while calling W&B API: context deadline exceeded (<Response [502]>)"}
	lost := train.LogHit{Signature: "nccl-lost", Cause: "nccl-connection-lost", Text: "NCCL error: remote process exited or there was a network error"}
	oom := train.LogHit{Signature: "cuda-oom", Cause: "cuda-out-of-memory", Text: "torch.OutOfMemoryError: CUDA out of memory."}
	thread := train.LogHit{Signature: "python-exception", Cause: "python-exception", Text: "EOFError"}
	done := func(c *cluster) {
		stream := train.StreamID{Namespace: ns, Pod: "bert-worker-0", UID: "uid-bert-worker-0", Container: "pytorch"}
		c.events = append(c.events, store.Logged{Stream: stream, Marks: []train.Mark{{Kind: train.MarkFinished, Line: 1, Time: before(2).Time}}})
	}
	lastStep := func(c *cluster) {
		stream := train.StreamID{Namespace: ns, Pod: "bert-worker-0", UID: "uid-bert-worker-0", Container: "pytorch"}
		c.events = append(c.events, store.Logged{Stream: stream, Hints: &train.ProgressHints{TotalSteps: 50}})
	}
	runScenarios(t, []scenario{
		{name: "an exception of a thread after the last step", want: "python-exception", severity: train.SeverityInfo, title: "it succeeded all the same", build: both(finished(thread, succeeded, well), lastStep)},
		{name: "a tracker", want: "wandb-timeout", severity: train.SeverityInfo, title: "it succeeded all the same", build: finished(wandb, succeeded, well)},
		{name: "near miss: an error of the program behind a pipe", want: "cuda-out-of-memory", severity: train.SeverityError, build: finished(oom, succeeded, well)},
		{name: "near miss: it failed", want: "wandb-timeout", severity: train.SeverityError, build: finished(wandb, failed, ended("gpu-0", 1, "Error", "", 1))},
		{name: "an exception of a thread after the end", want: "python-exception", severity: train.SeverityInfo, title: "it succeeded all the same", build: both(done, finished(thread, succeeded, well))},
		{name: "near miss: the same exception before it", want: "python-exception", severity: train.SeverityError, build: finished(thread, succeeded, well)},
		{name: "a peer that left", build: finished(lost, succeeded, well)},
	})
}
