package kube

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// If pods of all namespaces may not be listed, other namespaces are read one
// by one besides the one in use, as far as their names are known: from the
// list of namespaces, from other contexts of the kubeconfig and from the
// command line.

const (
	// mostOthers is how many namespaces are read besides the one in use: each
	// costs a list and a watch of every resource.
	mostOthers = 32
	// mostTried is how many namespaces are probed for access, triedAtOnce how
	// many of them at the same time.
	mostTried, triedAtOnce = 512, 16
	// searchLimit is how long that may take, since a printed answer waits for
	// it.
	searchLimit = 10 * time.Second
	// searchInterval is how often the search is repeated.
	searchInterval = 5 * time.Minute
)

// otherNamespacesSource names the search in health.
const otherNamespacesSource = client.SourceName + "/other-namespaces"

// otherNamespaces finds the namespaces and passes them to the followers that
// fell back.
type otherNamespaces struct {
	cluster *Cluster
	link    *link
	report  *reporter
	// wanted closes when pods of all namespaces were refused.
	wanted chan struct{}
	// changes gets a value when the found namespaces changed.
	changes chan struct{}

	mu      sync.Mutex
	begun   bool
	found   []string
	members map[*scopes]bool
}

func newOtherNamespaces(c *Cluster, l *link, r *reporter) *otherNamespaces {
	return &otherNamespaces{cluster: c, link: l, report: r, wanted: make(chan struct{}), changes: make(chan struct{}, 1), members: map[*scopes]bool{}}
}

// join makes a follower that fell back read the found namespaces.
func (o *otherNamespaces) join(s *scopes) {
	if o == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.members[s] = true
	if pods := s.follower.resource.Gvr; !o.begun && pods.Group == "" && pods.Resource == "pods" {
		o.begun = true
		o.report.otherNamespaces(train.SourceListing, "")
		close(o.wanted)
	}
	s.want(o.found)
}

func (o *otherNamespaces) leave(s *scopes) {
	if o == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.members, s)
}

// run searches once a follower needs the result, and then periodically.
func (o *otherNamespaces) run(ctx context.Context) {
	select {
	case <-ctx.Done():
		return
	case <-o.wanted:
	}
	for o.link.wait(ctx) {
		found := o.search(ctx)
		if ctx.Err() != nil {
			return
		}
		o.publish(found)
		client.Sleep(ctx, searchInterval)
	}
}

// publish makes the members read the found namespaces before it reports them, so
// that no answer is printed between the two.
func (o *otherNamespaces) publish(found *foundNamespaces) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !slices.Equal(o.found, found.readable) {
		select {
		case o.changes <- struct{}{}:
		default: // the last one was not seen yet
		}
	}
	o.found = found.readable
	for s := range o.members {
		s.want(o.found)
	}
	o.report.otherNamespaces(found.state(o.cluster.Namespace()))
}

// beside returns the found namespaces other than one.
func (o *otherNamespaces) beside(name string) []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return without(o.found, name)
}

func without(names []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(other string) bool { return other == name })
}

// foundNamespaces is the result of one search.
type foundNamespaces struct {
	readable []string
	// refused were probed and refused, unread are accessible but too many,
	// unasked were not probed in time.
	refused, unread, unasked int
}

// state describes the result of a search, "" if it found nothing to report.
func (f *foundNamespaces) state(inUse string) (train.SourceState, string) {
	beside := without(f.readable, inUse)
	if len(beside) == 0 && f.unasked == 0 {
		return "", ""
	}
	text := fmt.Sprintf("lists of all namespaces are refused; beside the namespace in use %s can be read one by one (%s), %d refused",
		termtext.Count(len(beside), "namespace"), nameSome(beside), f.refused)
	if f.unread+f.unasked == 0 {
		return train.SourceLive, text
	}
	return train.SourceRetrying, fmt.Sprintf("%s; what is in %d more is not known, since no more than %d are read and %d asked within %s; -n NAMESPACE reads another one",
		text, f.unread+f.unasked, mostOthers, mostTried, searchLimit)
}

// nameSome names the first of many namespaces.
func nameSome(names []string) string {
	const most = 8
	return client.Printable(termtext.Few(names, most))
}

// search probes each known namespace for a pod.
func (o *otherNamespaces) search(ctx context.Context) *foundNamespaces {
	limited, stop := context.WithTimeout(ctx, searchLimit)
	defer stop()
	known := o.known(limited)
	asked := known[:min(len(known), mostTried)]
	answers := make([]error, len(asked))
	turns := make(chan struct{}, triedAtOnce)
	var asking sync.WaitGroup
	for i, name := range asked {
		turns <- struct{}{}
		asking.Go(func() {
			defer func() { <-turns }()
			_, answers[i] = beginningOf(limited, o.link.connection, client.CoreResources[0], name, "")
		})
	}
	asking.Wait()
	return o.sorted(known, answers, limited.Err() != nil)
}

// sorted sorts the namespaces by their answers.
func (o *otherNamespaces) sorted(known []string, answers []error, late bool) *foundNamespaces {
	found := &foundNamespaces{unasked: len(known) - len(answers)}
	for i, err := range answers {
		named := slices.Contains(o.cluster.named, known[i])
		switch {
		case apierrors.IsForbidden(err) && !named:
			found.refused++
		case err != nil && late && !named:
			found.unasked++
		case len(found.readable) == mostOthers:
			found.unread++
		default:
			found.readable = append(found.readable, known[i])
		}
	}
	return found
}

// known returns names of namespaces, those written by a person first.
func (o *otherNamespaces) known(ctx context.Context) []string {
	names := slices.Clone(o.cluster.named)
	contexts, _ := client.Contexts(o.cluster.flags) // without it there are fewer names
	for _, c := range contexts {
		if i := slices.IndexFunc(contexts, func(c client.Context) bool { return c.Current }); i >= 0 && c.Cluster == contexts[i].Cluster && c.User == contexts[i].User {
			names = append(names, c.Namespace)
		}
	}
	listed, _ := o.cluster.Namespaces(ctx) // their own list reports a refusal
	var known []string
	for _, name := range append(names, listed...) {
		if !slices.Contains(known, name) && client.CheckName(name) == nil {
			known = append(known, name)
		}
	}
	return known
}

// otherNamespaces reports the state of the search.
func (r *reporter) otherNamespaces(state train.SourceState, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	h := train.Health{Source: otherNamespacesSource, State: state, Text: text}
	if state == train.SourceRetrying {
		h.Retry = r.now().Add(searchInterval)
	}
	if _, known := r.said[h.Source]; known || state != "" {
		r.say(h)
	}
}
