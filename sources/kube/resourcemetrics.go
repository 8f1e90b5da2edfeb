package kube

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/sources/metrics"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// usageSource is the name of metrics.k8s.io in health and in usage.
const usageSource = "metrics.k8s.io"

const (
	// usageDeadline limits one answer: some megabytes with 10,000 pods.
	usageDeadline = 30 * time.Second
	// usageAbsent is how often we check whether the API was installed.
	usageAbsent = 5 * time.Minute
)

// usageReader reads the CPU and memory usage of nodes and containers from
// metrics.k8s.io/v1beta1: the API of metrics-server (0.9), which others serve
// as well.
type usageReader struct {
	connection *client.Connection
	gate       gate
	sink       sources.Sink
	publish    func(train.Health)
	now        func() time.Time
	every      time.Duration
	pinned     string
	namespace  *namespaceInUse
	// others are namespaces that are read besides the one in use.
	others *otherNamespaces

	// narrow is true while pods may not be read in all namespaces; read are
	// then the namespaces whose pods were read in a round.
	narrow bool
	read   []string

	mu sync.Mutex // guards what follows, since namespaces are read at once
	// unread counts invalid amounts of a round.
	unread int
	// likely is how many nodes and containers the last answers had.
	likely map[client.Resource]int
	wait   *client.Backoff
}

func newUsageReader(c *Cluster, g gate, report *reporter, sink sources.Sink, others *otherNamespaces) *usageReader {
	return &usageReader{
		others:     others,
		connection: c.connection, gate: g, sink: sink, publish: report.publish, now: c.now, every: c.usage,
		pinned: c.pinned, namespace: c.namespace, likely: map[client.Resource]int{}, wait: client.NewBackoff(c.usage, max(c.usage, longestRetry)),
	}
}

// run reads until ctx ends.
func (u *usageReader) run(ctx context.Context) {
	for u.gate.wait(ctx) && u.sleep(ctx, u.round(ctx)) {
		continue
	}
}

// sleep waits until the next round, which begins at once if other namespaces
// were found while pods may not be read in all.
func (u *usageReader) sleep(ctx context.Context, delay time.Duration) bool {
	if !u.narrow {
		return client.Sleep(ctx, delay)
	}
	limited, stop := context.WithTimeout(ctx, delay)
	defer stop()
	select {
	case <-limited.Done():
	case <-u.others.changes:
	}
	return ctx.Err() == nil
}

// round reads once, and returns how long to wait for the next round.
func (u *usageReader) round(ctx context.Context) time.Duration {
	u.unread = 0
	nodes, nodesErr := u.ask(ctx, nodeMetrics, "")
	if ctx.Err() != nil {
		return 0
	}
	if isCode(nodesErr, http.StatusNotFound) {
		u.sink.Apply(store.Used{Source: usageSource, Complete: true})
		u.publish(train.Health{Source: usageSource, State: train.SourceAbsent, Text: "the cluster does not serve metrics.k8s.io (metrics-server is not installed), so nobody tells here what nodes and pods use of CPU and memory"})
		return usageAbsent
	}
	pods, podsErr := u.askPods(ctx)
	if ctx.Err() != nil {
		return 0
	}
	if nodesErr == nil || podsErr == nil || len(pods) > 0 {
		// A part that could not be read is not gone, except where reading is
		// forbidden.
		complete := (nodesErr == nil || isRefused(nodesErr)) && (podsErr == nil || isRefused(podsErr))
		u.sink.Apply(store.Used{Source: usageSource, Usage: append(nodes, pods...), Complete: complete, Every: u.every})
	}
	return u.report(nodesErr, podsErr)
}

// askPods reads all namespaces, or the one in use and the others that are read
// one by one if that is refused.
func (u *usageReader) askPods(ctx context.Context) ([]train.Usage, error) {
	if u.pinned != "" {
		return u.ask(ctx, podMetrics, u.pinned)
	}
	used, err := u.ask(ctx, podMetrics, "")
	name, _ := u.namespace.get()
	if name == "" || err == nil {
		u.narrow = false
		return used, err
	}
	if u.narrow = u.narrow || isRefused(err); !u.narrow {
		return used, err
	}
	return u.askEach(ctx, append([]string{name}, u.others.beside(name)...))
}

// usageAtOnce is how many namespaces are asked at the same time.
const usageAtOnce = 8

// askEach reads several namespaces. It fails as one of them does; if some are
// refused, the others are the answer.
func (u *usageReader) askEach(ctx context.Context, namespaces []string) (used []train.Usage, err error) {
	answers, errs := make([][]train.Usage, len(namespaces)), make([]error, len(namespaces))
	turns := make(chan struct{}, usageAtOnce)
	var asking sync.WaitGroup
	for i, name := range namespaces {
		turns <- struct{}{}
		asking.Go(func() {
			defer func() { <-turns }()
			answers[i], errs[i] = u.ask(ctx, podMetrics, name)
		})
	}
	asking.Wait()
	u.read = nil
	var refused error
	for i, name := range namespaces {
		switch {
		case errs[i] == nil:
			used, u.read = append(used, answers[i]...), append(u.read, name)
		case isRefused(errs[i]):
			refused = cmp.Or(refused, errs[i])
		default:
			err = cmp.Or(err, errs[i])
		}
	}
	if err == nil && len(u.read) == 0 {
		err = refused
	}
	return used, err
}

// ask makes one request. It drops the part of an answer that broke off, since
// the next round follows after the interval.
func (u *usageReader) ask(ctx context.Context, r client.Resource, namespace string) ([]train.Usage, error) {
	limited, cancel := context.WithTimeout(ctx, usageDeadline)
	defer cancel()
	response, err := u.connection.GetProxied(limited, client.Protobuf+", application/json", r.Path(namespace, "")...)
	if err != nil {
		if limited.Err() == nil && u.gate.failed(ctx, err) {
			return nil, errAway
		}
		return nil, late(ctx, limited, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		text := client.Beginning(response.Body)
		if status := client.StatusIn(text); status != nil {
			text = []byte(status.Message)
		}
		return nil, &usageError{response.StatusCode, client.Printable(string(text))}
	}
	u.mu.Lock()
	likely := u.likely[r]
	u.mu.Unlock()
	list, err := readUsageList(&bounded{in: response.Body, left: metrics.MaxText}, r, likely)
	if err != nil {
		return nil, late(ctx, limited, err)
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.unread += list.unread
	u.likely[r] = len(list.used)
	u.clamp(list.used)
	return list.used, nil
}

// clamp limits times to now, since a clock that is ahead would make values
// that never become stale.
func (u *usageReader) clamp(used []train.Usage) {
	now := u.now()
	for i := range used {
		if at := used[i].At; at.IsZero() || at.Sub(now) > clockSlack {
			used[i].At = now
		}
	}
}

// errAway: the whole API server did not answer, not only metrics.k8s.io.
var errAway = errors.New("the API server does not answer")

func late(ctx, limited context.Context, err error) error {
	if limited.Err() != nil && ctx.Err() == nil {
		return fmt.Errorf("no complete answer within %s", usageDeadline)
	}
	if errors.Is(err, errListCut) {
		return errors.New("the answer broke off")
	}
	return err
}

// usageError is an answer that is not a list.
type usageError struct {
	code int
	said string
}

// Error returns the server's text.
func (e *usageError) Error() string { return fmt.Sprintf("%d: %s", e.code, e.said) }

func isCode(err error, code int) bool {
	var answered *usageError
	return errors.As(err, &answered) && answered.code == code
}

func isRefused(err error) bool { return isCode(err, http.StatusForbidden) }

// report reports the state of both requests, and returns when to make the
// next.
func (u *usageReader) report(nodes, pods error) time.Duration {
	h := train.Health{Source: usageSource, Group: usageSource, State: train.SourceLive}
	delay := u.every
	switch {
	case errors.Is(nodes, errAway) || errors.Is(pods, errAway):
		return time.Second // the link reports it
	case isRefused(nodes) && isRefused(pods):
		delay = max(u.every, refusedInterval)
		h.State, h.Verb, h.Resource, h.Retry = train.SourceForbidden, "list", "pods", u.now().Add(delay)
		h.Text = usageRefused("nodes and pods", pods)
	case nodes != nil && !isRefused(nodes) || pods != nil && !isRefused(pods):
		delay = u.wait.Next()
		h.State, h.Retry = train.SourceRetrying, u.now().Add(delay)
		h.Text = "asking metrics.k8s.io what nodes and pods use: " + troubleOf(nodes, pods)
	default:
		u.wait.Reset()
		if u.narrow {
			h.Namespace, _ = u.namespace.get()
		}
		if u.narrow && len(u.read) > 1 {
			h.Text = fmt.Sprintf("reading all namespaces is refused; read are %s (%s)", termtext.Count(len(u.read), "namespace"), nameSome(u.read))
		}
		if u.unread > 0 {
			h.Text = fmt.Sprintf("%d amounts in the answer are none, and are left out", u.unread)
		}
	}
	u.publish(h)
	u.reportNodes(nodes, h.State)
	return delay
}

// reportNodes reports that only nodes are refused, which is common.
func (u *usageReader) reportNodes(err error, state train.SourceState) {
	h := train.Health{Source: usageSource + "/nodes"}
	if isRefused(err) && state == train.SourceLive {
		h.State, h.Verb, h.Group, h.Resource = train.SourceForbidden, "list", usageSource, "nodes"
		h.Text = usageRefused("nodes", err)
	}
	u.publish(h)
}

func troubleOf(nodes, pods error) string {
	err := nodes
	if err == nil || isRefused(err) {
		err = pods
	}
	if isCode(err, http.StatusServiceUnavailable) {
		return "the server behind it (metrics-server) is not ready: " + client.Cause(err)
	}
	return client.Cause(err)
}

func usageRefused(what string, err error) string {
	return fmt.Sprintf("listing what %s use was refused: %s; it needs a ClusterRole with the rule "+
		"{apiGroups: [metrics.k8s.io], resources: [nodes, pods], verbs: [get, list]} (deploy/rbac.yaml has it; check with `kubectl top nodes`)",
		what, client.Cause(err))
}
