package kinds

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/train"
)

func gone(group, kind string) *Family {
	return &Family{Ref: train.Ref{Group: group, Kind: kind, Namespace: "ml", Name: "j", UID: "u"}}
}

func wantedRoles(job *train.Job) map[string]int {
	roles := map[string]int{}
	for _, r := range job.Roles {
		roles[r.Name] = r.Wanted
	}
	return roles
}

// TestPodsOfUnreadableJobs: the job object is not observed, only its pods are.
func TestPodsOfUnreadableJobs(t *testing.T) {
	env := func(p *corev1.Pod, pairs ...string) *corev1.Pod {
		p.Spec.Containers = []corev1.Container{{Name: "c"}}
		for i := 0; i < len(pairs); i += 2 {
			p.Spec.Containers[0].Env = append(p.Spec.Containers[0].Env, corev1.EnvVar{Name: pairs[i], Value: pairs[i+1]})
		}
		return p
	}
	worker := pod("worker", "1", corev1.PodRunning)
	worker.Spec.InitContainers = []corev1.Container{{Name: "init-pytorch"}}
	for name, c := range map[string]struct {
		group, kind string
		pods        []*corev1.Pod
		roles       map[string]int
		phase       train.Phase
	}{
		"a worker that waits for a master": {"kubeflow.org", "PyTorchJob", []*corev1.Pod{worker}, map[string]int{"Master": 1, "Worker": 2}, train.Pending},
		"world of four": {"kubeflow.org", "PyTorchJob",
			[]*corev1.Pod{env(pod("master", "0", corev1.PodRunning), "WORLD_SIZE", "4", "PET_NNODES", "4")}, map[string]int{"Master": 4}, train.Pending},
		"processes, not pods": {"kubeflow.org", "PyTorchJob",
			[]*corev1.Pod{env(pod("worker", "0", corev1.PodRunning), "WORLD_SIZE", "16", "PET_NPROC_PER_NODE", "8")}, map[string]int{"Worker": 2}, train.Pending},
		"elastic": {"kubeflow.org", "PyTorchJob",
			[]*corev1.Pod{env(pod("worker", "0", corev1.PodRunning), "PET_NNODES", "1:4")}, map[string]int{"Worker": 1}, train.Running},
		"TF_CONFIG": {"kubeflow.org", "TFJob",
			[]*corev1.Pod{env(pod("chief", "0", corev1.PodRunning), "TF_CONFIG", `{"cluster":{"chief":["a"],"worker":["b","c"]}}`), env(pod("worker", "0", corev1.PodRunning))},
			map[string]int{"Chief": 1, "Worker": 2}, train.Pending},
		"all ended well": {"kubeflow.org", "TFJob", []*corev1.Pod{pod("worker", "0", corev1.PodSucceeded)}, map[string]int{"Worker": 1}, train.Succeeded},
		"one failed":     {"kubeflow.org", "TFJob", []*corev1.Pod{pod("worker", "0", corev1.PodSucceeded), pod("worker", "1", corev1.PodFailed)}, map[string]int{"Worker": 2}, train.Failed},
		"group of bare pods": {"", "PodGroup",
			[]*corev1.Pod{func() *corev1.Pod {
				p := pod("x", "0", corev1.PodRunning)
				p.Labels = map[string]string{"kueue.x-k8s.io/pod-group-name": "j"}
				p.Annotations = map[string]string{"kueue.x-k8s.io/pod-group-total-count": "3"}
				return p
			}()}, map[string]int{"worker": 3}, train.Pending},
	} {
		t.Run(name, func(t *testing.T) {
			f := gone(c.group, c.kind)
			f.Pods = c.pods
			job := Assemble(f)
			if diff := cmp.Diff(c.roles, wantedRoles(job)); diff != "" {
				t.Error(diff)
			}
			if job.Phase != c.phase || job.Gone == (c.kind == "PodGroup") {
				t.Errorf("%s, gone %v; want %s", job.Phase, job.Gone, c.phase)
			}
		})
	}
}

// TestEventsOfGoneJobs: only events about the job are left.
func TestEventsOfGoneJobs(t *testing.T) {
	event := func(second int, reason, message string) *corev1.Event {
		return &corev1.Event{Reason: reason, Message: message, LastTimestamp: metav1.NewTime(nine.Add(time.Duration(second) * time.Second))}
	}
	about := func(kind, name string, e *corev1.Event) *corev1.Event {
		e.InvolvedObject = corev1.ObjectReference{Kind: kind, Namespace: "ml", Name: name}
		return e
	}
	for name, c := range map[string]struct {
		group, kind string
		events      []*corev1.Event
		roles       map[string]int
		phase       train.Phase
	}{
		"PyTorchJob succeeded": {"kubeflow.org", "PyTorchJob", []*corev1.Event{
			event(0, "SuccessfulCreatePod", "Created pod: j-master-0"), event(0, "SuccessfulCreatePod", "Created pod: j-worker-1"),
			event(9, "PyTorchJobSucceeded", "done"), event(11, "SuccessfulDeletePod", "Deleted job: j"),
		}, map[string]int{"Master": 1, "Worker": 2}, train.Succeeded},
		"indexed Job failed": {"batch", "Job", []*corev1.Event{
			event(0, "SuccessfulCreate", "Created pod: j-0-abcde"), event(0, "SuccessfulCreate", "Created pod: j-1-fghij"),
			event(30, "SuccessfulCreate", "Created pod: j-1-klmno"), event(60, "BackoffLimitExceeded", "Job has reached the specified backoff limit"),
		}, map[string]int{"worker": 2}, train.Failed},
		"plain Job completed": {"batch", "Job", []*corev1.Event{
			event(0, "SuccessfulCreate", "Created pod: j-abcde"), event(30, "SuccessfulCreate", "Created pod: j-fghij"), event(60, "Completed", "Job completed"),
		}, map[string]int{"worker": 1}, train.Succeeded},
		"JobSet of two Jobs with two pods each": {"jobset.x-k8s.io", "JobSet", []*corev1.Event{
			event(0, "SuccessfulCreate", "Created pod: j-leader-0-0-abcde"), event(0, "SuccessfulCreate", "Created pod: j-gpu-2-workers-0-0-fghij"),
			event(0, "SuccessfulCreate", "Created pod: j-gpu-2-workers-1-1-klmno"), event(9, "AllJobsCompleted", "jobset completed successfully"),
		}, map[string]int{"leader": 1, "gpu-2-workers": 4}, train.Succeeded},
		// messages of KubeRay 1.3.0
		"RayJob whose cluster was shut down": {"ray.io", "RayJob", []*corev1.Event{
			about("RayCluster", "j-raycluster-d8zxv", event(0, "CreatedHeadPod", "Created head Pod ml/j-raycluster-d8zxv-head-bmgj5")),
			about("RayCluster", "j-raycluster-d8zxv", event(0, "CreatedWorkerPod", "Created worker Pod ml/j-raycluster-d8zxv-gpu-group-worker-abcde")),
			about("RayCluster", "j-raycluster-d8zxv", event(0, "CreatedWorkerPod", "Created worker Pod ml/j-raycluster-d8zxv-gpu-group-worker-fghij")),
			about("Job", "j", event(3, "SuccessfulCreate", "Created pod: j-bmgj5")), event(9, "RayJobSucceeded", ""),
		}, map[string]int{"head": 1, "gpu-group": 2}, train.Succeeded},
		"JobSet that outlived a failed Job": {"jobset.x-k8s.io", "JobSet", []*corev1.Event{
			about("Job", "j-w-0", event(0, "SuccessfulCreate", "Created pod: j-w-0-0-abcde")),
			about("Job", "j-w-0", event(5, "BackoffLimitExceeded", "Job has reached the specified backoff limit")),
		}, map[string]int{"w": 1}, train.Pending},
		"MPIJob with a launcher made twice": {"kubeflow.org", "MPIJob", []*corev1.Event{
			event(0, "SuccessfulCreate", "Created pod: j-launcher-abcde"), event(60, "SuccessfulCreate", "Created pod: j-launcher-fghij"),
			event(90, "MPIJobSucceeded", "done"),
		}, map[string]int{"Launcher": 1}, train.Succeeded},
		"restarted, then succeeded": {"kubeflow.org", "TFJob", []*corev1.Event{
			event(0, "SuccessfulCreatePod", "Created pod: j-ps-0"), event(3, "TFJobRestarting", ""), event(9, "TFJobSucceeded", ""),
		}, map[string]int{"PS": 1}, train.Succeeded},
	} {
		t.Run(name, func(t *testing.T) {
			f := gone(c.group, c.kind)
			f.Events = c.events
			job := Assemble(f)
			if diff := cmp.Diff(c.roles, wantedRoles(job)); diff != "" {
				t.Error(diff)
			}
			if job.Phase != c.phase || !job.Gone || job.GPUs != 0 {
				t.Errorf("%s, gone %v, %d GPUs; want %s", job.Phase, job.Gone, job.GPUs, c.phase)
			}
		})
	}
}

// TestWorkloadOfUnreadableJob: a Kueue Workload contains its job's pod sets.
func TestWorkloadOfUnreadableJob(t *testing.T) {
	f := gone("batch", "Job")
	f.Below = append(f.Below, object(t, `{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: w, namespace: ml}, spec: {queueName: q,
	  podSets: [{name: main, count: 3, template: {spec: {containers: [{resources: {requests: {nvidia.com/gpu: 2}}}]}}}]},
	  status: {conditions: [{type: QuotaReserved, status: 'False', message: full}]}}`))
	job := Assemble(f)
	if job.Phase != train.Queued || job.Reason != "full" || job.GPUs != 6 || job.Wanted != 3 {
		t.Errorf("%s (%q) with %d GPUs for %d ranks", job.Phase, job.Reason, job.GPUs, job.Wanted)
	}
}
