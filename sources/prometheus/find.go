package prometheus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/traintop/traintop/sources/metrics"
)

// Cluster is the part of a cluster that the search for a server needs.
type Cluster interface {
	// Services lists the Services with certain labels in all namespaces. If the
	// API server forbids it, the error is a *Refused.
	Services(ctx context.Context, selector string) ([]Service, error)
	// Proxied returns how to reach a port of a Service through the API server.
	Proxied(namespace, name string, port int32, https bool) (*url.URL, http.RoundTripper)
}

// Service is a Service of a cluster.
type Service struct {
	Namespace, Name string
	Labels          map[string]string
	Ports           []Port
}

// Port is a port of a Service.
type Port struct {
	Name   string
	Number int32
	HTTPS  bool
}

// Refused reports that the API server forbids listing Services.
type Refused struct{ Cause error }

func (r *Refused) Error() string { return r.Cause.Error() }
func (r *Refused) Unwrap() error { return r.Cause }

const (
	// mostCandidates bounds how many Services are probed.
	mostCandidates = 24
	// probeTimeout bounds each request during the search.
	probeTimeout = 5 * time.Second
	// findTimeout bounds the whole search.
	findTimeout = 20 * time.Second
)

// candidate is a Service that may be a Prometheus server.
type candidate struct {
	endpoint Endpoint
	stack    *stack
	rank     int
}

// absentError reports that no server was found. Its cause is the most specific
// error of the search, if there was any.
type absentError struct {
	listed bool
	// cause is the error of the Service at.
	cause error
	at    *Endpoint
}

func (e *absentError) Error() string {
	switch {
	case e.cause != nil:
		return fmt.Sprintf("%s: %v", e.at, e.cause)
	case !e.listed:
		return "Services may not be listed in all namespaces, and none of the usual ones is Prometheus"
	}
	return "the cluster has no Service of Prometheus, Thanos, Mimir or VictoriaMetrics that is known here"
}

func (e *absentError) Unwrap() error { return e.cause }

// found is a server that answered, with the names of its metrics.
type found struct {
	endpoint *Endpoint
	names    nameList
}

// nameList is what a server answers about the names of its metrics. doubt is its warning
// that the answer is incomplete, "" for none.
type nameList struct {
	names []string
	doubt string
}

// find searches the cluster's Services for a server.
func find(ctx context.Context, cluster Cluster, now func() time.Time) (found, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, findTimeout, &lateError{findTimeout})
	defer cancel()
	candidates, listed, err := candidates(ctx, cluster)
	if err != nil {
		return found{}, err
	}
	missing := &absentError{listed: listed}
	var second found
	for i := range candidates {
		endpoint := &candidates[i].endpoint
		names, err := probe(ctx, endpoint, now())
		switch {
		case err == nil && metrics.NewPrometheus("").SetNames(names.names) > 0:
			return found{endpoint, names}, nil
		case err == nil && second.endpoint == nil:
			second = found{endpoint, names}
		case err != nil:
			missing.note(endpoint, err, listed)
		}
		if ctx.Err() != nil {
			break
		}
	}
	if second.endpoint != nil {
		return second, nil
	}
	return found{}, missing
}

// note keeps the most specific error: a refusal before all others. Of Services
// that were guessed, it keeps only refusals: most do not exist.
func (e *absentError) note(at *Endpoint, err error, listed bool) {
	if !listed && (elsewhere(err) || !forbidden(err)) {
		return
	}
	if e.cause == nil || forbidden(err) && !forbidden(e.cause) {
		e.cause, e.at = err, at
	}
}

// candidates returns the Services to probe, in order. listed is false if they are
// guessed, because listing Services is forbidden.
func candidates(ctx context.Context, cluster Cluster) (all []candidate, listed bool, err error) {
	seen := map[string]bool{}
	for _, found := range listServices(ctx, cluster) {
		if refused := (*Refused)(nil); errors.As(found.err, &refused) {
			return guesses(cluster), false, nil
		}
		if found.err != nil {
			return nil, false, fmt.Errorf("listing Services to find Prometheus: %w", found.err)
		}
		services := found.services
		for i := range services {
			if at := "/" + services[i].Namespace + "/" + services[i].Name; !seen[at] {
				seen[at] = true
				all = addCandidate(all, cluster, &services[i])
			}
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.endpoint.Service, b.endpoint.Service))
	})
	return all[:min(len(all), mostCandidates)], true, nil
}

// servicesFound is the result for one selector.
type servicesFound struct {
	services []Service
	err      error
}

// listServices lists all selectors concurrently, and returns results in their order.
func listServices(ctx context.Context, cluster Cluster) []servicesFound {
	all := selectors()
	found := make([]servicesFound, len(all))
	var asking sync.WaitGroup
	for i, selector := range all {
		asking.Go(func() { found[i].services, found[i].err = cluster.Services(ctx, selector) })
	}
	asking.Wait()
	return found
}

func addCandidate(all []candidate, cluster Cluster, service *Service) []candidate {
	for rank := range stacks {
		if s := &stacks[rank]; s.matches(service.Labels) {
			number, https := s.portOf(service)
			return append(all, candidate{s.endpoint(cluster, service.Namespace, service.Name, number, https), s, rank})
		}
	}
	return all
}

func guesses(cluster Cluster) []candidate {
	var all []candidate
	for rank := range stacks {
		s := &stacks[rank]
		for _, known := range s.known {
			namespace, name, _ := strings.Cut(known, "/")
			all = append(all, candidate{s.endpoint(cluster, namespace, name, s.number, s.https), s, rank})
		}
	}
	return all
}

func (s *stack) endpoint(cluster Cluster, namespace, name string, port int32, https bool) Endpoint {
	at, through := cluster.Proxied(namespace, name, port, https)
	return Endpoint{URL: at.JoinPath(s.prefix), Transport: through, Service: namespace + "/" + name}
}

// probe checks whether a server answers, and returns the names of its metrics.
func probe(ctx context.Context, e *Endpoint, now time.Time) (nameList, error) {
	err := e.get(ctx, probeTimeout, "/api/v1/query", url.Values{"query": {"vector(1)"}}, func(in io.Reader) error {
		_, _, err := metrics.ReadPromNumber(in)
		return err
	})
	if err != nil {
		return nameList{}, err
	}
	return metricNames(ctx, e, now, probeTimeout)
}

// nameWindow is how far back names of metrics count; it is long enough for clocks
// that differ.
const nameWindow = 2 * time.Hour

// metricNames returns the names of all recent metrics, or of all metrics ever if
// there are no recent ones.
func metricNames(ctx context.Context, e *Endpoint, now time.Time, timeout time.Duration) (nameList, error) {
	names, err := namesWithin(ctx, e, timeout, url.Values{
		"start": {unix(now.Add(-nameWindow))}, "end": {unix(now.Add(nameWindow))},
	})
	if err == nil && len(names.names) == 0 {
		return namesWithin(ctx, e, timeout, url.Values{})
	}
	return names, err
}

func namesWithin(ctx context.Context, e *Endpoint, timeout time.Duration, window url.Values) (list nameList, err error) {
	err = e.get(ctx, timeout, "/api/v1/label/__name__/values", window, func(in io.Reader) error {
		names, answer, err := metrics.ReadPromNames(in)
		list = nameList{names, oneLine(strings.Join(answer.Warnings, "; "))}
		return err
	})
	return list, err
}

// unix formats a time for the API.
func unix(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) }
