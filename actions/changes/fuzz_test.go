package changes

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"
	"unicode"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// FuzzMake plans every verb for objects of any form: nothing panics, texts are safe to
// print, and bodies are JSON for the chosen object, or for one that belongs to it.
func FuzzMake(f *testing.F) {
	files, _ := filepath.Glob(objects + "*.yaml")
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		if object, err := yaml.YAMLToJSON(text); err == nil {
			f.Add(object, 3)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, number int) {
		var o unstructured.Unstructured
		if json.Unmarshal(text, &o.Object) != nil || o.GetName() == "" || o.GetKind() == "" {
			return
		}
		st := store.New(func() time.Time { return time.Time{} })
		st.Apply(store.Set{Kind: o.GroupVersionKind().GroupKind(), Object: &o})
		s := st.Snapshot()
		refs := []train.Ref{{Group: o.GroupVersionKind().Group, Kind: o.GetKind(), Namespace: o.GetNamespace(), Name: o.GetName()}}
		for _, job := range s.Jobs() {
			refs = append(refs, job.Ref)
		}
		for _, v := range verbs() {
			checkPlan(t, s, Make(s, v.name, refs, Choice{Number: number, Propagation: actions.Orphan, Force: true}))
		}
	})
}

func checkPlan(t *testing.T, s *store.Snapshot, plan Plan) {
	t.Helper()
	said := append([]string{plan.Title}, plan.Warnings...)
	for _, target := range plan.Targets {
		said = append(append(said, target.Refused), target.Consequences...)
		if (target.Refused == "") != (len(target.Requests) > 0) {
			t.Errorf("refused %q with %d requests", target.Refused, len(target.Requests))
		}
		for _, r := range target.Requests {
			if r.Body != nil && !json.Valid(r.Body) {
				t.Errorf("%s is no JSON", r.Body)
			}
		}
		if target.Done != nil {
			_, rest := target.Done(s)
			said = append(said, rest)
		}
	}
	for _, line := range said {
		for _, r := range line {
			if unicode.IsControl(r) {
				t.Errorf("unsafe text %q", line)
			}
		}
	}
}
