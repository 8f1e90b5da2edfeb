package kube

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// placesSource is the API group in which Kueue reports who waits in its queues, and
// the name of that in health.
const placesSource = "visibility.kueue.x-k8s.io"

// placesVersions are the versions that are read, the newer first. Kueue serves
// v1beta1 since 0.9 and v1beta2 since 0.15; what is read of them is the same.
var placesVersions = []string{"v1beta2", "v1beta1"}

const (
	// placesInterval is how often queues are asked while something waits there;
	// leastPlaces is the least time between two rounds, since a round also begins
	// when the number of those that wait changed.
	placesInterval, leastPlaces = 20 * time.Second, 5 * time.Second
	// placesDeadline limits a round, placesOnce that of a printed answer, which
	// waits for it.
	placesDeadline, placesOnce = 10 * time.Second, 5 * time.Second
	// mostQueues and queuesAtOnce limit the queues asked in a round.
	mostQueues, queuesAtOnce = 64, 4
	// mostPlaces limits an answer: Kueue 0.19 gives 1,000 Workloads, of some 500
	// bytes each, unless it is asked for more.
	mostPlaces = 4 << 20
)

// placesReader asks Kueue for the places of the Workloads that wait in its queues.
// It asks nothing while no queue reports that any wait.
type placesReader struct {
	connection *client.Connection
	gate       gate
	sink       sources.Sink
	publish    func(train.Health)
	now        func() time.Time
	pinned     string
	tap        *queueTap
	wait       *client.Backoff
	deadline   time.Duration

	// refused are until when a namespace is not asked because that was refused
	// (refusal is the last one), "" for ClusterQueues; answered are the queues
	// whose places the sink has.
	refused  map[string]time.Time
	refusal  error
	answered map[queueName]bool

	mu sync.Mutex // guards what follows, which the planner sets
	// version is the one that is served, "" for none; discovered is true once
	// that is known.
	version    string
	discovered bool
}

// newPlacesReader returns nil where queues of Kueue are not read.
func newPlacesReader(c *Cluster, g gate, report *reporter, tap *queueTap) *placesReader {
	if tap == nil {
		return nil
	}
	p := &placesReader{
		connection: c.connection, gate: g, sink: tap.sink, publish: report.publish, now: c.now, pinned: c.pinned, tap: tap,
		wait: client.NewBackoff(placesInterval, longestRetry), deadline: placesDeadline,
		refused: map[string]time.Time{}, answered: map[queueName]bool{},
	}
	if c.connection.Patience.Once {
		p.deadline = placesOnce
		p.publish(train.Health{Source: placesSource, State: train.SourceListing}) // a printed answer waits for the places
	}
	return p
}

// readsQueues reports whether a cluster is read with the queues of Kueue.
func (c *Cluster) readsQueues() bool {
	reads := func(kind schema.GroupKind) bool {
		return slices.ContainsFunc(c.kinds, func(k kinds.Kind) bool { return k.GroupKind == kind })
	}
	return reads(kinds.LocalQueueKind) && reads(kinds.ClusterQueueKind)
}

// found notes what discovery found, nil where it failed: nothing is asked then
// that was not served before.
func (p *placesReader) found(apis *client.Apis) {
	if p == nil {
		return
	}
	p.mu.Lock()
	version := p.version
	if apis != nil {
		version = ""
		for _, v := range slices.Backward(placesVersions) {
			if apis.HasVersion(schema.GroupVersion{Group: placesSource, Version: v}) {
				version = v
			}
		}
	}
	changed := !p.discovered || p.version != version
	p.version, p.discovered = version, true
	p.mu.Unlock()
	if changed {
		p.tap.signal()
	}
}

// run reads until ctx ends.
func (p *placesReader) run(ctx context.Context) {
	for p.gate.wait(ctx) {
		delay, least := p.round(ctx)
		if !p.sleep(ctx, delay, least) {
			return
		}
	}
}

// untilChange is the delay of a round that waits until something changed.
const untilChange = -1

// sleep waits for a delay, or until something changed and the least delay is over.
func (p *placesReader) sleep(ctx context.Context, delay, least time.Duration) bool {
	began := p.now()
	if delay == untilChange {
		select {
		case <-ctx.Done():
		case <-p.tap.changed:
		}
		return ctx.Err() == nil
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	case <-p.tap.changed:
	}
	return client.Sleep(ctx, min(delay, least)-p.now().Sub(began))
}

// round asks once, and returns how long to wait for the next round, and at least
// where something changes before.
func (p *placesReader) round(ctx context.Context) (delay, least time.Duration) {
	p.mu.Lock()
	version, discovered := p.version, p.discovered
	p.mu.Unlock()
	local, cluster, known := p.tap.waiting()
	if p.pinned != "" {
		cluster = nil // an answer about all namespaces is not for one
	}
	switch {
	case !discovered, !known:
		return untilChange, 0
	case len(local)+len(cluster) == 0:
		p.takeBack(nil)
		p.publish(train.Health{Source: placesSource})
		return untilChange, 0
	case version == "":
		p.takeBack(nil)
		p.publish(train.Health{Source: placesSource, State: train.SourceAbsent, Text: "the cluster does not serve " + placesSource +
			" (Kueue 0.9 and newer do, unless the gate VisibilityOnDemand is off), so places in queues are counted from what is read"})
		return untilChange, 0
	}
	limited, cancel := context.WithTimeout(ctx, p.deadline)
	defer cancel()
	r := &placesRound{reader: p, version: version, known: map[queueName]bool{}}
	r.ask(ctx, limited, cluster)
	if !r.good && r.trouble == nil { // ClusterQueues are not for everybody
		r.ask(ctx, limited, local)
	}
	if ctx.Err() != nil {
		return 0, 0
	}
	p.takeBack(r.known)
	return p.report(r, len(local) > 0)
}

// takeBack reports to the sink the queues that have no places any more, except for
// some.
func (p *placesReader) takeBack(except map[queueName]bool) {
	for queue := range p.answered {
		if !except[queue] {
			delete(p.answered, queue)
			p.sink.Apply(store.Placed{Namespace: queue.namespace, Queue: queue.name})
		}
	}
}

// placesRound is one round of questions.
type placesRound struct {
	reader  *placesReader
	version string

	mu sync.Mutex // guards what follows, and refused and answered of the reader
	// known are the queues whose places stay: those that answered, and those that
	// did not this time.
	known map[queueName]bool
	// good is true when Kueue answered for a queue; trouble is the first error
	// but for refusals.
	good    bool
	trouble error
}

// ask asks some queues, several at once.
func (r *placesRound) ask(ctx, limited context.Context, queues []queueName) {
	var asking sync.WaitGroup
	turns := make(chan struct{}, queuesAtOnce)
	for _, queue := range queues[:min(len(queues), mostQueues)] {
		turns <- struct{}{}
		if r.isRefused(queue) {
			<-turns
			continue
		}
		asking.Go(func() {
			defer func() { <-turns }()
			at := r.reader.now()
			waiting, err := r.reader.ask(ctx, limited, r.version, queue)
			r.add(store.Placed{Namespace: queue.namespace, Queue: queue.name, At: at, Every: placesInterval, Waiting: waiting}, err)
		})
	}
	asking.Wait()
}

// isRefused reports whether queues beside this one were refused a while ago.
func (r *placesRound) isRefused(queue queueName) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.reader.now().Before(r.reader.refused[queue.namespace])
}

// add takes one answer.
func (r *placesRound) add(answer store.Placed, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p, queue := r.reader, queueName{answer.Namespace, answer.Queue}
	switch {
	case err == nil:
		r.known[queue], p.answered[queue], r.good = true, true, true
		p.sink.Apply(answer)
	case errors.Is(err, errNoQueue):
		r.good = true
	case isRefused(err):
		p.refused[queue.namespace], p.refusal = p.now().Add(refusedInterval), err
	default:
		r.known[queue] = true // its last answer holds for some rounds
		if r.trouble == nil {
			r.trouble = err
		}
	}
}

// errNoQueue: Kueue does not know the queue, which may be gone by now.
var errNoQueue = errors.New("Kueue does not know the queue")

// ask asks for the Workloads that wait in one queue.
func (p *placesReader) ask(ctx, limited context.Context, version string, queue queueName) ([]store.WaitingPlace, error) {
	response, err := p.connection.GetProxied(limited, "application/json", placesPath(version, queue)...)
	if err != nil {
		if limited.Err() == nil && p.gate.failed(ctx, err) {
			return nil, errAway
		}
		return nil, p.late(ctx, limited, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, placesError(response)
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, mostPlaces+1))
	if err != nil {
		return nil, p.late(ctx, limited, err)
	}
	return placesIn(text)
}

func placesPath(version string, queue queueName) []string {
	path := []string{"/apis", placesSource, version}
	if queue.namespace == "" {
		return append(path, "clusterqueues", queue.name, "pendingworkloads")
	}
	return append(path, "namespaces", queue.namespace, "localqueues", queue.name, "pendingworkloads")
}

func (p *placesReader) late(ctx, limited context.Context, err error) error {
	if limited.Err() != nil && ctx.Err() == nil {
		return fmt.Errorf("no complete answer within %s", p.deadline)
	}
	return err
}

// placesError is an answer that has no places. Kueue itself reports that it does
// not know a queue, with the name of it; the API server reports that of the whole
// group.
func placesError(response *http.Response) error {
	text := client.Beginning(response.Body)
	status := client.StatusIn(text)
	if status == nil {
		return &usageError{response.StatusCode, client.Printable(string(text))}
	}
	if response.StatusCode == http.StatusNotFound && status.Details != nil && status.Details.Name != "" {
		return errNoQueue
	}
	return &usageError{response.StatusCode, client.Printable(status.Message)}
}

// placesIn reads a PendingWorkloadsSummary (Kueue 0.19, apis/visibility). Its
// positions count from 0.
func placesIn(text []byte) ([]store.WaitingPlace, error) {
	if len(text) > mostPlaces {
		return nil, fmt.Errorf("the answer has more than %s", termtext.Bytes(mostPlaces))
	}
	var answer struct {
		Kind  string `json:"kind"`
		Items []struct {
			Metadata struct {
				Name      string `json:"name"`
				Namespace string `json:"namespace"`
				Owners    []struct {
					UID string `json:"uid"`
				} `json:"ownerReferences"`
			} `json:"metadata"`
			Position *int32 `json:"positionInClusterQueue"`
		} `json:"items"`
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return nil, fmt.Errorf("reading the answer: %w", err)
	}
	if answer.Kind != "PendingWorkloadsSummary" {
		return nil, fmt.Errorf("the answer is no PendingWorkloadsSummary: its kind is %q", client.Printable(answer.Kind))
	}
	waiting := make([]store.WaitingPlace, 0, len(answer.Items))
	for i := range answer.Items {
		item := &answer.Items[i]
		if item.Position == nil || *item.Position < 0 {
			continue
		}
		w := store.WaitingPlace{Namespace: item.Metadata.Namespace, Workload: item.Metadata.Name, Place: int(*item.Position) + 1}
		if owners := item.Metadata.Owners; len(owners) == 1 {
			w.Owner = owners[0].UID
		}
		waiting = append(waiting, w)
	}
	return waiting, nil
}

// report reports the state of a round, and returns when the next one is due, and
// when at the earliest.
func (p *placesReader) report(r *placesRound, sees bool) (delay, least time.Duration) {
	h := train.Health{Source: placesSource, Group: placesSource, Resource: "localqueues/pendingworkloads", State: train.SourceLive, Namespace: p.pinned}
	delay, least = placesInterval, leastPlaces
	switch {
	case errors.Is(r.trouble, errAway):
		return time.Second, time.Second // the link reports it
	case r.trouble != nil:
		delay = p.wait.Next()
		least = delay
		h.State, h.Retry = train.SourceRetrying, p.now().Add(delay)
		h.Text = "asking Kueue for the places of waiting jobs: " + placesTrouble(r.trouble) + "; places are counted from what is read after a while"
	case r.good:
		p.wait.Reset()
	case !sees:
		h = train.Health{Source: placesSource} // nothing that may be read waits
	default:
		delay = refusedInterval
		h.State, h.Verb, h.Retry = train.SourceForbidden, "get", p.now().Add(delay)
		h.Text = "asking Kueue for the places of waiting jobs was refused: " + client.Cause(p.refusal) + "; it needs the rule " +
			"{apiGroups: [" + placesSource + "], resources: [clusterqueues/pendingworkloads, localqueues/pendingworkloads], verbs: [get]} " +
			"(deploy/rbac.yaml has it); places are counted from what is read"
	}
	p.publish(h)
	return delay, least
}

func placesTrouble(err error) string {
	if isCode(err, http.StatusServiceUnavailable) {
		return "the server behind " + placesSource + " (Kueue) is not ready: " + client.Cause(err)
	}
	return client.Cause(err)
}
