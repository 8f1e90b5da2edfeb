package kube

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// mostOdd limits how many unusable objects are counted individually.
const mostOdd = 100

// mostOddNamespaces limits the namespaces that are named with what is left out
// of them.
const mostOddNamespaces = 4

// unusableObjects records the unusable objects of one resource since the newest
// list. They are left out, and health reports it.
type unusableObjects struct {
	// say sets the text for health, "" for none.
	say func(text string)
	// name is the resource's; namespace is the one that is read, "" for all.
	name, namespace string
	whys            map[string]bool
}

func (o *unusableObjects) reset() { o.whys = map[string]bool{} }

func (o *unusableObjects) add(why string) {
	if len(o.whys) < mostOdd {
		o.whys[why] = true
	}
}

// report reports which objects are left out.
func (o *unusableObjects) report() {
	if len(o.whys) == 0 {
		o.say("")
		return
	}
	first := slices.Sorted(maps.Keys(o.whys))[0]
	count, are, more := termtext.Count(len(o.whys), "object"), termtext.Agree(len(o.whys), "is", "are"), ""
	if len(o.whys) == mostOdd {
		count = fmt.Sprintf("%d or more objects", mostOdd)
	}
	if len(o.whys) > 1 {
		more = "first of them "
	}
	where, flag := "", "-A"
	if o.namespace != everywhere {
		where, flag = " in namespace "+o.namespace, "-n "+o.namespace
	}
	o.say(fmt.Sprintf("%s of %s%s cannot be used and %s left out: %s%s; `kubectl get %s %s -o json` shows them", count, o.name, where, are, more, first, o.name, flag))
}

// leftOut reports that objects of a resource are left out, "" clears it. Where
// namespaces are read one by one, the report names each that has some.
func (r *reporter) leftOut(res client.Resource, namespace, text string) {
	h := train.Health{Source: res.Source() + train.LeftOut}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.odd[h.Source] == nil {
		r.odd[h.Source] = map[string]string{}
	}
	odd := r.odd[h.Source]
	delete(odd, namespace)
	if text != "" {
		odd[namespace] = text
	}
	if len(odd) > 0 {
		var texts []string
		for _, namespace := range slices.Sorted(maps.Keys(odd)) {
			h.Namespace = namespace
			texts = append(texts, odd[namespace])
		}
		if len(odd) > 1 {
			h.Namespace = everywhere
		}
		h.State, h.Text = train.SourceFailed, termtext.Few(texts, mostOddNamespaces)
		h.Group, h.Resource = res.Gvr.Group, res.Gvr.Resource
	}
	if _, said := r.said[h.Source]; said || len(odd) > 0 {
		r.say(h)
	}
}

// wrongWith returns why an object is unusable, "" if it is usable.
func (l *lister) wrongWith(o runtime.Object) string {
	if why := l.wrongIdentity(o); why != "" {
		return why
	}
	if pod, is := o.(*corev1.Pod); is {
		if why := kinds.UnusablePod(pod); why != "" {
			return client.Printable(pod.Namespace+"/"+pod.Name) + ": " + why
		}
	}
	return ""
}

// wrongIdentity returns why it is not known which object this is, "" if it is.
func (l *lister) wrongIdentity(o runtime.Object) string {
	if odd, is := o.(*undecoded); is {
		return odd.why
	}
	object, is := o.(metav1.Object)
	if !is {
		return fmt.Sprintf("it is a %T", o)
	}
	if kind := o.GetObjectKind().GroupVersionKind(); !has(l.resource, kind) {
		return "it is a " + shownKind(kind.Kind) + " of " + client.Printable(kind.GroupVersion().String())
	}
	if tree, is := o.(*unstructured.Unstructured); is {
		if why := kinds.Unusable(l.resource.Kind, tree.Object); why != "" {
			return nameIn(tree) + client.Printable(why)
		}
	}
	return l.wrongName(object)
}

// nameIn is the name of an object that may lack one or have it in a wrong type,
// as the beginning of a sentence about it.
func nameIn(tree *unstructured.Unstructured) string {
	name, _, _ := unstructured.NestedString(tree.Object, "metadata", "name")
	if name == "" {
		return ""
	}
	if namespace, _, _ := unstructured.NestedString(tree.Object, "metadata", "namespace"); namespace != "" {
		name = namespace + "/" + name
	}
	return client.Printable(name) + ": "
}

// has reports whether objects of the resource may have a kind. Typed objects
// often have none set.
func has(r client.Resource, kind schema.GroupVersionKind) bool {
	want := r.Gvr.GroupVersion().WithKind(r.Kind.Kind)
	if r.Form == client.DynamicForm {
		return kind == want
	}
	return kind.Empty() || kind == want || r.Form == client.MetadataForm && kind.Kind == "PartialObjectMetadata"
}

func (l *lister) wrongName(o metav1.Object) string {
	switch {
	case o.GetName() == "":
		return "it has no name"
	case o.GetNamespace() == "" && !l.resource.ClusterScoped:
		return client.Printable(o.GetName()) + " has no namespace"
	case l.namespace != everywhere && !l.resource.ClusterScoped && o.GetNamespace() != l.namespace:
		return client.Printable(o.GetNamespace()+"/"+o.GetName()) + " is of another namespace than was asked for"
	}
	return ""
}

// undecoded replaces an object in a list that could not be decoded.
type undecoded struct{ why string }

// GetObjectKind implements runtime.Object.
func (*undecoded) GetObjectKind() schema.ObjectKind { return schema.EmptyObjectKind }

// DeepCopyObject implements runtime.Object.
func (u *undecoded) DeepCopyObject() runtime.Object { return u }
