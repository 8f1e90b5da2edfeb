package describe

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views/draw"
)

// head is what every object has: its name, its age, its controller. Labels and
// annotations are those of fields, where secrets are masked.
func (p *page) head(ref train.Ref, o kinds.Object, fields map[string]any) {
	version, _ := fields["apiVersion"].(string)
	p.fact(0, "Name", o.GetName(), themes.Strong)
	p.fact(0, "Namespace", o.GetNamespace(), themes.Text)
	p.fact(0, "Kind", kindOf(ref, version), themes.Text)
	if at := o.GetCreationTimestamp(); !at.IsZero() {
		p.fact(0, "Created", p.ago(at.Time), themes.Text)
	}
	if at := o.GetDeletionTimestamp(); at != nil {
		p.fact(0, "Deleting", p.ago(at.Time)+held(o.GetFinalizers()), themes.Bad)
	}
	p.fact(0, controlled(ref), strings.Join(p.chain(ref, o), " "+p.f.Theme.Glyphs.Crumb+" "), themes.Text)
	masked := unstructured.Unstructured{Object: fields}
	p.facts(0, "Labels", p.pairs(masked.GetLabels(), "="))
	p.facts(0, "Annotations", p.pairs(masked.GetAnnotations(), ": "))
}

// held names the finalizers that keep an object that is being deleted.
func held(finalizers []string) string {
	if len(finalizers) == 0 {
		return ""
	}
	return ", held by " + strings.Join(finalizers, ", ")
}

// kindOf is the kind and the version of its API, or the group alone.
func kindOf(ref train.Ref, version string) string {
	if version = cmp.Or(version, ref.Group); version != "" {
		return ref.Kind + " (" + version + ")"
	}
	return ref.Kind
}

func controlled(ref train.Ref) string {
	if ref.Kind == kinds.EventKind.Kind && ref.Group == "" {
		return "About"
	}
	return "Controlled By"
}

// maxChain bounds the walk up; real chains have at most five links.
const maxChain = 10

// chain names the owners of an object, the nearest first.
func (p *page) chain(ref train.Ref, o kinds.Object) []string {
	var names []string
	kind := schema.GroupKind{Group: ref.Group, Kind: ref.Kind}
	for range maxChain {
		parent, has := kinds.Parent(kind, o)
		if !has {
			break
		}
		names = append(names, parent.Kind+"/"+parent.Name)
		above, presence := p.f.Snapshot.Object(parent.GroupKind(), parent.Namespace, parent.Name)
		if presence != train.Present || !parent.Matches(above) {
			break
		}
		kind, o = parent.GroupKind(), above
	}
	return names
}

// maxPairs bounds labels and annotations.
const maxPairs = 50

// pairs lists a map in order of its keys, long values cut. kubectl's copy of
// the whole object is left out: no person wrote it.
func (p *page) pairs(of map[string]string, between string) []string {
	var all []string
	for _, key := range slices.Sorted(maps.Keys(of)) {
		if key == "kubectl.kubernetes.io/last-applied-configuration" {
			continue
		}
		if len(all) == maxPairs {
			return append(all, "and "+draw.More(len(of)-maxPairs, ""))
		}
		all = append(all, p.shortened(key+between+of[key]))
	}
	return all
}
