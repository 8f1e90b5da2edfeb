package store

import (
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/store/history"
	"github.com/traintop/traintop/train"
)

// UsageOf identifies whose usage is meant: a node, or a container of a pod
// (Container "" for the pod as a whole).
type UsageOf struct{ Node, Namespace, Pod, Container string }

func (of UsageOf) key() string {
	if of.Node != "" {
		return "node/" + of.Node
	}
	return podUsageKey(of.Namespace, of.Pod) + of.Container
}

func podUsageKey(namespace, pod string) string { return "pod/" + namespace + "/" + pod + "/" }

// usageTables are the usage by source, in order of source name.
type usageTables struct{ sources []usageTable }

type usageTable struct {
	source string
	rows   tree[string, *usageRow]
}

// usageRow is a source's usage of one thing, with its history.
type usageRow struct {
	train.Usage
	past history.Past
}

// NodeUsage returns the usage of a node; nil when no source reports it, or all
// of it has expired. Where several sources report, each quantity comes from
// the first by name, and stale sources come after the others.
func (s *Snapshot) NodeUsage(name string) *train.Usage {
	return usageAt(s, UsageOf{Node: name}.key())
}

// PodUsage returns the usage of a pod: one for each container, in order of
// name, and before them one with Container "" where a source reports the pod
// as a whole (its network). It leaves out expired usage.
func (s *Snapshot) PodUsage(namespace, pod string) (found []*train.Usage) {
	prefix := podUsageKey(namespace, pod)
	var keys []string
	for i := range s.usage.sources {
		mapOf(s.usage.sources[i].rows).Ascend(prefix, func(key string, _ *usageRow) bool {
			if strings.HasPrefix(key, prefix) {
				keys = append(keys, key)
				return true
			}
			return false
		})
	}
	if len(s.usage.sources) > 1 {
		slices.Sort(keys)
		keys = slices.Compact(keys)
	}
	for _, key := range keys {
		if u := usageAt(s, key); u != nil {
			found = append(found, u)
		}
	}
	return found
}

// usageAt merges what the sources report of one thing.
func usageAt(s *Snapshot, key string) *train.Usage {
	var all []*train.Usage
	for i := range s.usage.sources {
		if row, has := mapOf(s.usage.sources[i].rows).Get(key); has && row.Freshness(s.Now) != train.Expired {
			all = append(all, &row.Usage)
		}
	}
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	slices.SortStableFunc(all, func(a, b *train.Usage) int { return int(a.Freshness(s.Now)) - int(b.Freshness(s.Now)) })
	together := *all[0]
	for _, u := range all[1:] {
		together.Values.Fill(&u.Values)
	}
	return &together
}

// UsagePast returns the history of one quantity, oldest first: the last hour
// in points about a minute apart, of nodes and of the pods of training jobs.
// UsedRDMAErrors counts from 0 at the first point, and continues when the
// counter is reset; ports have no history.
func (s *Snapshot) UsagePast(of UsageOf, q train.UsageQuantity) (points []train.Point) {
	column, key := slices.Index(keptUsage[:], q), of.key()
	if column < 0 {
		return nil
	}
	for i := range s.usage.sources {
		row, has := mapOf(s.usage.sources[i].rows).Get(key)
		if !has {
			continue
		}
		row.past.Each(column, s.Now.Add(-history.Span), func(at time.Time, value float32) bool {
			points = append(points, train.Point{At: at, Value: float64(value)})
			return true
		})
		if len(points) > 0 {
			return points
		}
	}
	return nil
}
