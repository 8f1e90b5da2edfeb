package diagnose

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"

	"github.com/traintop/traintop/diagnose/admission"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// noon is the time of every scenario; its objects are ten minutes old unless
// set otherwise.
var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

const ns = "ml"

// scenario is a cluster and the expected diagnosis of its job.
type scenario struct {
	name  string
	build func(*cluster)
	// want is the first cause; "" means that no error may be found.
	want train.Cause
	// never are causes that must not be found at all.
	never []train.Cause
	// severity of the first finding, where it matters.
	severity train.Severity
	// title is a part of the first finding's title, where it matters.
	title string
	// says is a part of the first finding's explanation or advice, where it
	// matters.
	says string
	// rank is the root rank, where it matters; 0 is not checked.
	rank int
}

// check runs all rules over a scenario.
func (sc *scenario) check(t *testing.T) {
	t.Helper()
	c := newCluster(t)
	sc.build(c)
	s := c.snapshot()
	if len(s.Jobs()) != 1 {
		t.Fatalf("the scenario has %d jobs", len(s.Jobs()))
	}
	job := s.Jobs()[0]
	answer := Run(s, Options{}, nil).Job(job.ID)
	for i := range answer.Findings {
		f := &answer.Findings[i]
		t.Log(job.Phase, describeFinding(f))
		checkWords(t, f)
		if f.Severity == train.SeverityError && f.Cause != sc.want {
			t.Errorf("false alarm: %s: %s", f.Cause, f.Title)
		}
		if slices.Contains(sc.never, f.Cause) {
			t.Errorf("found %s: %s", f.Cause, f.Title)
		}
	}
	if sc.want == "" {
		return
	}
	if len(answer.Findings) == 0 {
		t.Fatalf("nothing found in a job that is %s: %s", job.Phase, job.Reason)
	}
	first := &answer.Findings[0]
	switch {
	case first.Cause != sc.want:
		t.Errorf("first is %s, want %s", first.Cause, sc.want)
	case sc.severity != "" && first.Severity != sc.severity:
		t.Errorf("severity %s, want %s", first.Severity, sc.severity)
	case !strings.Contains(first.Title, sc.title):
		t.Errorf("title %q lacks %q", first.Title, sc.title)
	case !strings.Contains(first.Explanation+fmt.Sprint(first.Next), sc.says):
		t.Errorf("%q, %v: lacks %q", first.Explanation, first.Next, sc.says)
	case sc.rank != 0 && first.RootRank != sc.rank:
		t.Errorf("root rank %d, want %d", first.RootRank, sc.rank)
	}
	checkFound(t, answer, sc.want)
}

// answerOf returns the answer for a scenario's job.
func answerOf(t *testing.T, build func(*cluster)) *Answer {
	t.Helper()
	c := newCluster(t)
	build(c)
	s := c.snapshot()
	return Run(s, Options{}, nil).Job(s.Jobs()[0].ID)
}

// checkWords checks that a finding is informative, and that its quotes are
// safe for one line.
func checkWords(t *testing.T, f *train.Finding) {
	t.Helper()
	if f.Title == "" || f.Explanation == "" || len(f.Next) == 0 || f.Verify == "" || len(f.Evidence) == 0 || f.Stage == "" || f.Confidence == "" {
		t.Errorf("%s says too little: %+v", f.Cause, f)
	}
	for _, text := range []string{f.Title, f.Explanation} {
		if strings.ContainsAny(text, "\n\x1b") || strings.Contains(text, "%!") || strings.Contains(text, "  ") {
			t.Errorf("%s: %q", f.Cause, text)
		}
	}
	for _, e := range f.Evidence {
		if e.Text == "" || e.Object.Kind == "" {
			t.Errorf("%s: evidence %+v", f.Cause, e)
		}
	}
	for _, step := range f.Next {
		if (step.Command == "") != (len(step.Arguments) == 0) {
			t.Errorf("%s: command %q, arguments %q", f.Cause, step.Command, step.Arguments)
		}
	}
}

func checkFound(t *testing.T, answer *Answer, want train.Cause) {
	t.Helper()
	if len(answer.Checks) != len(causes) {
		t.Errorf("%d checks for %d causes", len(answer.Checks), len(causes))
	}
	for _, check := range answer.Checks {
		if check.Cause == want && check.Result != train.CheckFail {
			t.Errorf("the check of %s says %s: %s", want, check.Result, check.Why)
		}
		if check.Why == "" || check.Result == "" {
			t.Errorf("check %s says nothing", check.Cause)
		}
	}
}

// cluster collects the objects of a scenario.
type cluster struct {
	t      testing.TB
	events []store.Event
	now    time.Time
	n      int // events so far
	listed []schema.GroupKind
	// confined is true when only pods of the job's namespace are listed.
	confined bool
}

func newCluster(t testing.TB) *cluster {
	return &cluster{t: t, now: noon, listed: []schema.GroupKind{
		kinds.PodKind, kinds.NodeKind, kinds.EventKind, rule.ClaimKind, rule.VolumeKind, rule.StorageClassKind, rule.ConfigMapKind, rule.SecretKind, rule.ServiceKind,
		rule.ServiceAccountKind, rule.QuotaKind, rule.LocalQueueKind, rule.ClusterQueueKind, rule.WorkloadKind, rule.VolcanoGroupKind, rule.ClusterRuntimeKind, rule.RuntimeKind, rule.ResourceClaimKind,
		rule.LimitRangeKind, rule.PriorityClassKind, rule.RuntimeClassKind, rule.NamespaceKind, admission.CohortKind, rule.MutatingWebhooksKind, rule.ValidatingWebhooksKind,
	}}
}

// unreadable marks kinds that may not be listed.
func (c *cluster) unreadable(which ...schema.GroupKind) {
	c.listed = slices.DeleteFunc(c.listed, func(k schema.GroupKind) bool { return slices.Contains(which, k) })
}

func (c *cluster) snapshot() *store.Snapshot {
	st := store.New(func() time.Time { return c.now })
	for _, kind := range c.listed {
		var all []kinds.Object
		for _, e := range c.events {
			if set, is := e.(store.Set); is && set.Kind == kind {
				all = append(all, set.Object)
			}
		}
		list := store.Listed{Kind: kind, Objects: all}
		if c.confined && kind == kinds.PodKind {
			list.Namespace = ns
		}
		st.Apply(list)
	}
	st.Apply(c.events...)
	return st.Snapshot()
}

func (c *cluster) add(kind schema.GroupKind, o kinds.Object) {
	c.events = append(c.events, store.Set{Kind: kind, Object: o})
}

func before(minutes float64) metav1.Time {
	return metav1.NewTime(noon.Add(-time.Duration(minutes * float64(time.Minute))))
}

// node adds a Ready machine with GPUs, 96 processors and 1 TiB of memory.
func (c *cluster) node(name string, gpus int, change ...func(*corev1.Node)) {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"kubernetes.io/hostname": name, "kubernetes.io/arch": "amd64"}}}
	n.Status.Allocatable = corev1.ResourceList{
		"cpu": resource.MustParse("96"), "memory": resource.MustParse("1Ti"), "pods": resource.MustParse("110"), "ephemeral-storage": resource.MustParse("3Ti"),
	}
	if gpus > 0 {
		n.Status.Allocatable["nvidia.com/gpu"] = *resource.NewQuantity(int64(gpus), resource.DecimalSI)
	}
	n.Status.Capacity = n.Status.Allocatable.DeepCopy()
	n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue, LastTransitionTime: before(600)}}
	for _, f := range change {
		f(n)
	}
	c.add(kinds.NodeKind, n)
}

func withTaint(key, value string) func(*corev1.Node) {
	return func(n *corev1.Node) {
		n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{Key: key, Value: value, Effect: corev1.TaintEffectNoSchedule})
	}
}

func cordon(n *corev1.Node) {
	n.Spec.Unschedulable = true
	withTaint("node.kubernetes.io/unschedulable", "")(n)
}

func silent(n *corev1.Node) {
	n.Status.Conditions[0] = corev1.NodeCondition{Type: corev1.NodeReady, Status: corev1.ConditionUnknown, Reason: "NodeStatusUnknown", Message: "Kubelet stopped posting node status.", LastTransitionTime: before(5)}
	withTaint("node.kubernetes.io/unreachable", "")(n)
}

func labelled(key, value string) func(*corev1.Node) {
	return func(n *corev1.Node) { n.Labels[key] = value }
}

func offers(name string, amount string) func(*corev1.Node) {
	return func(n *corev1.Node) {
		n.Status.Allocatable[corev1.ResourceName(name)] = resource.MustParse(amount)
		n.Status.Capacity[corev1.ResourceName(name)] = resource.MustParse(amount)
	}
}

// holder adds a pod of another owner that holds GPUs of a node.
func (c *cluster) holder(node string, gpus int) {
	c.n++
	p := podOf(fmt.Sprintf("other-%d", c.n), gpus)
	p.Namespace, p.Spec.NodeName, p.Status.Phase = "other", node, corev1.PodRunning
	c.add(kinds.PodKind, p)
}

// job adds a PyTorchJob named bert with workers of so many GPUs each.
func (c *cluster) job(workers int, status string) {
	c.object(kinds.Jobs()[1].GroupKind, fmt.Sprintf(`
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: bert, namespace: ml, uid: job-1, creationTimestamp: %q}
spec:
  pytorchReplicaSpecs:
    Worker: {replicas: %d, restartPolicy: OnFailure, template: {spec: {containers: [{name: pytorch, image: "registry.example.com/bert:1", resources: {limits: {nvidia.com/gpu: 8}}}]}}}
%s`, before(10).UTC().Format(time.RFC3339), workers, indent(status)))
}

func indent(status string) string {
	if status == "" {
		return ""
	}
	return "status:\n  " + strings.ReplaceAll(strings.TrimSpace(status), "\n", "\n  ")
}

const created = `conditions: [{type: Created, status: "True", reason: PyTorchJobCreated, message: created, lastTransitionTime: "2026-11-20T11:50:00Z"}]`

const runs = `conditions: [{type: Created, status: "True"}, {type: Running, status: "True", reason: PyTorchJobRunning, lastTransitionTime: "2026-11-20T11:50:10Z"}]
startTime: "2026-11-20T11:50:00Z"`

const failed = `conditions: [{type: Created, status: "True"}, {type: Failed, status: "True", reason: PyTorchJobFailed, message: "PyTorchJob bert is failed because 1 Worker replica(s) failed.", lastTransitionTime: "2026-11-20T11:59:00Z"}]
startTime: "2026-11-20T11:50:00Z"
completionTime: "2026-11-20T11:59:00Z"`

// object adds an unstructured object from YAML.
func (c *cluster) object(kind schema.GroupKind, text string) {
	c.t.Helper()
	u := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &u.Object); err != nil {
		c.t.Fatal(err)
	}
	c.add(kind, u)
}

func podOf(name string, gpus int) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: ns, UID: types.UID("uid-" + name), CreationTimestamp: before(10)}}
	requests := corev1.ResourceList{"cpu": resource.MustParse("8"), "memory": resource.MustParse("64Gi")}
	if gpus > 0 {
		requests["nvidia.com/gpu"] = *resource.NewQuantity(int64(gpus), resource.DecimalSI)
	}
	p.Spec.Containers = []corev1.Container{{Name: "pytorch", Image: "registry.example.com/bert:1", Resources: corev1.ResourceRequirements{Requests: requests, Limits: requests}}}
	p.Spec.RestartPolicy = corev1.RestartPolicyOnFailure
	p.Status.Phase = corev1.PodPending
	return p
}

// worker adds a pod of the job, changed by the scenario.
func (c *cluster) worker(index int, change ...func(*corev1.Pod)) *corev1.Pod {
	p := podOf(fmt.Sprintf("bert-worker-%d", index), 8)
	p.Labels = map[string]string{
		"training.kubeflow.org/job-name": "bert", "training.kubeflow.org/operator-name": "pytorchjob-controller",
		"training.kubeflow.org/replica-type": "worker", "training.kubeflow.org/replica-index": fmt.Sprint(index),
	}
	yes := true
	p.OwnerReferences = []metav1.OwnerReference{{APIVersion: "kubeflow.org/v1", Kind: "PyTorchJob", Name: "bert", UID: "job-1", Controller: &yes}}
	for _, f := range change {
		f(p)
	}
	c.add(kinds.PodKind, p)
	return p
}

// unschedulable adds the scheduler's message about a pod.
func unschedulable(message string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: "Unschedulable", Message: message, LastTransitionTime: before(10)})
	}
}

func young(p *corev1.Pod) { p.CreationTimestamp = before(0.1) }

func asks(name, amount string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		r := p.Spec.Containers[0].Resources
		requests := r.Requests.DeepCopy()
		requests[corev1.ResourceName(name)] = resource.MustParse(amount)
		if strings.HasPrefix(name, "nvidia.com/mig") {
			delete(requests, "nvidia.com/gpu")
		}
		p.Spec.Containers[0].Resources = corev1.ResourceRequirements{Requests: requests, Limits: requests}
	}
}

// on gives the pod a node; its container has not started.
func on(node string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.NodeName = node
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: corev1.PodScheduled, Status: corev1.ConditionTrue, LastTransitionTime: before(9)})
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "pytorch", State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ContainerCreating"}}}}
	}
}

func waits(reason, message string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Status.ContainerStatuses[0].State.Waiting = &corev1.ContainerStateWaiting{Reason: reason, Message: message}
	}
}

// running makes a rank train since some minutes ago.
func running(node string, minutes float64) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		on(node)(p)
		p.Status.Phase = corev1.PodRunning
		p.Status.ContainerStatuses[0].State = corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: before(minutes)}}
		p.Status.ContainerStatuses[0].Ready = true
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: before(minutes)})
	}
}

// ended makes a rank's container end for good.
func ended(node string, code int32, reason, message string, minutes float64) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		on(node)(p)
		p.Spec.RestartPolicy = corev1.RestartPolicyNever
		p.Status.Phase = corev1.PodFailed
		p.Status.ContainerStatuses[0].State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: code, Reason: reason, Message: message, StartedAt: before(9), FinishedAt: before(minutes)}}
	}
}

// crashing is a rank between two container instances.
func crashing(node string, code int32, reason, message string, restarts int32) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		running(node, 1)(p)
		p.Status.Conditions = p.Status.Conditions[:1]
		p.Status.ContainerStatuses[0].RestartCount, p.Status.ContainerStatuses[0].Ready = restarts, false
		p.Status.ContainerStatuses[0].State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff", Message: "back-off 40s restarting failed container"}}
		p.Status.ContainerStatuses[0].LastTerminationState = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: code, Reason: reason, Message: message, StartedAt: before(2), FinishedAt: before(1)}}
	}
}

// turnedAway makes the kubelet end a pod as a whole.
func turnedAway(node, reason, message string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		on(node)(p)
		p.Status.ContainerStatuses = nil
		p.Status.Phase, p.Status.Reason, p.Status.Message = corev1.PodFailed, reason, message
	}
}

func mounts(claim string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{Name: "data", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim}}})
	}
}

// claim adds a PersistentVolumeClaim in a phase, of a class ("" for none
// named).
func (c *cluster) claim(name string, phase corev1.PersistentVolumeClaimPhase, class string) {
	claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: ns, CreationTimestamp: before(10)}}
	claim.Status.Phase = phase
	if class != "" {
		claim.Spec.StorageClassName = &class
	}
	c.add(rule.ClaimKind, claim)
}

func (c *cluster) class(name string, mode storagev1.VolumeBindingMode) {
	c.add(rule.StorageClassKind, &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: name}, VolumeBindingMode: &mode})
}

// event adds an event about an object, some minutes ago.
func (c *cluster) event(kind, name, eventType, reason, message string, minutes float64) {
	c.add(kinds.EventKind, c.newEvent(kind, name, eventType, reason, message, minutes))
}

// eventOf adds a warning of a component.
func (c *cluster) eventOf(component, kind, name, reason, message string, minutes float64) {
	e := c.newEvent(kind, name, "Warning", reason, message, minutes)
	e.Source.Component = component
	c.add(kinds.EventKind, e)
}

func (c *cluster) newEvent(kind, name, eventType, reason, message string, minutes float64) *corev1.Event {
	c.n++
	e := &corev1.Event{
		ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("%s.%d", name, c.n), Namespace: ns},
		Type:       eventType, Reason: reason, Message: message, Count: 4, FirstTimestamp: before(minutes + 1), LastTimestamp: before(minutes),
		InvolvedObject: corev1.ObjectReference{Kind: kind, Name: name, Namespace: ns, APIVersion: "v1"},
	}
	switch kind {
	case "PyTorchJob":
		e.InvolvedObject.APIVersion = "kubeflow.org/v1"
	case "Node":
		e.InvolvedObject.Namespace, e.InvolvedObject.UID = "", types.UID(name) // as the kubelet writes it
	case "PodGroup":
		e.InvolvedObject.APIVersion = "scheduling.volcano.sh/v1beta1"
	}
	return e
}

func (c *cluster) warn(kind, name, reason, message string) {
	c.event(kind, name, "Warning", reason, message, 1)
}

func runScenarios(t *testing.T, list []scenario) {
	t.Helper()
	for i := range list {
		t.Run(list[i].name, func(t *testing.T) { list[i].check(t) })
	}
}
