package recording

import (
	"reflect"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/train/kinds"
)

// shiftObject moves the times inside of an object that nobody else holds yet.
func shiftObject(o kinds.Object, by time.Duration) {
	if tree, is := o.(*unstructured.Unstructured); is {
		shiftTree(tree.Object, by)
		return
	}
	v := reflect.ValueOf(o).Elem()
	placesIn(v.Type()).shift(v, by)
}

// shiftTree moves the texts of a tree that are times as the API writes them.
func shiftTree(tree any, by time.Duration) any {
	switch tree := tree.(type) {
	case map[string]any:
		for name, field := range tree {
			if shifted := shiftTree(field, by); shifted != nil {
				tree[name] = shifted
			}
		}
	case []any:
		for i, item := range tree {
			if shifted := shiftTree(item, by); shifted != nil {
				tree[i] = shifted
			}
		}
	case string:
		if shifted, is := shiftStamp(tree, by); is {
			return shifted
		}
	}
	return nil // it is moved in its place, or is no time
}

// shiftStamp moves a text that is a time of RFC 3339 and nothing else, with as
// many digits of a second as it has.
func shiftStamp(text string, by time.Duration) (string, bool) {
	const least = len("2006-01-02T15:04:05Z")
	if len(text) < least || len(text) > len(time.RFC3339Nano) || !hasShape(text[:least-1], "dddd-dd-ddTdd:dd:dd") {
		return "", false
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return "", false
	}
	// the shift is whole seconds, so what stands behind the point stays
	end := least - 1
	return at.Add(by).Format("2006-01-02T15:04:05") + text[end:], true
}

// places are where times stand in values of a Go type.
type places struct {
	is     placesOf
	inside *places // of pointers, lists and maps
	fields []placesField
	// filled is false while a type that holds itself is looked at.
	filled bool
}

type placesOf byte

const (
	noTime placesOf = iota
	aTime
	aMicroTime
	aPointer
	aList
	aMap
	aStruct
)

type placesField struct {
	index  int
	places *places
}

var (
	placesMu    sync.Mutex
	placesKnown = map[reflect.Type]*places{}

	typeOfTime      = reflect.TypeFor[metav1.Time]()
	typeOfMicroTime = reflect.TypeFor[metav1.MicroTime]()
)

// placesIn looks once through a type.
func placesIn(t reflect.Type) *places {
	placesMu.Lock()
	defer placesMu.Unlock()
	return findPlaces(t)
}

func findPlaces(t reflect.Type) *places {
	if known := placesKnown[t]; known != nil {
		return known
	}
	p := &places{}
	placesKnown[t] = p
	switch {
	case t == typeOfTime:
		p.is = aTime
	case t == typeOfMicroTime:
		p.is = aMicroTime
	case t.Kind() == reflect.Pointer:
		p.holds(aPointer, t.Elem())
	case t.Kind() == reflect.Slice:
		p.holds(aList, t.Elem())
	case t.Kind() == reflect.Map:
		p.holds(aMap, t.Elem())
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			inside := findPlaces(t.Field(i).Type)
			if t.Field(i).IsExported() && !inside.none() {
				p.is, p.fields = aStruct, append(p.fields, placesField{i, inside})
			}
		}
	}
	p.filled = true
	return p
}

// none is true of a type without times. One that is still looked at holds
// itself, and may have some.
func (p *places) none() bool { return p.filled && p.is == noTime }

func (p *places) holds(is placesOf, inside reflect.Type) {
	if found := findPlaces(inside); !found.none() {
		p.is, p.inside = is, found
	}
}

// shift moves the times of a value that can be set.
func (p *places) shift(v reflect.Value, by time.Duration) {
	switch p.is {
	case aTime:
		at := v.Addr().Interface().(*metav1.Time)
		at.Time = later(at.Time, by)
	case aMicroTime:
		at := v.Addr().Interface().(*metav1.MicroTime)
		at.Time = later(at.Time, by)
	case aPointer:
		if !v.IsNil() {
			p.inside.shift(v.Elem(), by)
		}
	case aList:
		for i := range v.Len() {
			p.inside.shift(v.Index(i), by)
		}
	case aMap:
		for _, key := range v.MapKeys() {
			held := reflect.New(v.Type().Elem()).Elem()
			held.Set(v.MapIndex(key))
			p.inside.shift(held, by)
			v.SetMapIndex(key, held)
		}
	case aStruct:
		for i := range p.fields {
			p.fields[i].places.shift(v.Field(p.fields[i].index), by)
		}
	}
}
