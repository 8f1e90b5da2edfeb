package changes

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Edited waits until a snapshot shows what an edit set. patch is the JSON merge patch
// (RFC 7386) that was sent, live the object before it, as JSON.
//
// Snapshots leave out parts of objects. A field that the snapshot does not have, or has
// with a third value, is inconclusive; then the object's resourceVersion has to differ
// from the one before. For a kind that snapshots do not contain there is nothing to
// wait for.
func Edited(ref train.Ref, patch, live []byte) func(*store.Snapshot) (done bool, rest string) {
	var sent, before map[string]any
	if json.Unmarshal(patch, &sent) != nil || json.Unmarshal(live, &before) != nil {
		sent, before = nil, nil // fields are inconclusive, and the version decides
	}
	version := versionOf(before)
	if metadata, is := sent["metadata"].(map[string]any); is {
		delete(metadata, "resourceVersion") // the precondition of the patch
		if len(metadata) == 0 {
			delete(sent, "metadata")
		}
	}
	return func(s *store.Snapshot) (bool, string) {
		o, presence := s.Object(kindOf(ref), ref.Namespace, ref.Name)
		if presence != train.Present || o.GetResourceVersion() == "" || replaced(o, ref) {
			return true, ""
		}
		var shown map[string]any
		if text, err := json.Marshal(o); err != nil || json.Unmarshal(text, &shown) != nil {
			shown = nil
		}
		reported, old := compareEdit("", sent, before, shown)
		switch {
		case old != "":
			return false, safe(old + " is shown as it was")
		case !reported && o.GetResourceVersion() == version:
			return false, "what is shown of it is older than the change"
		}
		return true, ""
	}
}

// compareEdit compares the fields that a patch sets or removes. old is the first one
// with its earlier value; known is true if all of them have the values that were sent.
func compareEdit(at string, sent, before, shown map[string]any) (known bool, old string) {
	known = len(sent) > 0
	for _, key := range slices.Sorted(maps.Keys(sent)) {
		path := key
		if at != "" {
			path = at + "." + key
		}
		now, has := shown[key]
		was, had := before[key]
		if deeper, isMap := sent[key].(map[string]any); isMap {
			wasMap, _ := was.(map[string]any)
			nowMap, _ := now.(map[string]any)
			allKnown, old := compareEdit(path, deeper, wasMap, nowMap)
			if old != "" {
				return false, old
			}
			known = known && allKnown
			continue
		}
		switch {
		case has && reflect.DeepEqual(now, sent[key]):
		case has && had && reflect.DeepEqual(now, was):
			return false, path
		default:
			known = false
		}
	}
	return known, ""
}

func versionOf(object map[string]any) string {
	metadata, _ := object["metadata"].(map[string]any)
	version, _ := metadata["resourceVersion"].(string)
	return version
}
