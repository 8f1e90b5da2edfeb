package kube

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/train"
)

// A watch that broke resumes from its resource version, whichever server
// answers. Behind the same address that may be another cluster, or the same
// one with an older state of etcd: it would send nothing for a long time, and
// the objects of the first cluster would stay. So before a watch resumes, we
// check whether the namespace kube-system still has the same UID, and whether
// resource versions went back.

const (
	// changedShown is how long health shows that another cluster answers.
	changedShown = 2 * time.Minute
	// doubtRetry is after how long a check that could not be made is made again.
	doubtRetry = 5 * time.Second
)

// identity distinguishes one cluster from another.
type identity struct {
	// address is that of the server, for people.
	address string
	// looking is held during a check.
	looking sync.Mutex
	// looked is when the newest check began.
	looked   time.Time
	uid      string // of the namespace kube-system, "" if it may not be read
	revision uint64 // newest resource version seen there, 0 for none

	mu sync.Mutex
	// changed closes when another cluster answers.
	changed chan struct{}
	// said delivers what is to be reported about it.
	said chan notice
	// doubted is true while a failed check is reported, or is to be.
	doubted atomic.Bool
}

// notice is what is reported about which cluster answers.
type notice struct {
	text string
	// settle makes the check that failed again, and returns whether it could be made;
	// nil where the notice is none of a failed check.
	settle func(context.Context) bool
}

func newIdentity(address string) *identity {
	return &identity{address: address, changed: make(chan struct{}), said: make(chan notice, 1)}
}

// untilAnother closes when a different cluster answers than now.
func (i *identity) untilAnother() <-chan struct{} {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.changed
}

// look compares the answering cluster with the one before, and returns why it
// is another one, "" if it is not or if that is unknown, as it is where none was
// looked at before or where the look failed, by err. It does not repeat a check that
// began after asked.
func (l *link) look(ctx context.Context, asked time.Time) (why string, known bool, err error) {
	i := l.identity
	i.looking.Lock()
	defer i.looking.Unlock()
	if i.looked.After(asked) {
		return "", i.uid != "", nil
	}
	began := l.report.now()
	uid, revision, err := askIdentity(ctx, l.connection)
	i.looked = began
	if err != nil || uid == "" {
		return "", false, err
	}
	known = i.uid != ""
	switch {
	case known && uid != i.uid:
		why = "its namespace kube-system is another one"
	case revision < i.revision:
		why = wentBack(i.revision, revision)
	}
	i.uid, i.revision = uid, revision
	return why, known, nil
}

// announce wakes everyone who waits for another cluster.
func (i *identity) announce(why string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	close(i.changed)
	i.changed = make(chan struct{})
	i.publish(why + "; everything is listed anew")
}

// publish has it reported why the cluster seems to be another one.
func (i *identity) publish(why string) {
	i.say(notice{text: "another cluster, or an older state of it, answers at " + i.address + " now: " + why})
}

// say has a notice reported, and returns false where another one waits to be.
func (i *identity) say(n notice) bool {
	select {
	case i.said <- n:
		return true
	default: // a report of it is already pending
		return false
	}
}

func wentBack(from, to uint64) string {
	return fmt.Sprintf("its resource version went back from %d to %d, as after a restore from a backup", from, to)
}

// sameCluster returns false if the answering cluster differs from the one
// whose watch of a resource ended at a version.
func (l *link) sameCluster(ctx context.Context, of *lister, version string) bool {
	why, err := l.checkCluster(ctx, of, version)
	if err != nil {
		l.doubt(ctx, err, func(ctx context.Context) bool {
			why, err := l.checkCluster(ctx, of, version)
			if why != "" && ctx.Err() == nil {
				l.identity.announce(why)
			}
			return err == nil
		})
	}
	if why != "" && ctx.Err() == nil { // otherwise another reader announced it meanwhile
		l.identity.announce(why)
	}
	return why == ""
}

// uncheckedError is why neither check of which cluster answers could be made.
type uncheckedError struct{ namespace, version error }

func (e *uncheckedError) Error() string {
	return fmt.Sprintf("reading its namespace kube-system: %s; reading its version: %s", client.Answer(e.namespace), client.Answer(e.version))
}

// checkCluster returns why another cluster answers than the one whose watch of a
// resource ended at a version, "" if it is the same.
func (l *link) checkCluster(ctx context.Context, of *lister, version string) (string, *uncheckedError) {
	why, known, unseen := l.look(ctx, l.report.now())
	if why != "" || known {
		return why, nil
	}
	why, err := olderThan(ctx, l.connection, of, version)
	if err != nil && unseen != nil {
		return why, &uncheckedError{unseen, err}
	}
	return why, nil
}

// doubt reports that neither check of which cluster answers could be made, until
// settle could make one. While nothing answers, that is reported already.
func (l *link) doubt(ctx context.Context, err *uncheckedError, settle func(context.Context) bool) {
	if ctx.Err() != nil || client.AsConnectionError(l.connection.Address, err.version) != nil {
		return
	}
	if !l.identity.doubted.CompareAndSwap(false, true) {
		return // other readers could not check either
	}
	if !l.identity.say(notice{settle: settle, text: fmt.Sprintf("whether the same cluster still answers at %s is not known, and what was read before may be of another one: %s", l.identity.address, err)}) {
		l.identity.doubted.Store(false)
	}
}

// reportChanges reports for a while, each time, what was noticed about which cluster
// answers.
func (l *link) reportChanges(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case n := <-l.identity.said:
			l.report.publish(train.Health{Source: train.ClusterSource, State: train.SourceRetrying, Text: n.text})
			over := l.shown(ctx, n)
			if n.settle != nil {
				l.identity.doubted.Store(false)
			}
			if over {
				l.report.publish(train.Health{Source: train.ClusterSource})
			}
		}
	}
}

// shown returns once a notice has been shown for long enough, or is settled; false
// where ctx ended.
func (l *link) shown(ctx context.Context, n notice) bool {
	if n.settle == nil {
		return client.Sleep(ctx, changedShown)
	}
	for until := l.report.now().Add(changedShown); l.report.now().Before(until); {
		if !client.Sleep(ctx, doubtRetry) {
			return false
		}
		if n.settle(ctx) {
			return ctx.Err() == nil
		}
	}
	return true
}

// askIdentity reads the namespace kube-system as a list, which also has the
// newest resource version. Every cluster has this namespace from the start.
func askIdentity(ctx context.Context, c *client.Connection) (uid string, revision uint64, err error) {
	const oldest = "kube-system"
	found, err := beginningOf(ctx, c, client.CoreCluster("Namespace", "namespaces", client.MetadataForm), everywhere, "metadata.name="+oldest)
	if err != nil {
		return "", 0, err
	}
	for i := range found.Items {
		if item, ok := found.Items[i].Object.(*metav1.PartialObjectMetadata); ok && item.Name == oldest {
			uid = string(item.UID)
		}
	}
	return uid, revisionOf(found.ResourceVersion), nil
}

// olderThan returns a text if a resource is older than a version seen before.
func olderThan(ctx context.Context, c *client.Connection, of *lister, version string) (string, error) {
	found, err := beginningOf(ctx, c, of.resource, of.namespace, "")
	if err != nil {
		return "", err
	}
	if now, seen := revisionOf(found.ResourceVersion), revisionOf(version); now > 0 && now < seen {
		return wentBack(seen, now), nil
	}
	return "", nil
}

// beginningOf lists at most one object, as metadata.
func beginningOf(ctx context.Context, c *client.Connection, of client.Resource, namespace, fields string) (found *metav1.List, err error) {
	of.Form = client.MetadataForm
	options := metav1.ListOptions{Limit: 1, FieldSelector: fields}
	err = client.Within(ctx, client.ProbeLimit, func(ctx context.Context) error {
		body, err := c.Core.Get().AbsPath(of.Path(namespace, "")...).VersionedParams(&options, client.Parameters).
			SetHeader("Accept", client.MetadataOnly).MaxRetries(0).Stream(ctx)
		if err != nil {
			return err
		}
		defer body.Close()
		found, err = readList(body, of, func(runtime.Object) {})
		return err
	})
	return found, err
}

// revisionOf returns a resource version as a number like etcd's revisions, 0
// for none.
func revisionOf(version string) uint64 {
	n, err := strconv.ParseUint(version, 10, 64)
	if err != nil {
		return 0
	}
	return n
}
