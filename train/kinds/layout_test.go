package kinds

import (
	"maps"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
)

// A pod that was relaunched is another attempt of its rank, and the pod that
// only coordinates is no rank, though the spec counts it among the replicas.
func TestElasticJobHasItsRanks(t *testing.T) {
	jobs := readCluster(t, "testdata/objects/elasticjob-relaunched.yaml").jobs()
	if len(jobs) != 1 {
		t.Fatalf("got %s", rows(jobs))
	}
	job := jobs[0]
	if job.Wanted != 2 || job.Ready != 2 || job.GPUs != 2 || job.Restarts != 1 || !job.Training {
		t.Errorf("wanted %d, ready %d, GPUs %d, restarts %d, training %v", job.Wanted, job.Ready, job.GPUs, job.Restarts, job.Training)
	}
	var pods []string
	for _, rank := range job.Ranks {
		if rank.Role == "worker" {
			pods = append(pods, rank.Pod)
		}
	}
	if !slices.Equal(pods, []string{"torch-nanogpt-edljob-worker-0", "torch-nanogpt-edljob-worker-2"}) {
		t.Errorf("the ranks have the pods %q", pods)
	}
}

func TestHyperPodJobHasItsSize(t *testing.T) {
	jobs := readCluster(t, "testdata/objects/hyperpod-pytorchjob.yaml").jobs()
	if len(jobs) != 1 || jobs[0].Wanted != 4 || jobs[0].GPUs != 32 || jobs[0].Roles[0].Name != "pods" {
		t.Fatalf("got %s with %+v", rows(jobs), jobs[0].Roles)
	}
}

// workLayout is a kind as a configuration has it.
func workLayout() Layout {
	return Layout{
		GroupKind: schema.GroupKind{Group: "example.com", Kind: "Work"}, Versions: []string{"v1"},
		Roles: []RoleLayout{
			{Name: "chief", Template: Path{"spec", "chief"}},
			{Name: "worker", Replicas: Path{"spec", "workers"}, Template: Path{"spec", "worker"}, Ready: Path{"status", "ready"}},
		},
		Suspend: Path{"metadata", "annotations", "example.com/stopped"}, Phase: Path{"status", "state"},
		Phases: map[train.Phase][]string{train.Running: {"Active"}, train.Failed: {"Broken"}},
		Least:  Path{"spec", "min"},
		Pods:   PodLayout{Labels: map[string]string{"app": "work", "job": "work-{name}"}, Role: "role"},
	}
}

func work(t *testing.T, spec, status map[string]any) *unstructured.Unstructured {
	t.Helper()
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "example.com/v1", "kind": "Work", "metadata": map[string]any{"name": "w", "namespace": "ml", "uid": "u"},
		"spec": spec, "status": status,
	}}
}

func template(gpus string) map[string]any {
	return map[string]any{"spec": map[string]any{"containers": []any{map[string]any{"name": "main", "resources": map[string]any{"limits": map[string]any{"nvidia.com/gpu": gpus}}}}}}
}

func assembled(l Layout, top *unstructured.Unstructured, pods ...*corev1.Pod) *train.Job {
	UseLayouts([]Layout{l})
	defer UseLayouts(nil)
	return Assemble(&Family{Ref: RefOfSelf(top), Top: top, Pods: pods, PodsListed: len(pods) > 0})
}

func TestALayoutIsRead(t *testing.T) {
	spec := map[string]any{"workers": int64(3), "min": int64(2), "chief": template("1"), "worker": template("8")}
	for _, c := range []struct {
		name   string
		status map[string]any
		want   train.Phase
	}{
		{"a condition", map[string]any{"conditions": []any{map[string]any{"type": "Completed", "status": "True"}}, "state": "Active"}, train.Succeeded},
		{"a condition that does not hold", map[string]any{"conditions": []any{map[string]any{"type": "Completed", "status": "False"}}, "state": "Broken"}, train.Failed},
		{"words of its own replace the usual", map[string]any{"state": "Failed"}, train.Pending},
		{"a phase in other letters", map[string]any{"state": "active", "ready": int64(3)}, train.Running},
		{"a suspended phase", map[string]any{"state": "Suspended"}, train.Suspended},
	} {
		job := assembled(workLayout(), work(t, spec, c.status))
		if job.Phase != c.want || job.Wanted != 4 || job.GPUs != 25 || job.Elastic == nil || job.Elastic.Min != 2 || job.Elastic.Max != 4 {
			t.Errorf("%s: %s, wanted %d, GPUs %d, elastic %+v; want %s", c.name, job.Phase, job.Wanted, job.GPUs, job.Elastic, c.want)
		}
	}
	stopped := work(t, spec, nil)
	stopped.SetAnnotations(map[string]string{"example.com/stopped": "2026-01-01T00:00:00Z"})
	if job := assembled(workLayout(), stopped); job.Phase != train.Suspended {
		t.Errorf("with a time in the annotation it is %s", job.Phase)
	}
}

// A value of a field of the layout that cannot be read is reported: a phase of an
// unknown word, a time that is none. Words for what comes before a phase are known.
func TestFieldsThatCannotBeReadAreSaid(t *testing.T) {
	spec := func(more map[string]any) map[string]any {
		all := map[string]any{"workers": int64(3), "min": int64(2), "chief": template("1"), "worker": template("8")}
		maps.Copy(all, more)
		return all
	}
	layout := workLayout()
	layout.Started, layout.Most = Path{"status", "began"}, Path{"spec", "max"}
	layout.Phases[train.Pending] = []string{"Wartet"}
	for _, c := range []struct {
		spec, status map[string]any
		want         string // in WHY, "" where nothing is reported
	}{
		{nil, map[string]any{"state": "RUNNING"}, `status.state is "RUNNING", which is no word for a phase`},
		{nil, map[string]any{"state": "Aktiv\x1b[2J"}, `status.state is "Aktiv`},
		{nil, map[string]any{"state": int64(7)}, "status.state is 7, which is no text"},
		{nil, map[string]any{"state": map[string]any{"x": "y"}}, "status.state is an object, which is no text"},
		{nil, map[string]any{"state": "wartet"}, ""},
		{nil, map[string]any{"state": "active"}, ""},
		{nil, map[string]any{"state": ""}, ""},
		{nil, map[string]any{"state": "Odd", "conditions": []any{map[string]any{"type": "Completed", "status": "True"}}}, ""},
		{nil, map[string]any{"state": "Active", "began": "soon"}, `status.began is "soon", which is no time`},
		{nil, map[string]any{"state": "Active", "began": "2026-11-20T09:00:00Z"}, ""},
		{map[string]any{"max": "many"}, map[string]any{"state": "Active"}, `spec.max is "many", which is no number`},
	} {
		job := assembled(layout, work(t, spec(c.spec), c.status))
		if strings.Contains(job.Reason, " is ") != (c.want != "") || !strings.Contains(job.CountsCut, c.want) || (c.want == "") != (job.CountsCut == "") || strings.Contains(job.Reason, "\x1b") {
			t.Errorf("%v %v: %q, reason %q", c.spec, c.status, job.CountsCut, job.Reason)
		}
	}
	layout.Phases = nil
	if job := assembled(layout, work(t, spec(nil), map[string]any{"state": "Creating"})); job.CountsCut != "" {
		t.Errorf("before it runs: %q", job.CountsCut)
	}
}

// A path that the object does not have is reported; the size is that of the pods.
func TestAPathThatIsNotThereIsSaid(t *testing.T) {
	pod := workPod("w-x-0", map[string]string{"role": "worker"})
	job := assembled(workLayout(), work(t, map[string]any{"pods": int64(3)}, nil), pod)
	if job.Wanted != 1 || !strings.Contains(job.Reason, "spec.workers") {
		t.Errorf("wanted %d, reason %q", job.Wanted, job.Reason)
	}
	each := workLayout()
	each.Roles = []RoleLayout{{Each: Path{"spec", "groups"}, Replicas: Path{"replicas"}}}
	if job := assembled(each, work(t, map[string]any{}, nil)); !strings.Contains(job.Reason, "it has no spec.groups") {
		t.Errorf("reason %q", job.Reason)
	}
}

// A number of replicas that is none leaves the object out with the reason, as
// in kinds that traintop knows.
func TestAReplicaCountThatIsNoneIsSaid(t *testing.T) {
	UseLayouts([]Layout{workLayout()})
	defer UseLayouts(nil)
	for _, value := range []any{"three", int64(-1), 1.5, map[string]any{}} {
		tree := work(t, map[string]any{"workers": value, "chief": template("1")}, nil).Object
		if why := Unusable(workLayout().GroupKind, tree); !strings.Contains(why, "its spec.workers is") {
			t.Errorf("%v: %q", value, why)
		}
	}
}

func workPod(name string, labels map[string]string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "ml", UID: "p", Labels: labels}, Status: corev1.PodStatus{Phase: corev1.PodRunning}}
}

func TestPodsAreFoundByLabels(t *testing.T) {
	UseLayouts([]Layout{workLayout()})
	defer UseLayouts(nil)
	for _, c := range []struct {
		labels map[string]string
		want   string
	}{
		{map[string]string{"app": "work", "job": "work-w"}, "w"},
		{map[string]string{"app": "other", "job": "work-w"}, ""},
		{map[string]string{"app": "work", "job": "w"}, ""},
		{map[string]string{"app": "work", "job": "work-"}, ""},
		{map[string]string{"job": "work-w"}, ""},
	} {
		pod := workPod("w-0", c.labels)
		pod.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "StatefulSet", Name: "w", Controller: new(true)}}
		parent, _ := Parent(PodKind, pod)
		if is := parent.Kind == "Work"; is != (c.want != "") || is && parent.Name != c.want {
			t.Errorf("%v: the parent is %+v, want %q", c.labels, parent, c.want)
		}
	}
}

// The number at the end of a name is a rank where the role has so many.
func TestANumberByChanceIsNoRank(t *testing.T) {
	spec := map[string]any{"workers": int64(2), "chief": template("1"), "worker": template("8")}
	numbered := workPod("w-worker-1", map[string]string{"role": "worker"})
	random := workPod("w-worker-94726", map[string]string{"role": "worker"})
	job := assembled(workLayout(), work(t, spec, nil), numbered, random)
	if len(job.Ranks) != 3 || job.Ranks[1].Pod != "w-worker-94726" || job.Ranks[2].Pod != "w-worker-1" {
		t.Errorf("the ranks are %+v", job.Ranks)
	}
}

func TestWhatIsNoPathIsRefused(t *testing.T) {
	for _, text := range []string{"spec..x", "spec.", ".", "spec.x[0]", "spec.*.x", "{.spec}", "spec. x", "spec,x"} {
		if path, err := ParsePath(text); err == nil {
			t.Errorf("%q is read as %q", text, path)
		}
	}
	for text, want := range map[string]Path{"": nil, ".spec.a": {"spec", "a"}, `metadata.labels.a\.b/c`: {"metadata", "labels", "a.b/c"}} {
		if path, err := ParsePath(text); err != nil || !slices.Equal(path, want) {
			t.Errorf("%q is read as %q, %v", text, path, err)
		}
	}
}

// FuzzLayout reads objects of any form with a layout: no field may end it.
func FuzzLayout(f *testing.F) {
	f.Add([]byte(`{"apiVersion":"example.com/v1","kind":"Work","metadata":{"name":"w","namespace":"ml"},"spec":{"workers":3,"groups":[{"name":1}]},"status":{"conditions":[1],"state":[]}}`))
	each := workLayout()
	each.Roles = append(each.Roles, RoleLayout{Each: Path{"spec", "groups"}, Replicas: Path{"replicas"}, Template: Path{"template"}})
	f.Fuzz(func(t *testing.T, text []byte) {
		object := &unstructured.Unstructured{}
		if object.UnmarshalJSON(text) != nil || object.GetKind() == "" {
			return
		}
		object.SetGroupVersionKind(schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Work"})
		if job := assembled(each, object); job == nil || job.Wanted < 0 {
			t.Errorf("%s gives %+v", text, job)
		}
	})
}
