package kube

import (
	"context"
	"fmt"
	"strconv"
	"sync"
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

// changedShown is how long health shows that another cluster answers.
const changedShown = 2 * time.Minute

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
	said chan string
}

func newIdentity(address string) *identity {
	return &identity{address: address, changed: make(chan struct{}), said: make(chan string, 1)}
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
	i.tell(why + "; everything is listed anew")
}

// tell has it reported why the cluster seems to be another one.
func (i *identity) tell(why string) {
	i.say("another cluster, or an older state of it, answers at " + i.address + " now: " + why)
}

// say has a sentence reported, unless another one waits to be.
func (i *identity) say(text string) {
	select {
	case i.said <- text:
	default: // a report of it is already pending
	}
}

func wentBack(from, to uint64) string {
	return fmt.Sprintf("its resource version went back from %d to %d, as after a restore from a backup", from, to)
}

// sameCluster returns false if the answering cluster differs from the one
// whose watch of a resource ended at a version.
func (l *link) sameCluster(ctx context.Context, of *lister, version string) bool {
	why, known, unseen := l.look(ctx, l.report.now())
	if why == "" && !known {
		var err error
		if why, err = olderThan(ctx, l.connection, of, version); err != nil && unseen != nil {
			l.doubt(ctx, unseen, err)
		}
	}
	if why != "" && ctx.Err() == nil { // otherwise another reader announced it meanwhile
		l.identity.announce(why)
	}
	return why == ""
}

// doubt reports that neither check of which cluster answers could be made. While
// nothing answers, that is reported already.
func (l *link) doubt(ctx context.Context, namespace, version error) {
	if ctx.Err() != nil || client.AsConnectionError(l.connection.Address, version) != nil {
		return
	}
	l.identity.say(fmt.Sprintf("whether the same cluster still answers at %s is not known, and what was read before may be of another one: reading its namespace kube-system: %s; reading its version: %s",
		l.identity.address, client.Answer(namespace), client.Answer(version)))
}

// tellChanges reports for a while, each time, what was noticed about which cluster
// answers.
func (l *link) tellChanges(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case text := <-l.identity.said:
			l.report.tell(train.Health{
				Source: train.ClusterSource, State: train.SourceRetrying,
				Text: text,
			})
		}
		if client.Sleep(ctx, changedShown) {
			l.report.tell(train.Health{Source: train.ClusterSource})
		}
	}
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
	err = client.Within(ctx, client.ProbeTimeout, func(ctx context.Context) error {
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
