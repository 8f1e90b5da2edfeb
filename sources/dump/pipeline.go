package dump

import (
	"cmp"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/sources/dump/document"
	"github.com/traintop/traintop/sources/redact/declared"
	"github.com/traintop/traintop/train/kinds"
)

// found is the result of one piece: an object, a problem, or neither.
type found struct {
	piece   piece
	kind    schema.GroupKind
	object  kinds.Object
	instant time.Time
	list    bool // no object but a list's own fields, in piece.list
	deleted bool // the cluster has deleted it
	// variables are those that the object declares, whose secrets are masked in logs.
	variables []declared.Variable
	unnamed   bool // an item without a kind, whose list's kind is not known yet
	line      int  // of the file, where err occurred
	// repeated are the keys of the piece that occur twice, in its first result.
	repeated []document.RepeatedKey
	err      error
}

// load is a batch of pieces for a worker. Loads leave the pipeline in the
// order in which they entered it.
type load struct {
	pieces []piece
	done   chan []found
}

const (
	loadPieces = 64
	loadBytes  = 512 << 10
	maxWorkers = 4 // parsing gains little beyond, and each holds a load in memory
)

// decodeAll splits a stream, parses the pieces on all cores, and calls take
// for each result in file order. take returns false to stop early. decodeAll
// returns when all its goroutines have ended.
func decodeAll(c cutter, take func(found) bool) error {
	workers := min(runtime.GOMAXPROCS(0), maxWorkers)
	work, order := make(chan load), make(chan load, 2*workers)
	stop := make(chan struct{})
	var running sync.WaitGroup
	for range workers {
		running.Go(func() {
			for l := range work {
				var results []found
				for _, p := range l.pieces {
					results = append(results, decode(p)...)
				}
				l.done <- results
			}
		})
	}
	var cutErr error
	running.Go(func() {
		defer close(order)
		defer close(work)
		cutErr = cutLoads(c, func(l load) bool {
			select {
			case order <- l:
			case <-stop:
				return false
			}
			work <- l // workers accept every load, so this never waits for long
			return true
		})
	})
	stopped := false
	for l := range order {
		for _, result := range <-l.done {
			if !stopped && !take(result) {
				stopped = true
				close(stop)
			}
		}
	}
	running.Wait()
	return cutErr
}

// cutLoads collects pieces into loads.
func cutLoads(c cutter, send func(load) bool) error {
	var pieces []piece
	size := 0
	flush := func() bool {
		ready := load{pieces: pieces, done: make(chan []found, 1)}
		pieces, size = nil, 0
		return send(ready)
	}
	err := c.cut(func(p piece) bool {
		pieces = append(pieces, p)
		if size += len(p.text); len(pieces) >= loadPieces || size >= loadBytes {
			return flush()
		}
		return true
	})
	if len(pieces) > 0 {
		flush()
	}
	return err
}

// decode parses one piece. A list inside a list gives several results.
func decode(p piece) []found {
	all, repeated := decodeParsed(p)
	if len(all) > 0 {
		all[0].repeated = repeated
	}
	return all
}

func decodeParsed(p piece) (all []found, repeated []document.RepeatedKey) {
	if p.end == endsOpen {
		if found := decodeOpen(p); found != nil {
			return found, found[0].repeated
		}
	}
	raw, repeated, line, err := p.parse()
	if err != nil {
		return []found{{piece: p, line: p.line + max(line, 1) - 1, err: err}}, nil
	}
	if raw == nil {
		return nil, nil
	}
	if p.role == header {
		p.list = metaOf(raw)
		return []found{{piece: p, list: true, err: cmp.Or(wrongItems(raw), continued(raw)), line: p.line}}, repeated
	}
	if watched, isWatched := raw["object"].(map[string]any); isWatched && metaOf(raw).Kind == "" {
		all = decodeObject(p, watched, 0) // kubectl get --output-watch-events
		for i := range all {
			all[i].deleted = raw["type"] == "DELETED"
		}
		return all, repeated
	}
	return decodeObject(p, raw, 0), repeated
}

// maxListDepth limits nested lists, which no tool prints more than once.
const maxListDepth = 4

func decodeObject(p piece, raw map[string]any, depth int) []found {
	if items, isList := listItems(raw); isList && depth < maxListDepth {
		list := metaOf(raw)
		all := []found{{piece: p, list: true, err: continued(raw), line: p.line}}
		for _, inner := range items {
			object, ok := inner.(map[string]any)
			if inner == nil {
				continue
			}
			if !ok {
				all = append(all, found{piece: p, line: p.line, err: fmt.Errorf("an item of the %s is %s, not an object; it is left out", list.Kind, document.Describe(inner))})
				continue
			}
			completeMeta(object, list)
			all = append(all, decodeObject(p, object, depth+1)...)
		}
		return all
	}
	if err := wrongItems(raw); err != nil {
		return []found{{piece: p, line: p.line, err: err}}
	}
	if p.role == item && metaOf(raw).Kind == "" {
		if completeMeta(raw, p.list); metaOf(raw).Kind == "" {
			return []found{{piece: p, unnamed: true, line: p.line, err: errNoObject}}
		}
	}
	instant, variables := newest(raw), declared.Variables(raw)
	kind, object, err := build(raw)
	if err == nil && p.end == endsShort {
		err = errCutObject(kind, object)
	}
	if err != nil {
		return []found{{piece: p, line: p.line, err: err}}
	}
	return []found{{piece: p, kind: kind, object: object, instant: instant, variables: variables}}
}

// listItems returns the items of a list. Those of an empty one may be null: that is how
// encoding/json writes a slice that was never filled, and so `kubectl cluster-info dump`
// writes what a namespace has none of.
func listItems(raw map[string]any) (items []any, isList bool) {
	value, has := raw["items"]
	items, isList = value.([]any)
	return items, (isList || has && value == nil) && strings.HasSuffix(metaOf(raw).Kind, "List")
}

// wrongItems reports a list whose items are no list.
func wrongItems(raw map[string]any) error {
	kind, items := metaOf(raw).Kind, raw["items"]
	if _, isList := items.([]any); isList || items == nil || !strings.HasSuffix(kind, "List") {
		return nil
	}
	return fmt.Errorf("the items of the %s are %s, not a list; they are left out", kind, document.Describe(items))
}

func metaOf(raw map[string]any) typeMeta {
	apiVersion, _ := raw["apiVersion"].(string)
	kind, _ := raw["kind"].(string)
	return typeMeta{apiVersion, kind}
}

// completeMeta sets the kind of an item of a typed list, such as a PodList,
// which only the list has.
func completeMeta(raw map[string]any, list typeMeta) {
	kind := list.itemKind()
	if kind == "" || metaOf(raw).Kind != "" {
		return
	}
	raw["kind"] = kind
	if metaOf(raw).APIVersion == "" {
		raw["apiVersion"] = list.APIVersion
	}
}

func newCutter(o opened, limit int) cutter {
	if o.is == isJSON {
		return newJSONCutter(o.text, limit)
	}
	return newYAMLCutter(o.text, limit)
}
