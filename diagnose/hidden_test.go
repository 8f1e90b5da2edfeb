package diagnose

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// Only sources that may contain the requested job hide it.
func TestHidingJobs(t *testing.T) {
	list := func(resource, group, namespace string, state train.SourceState) store.Event {
		source := "kube/" + strings.TrimSuffix(resource+"."+group, ".")
		if namespace != "" {
			source += "/" + namespace
		}
		return store.HealthChanged{Health: train.Health{Source: source, State: state, Group: group, Resource: resource, Namespace: namespace, Text: "no"}}
	}
	refused := list("pytorchjobs", "kubeflow.org", "", train.SourceForbidden)
	for name, f := range map[string]struct {
		kind, namespace string
		events          []store.Event
		want            string
	}{
		"everything listed":       {"", "", []store.Event{list("pods", "", "", train.SourceLive)}, ""},
		"its kind refused":        {"PyTorchJob", "", []store.Event{refused}, "pytorchjobs.kubeflow.org"},
		"its kind in small":       {"pytorchjob", "", []store.Event{refused}, "pytorchjobs.kubeflow.org"},
		"another kind refused":    {"RayJob", "", []store.Event{refused}, ""},
		"any kind":                {"", "", []store.Event{refused}, "pytorchjobs.kubeflow.org"},
		"its kind fails":          {"", "", []store.Event{list("pytorchjobs", "kubeflow.org", "", train.SourceRetrying)}, "pytorchjobs.kubeflow.org"},
		"its kind still comes":    {"", "", []store.Event{list("pytorchjobs", "kubeflow.org", "", train.SourceListing)}, "pytorchjobs.kubeflow.org"},
		"read in its namespace":   {"", "ml", []store.Event{refused, list("pytorchjobs", "kubeflow.org", "ml", train.SourceLive)}, ""},
		"another namespace fails": {"", "ml", []store.Event{list("pytorchjobs", "kubeflow.org", "other", train.SourceRetrying)}, ""},
		"another was asked for":   {"", "other", []store.Event{list("pods", "", "ml", train.SourceLive)}, "namespace other"},
		"it was asked for too":    {"", "other", []store.Event{list("pods", "", "ml", train.SourceLive), list("pods", "", "other", train.SourceLive)}, ""},
		"those that were asked":   {"", "", []store.Event{list("pods", "", "ml", train.SourceLive)}, ""},
		"all were asked for":      {"", "other", []store.Event{list("pods", "", "ml", train.SourceLive), list("pods", "", "", train.SourceLive)}, ""},
		"pods refused":            {"", "", []store.Event{list("pods", "", "", train.SourceForbidden)}, "pods"},
		"pods, of a known kind":   {"RayJob", "", []store.Event{list("pods", "", "", train.SourceForbidden)}, ""},
		"nodes fail":              {"", "", []store.Event{list("nodes", "", "", train.SourceRetrying)}, ""},
		"which kinds there are":   {"RayJob", "", []store.Event{health("kube/apis", train.SourceRetrying, "", "boom")}, "which kinds the cluster serves"},
		"a file is cut":           {"RayJob", "", []store.Event{health("file a.yaml", train.SourceFailed, "", "ends in the middle")}, "file a.yaml"},
	} {
		st := store.New(func() time.Time { return noon })
		st.Apply(f.events...)
		var got []string
		for _, m := range HidingJobs(st.Snapshot(), f.kind, f.namespace) {
			if got = append(got, m.What); m.Why == "" || m.Help == "" {
				t.Errorf("%s: says too little: %+v", name, m)
			}
		}
		if strings.Join(got, ", ") != f.want {
			t.Errorf("%s: %q, want %q", name, got, f.want)
		}
	}
}

// A recording does not know of kinds that were not asked for when it was made; a cluster
// is asked for all, and files hold what they hold.
func TestKindsThatWereNotRecorded(t *testing.T) {
	const planned, cut = "kube", "recording night.ttrec"
	for name, f := range map[string]struct {
		sources   []string
		kind, but string // but is the resource that was not asked for
		want      int
	}{
		"all were asked for":   {[]string{planned, cut}, "", "", 0},
		"one was not":          {[]string{planned, cut}, "", "rayjobs", 1},
		"of that kind":         {[]string{planned, cut}, "rayjob", "rayjobs", 1},
		"of another kind":      {[]string{planned, cut}, "TFJob", "rayjobs", 0},
		"of an unknown kind":   {[]string{planned, cut}, "FineTune", "rayjobs", 1},
		"a cluster":            {[]string{planned}, "", "rayjobs", 0},
		"a recording of files": {[]string{cut, "file a.yaml"}, "", "rayjobs", 0},
	} {
		st := store.New(func() time.Time { return noon })
		for _, source := range f.sources {
			state := train.SourceRead
			if source == planned {
				state = train.SourceLive
			}
			st.Apply(health(source, state, "", ""))
		}
		for _, k := range kinds.Jobs() {
			if k.Resource != f.but {
				st.Apply(store.HealthChanged{Health: train.Health{Source: "kube/" + k.Resource + "." + k.Group, State: train.SourceAbsent, Group: k.Group, Resource: k.Resource}})
			}
		}
		s := st.Snapshot()
		hiding := HidingJobs(s, f.kind, "")
		if len(hiding) != f.want || len(HidingGPUs(s, "")) != 0 {
			t.Errorf("%s: %+v, want %d", name, hiding, f.want)
		}
		if want := map[bool]Verdict{true: NotEnoughRead, false: NothingToLookAt}[f.want > 0]; f.kind == "" && Run(s, Options{}, nil).Verdict("", nil) != want {
			t.Errorf("%s: not %s", name, want)
		}
	}
}

// The part cut off a recording may hold GPUs; a file was read to its end, or reports
// it itself.
func TestHidingGPUs(t *testing.T) {
	for source, want := range map[string]int{"recording night.ttrec": 1, "kube": 1, "file a.prom": 0, "kube/events": 0} {
		st := store.New(func() time.Time { return noon })
		st.Apply(health(source, train.SourceFailed, "", "the last 213 bytes are not whole"))
		if got := HidingGPUs(st.Snapshot(), ""); len(got) != want {
			t.Errorf("%s: %+v, want %d", source, got, want)
		}
	}
}

// TestOtherNamespacesAreBounded holds that a text about many namespaces names some
// and counts the others.
func TestOtherNamespacesAreBounded(t *testing.T) {
	for count, want := range map[int]string{
		1: "read instead: namespace n000", 2: "read instead: namespaces n000, n001",
		500: "read instead: namespaces n000, n001, n002, n003, n004, n005, n006, n007 and 492 more",
	} {
		health := []train.Health{{Source: "kube/pods/all-namespaces", State: train.SourceForbidden, Resource: "pods"}}
		for i := range count {
			health = append(health, train.Health{Source: "kube/pods", State: train.SourceLive, Resource: "pods", Namespace: fmt.Sprintf("n%03d", i)})
		}
		if m, is := OtherNamespaces(health); !is || !strings.HasSuffix(m.Why, want) {
			t.Errorf("%d namespaces: %q", count, m.Why)
		}
	}
}
