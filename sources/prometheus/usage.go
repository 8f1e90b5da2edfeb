package prometheus

import (
	"cmp"
	"context"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/sources/metrics"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// usage queries what nodes and the pods of training jobs use.
func (r *session) usage(ctx context.Context) {
	began := r.source.options.Now()
	r.usageAt = began.Add(usageInterval)
	if r.source.options.Pods == nil {
		r.usageAt = began.Add(24 * time.Hour)
		return
	}
	pods, namespaces := r.pods()
	queries := metrics.UsageQueries(r.names, r.match, namespaces)
	if len(queries) == 0 || r.noCluster {
		return
	}
	wanted := func(namespace, name string) bool { return pods[Pod{namespace, name}] }
	gathered := metrics.NewPromUsage()
	var failed error
	answered, doubt := 0, ""
	for _, q := range queries {
		err := r.endpoint.get(ctx, queryTimeout, "/api/v1/query", instantly(q.Text), func(in io.Reader) error {
			answer, err := gathered.Read(q, in, wanted)
			doubt = cmp.Or(doubt, oneLine(strings.Join(answer.Warnings, "; "))) // those of the others are mostly the same
			return err
		})
		if err != nil {
			failed = err
			continue
		}
		answered++
	}
	if ctx.Err() != nil {
		return
	}
	if took := r.source.options.Now().Sub(began); 4*took > usageInterval {
		r.usageAt = began.Add(4 * took)
	}
	if answered > 0 {
		r.source.sink.Apply(store.Used{
			Source: SourceName, Usage: gathered.Usage(r.shift), Complete: failed == nil, Every: r.usageAt.Sub(began),
		})
	}
	switch {
	case failed == nil && (doubt == "" || slices.Contains(r.warnings, doubt)): // it is reported about the numbers of GPUs
		r.source.tell.well(UsageSource)
		return
	case failed == nil:
		r.source.tell.report(UsageSource, train.Health{State: train.SourceLive, Text: "what nodes and pods use: " + doubt}, 0)
		return
	}
	r.source.tell.report(UsageSource, trouble("asking Prometheus at "+r.endpoint.String()+" about nodes and pods", r.endpoint, failed), r.usageAt.Sub(r.source.options.Now()))
}

// pods returns the pods to query, and their namespaces in order.
func (r *session) pods() (map[Pod]bool, []string) {
	pods, namespaces := map[Pod]bool{}, map[string]bool{}
	for _, pod := range r.source.options.Pods() {
		pods[pod] = true
		namespaces[pod.Namespace] = true
	}
	return pods, slices.Sorted(maps.Keys(namespaces))
}
