package kube

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordination "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"github.com/traintop/traintop/sources/kube/client"
)

// How long a Lease holds, and how it is renewed: the values of kube-scheduler
// and kube-controller-manager (Kubernetes 1.36, LeaderElectionConfiguration).
const (
	LeaseHolds  = 15 * time.Second // after it was renewed
	leaseRenews = 10 * time.Second
	leaseRetry  = 2 * time.Second
)

// Leadership is how several programs agree, by a Lease, on the one that acts.
type Leadership struct {
	Namespace, Name string
	// Identity names this program among them.
	Identity string
	// Leads is called when this program begins to act. before is when the last
	// one was known to act, zero where there was none.
	Leads func(before time.Time)
	// Renewed is called when this program has taken or renewed the Lease, with the
	// instant at which it asked. It is this program's until LeaseHolds later.
	Renewed func(at time.Time)
	// Now is the clock of Renewed.
	Now func() time.Time
	// Follows is called when another one acts, and with "" when this one has given
	// up what it held.
	Follows func(other string)
	// Failed is called when the Lease cannot be read or written, once for each
	// reason, and with nil when it can again.
	Failed func(*LeaseError)
}

// LeaseError reports a Lease that cannot be read or written.
type LeaseError struct {
	// Text states what was tried, and what happened.
	Text string
	// Refused is true where a right is missing.
	Refused bool
}

// Error implements error.
func (e *LeaseError) Error() string { return e.Text }

// Lead takes part until ctx ends, and then gives the Lease back.
func (c *Cluster) Lead(ctx context.Context, l Leadership) error {
	leases, err := c.connection.Leases()
	if err != nil {
		return err
	}
	watched := &watchedLease{LeasesGetter: leases, namespace: l.Namespace, name: l.Name, failed: l.Failed, renewedBySelf: l.Renewed, now: l.Now, self: l.Identity}
	lock := &resourcelock.LeaseLock{
		LeaseMeta:  metav1.ObjectMeta{Namespace: l.Namespace, Name: l.Name},
		Client:     watched,
		LockConfig: resourcelock.ResourceLockConfig{Identity: l.Identity},
	}
	var held atomic.Bool
	for ctx.Err() == nil {
		elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
			Lock: lock, LeaseDuration: LeaseHolds, RenewDeadline: leaseRenews, RetryPeriod: leaseRetry,
			ReleaseOnCancel: true, Name: l.Name,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) { held.Store(true); l.Leads(watched.before()) },
				OnStoppedLeading: func() { // called also where it never led
					if held.Swap(false) {
						l.Follows("")
					}
				},
				OnNewLeader: func(identity string) {
					if identity != l.Identity {
						l.Follows(identity)
					}
				},
			},
		})
		if err != nil {
			return fmt.Errorf("taking part in the Lease %s/%s: %w", l.Namespace, l.Name, err)
		}
		elector.Run(ctx) // ends when ctx does, or when the Lease was lost
	}
	return nil
}

// watchedLease notes failures, and when another program renewed the Lease last.
type watchedLease struct {
	coordination.LeasesGetter
	namespace, name, self string
	failed                func(*LeaseError)
	renewedBySelf         func(at time.Time)
	now                   func() time.Time

	mu      sync.Mutex
	failure string    // without digits, "" for none
	renewed time.Time // by another
}

// Leases implements coordination.LeasesGetter.
func (w *watchedLease) Leases(namespace string) coordination.LeaseInterface {
	return &watchedLeases{w.LeasesGetter.Leases(namespace), w}
}

// before is when another program renewed the Lease last.
func (w *watchedLease) before() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.renewed
}

// note keeps the result of a request.
func (w *watchedLease) note(doing string, lease *coordinationv1.Lease, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err == nil && lease != nil && lease.Spec.HolderIdentity != nil && *lease.Spec.HolderIdentity != w.self && lease.Spec.RenewTime != nil {
		w.renewed = lease.Spec.RenewTime.Time
	}
	if errors.Is(err, context.Canceled) {
		return // nobody waits for it any more
	}
	var failed *LeaseError
	kind := ""
	if err != nil {
		failed = &LeaseError{fmt.Sprintf("%s the Lease %s/%s: %s", doing, w.namespace, w.name, client.Answer(err)), apierrors.IsForbidden(err)}
		kind = strings.Map(letters, failed.Text)
	}
	if kind != w.failure {
		w.failure = kind
		w.failed(failed)
	}
}

// taken reports that this program has the Lease, asked for at an instant. To give it back
// is a request too, which leaves it without a holder.
func (w *watchedLease) taken(asked time.Time, lease *coordinationv1.Lease, err error) {
	if err == nil && lease.Spec.HolderIdentity != nil && *lease.Spec.HolderIdentity == w.self {
		w.renewedBySelf(asked)
	}
}

// letters drops digits: numbers of ports and streams change with every try.
func letters(r rune) rune {
	if unicode.IsDigit(r) {
		return -1
	}
	return r
}

// watchedLeases reports each request to its watchedLease.
type watchedLeases struct {
	coordination.LeaseInterface
	of *watchedLease
}

// Get implements coordination.LeaseInterface. A Lease that does not exist yet
// is no failure.
func (w *watchedLeases) Get(ctx context.Context, name string, o metav1.GetOptions) (*coordinationv1.Lease, error) {
	lease, err := w.LeaseInterface.Get(ctx, name, o)
	if !apierrors.IsNotFound(err) {
		w.of.note("reading", lease, err)
	}
	return lease, err
}

// Create implements coordination.LeaseInterface.
func (w *watchedLeases) Create(ctx context.Context, lease *coordinationv1.Lease, o metav1.CreateOptions) (*coordinationv1.Lease, error) {
	asked := w.of.now()
	made, err := w.LeaseInterface.Create(ctx, lease, o)
	w.of.note("creating", made, err)
	w.of.taken(asked, made, err)
	return made, err
}

// Update implements coordination.LeaseInterface. That another program was
// faster is no failure.
func (w *watchedLeases) Update(ctx context.Context, lease *coordinationv1.Lease, o metav1.UpdateOptions) (*coordinationv1.Lease, error) {
	asked := w.of.now()
	updated, err := w.LeaseInterface.Update(ctx, lease, o)
	w.of.taken(asked, updated, err)
	if !apierrors.IsConflict(err) {
		w.of.note("renewing", updated, err)
	}
	return updated, err
}
