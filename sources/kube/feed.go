package kube

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train/kinds"
)

// feed is the reflector's store, but stores nothing: it turns each change into
// a store event. One reflector calls it from one goroutine at a time.
type feed struct {
	kind      schema.GroupKind
	namespace string
	sink      sources.Sink
	slim      func(runtime.Object)
	// listed is called after a complete list was passed on.
	listed func()
}

var _ cache.ReflectorStore = (*feed)(nil)

// Add passes on an object that appeared.
func (f *feed) Add(o any) error { return f.set(o) }

// Update passes on an object that changed.
func (f *feed) Update(o any) error { return f.set(o) }

func (f *feed) set(o any) error {
	object, err := objectOf(o)
	if err != nil {
		return err
	}
	f.slim(object)
	f.sink.Apply(store.Set{Kind: f.kind, Object: object})
	return nil
}

// add passes on objects of an incomplete list.
func (f *feed) add(objects []kinds.Object) {
	events := make([]store.Event, 0, len(objects))
	for _, object := range objects {
		events = append(events, store.Set{Kind: f.kind, Object: object})
	}
	f.sink.Apply(events...)
}

// Delete passes on a deletion.
func (f *feed) Delete(o any) error {
	object, err := objectOf(o)
	if err != nil {
		return err
	}
	f.sink.Apply(store.Deleted{
		Kind: f.kind, Namespace: object.GetNamespace(), Name: object.GetName(), UID: string(object.GetUID()),
	})
	return nil
}

// Replace passes on a complete list.
func (f *feed) Replace(items []any, _ string) error {
	objects := make([]kinds.Object, 0, len(items))
	for _, item := range items {
		object, err := objectOf(item)
		if err != nil {
			return err
		}
		objects = append(objects, object)
	}
	f.sink.Apply(store.Listed{Kind: f.kind, Namespace: f.namespace, Objects: objects})
	f.listed()
	return nil
}

// Resync does nothing: reflectors here have no resync period.
func (f *feed) Resync() error { return nil }

func objectOf(o any) (kinds.Object, error) {
	object, ok := o.(kinds.Object)
	if !ok {
		return nil, fmt.Errorf("the server sent a %T where an object was expected", o)
	}
	return object, nil
}
