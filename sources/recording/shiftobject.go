package recording

import (
	"reflect"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/train/kinds"
)

// shiftObject moves the times inside an object that nobody else holds yet.
func shiftObject(o kinds.Object, by time.Duration) {
	if tree, is := o.(*unstructured.Unstructured); is {
		shiftTree(tree.Object, by)
		return
	}
	v := reflect.ValueOf(o).Elem()
	placesIn(v.Type()).shift(v, by)
}

// shiftTree moves the strings of an unstructured object that are times in the
// API's format.
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
	return nil // moved in place, or no time
}

// shiftStamp moves a string that is exactly one RFC 3339 time, and keeps its
// fractional digits.
func shiftStamp(text string, by time.Duration) (string, bool) {
	const least = len("2006-01-02T15:04:05Z")
	if len(text) < least || len(text) > len(time.RFC3339Nano) || !hasShape(text[:least-1], "dddd-dd-ddTdd:dd:dd") {
		return "", false
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return "", false
	}
	// the shift is in whole seconds, so the fraction and the zone stay
	end := least - 1
	return at.Add(by).Format("2006-01-02T15:04:05") + text[end:], true
}

// places lists where values of a Go type contain times.
type places struct {
	is     placesOf
	inside *places // of pointers, slices and maps
	fields []placesField
	// filled is false while a recursive type is being examined.
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

// placesIn examines a type once and caches the result.
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

// none reports whether a type contains no times. A type still being examined
// is recursive and may contain some.
func (p *places) none() bool { return p.filled && p.is == noTime }

func (p *places) holds(is placesOf, inside reflect.Type) {
	if found := findPlaces(inside); !found.none() {
		p.is, p.inside = is, found
	}
}

// shift moves the times of a settable value.
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
