package diagnose

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var fineTuneKind = schema.GroupKind{Group: "example.org", Kind: "FineTune"}

// fineTune is an object of a kind that nobody knows.
func fineTune(spec, status string) func(*cluster) {
	return func(c *cluster) {
		c.object(fineTuneKind, "apiVersion: example.org/v1\nkind: FineTune\nmetadata: {name: llama, namespace: ml, uid: u1}\nspec: "+spec+"\nstatus: "+status+"\n")
	}
}

// recordedFineTune is one that runs, in a recording of a cluster that was asked for a
// resource of its group.
func recordedFineTune(resource string) func(*cluster) {
	return func(c *cluster) {
		fineTune(`{replicas: 4}`, `{phase: Running}`)(c)
		c.events = append(c.events, store.HealthChanged{Health: train.Health{Source: "kube/" + resource + ".example.org", State: train.SourceLive, Group: "example.org", Resource: resource}})
	}
}

// A workload that looks like training and is in no job is named, and nothing else
// is.
func TestUnclaimed(t *testing.T) {
	const runs4 = `{replicas: 4, template: {spec: {containers: [{name: trainer, image: img}]}}}`
	const phase = `{phase: Failed, message: worker 3 exited with code 1}`
	orphan := func(changes ...func(*corev1.Pod)) func(*cluster) {
		return func(c *cluster) {
			c.listed = append(c.listed, kinds.Jobs()[1].GroupKind)
			c.node("gpu-0", 8)
			c.worker(0, append([]func(*corev1.Pod){running("gpu-0", 5)}, changes...)...)
		}
	}
	for name, f := range map[string]struct {
		build func(*cluster)
		want  string // "" for nothing
	}{
		"a phase":                  {fineTune(runs4, phase), "1 object of kind FineTune.example.org was not read as a job (ml/llama), since the kind is none of those that are known; its status says: Failed: worker 3 exited with code 1"},
		"a condition":              {fineTune(`{workers: {numWorkers: 2}}`, `{conditions: [{type: Running, status: "False"}, {type: Failed, status: "True", reason: WorkerFailed}]}`), "its status says: Failed: WorkerFailed"},
		"a template deep in it":    {fineTune(`{roles: [{name: a, template: {spec: {containers: [{name: a}]}}}]}`, `{state: error}`), "its status says: error"},
		"it runs":                  {fineTune(runs4, `{phase: Running}`), ""},
		"the condition is false":   {fineTune(runs4, `{conditions: [{type: Failed, status: "False"}]}`), ""},
		"it asks for no pods":      {fineTune(`{bucket: a}`, phase), ""},
		"it was a job elsewhere":   {recordedFineTune("finetunes"), "1 object of kind FineTune.example.org was recorded as a job and is not read as one here (ml/llama): the kind is in the configuration of whoever recorded it, and not in this one"},
		"another of its group was": {recordedFineTune("others"), ""},
		"its job is gone":          {orphan(), "1 pod with accelerators belongs to PyTorchJob ml/bert, which is not in the cluster: bert-worker-0; nothing restarts or ends it"},
		"its pod is deleted":       {orphan(deletedFor(1)), ""},
		"its job is not listed":    {func(c *cluster) { c.node("gpu-0", 8); c.worker(0, running("gpu-0", 5)) }, ""},
		"its job is there":         {func(c *cluster) { c.node("gpu-0", 8); c.job(1, runs); c.worker(0, running("gpu-0", 5)) }, ""},
		"a pod without any owner":  {orphan(func(p *corev1.Pod) { p.OwnerReferences = nil }), ""},
		"a pod without any device": {orphan(func(p *corev1.Pod) { p.Spec.Containers[0].Resources = corev1.ResourceRequirements{} }), ""},
	} {
		c := newCluster(t)
		f.build(c)
		var said []string
		for _, m := range Unclaimed(c.snapshot(), "") {
			if said = append(said, m.Why); m.What == "" || m.Help == "" {
				t.Errorf("%s: says too little: %+v", name, m)
			}
		}
		if got := strings.Join(said, "; "); (f.want == "") != (got == "") || !strings.Contains(got, f.want) {
			t.Errorf("%s: %q, want %q", name, got, f.want)
		}
		if got := Unclaimed(c.snapshot(), "other"); len(got) > 0 {
			t.Errorf("%s: of another namespace: %+v", name, got)
		}
	}
	if got := Unclaimed(store.New(func() time.Time { return noon }).Snapshot(), ""); len(got) > 0 {
		t.Errorf("of an empty snapshot: %+v", got)
	}
}
