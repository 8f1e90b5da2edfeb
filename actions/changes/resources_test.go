package changes

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/json"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// drained is a node with one pod of each sort that a drain distinguishes.
const drained = `
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: gpu-1, uid: n1}, spec: {}, status: {conditions: [{type: Ready, status: "True"}]}}
- apiVersion: v1
  kind: Pod
  metadata: {namespace: ml, name: board-1, uid: p1, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: board, uid: r, controller: true}]}
  spec: {nodeName: gpu-1, containers: [{name: a}], volumes: [{name: cache, emptyDir: {}}]}
  status: {phase: Running}
- apiVersion: v1
  kind: Pod
  metadata: {namespace: ml, name: agent-x, uid: p2, ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: agent, uid: d, controller: true}]}
  spec: {nodeName: gpu-1, containers: [{name: a}]}
  status: {phase: Running}
- apiVersion: v1
  kind: Pod
  metadata: {namespace: kube-system, name: proxy-gpu-1, uid: p3, annotations: {kubernetes.io/config.mirror: abc}, ownerReferences: [{apiVersion: v1, kind: Node, name: gpu-1, uid: n1, controller: true}]}
  spec: {nodeName: gpu-1, containers: [{name: a}]}
  status: {phase: Running}
- apiVersion: v1
  kind: Pod
  metadata: {namespace: ml, name: alone, uid: p4}
  spec: {nodeName: gpu-1, containers: [{name: a}]}
  status: {phase: Running}
- apiVersion: v1
  kind: Pod
  metadata: {namespace: ml, name: over, uid: p5, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: over, uid: j, controller: true}]}
  spec: {nodeName: gpu-1, containers: [{name: a}]}
  status: {phase: Succeeded}
- apiVersion: v1
  kind: Pod
  metadata: {namespace: ml, name: elsewhere, uid: p6}
  spec: {nodeName: gpu-2, containers: [{name: a}]}
  status: {phase: Running}
`

func inFile(t *testing.T, text string) *store.Snapshot {
	t.Helper()
	path := filepath.Join(t.TempDir(), "objects.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return snapshotOf(t, path)
}

func TestADrainSaysWhoGoesAndWhoStays(t *testing.T) {
	s := inFile(t, drained)
	node := train.Ref{Kind: "Node", Name: "gpu-1", UID: "n1"}
	plan := Make(s, Drain, []train.Ref{node}, Choice{})
	expect(t, plan, `
Drain Node gpu-1: 1 pod is evicted?
  - no new pods come to Node gpu-1, except those of daemon sets
  - stays: kube-system/proxy-gpu-1, a static pod, which only its kubelet ends
  - stays: ml/agent-x, its daemon set would make it again here at once
  - stays: ml/alone, no controller would make it again; the choice below evicts it all the same
  - stays: ml/over, it has ended
  > patch Node/gpu-1  application/merge-patch+json {"spec":{"unschedulable":true}}
  - evicts Pod ml/board-1; what is in its emptyDir cache is lost
  > create ml/Pod/board-1   {"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"board-1","namespace":"ml"}}`)
	if !plan.Offers.Unmanaged || !plan.Targets[0].First || plan.Targets[1].First || plan.Targets[1].Requests[0].Subresource != "eviction" {
		t.Errorf("the plan is %+v", plan)
	}
	forced := written(Make(s, Drain, []train.Ref{node}, Choice{Unmanaged: true}))
	for _, want := range []string{"2 pods are evicted", "evicts Pod ml/alone", "! Pod ml/alone is gone for good"} {
		if !strings.Contains(forced, want) {
			t.Errorf("%q is not in\n%s", want, forced)
		}
	}
	if gone := written(Make(s, Drain, []train.Ref{{Kind: "Node", Name: "gpu-9"}}, Choice{})); !strings.Contains(gone, "refused") {
		t.Errorf("a node that is not there:\n%s", gone)
	}
}

func decoded(t *testing.T, text string) map[string]any {
	t.Helper()
	var o map[string]any
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatal(err)
	}
	return o
}

func TestReplicasAreSetThroughTheSubresource(t *testing.T) {
	ref := train.Ref{Group: "apps", Kind: "ReplicaSet", Namespace: "ml", Name: "board-5d", UID: "u"}
	read := map[train.Ref]map[string]any{ref: decoded(t, `{"metadata":{"ownerReferences":[{"kind":"Deployment","name":"board","controller":true}]},"spec":{"replicas":2}}`)}
	s := inFile(t, drained)
	plan := MakeOf(s, Replicas, []train.Ref{ref}, Choice{Number: 5}, read)
	expect(t, plan, `
Scale ReplicaSet ml/board-5d?
  - sets ReplicaSet ml/board-5d from 2 to 5 replicas
  > patch ml/ReplicaSet/board-5d  application/merge-patch+json {"spec":{"replicas":5}}
  ! Deployment board owns ReplicaSet ml/board-5d and may set it back`)
	if plan.Targets[0].Requests[0].Subresource != "scale" || plan.Offers.Now != 2 || plan.Offers.Unit != "replicas" {
		t.Errorf("the plan is %+v", plan)
	}
	for number, why := range map[int]string{2: "it has 2 replicas already", -1: "it may have 0 to", mostReplicas + 1: "it may have 0 to"} {
		if plan := MakeOf(s, Replicas, []train.Ref{ref}, Choice{Number: number}, read); !strings.Contains(plan.Targets[0].Refused, why) {
			t.Errorf("%d is refused with %q", number, plan.Targets[0].Refused)
		}
	}
	if plan := MakeOf(s, Replicas, []train.Ref{ref}, Choice{}, read); plan.Targets[0].Refused != "" {
		t.Errorf("0 is refused with %q", plan.Targets[0].Refused)
	}
}

const nightly = `{"metadata":{"uid":"c1"},"spec":{"schedule":"0 3 * * *","jobTemplate":{"metadata":{"labels":{"team":"eval"}},
"spec":{"activeDeadlineSeconds":9007199254740993,"template":{"spec":{"containers":[{"name":"eval","env":[{"name":"TOKEN","value":"plain"}]}]}}}}},"status":{"active":[{"name":"nightly-1"}]}}`

func TestACronJobIsTriggeredAsKubectlDoes(t *testing.T) {
	ref := train.Ref{Group: "batch", Kind: "CronJob", Namespace: "ml", Name: "nightly", UID: "c1"}
	read := map[train.Ref]map[string]any{ref: decoded(t, nightly)}
	expect(t, MakeOf(inFile(t, drained), Trigger, []train.Ref{ref}, Choice{}, read), `
Trigger CronJob ml/nightly?
  - makes a job nightly-manual-… of CronJob ml/nightly now
  - its schedule, 0 3 * * *, stays as it is
  > create ml/Job/   {"apiVersion":"batch/v1","kind":"Job","metadata":{"annotations":{"cronjob.kubernetes.io/instantiate":"manual"},"generateName":"nightly-manual-","labels":{"team":"eval"},"namespace":"ml","ownerReferences":[{"apiVersion":"batch/v1","kind":"CronJob","name":"nightly","uid":"c1"}]},"spec":{"activeDeadlineSeconds":9007199254740993,"template":{"spec":{"containers":[{"env":[{"name":"TOKEN","value":"plain"}],"name":"eval"}]}}}}
  ! 1 job of CronJob ml/nightly is running already; the new one runs beside it`)
	other := train.Ref{Group: "batch", Kind: "Job", Namespace: "ml", Name: "bert"}
	if plan := MakeOf(inFile(t, drained), Trigger, []train.Ref{other}, Choice{}, nil); plan.Targets[0].Refused == "" {
		t.Error("a job is triggered")
	}
}

// The schedules have the form of KubeRay 1.7 (ray/v1 raycronjob_types.go: the job's
// spec itself) and of Volcano 1.15 (batch/v1alpha1 job.go: metadata and spec).
func TestSchedulesOfOtherOperatorsMakeTheirJobs(t *testing.T) {
	ray := train.Ref{Group: "ray.io", Kind: "RayCronJob", Namespace: "ml", Name: "tune", UID: "r1"}
	read := map[train.Ref]map[string]any{ray: decoded(t, `{"metadata":{"uid":"r1"},"spec":{"schedule":"0 3 * * *","jobTemplate":{"entrypoint":"python tune.py","rayClusterSpec":{"headGroupSpec":{}}}}}`)}
	expect(t, MakeOf(inFile(t, drained), Trigger, []train.Ref{ray}, Choice{}, read), `
Trigger RayCronJob ml/tune?
  - makes a job tune-manual-… of RayCronJob ml/tune now
  - its schedule, 0 3 * * *, stays as it is
  > create ml/RayJob/   {"apiVersion":"ray.io/v1","kind":"RayJob","metadata":{"annotations":{"cronjob.kubernetes.io/instantiate":"manual"},"generateName":"tune-manual-","labels":{"ray.io/cronjob-name":"tune"},"namespace":"ml","ownerReferences":[{"apiVersion":"ray.io/v1","kind":"RayCronJob","name":"tune","uid":"r1"}]},"spec":{"entrypoint":"python tune.py","rayClusterSpec":{"headGroupSpec":{}}}}`)
	expect(t, MakeOf(inFile(t, drained), Schedule, []train.Ref{ray}, Choice{}, map[train.Ref]map[string]any{ray: decoded(t, `{"spec":{"suspend":true,"schedule":"@daily"}}`)}), `
Resume RayCronJob ml/tune?
  - RayCronJob ml/tune makes jobs again at @daily
  - starts that it missed are made up for at once, however old they are
  > patch ml/RayCronJob/tune  application/merge-patch+json {"spec":{"suspend":false}}`)
	volcano := train.Ref{Group: "batch.volcano.sh", Kind: "CronJob", Namespace: "ml", Name: "nightly", UID: "v1"}
	read = map[train.Ref]map[string]any{volcano: decoded(t, `{"metadata":{"uid":"v1"},"spec":{"schedule":"@daily","jobTemplate":{"metadata":{"labels":{"team":"eval"}},"spec":{"minAvailable":2}}}}`)}
	expect(t, MakeOf(inFile(t, drained), Trigger, []train.Ref{volcano}, Choice{}, read), `
Trigger CronJob ml/nightly?
  - makes a job nightly-manual-… of CronJob ml/nightly now
  - its schedule, @daily, stays as it is
  > create ml/Job.batch.volcano.sh/   {"apiVersion":"batch.volcano.sh/v1alpha1","kind":"Job","metadata":{"annotations":{"cronjob.kubernetes.io/instantiate":"manual"},"generateName":"nightly-manual-","labels":{"team":"eval"},"namespace":"ml","ownerReferences":[{"apiVersion":"batch.volcano.sh/v1alpha1","kind":"CronJob","name":"nightly","uid":"v1"}]},"spec":{"minAvailable":2}}`)
}

func TestAScheduleIsSuspendedAndResumed(t *testing.T) {
	ref := train.Ref{Group: "batch", Kind: "CronJob", Namespace: "ml", Name: "nightly", UID: "c1"}
	s := inFile(t, drained)
	expect(t, MakeOf(s, Schedule, []train.Ref{ref}, Choice{}, map[train.Ref]map[string]any{ref: decoded(t, nightly)}), `
Suspend CronJob ml/nightly?
  - CronJob ml/nightly makes no more jobs at 0 3 * * *
  - 1 job is running and runs on
  > patch ml/CronJob/nightly  application/merge-patch+json {"spec":{"suspend":true}}`)
	expect(t, MakeOf(s, Schedule, []train.Ref{ref}, Choice{}, map[train.Ref]map[string]any{ref: decoded(t, `{"spec":{"suspend":true,"schedule":"@daily"}}`)}), `
Resume CronJob ml/nightly?
  - CronJob ml/nightly makes jobs again at @daily
  - a start that it missed within startingDeadlineSeconds is made up for at once
  > patch ml/CronJob/nightly  application/merge-patch+json {"spec":{"suspend":false}}`)
}

func TestWhatIsNotFollowedIsDeletedWithoutWaiting(t *testing.T) {
	ref := train.Ref{Group: "apps", Kind: "Deployment", Namespace: "ml", Name: "board", UID: "u"}
	plan := Make(store.New(time.Now).Snapshot(), Delete, []train.Ref{ref}, Choice{})
	if target := plan.Targets[0]; target.Refused != "" || target.Done != nil || len(target.Requests) != 1 || target.Requests[0].Ref != ref {
		t.Errorf("the plan is %+v", plan)
	}
	pod := train.PodRef("elsewhere", "web-0", "p")
	if target := Make(store.New(time.Now).Snapshot(), Delete, []train.Ref{pod}, Choice{}).Targets[0]; target.Refused != "" {
		t.Errorf("a pod of a namespace that is not read: %s", target.Refused)
	}
}

// A notice names a change in words of people.
func TestChangesHaveWords(t *testing.T) {
	for _, v := range []Verb{Delete, Suspend, Resume, RestartRank, Scale, Cordon, Uncordon, Drain, Replicas, Schedule, Trigger} {
		if strings.ContainsAny(v.Word(), "- ") {
			t.Errorf("%s is called %q", v, v.Word())
		}
	}
}
