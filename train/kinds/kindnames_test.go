package kinds

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
)

// No two kinds of rows are printed alike, and those that are built in are called
// the same with a configuration and without one.
func TestKindsOfRowsHaveNamesOfTheirOwn(t *testing.T) {
	defer UseLayouts(nil)
	built := map[schema.GroupKind]string{}
	for _, k := range jobKinds {
		built[k.GroupKind] = nameOf(k.GroupKind)
	}
	layout := func(group, kind string) Layout {
		return Layout{GroupKind: schema.GroupKind{Group: group, Kind: kind}, Versions: []string{"v1"}}
	}
	UseLayouts([]Layout{layout("a.example.com", "PyTorchJob"), layout("a.example.com", "Work"), layout("b.example.com", "Work"), layout("a.example.com", "Pod"), layout("a.example.com", "Log")})
	for kind, name := range built {
		if now := nameOf(kind); now != name {
			t.Errorf("%v is called %s, and %s with a configuration", kind, name, now)
		}
	}
	seen := map[string]schema.GroupKind{}
	for _, kind := range append([]schema.GroupKind{PodKind, PodGroupRow, {Kind: train.LogKind}}, groupKinds(Jobs())...) {
		if other, twice := seen[nameOf(kind)]; twice {
			t.Errorf("%v and %v are both called %s", kind, other, nameOf(kind))
		}
		seen[nameOf(kind)] = kind
	}
	for name, want := range map[string]schema.GroupKind{
		"Job": batchJobKind, "Job.batch.volcano.sh": volcanoJobKind, "PyTorchJob": pyTorchJobKind, "PyTorchJob.a.example.com": {Group: "a.example.com", Kind: "PyTorchJob"},
		"Work": {Group: "a.example.com", Kind: "Work"}, "Work.b.example.com": {Group: "b.example.com", Kind: "Work"}, "Pod.a.example.com": {Group: "a.example.com", Kind: "Pod"},
	} {
		if seen[name] != want {
			t.Errorf("%s is %v, want %v", name, seen[name], want)
		}
	}
}

func nameOf(kind schema.GroupKind) string {
	return train.Ref{Group: kind.Group, Kind: kind.Kind}.KindName()
}
