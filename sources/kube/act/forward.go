package act

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"syscall"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/train"
)

// Forward forwards a port of a pod to the loopback addresses of this machine.
// It returns once connected to the pod; ctx limits only that. Later failures
// are Trouble in the state, and retried until Close, or until the pod is
// deleted, replaced or finished. Its errors are *actions.Failure.
func (c *Actor) Forward(ctx context.Context, f actions.Forward) (actions.Forwarding, error) {
	made, err := c.forward(ctx, f)
	if err != nil {
		return nil, forwardFailure(ctx, c.connection.Address, f, err)
	}
	return made, nil
}

func (c *Actor) forward(ctx context.Context, f actions.Forward) (*forwarding, error) {
	if err := checkForward(f); err != nil {
		return nil, err
	}
	uid, err := c.forwardable(ctx, f)
	if err != nil {
		return nil, err
	}
	f.PodUID = uid
	listeners, err := ListenLoopback(f.Local, f.Remote)
	if err != nil {
		return nil, err
	}
	tunnel, err := c.dialForward(ctx, f)
	if err != nil {
		CloseAll(listeners)
		return nil, err
	}
	f.Local = PortOf(listeners[0])
	return c.beginForward(f, listeners, tunnel), nil
}

func checkForward(f actions.Forward) error {
	if f.Namespace == "" || f.Pod == "" {
		return &unaskedError{"it names no pod"}
	}
	for _, part := range []string{f.Namespace, f.Pod} {
		if err := client.CheckName(part); err != nil {
			return &unaskedError{err.Error()}
		}
	}
	if f.Remote < 1 || f.Remote > 65535 {
		return &unaskedError{fmt.Sprintf("%d is no port; they go from 1 to 65535", f.Remote)}
	}
	if f.Local < 0 || f.Local > 65535 {
		return &unaskedError{fmt.Sprintf("%d is no port of this machine; they go from 1 to 65535, and 0 takes a free one", f.Local)}
	}
	return nil
}

// forwarding is a forwarded port. Its goroutines end with Close.
type forwarding struct {
	actor     *Actor
	listeners []net.Listener
	ctx       context.Context // ends on Close
	cancel    context.CancelFunc
	running   sync.WaitGroup
	changed   chan struct{}

	mu    sync.Mutex
	state actions.ForwardState
	// tunnel is the connection to the pod, nil while there is none; ready is
	// closed when there is one again.
	tunnel   *tunnel
	ready    chan struct{}
	requests int
}

func (c *Actor) beginForward(f actions.Forward, listeners []net.Listener, first *tunnel) *forwarding {
	ctx, cancel := context.WithCancel(context.Background())
	made := &forwarding{
		actor: c, listeners: listeners, ctx: ctx, cancel: cancel, changed: make(chan struct{}, 1),
		state:  actions.ForwardState{Forward: f, Since: c.now()},
		tunnel: first, ready: make(chan struct{}),
	}
	close(made.ready)
	made.running.Go(func() { made.keep(first) })
	for _, listener := range listeners {
		made.running.Go(func() { made.accept(listener) })
	}
	return made
}

// State returns the current state.
func (f *forwarding) State() actions.ForwardState {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.state
}

// Changed is signalled on a change of the state other than byte counts.
func (f *forwarding) Changed() <-chan struct{} { return f.changed }

// Close ends it with all its connections, and waits for them.
func (f *forwarding) Close() {
	f.stop()
	f.running.Wait()
}

func (f *forwarding) stop() {
	f.cancel()
	CloseAll(f.listeners)
}

func (f *forwarding) change(change func(*actions.ForwardState)) {
	f.mu.Lock()
	before := f.state
	change(&f.state)
	same := before == f.state
	f.mu.Unlock()
	if same {
		return
	}
	select {
	case f.changed <- struct{}{}:
	default:
	}
}

func (f *forwarding) trouble(text string) {
	f.change(func(s *actions.ForwardState) { s.Trouble = text })
}

const (
	// lookEvery is how often the pod is read while the tunnel works: nothing
	// else reports that the pod was replaced.
	lookEvery = 10 * time.Second
	// redialFirst and redialMost are the shortest and longest pause between
	// attempts after an interruption.
	redialFirst = 250 * time.Millisecond
	redialMost  = 15 * time.Second
)

// keep keeps a tunnel to the pod, until Close or the end of the pod.
func (f *forwarding) keep(current *tunnel) {
	wait := client.NewBackoff(redialFirst, redialMost)
	for {
		began := f.actor.now()
		f.watch(current)
		_ = current.Close()
		if f.ctx.Err() != nil {
			return
		}
		if f.actor.now().Sub(began) > redialMost {
			wait.Reset()
		}
		f.mu.Lock()
		f.tunnel, f.ready = nil, make(chan struct{})
		f.mu.Unlock()
		f.trouble("the connection to the pod broke; trying again")
		if current = f.redial(wait); current == nil {
			return
		}
		f.mu.Lock()
		f.tunnel = current
		close(f.ready)
		f.mu.Unlock()
		f.trouble("")
	}
}

// watch returns when the tunnel or the pod is lost.
func (f *forwarding) watch(current *tunnel) {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		select {
		case <-f.ctx.Done():
			return
		case <-current.lost():
			return
		case <-ticker.C:
			if gone := f.podGone(); gone != nil {
				return // redial reports it
			}
		}
	}
}

// redial retries until there is a tunnel; it returns nil when it gives up.
func (f *forwarding) redial(wait *client.Backoff) *tunnel {
	for client.Sleep(f.ctx, wait.Next()) {
		if gone := f.podGone(); gone != nil {
			f.giveUp(gone.Text)
			return nil
		}
		made, err := f.actor.dialForward(f.ctx, f.state.Forward) // the Forward of a state never changes
		if err == nil {
			return made
		}
		if f.ctx.Err() != nil {
			return nil
		}
		failure := forwardFailure(f.ctx, f.actor.connection.Address, f.state.Forward, err)
		if failure.Kind == actions.Gone {
			f.giveUp(failure.Text)
			return nil
		}
		f.trouble("trying again: " + failure.Text)
	}
	return nil
}

// podGone returns why the pod will never answer again; nil if it may.
func (f *forwarding) podGone() *actions.Failure {
	ctx, cancel := context.WithTimeout(f.ctx, client.ProbeLimit)
	defer cancel()
	_, err := f.actor.forwardable(ctx, f.state.Forward)
	if err == nil {
		return nil
	}
	failure := forwardFailure(ctx, f.actor.connection.Address, f.state.Forward, err)
	var over *podOverError
	if failure.Kind == actions.Gone || errors.As(err, &over) {
		return failure
	}
	return nil
}

func (f *forwarding) giveUp(why string) {
	f.change(func(s *actions.ForwardState) { s.Trouble, s.Ended = why, true })
	f.stop()
}

// forwardFailure describes in one line why a port cannot be forwarded.
func forwardFailure(ctx context.Context, address string, f actions.Forward, err error) *actions.Failure {
	tried := attempt{
		doing: fmt.Sprintf("forwarding port %d of pod %s", f.Remote, client.JoinName(f.Namespace, f.Pod)), verb: "create", subresource: "portforward",
		ref: train.PodRef(f.Namespace, f.Pod, ""),
	}
	var taken *portInUseError
	var over *podOverError
	var waiting *podWaitsError
	switch {
	case errors.As(err, &taken):
		return &actions.Failure{Kind: actions.Conflict, Text: tried.doing + ": " + taken.Error(), Cause: err}
	case errors.As(err, &over):
		return &actions.Failure{Kind: actions.NotRunning, Text: tried.doing + ": " + over.Error(), Cause: err}
	case errors.As(err, &waiting):
		return &actions.Failure{Kind: actions.NotRunning, Text: tried.doing + ": " + waiting.Error(), Cause: err}
	case errors.Is(err, syscall.ECONNRESET):
		return &actions.Failure{Kind: actions.Lost, Text: tried.doing + ": the connection was cut" + client.ProxyHint(err), Cause: err}
	}
	if said := client.Answer(err); ctx.Err() == nil && strings.Contains(said, " is forbidden: ") {
		// Over SPDY client-go 0.36 keeps only the text of a refusal.
		kind, why := whyAnswered(tried, metav1.Status{Reason: metav1.StatusReasonForbidden, Message: withoutPrefixes(said)})
		return &actions.Failure{Kind: kind, Text: tried.doing + ": " + why, Cause: err}
	}
	return changeFailure(ctx, address, tried, err)
}
