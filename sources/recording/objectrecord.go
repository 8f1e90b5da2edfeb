package recording

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/traintop/traintop/train/kinds"
)

// protobuf is an object that the API machinery can encode in binary.
type protobuf interface {
	kinds.Object
	Marshal() ([]byte, error)
	Unmarshal([]byte) error
}

// binaryTypes are the Go types that sources use for objects, by their names in
// a file. Objects of other types are unstructured.
var binaryTypes = map[string]func() protobuf{
	"Pod":                   func() protobuf { return &corev1.Pod{} },
	"Node":                  func() protobuf { return &corev1.Node{} },
	"Event":                 func() protobuf { return &corev1.Event{} },
	"PersistentVolumeClaim": func() protobuf { return &corev1.PersistentVolumeClaim{} },
	"PersistentVolume":      func() protobuf { return &corev1.PersistentVolume{} },
	"ResourceQuota":         func() protobuf { return &corev1.ResourceQuota{} },
	"LimitRange":            func() protobuf { return &corev1.LimitRange{} },
	"Service":               func() protobuf { return &corev1.Service{} },
	"ServiceAccount":        func() protobuf { return &corev1.ServiceAccount{} },
	"Namespace":             func() protobuf { return &corev1.Namespace{} },
	"StorageClass":          func() protobuf { return &storagev1.StorageClass{} },
	"PartialObjectMetadata": func() protobuf { return &metav1.PartialObjectMetadata{} },
}

var nameOfType = func() map[reflect.Type]string {
	names := map[reflect.Type]string{}
	for name, empty := range binaryTypes {
		names[reflect.TypeOf(empty())] = name
	}
	return names
}()

// treeType is the name of unstructured objects, stored as JSON.
const treeType = "tree"

// form is an encoded object.
type form struct {
	name  string
	bytes []byte
}

// formOf encodes an object of any type; one without a binary encoding becomes
// unstructured.
func formOf(o kinds.Object) (f form, err error) {
	if o.GetName() == "" {
		return form{}, fmt.Errorf("an object in namespace %q has no name", o.GetNamespace())
	}
	switch tree, is := o.(*unstructured.Unstructured); {
	case is:
		f.name = treeType
		if err = checkTree(tree); err == nil {
			f.bytes, err = json.Marshal(tree.Object)
		}
	case nameOfType[reflect.TypeOf(o)] != "":
		f.name = nameOfType[reflect.TypeOf(o)]
		f.bytes, err = o.(protobuf).Marshal()
	default:
		f.name = treeType
		var fields map[string]any
		if fields, err = runtime.DefaultUnstructuredConverter.ToUnstructured(o); err == nil {
			f.bytes, err = json.Marshal(fields)
		}
	}
	if err != nil {
		return form{}, fmt.Errorf("writing %s/%s: %w", o.GetNamespace(), o.GetName(), err)
	}
	return f, nil
}

// checkTree returns an error for an object that decoder.tree would refuse.
func checkTree(o *unstructured.Unstructured) error {
	if why := kinds.Unusable(o.GroupVersionKind().GroupKind(), o.Object); why != "" {
		return errors.New(why)
	}
	return nil
}

// object writes an encoded object.
func (e *encoder) object(o kinds.Object, f form) {
	if e.word(f.name); f.name != treeType {
		of := o.GetObjectKind().GroupVersionKind()
		e.word(of.Group)
		e.word(of.Version)
		e.word(of.Kind)
	}
	e.uint(uint64(len(f.bytes)))
	e.out = append(e.out, f.bytes...)
}

// object decodes an object. It returns nil after an error, and for an unusable
// object, which it counts.
func (d *decoder) object() kinds.Object {
	name := d.word()
	if name == treeType {
		return d.tree()
	}
	return d.typed(name)
}

// typed decodes an object that has a Go type.
func (d *decoder) typed(name string) kinds.Object {
	of := schema.GroupVersionKind{Group: d.word(), Version: d.word(), Kind: d.word()}
	form := d.bytes(d.uint())
	if o := d.objects.find(name, form); o != nil && o.GetObjectKind().GroupVersionKind() == of {
		return o
	}
	empty := binaryTypes[name]
	if d.err != nil || empty == nil {
		d.fail()
		return nil
	}
	o := empty()
	if o.Unmarshal(form) != nil || o.GetName() == "" {
		d.odd++
		return nil
	}
	if of != (schema.GroupVersionKind{}) {
		o.GetObjectKind().SetGroupVersionKind(of)
	}
	if d.shift != 0 {
		shiftObject(o, d.shift)
	}
	d.objects.keep(name, form, o)
	return o
}

// tree decodes an unstructured object; it leaves out an unusable one.
func (d *decoder) tree() kinds.Object {
	form := d.bytes(d.uint())
	if o := d.objects.find(treeType, form); o != nil {
		return o
	}
	o := &unstructured.Unstructured{}
	if d.err != nil {
		return nil
	}
	if utiljson.Unmarshal(form, &o.Object) != nil || checkTree(o) != nil || o.GetName() == "" {
		d.odd++
		return nil
	}
	if d.shift != 0 {
		shiftObject(o, d.shift)
	}
	d.objects.keep(treeType, form, o)
	return o
}

func (e *encoder) groupKind(kind schema.GroupKind) {
	e.word(kind.Group)
	e.word(kind.Kind)
}

func (d *decoder) groupKind() schema.GroupKind {
	return schema.GroupKind{Group: d.word(), Kind: d.word()}
}
