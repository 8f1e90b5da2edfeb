package describe

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// Of describes an object as the frame's snapshot has it: its owners, the fields
// that matter for its kind, its events. Values that are secret by their name
// are masked. found is false when the snapshot does not hold the object; its
// events are listed all the same.
func Of(f views.Frame, ref train.Ref) (lines []draw.TextLine, found bool) {
	return of(f, ref, nil)
}

// of describes an object as it was read from the API server, or else as the snapshot
// has it. Pods and nodes are described from the snapshot where it has them, which is
// newer.
func of(f views.Frame, ref train.Ref, read kinds.Object) (lines []draw.TextLine, found bool) {
	p := &page{f: f}
	o, presence := f.Snapshot.Object(schema.GroupKind{Group: ref.Group, Kind: ref.Kind}, ref.Namespace, ref.Name)
	if read != nil && (presence != train.Present || !followed(ref)) {
		o, presence = read, train.Present
	}
	if presence == train.Present && (ref.UID == "" || o.GetUID() == "" || ref.UID == string(o.GetUID())) {
		found = true
		p.object(ref, o, read != nil)
	} else {
		p.missing(ref, presence)
	}
	p.events(ref)
	if p.cut > 0 {
		p.lines = append(p.lines, draw.TextLine{dim("cut here: " + draw.More(p.cut, "line"))})
	}
	return p.lines, found
}

// followed reports whether a snapshot has all of an object that a description shows.
func followed(ref train.Ref) bool {
	kind := schema.GroupKind{Group: ref.Group, Kind: ref.Kind}
	return kind == kinds.PodKind || kind == kinds.NodeKind
}

// missing describes an object that is not there.
func (p *page) missing(ref train.Ref, presence train.Presence) {
	p.fact(0, "Name", ref.Name, themes.Strong)
	p.fact(0, "Namespace", ref.Namespace, themes.Text)
	p.fact(0, "Kind", kindOf(ref, ""), themes.Text)
	switch presence {
	case train.Unknown:
		p.fact(0, "Object", "not read here, so nothing is known of it but what is told below; y asks for its YAML", themes.Waiting)
	default:
		p.fact(0, "Object", "not there (any more)", themes.Bad)
	}
}

// object describes an object. read is true where it came whole from the API
// server: a snapshot has ConfigMaps without their data.
func (p *page) object(ref train.Ref, o kinds.Object, read bool) {
	fields, err := fieldsOf(o)
	if err != nil {
		p.fact(0, "Name", ref.Name, themes.Strong)
		p.fact(0, "Object", "cannot be read: "+err.Error(), themes.Bad)
		return
	}
	p.head(ref, o, fields)
	switch o.(type) {
	case *corev1.Pod:
		masked := &corev1.Pod{}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(fields, masked); err == nil {
			p.pod(masked)
			return
		}
	case *corev1.Node:
		masked := &corev1.Node{}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(fields, masked); err == nil {
			p.node(masked)
			return
		}
	case *unstructured.Unstructured:
		if pod := (&corev1.Pod{}); ref.Group == "" && ref.Kind == kinds.PodKind.Kind && runtime.DefaultUnstructuredConverter.FromUnstructured(fields, pod) == nil {
			p.pod(pod)
			return
		}
	}
	if ref.Group == "" && ref.Kind == "ConfigMap" && read {
		p.keysOf(fields)
	}
	p.fields(fields)
}

// fieldsOf is a copy of an object as a tree, with secrets masked.
func fieldsOf(o kinds.Object) (fields map[string]any, err error) {
	defer func() {
		// DeepCopyJSON panics at values that no decoder of JSON makes.
		if broken := recover(); broken != nil {
			fields, err = nil, errors.New(fmt.Sprint(broken))
		}
	}()
	tree, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
	if err != nil {
		return nil, err
	}
	tree = runtime.DeepCopyJSON(tree)
	redact.Object(tree)
	return tree, nil
}
