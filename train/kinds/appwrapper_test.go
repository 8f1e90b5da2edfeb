package kinds

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

// wrapped is an AppWrapper of two jobs, a pod and a Deployment with all that they make,
// in the form of project-codeflare/appwrapper 1.2.1 and training-operator 1.9.
const wrapped = `
apiVersion: v1
kind: List
items:
- apiVersion: workload.codeflare.dev/v1beta2
  kind: AppWrapper
  metadata: {namespace: ml, name: pair, uid: aw, creationTimestamp: "2026-11-20T08:00:00Z"}
  spec:
    managedBy: workload.codeflare.dev/appwrapper-controller
    components:
    - template: {apiVersion: v1, kind: Secret, metadata: {name: token}}
    - template:
        apiVersion: kubeflow.org/v1
        kind: PyTorchJob
        metadata: {name: student}
        spec: {pytorchReplicaSpecs: {Master: {template: {spec: {containers: [{name: pytorch, resources: {limits: {nvidia.com/gpu: 2}}}]}}}, Worker: {replicas: 2, template: {spec: {containers: [{name: pytorch, resources: {limits: {nvidia.com/gpu: 2}}}]}}}}}
    - template:
        apiVersion: kubeflow.org/v1
        kind: PyTorchJob
        metadata: {generateName: teacher-}
        spec: {pytorchReplicaSpecs: {Worker: {replicas: 1, template: {spec: {containers: [{name: pytorch, resources: {limits: {nvidia.com/gpu: 4}}}]}}}}}
    - template: {apiVersion: v1, kind: Pod, metadata: {name: store}, spec: {containers: [{name: store}]}}
    - template: {apiVersion: apps/v1, kind: Deployment, metadata: {name: board}, spec: {replicas: 1, template: {spec: {containers: [{name: board}]}}}}
    - podSets: [{replicas: 2, path: "template.spec.groups[0].pod"}]
      template: {apiVersion: example.com/v1, kind: Farm, metadata: {name: farm}, spec: {groups: [{pod: {spec: {containers: [{name: cow, resources: {limits: {nvidia.com/gpu: 1}}}]}}}]}}
  status:
    phase: Running
    conditions: [{type: ResourcesDeployed, status: "True", reason: Resuming, lastTransitionTime: "2026-11-20T08:01:00Z"}]
    componentStatus: [{name: token}, {name: student}, {name: teacher-x2x}, {name: store}, {name: board}, {name: farm}]
- apiVersion: kubeflow.org/v1
  kind: PyTorchJob
  metadata: {namespace: ml, name: student, uid: s, creationTimestamp: "2026-11-20T08:01:00Z", OWNER}
  spec: {pytorchReplicaSpecs: {Master: {template: {spec: {containers: [{name: pytorch, resources: {limits: {nvidia.com/gpu: 2}}}]}}}, Worker: {replicas: 2, template: {spec: {containers: [{name: pytorch, resources: {limits: {nvidia.com/gpu: 2}}}]}}}}}
  status: {conditions: [{type: Running, status: "True"}]}
- apiVersion: kubeflow.org/v1
  kind: PyTorchJob
  metadata: {namespace: ml, name: teacher-x2x, uid: t, creationTimestamp: "2026-11-20T08:01:00Z", OWNER}
  spec: {pytorchReplicaSpecs: {Worker: {replicas: 1, template: {spec: {containers: [{name: pytorch, resources: {limits: {nvidia.com/gpu: 4}}}]}}}}}
  status: {conditions: [{type: Running, status: "True"}]}
POD student-master-0 s PyTorchJob student master 0
POD student-worker-0 s PyTorchJob student worker 0
POD student-worker-1 s PyTorchJob student worker 1
POD teacher-x2x-worker-0 t PyTorchJob teacher-x2x worker 0
- apiVersion: v1
  kind: Pod
  metadata: {namespace: ml, name: store, uid: store, OWNER}
  spec: {containers: [{name: store}]}
  status: {phase: Running, conditions: [{type: Ready, status: "True"}], containerStatuses: [{name: store, state: {running: {}}}]}
- apiVersion: v1
  kind: Pod
  metadata: {namespace: ml, name: board-77c-x, uid: board, labels: {workload.codeflare.dev/appwrapper: pair, pod-template-hash: 77c}, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: board-77c, uid: rs, controller: true}]}
  spec: {containers: [{name: board}]}
  status: {phase: Running, conditions: [{type: Ready, status: "True"}], containerStatuses: [{name: board, state: {running: {}}}]}
`

func expandWrapped(text string) string {
	text = strings.ReplaceAll(text, "OWNER", "labels: {workload.codeflare.dev/appwrapper: pair}, ownerReferences: [{apiVersion: workload.codeflare.dev/v1beta2, kind: AppWrapper, name: pair, uid: aw, controller: true}]")
	var lines []string
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) == 7 && f[0] == "POD" {
			line = fmt.Sprintf(`- apiVersion: v1
  kind: Pod
  metadata: {namespace: ml, name: %s, uid: %s, labels: {workload.codeflare.dev/appwrapper: pair, training.kubeflow.org/job-name: %s, training.kubeflow.org/replica-type: %s, training.kubeflow.org/replica-index: "%s"}, ownerReferences: [{apiVersion: kubeflow.org/v1, kind: %s, name: %s, uid: %s, controller: true}]}
  spec: {containers: [{name: pytorch}]}
  status: {phase: Running, conditions: [{type: Ready, status: "True"}], containerStatuses: [{name: pytorch, state: {running: {}}}]}
`, f[1], f[1], f[4], f[5], f[6], f[3], f[4], f[2])
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "")
}

func readWrapped(t *testing.T, text string) *train.Job {
	t.Helper()
	c, err := parseCluster([]byte(expandWrapped(text)))
	if err != nil {
		t.Fatal(err)
	}
	jobs := c.jobs()
	if len(jobs) != 1 || jobs[0].Ref.Kind != "AppWrapper" {
		t.Fatalf("got %s, want one AppWrapper", rows(jobs))
	}
	return jobs[0]
}

func ranksOf(job *train.Job) string {
	var all []string
	for i := range job.Ranks {
		r := &job.Ranks[i]
		all = append(all, fmt.Sprintf("%d %s-%d %s", r.Index, r.Role, r.RoleIndex, r.Pod))
	}
	return strings.Join(all, "\n")
}

func TestAnAppWrapperHasTheRanksOfWhatItWraps(t *testing.T) {
	job := readWrapped(t, wrapped)
	if job.Phase != train.Pending || job.Wanted != 8 || job.Ready != 6 || job.GPUs != 12 || !job.Training {
		t.Errorf("%s %d/%d ranks, %d GPUs, training %t: %s", job.Phase, job.Ready, job.Wanted, job.GPUs, job.Training, job.Reason)
	}
	const want = `0 Master-0 student-master-0
1 Worker-0 student-worker-0
2 Worker-1 student-worker-1
3 teacher-x2x-Worker-0 teacher-x2x-worker-0
4 store-0 store
5 board-0 board-77c-x
6 farm-0 
7 farm-1 `
	if got := ranksOf(job); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	all := strings.Replace(wrapped, `    - podSets:`, `    - xpodSets:`, 1)
	if job := readWrapped(t, all); job.Phase != train.Running || job.Wanted != 6 {
		t.Errorf("without the pods of the farm: %s %d/%d: %s", job.Phase, job.Ready, job.Wanted, job.Reason)
	}
}

// A person who may not read AppWrappers sees the same ranks of the jobs below them.
func TestAnAppWrapperThatCannotBeReadHasTheRanksOfItsJobs(t *testing.T) {
	c, err := parseCluster([]byte(expandWrapped(wrapped)))
	if err != nil {
		t.Fatal(err)
	}
	delete(c.objects, appWrapperKind)
	c.objects[PodKind] = slices.DeleteFunc(c.objects[PodKind], func(o Object) bool { return o.GetName() == "store" || o.GetName() == "board-77c-x" })
	jobs := c.jobs()
	if len(jobs) != 1 || jobs[0].Ref.Kind != "AppWrapper" || jobs[0].GPUs != 10 || jobs[0].Ready != 4 {
		t.Fatalf("got %s", rows(jobs))
	}
	if got := ranksOf(jobs[0]); !strings.HasPrefix(got, "0 Master-0 student-master-0\n1 Worker-0 student-worker-0\n2 Worker-1 student-worker-1\n3 teacher-x2x-Worker-0 teacher") {
		t.Errorf("got\n%s", got)
	}
}

func TestPhasesOfAnAppWrapper(t *testing.T) {
	failed := `status: {conditions: [{type: Failed, status: "True", reason: PyTorchJobFailed, message: PyTorchJob student is failed because 1 Worker replica(s) failed.}]}`
	over := `status: {conditions: [{type: Succeeded, status: "True"}]}`
	running := `status: {conditions: [{type: Running, status: "True"}]}`
	phase := func(phase, more string) *strings.Replacer {
		return strings.NewReplacer("    phase: Running\n    conditions: [", "    phase: "+phase+"\n    conditions: ["+more)
	}
	for name, c := range map[string]struct {
		change *strings.Replacer
		phase  train.Phase
		reason string
	}{
		"a job failed and is made anew": {strings.NewReplacer(running, failed), train.Restarting, "1 Worker replica(s) failed"},
		"a job failed too often":        {strings.NewReplacer(running, failed, "    phase: Running\n", "    phase: Running\n    resettingCount: 3\n"), train.Failed, "1 Worker replica(s) failed"},
		"both jobs are done":            {strings.NewReplacer(running, over), train.Succeeded, ""},
		"failed":                        {phase("Failed", `{type: Unhealthy, status: "True", reason: MissingComponent, message: "Only found 1 deployed components, but was expecting 6"}, `), train.Failed, "Only found 1 deployed"},
		"succeeded":                     {phase("Succeeded", ""), train.Succeeded, ""},
		"suspended":                     {strings.NewReplacer("  spec:\n    managedBy", "  spec:\n    suspend: true\n    managedBy"), train.Suspended, ""},
		"not created":                   {strings.NewReplacer("    phase: Running\n    conditions: [", "    phase: Resuming\n    conditions: ["+`{type: Unhealthy, status: "True", reason: CreateFailed, message: "error creating components: quota"}, `), train.Pending, "error creating components: quota"},
	} {
		job := readWrapped(t, c.change.Replace(wrapped))
		if job.Phase != c.phase || !strings.Contains(job.Reason, c.reason) || job.UnknownStatus != "" {
			t.Errorf("%s: %s (%s, unknown %q), want %s (%s)", name, job.Phase, job.Reason, job.UnknownStatus, c.phase, c.reason)
		}
	}
}
