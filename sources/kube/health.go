package kube

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// reporter turns states into health events. An unchanged state keeps its Since
// and makes no event.
type reporter struct {
	sink    sources.Sink
	now     func() time.Time
	address string
	// hide takes credentials out of a text, nil for none.
	hide func(string) string

	mu   sync.Mutex
	said map[string]train.Health
	// odd are the texts about objects that are left out, by source and namespace.
	odd map[string]map[string]string

	// up and planned together decide when the connection is live.
	up, planned bool
}

func newReporter(sink sources.Sink, now func() time.Time, address string) *reporter {
	return &reporter{sink: sink, now: now, address: address, said: map[string]train.Health{}, odd: map[string]map[string]string{}}
}

func (r *reporter) connecting() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.say(connectingTo(r.address))
}

func connectingTo(address string) train.Health {
	return train.Health{Source: client.SourceName, State: train.SourceConnecting, Text: "connecting to " + address}
}

// connected is called by the link when the server answers.
func (r *reporter) connected() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.up = true
	r.settle()
}

// announced is called by the planner when every resource to be read has a
// state.
func (r *reporter) announced() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.planned = true
	r.settle()
}

func (r *reporter) settle() {
	if r.up && r.planned {
		r.say(train.Health{Source: client.SourceName, State: train.SourceLive})
	}
}

// disconnected reports that the server has sent nothing for a while: what is
// shown is as old. One that never answered is away since it was first asked.
func (r *reporter) disconnected(err error, silence, retryIn time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.up = false
	since := r.now().Add(-silence)
	if before := r.said[client.SourceName]; before.State == train.SourceConnecting && silence == 0 {
		since = before.Since
	}
	r.say(train.Health{
		Source: client.SourceName, State: train.SourceRetrying, Since: since,
		Text: client.Printable(err.Error()), Retry: r.now().Add(retryIn),
	})
}

// resource reports the state of one resource in a namespace, "" for all.
func (r *reporter) resource(res client.Resource, namespace string, state train.SourceState, text string, retryIn time.Duration) {
	h := train.Health{
		Source: res.Source(), State: state, Text: text,
		Group: res.Gvr.Group, Resource: res.Gvr.Resource, Namespace: namespace,
	}
	if state == train.SourceForbidden {
		h.Verb = "list"
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if retryIn > 0 {
		h.Retry = r.now().Add(retryIn)
	}
	r.say(h)
}

// listing reports that a first answer is under way, unless a refusal of the
// same scope is still reported, which stays until there is a better answer.
func (r *reporter) listing(res client.Resource, namespace string) {
	r.mu.Lock()
	before := r.said[res.Source()]
	r.mu.Unlock()
	if before.State != train.SourceForbidden || before.Namespace != namespace {
		r.resource(res, namespace, train.SourceListing, "", 0)
	}
}

// everywhereRefused reports that a resource can only be read in the namespace
// in use.
func (r *reporter) everywhereRefused(res client.Resource, namespace string, err error, retryIn time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.say(train.Health{
		Source: res.EverywhereSource(), State: train.SourceForbidden,
		Text: refusal(res, "", err) + "; only namespace " + namespace + " is shown",
		Verb: "list", Group: res.Gvr.Group, Resource: res.Gvr.Resource, Retry: r.now().Add(retryIn),
	})
}

// onlyIn adds how many namespaces the resource is read in besides the one in
// use, and how many refused it.
func (r *reporter) onlyIn(res client.Resource, read []string, refused int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	h, said := r.said[res.EverywhereSource()]
	if !said {
		return
	}
	h.Text, _, _ = strings.Cut(h.Text, readOneByOne)
	if len(read)+refused > 0 {
		h.Text += fmt.Sprintf("%s %d namespaces (%s), refused %d", readOneByOne, len(read)+1, nameSome(read), refused)
	}
	r.say(h)
}

// readOneByOne joins the text to the namespaces besides the one in use.
const readOneByOne = ", and others one by one: read"

// offsetShown is how exactly the difference of two clocks is shown: the server gives
// its time in whole seconds.
const offsetShown = 5 * time.Second

// clock reports by how much this machine's clock differs from the API server's; 0
// removes the report.
func (r *reporter) clock(offset time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if offset == 0 {
		r.say(train.Health{Source: train.ClockSource})
		return
	}
	side := "behind"
	if offset < 0 {
		side = "ahead of"
	}
	r.say(train.Health{Source: train.ClockSource, State: train.SourceLive, Text: fmt.Sprintf(
		"the clock of this machine is %s %s that of the API server; times and ages are by the server's", offset.Abs().Round(offsetShown), side)})
}

// forget removes the report of a resource in a namespace.
func (r *reporter) forget(res client.Resource) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, said := r.said[res.Source()]; said {
		r.say(train.Health{Source: res.Source()})
	}
}

// everywhereAllowed removes that report.
func (r *reporter) everywhereAllowed(res client.Resource) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, refused := r.said[res.EverywhereSource()]; refused {
		r.say(train.Health{Source: res.EverywhereSource()})
	}
}

// say keeps Since while the state is unchanged. The answer of a server may quote a request with its
// token, so secrets are masked here, before anything shows the text. Call it with the lock held, so
// that the sink gets the events of one source in order.
func (r *reporter) say(h train.Health) {
	if r.hide != nil {
		h.Text = r.hide(h.Text)
	}
	h.Text = redact.Text(h.Text)
	before, known := r.said[h.Source]
	if h.Since.IsZero() {
		h.Since = r.now()
	}
	if known && before.State == h.State {
		h.Since = before.Since
	}
	if known && h == before {
		return
	}
	r.said[h.Source] = h
	if h.State == "" {
		delete(r.said, h.Source)
	}
	r.sink.Apply(store.HealthChanged{Health: h})
}

// refusal describes what was tried, what happened and what an administrator
// can do.
func refusal(res client.Resource, namespace string, err error) string {
	where, kind, flag := "in all namespaces", "ClusterRole", "-A"
	switch {
	case res.ClusterScoped:
		where, flag = "", ""
	case namespace != "":
		where, kind, flag = "in namespace "+namespace, "Role", "-n "+namespace
	}
	name := res.Gvr.GroupResource().String()
	return client.Joined("listing "+name, where) + " was refused: " + client.Answer(err) +
		"; it needs a " + kind + " with verbs list and watch on " + name +
		client.Joined(" (check with `kubectl auth can-i list "+name, flag) + "`)"
}
