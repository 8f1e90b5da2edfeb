package kube

import (
	"net/http"
	"strconv"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// checkedWatch passes on the usable events of a watch. The reflector would
// drop the others silently, and resume from whatever version they have.
type checkedWatch struct {
	watch.Interface
	results chan watch.Event
	stopped chan struct{}
	once    sync.Once
	// newest is the version of the newest event, 0 if it is not a number.
	newest uint64
	// wrongWith returns why an object is unusable, wrongIdentity why it is not known
	// which one was deleted, and odd records both.
	wrongWith, wrongIdentity func(runtime.Object) string
	odd                      *unusableObjects
	// reportBack reports that versions went back; back is true once they did.
	reportBack func(from, to uint64)
	back       bool
}

func (l *lister) checked(w watch.Interface, version string) *checkedWatch {
	c := &checkedWatch{
		Interface: w, results: make(chan watch.Event), stopped: make(chan struct{}),
		newest: versionNumber(version), wrongWith: l.wrongWith, wrongIdentity: l.wrongIdentity, odd: l.odd, reportBack: l.reportBack,
	}
	go c.run()
	return c
}

// versionNumber returns a resource version as a number to compare, 0 for one
// that is not a number.
func versionNumber(version string) uint64 {
	n, err := strconv.ParseUint(version, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// ResultChan implements watch.Interface.
func (c *checkedWatch) ResultChan() <-chan watch.Event { return c.results }

// Stop implements watch.Interface.
func (c *checkedWatch) Stop() {
	c.once.Do(func() { close(c.stopped) })
	c.Interface.Stop()
}

func (c *checkedWatch) run() {
	defer close(c.results)
	for event := range c.Interface.ResultChan() {
		if event, ok := c.check(event); ok && !c.pass(event) {
			return
		}
		if c.back {
			c.pass(expired("the resourceVersion of the watch went back"))
			return
		}
	}
}

// pass returns false when the watch was stopped.
func (c *checkedWatch) pass(event watch.Event) bool {
	select {
	case c.results <- event:
		return true
	case <-c.stopped:
		return false
	}
}

// check returns false for an event to leave out. It replaces an event without
// a version by an error that makes the reflector list again. An event with an
// older version is the newest word on its object and counts; the error follows it.
func (c *checkedWatch) check(event watch.Event) (watch.Event, bool) {
	if event.Type == watch.Error {
		return event, true
	}
	about, err := meta.Accessor(event.Object)
	if event.Type == watch.Bookmark {
		return event, err == nil && about.GetResourceVersion() != "" && c.advances(about.GetResourceVersion())
	}
	wrong := c.wrongWith
	if event.Type == watch.Deleted {
		wrong = c.wrongIdentity
	}
	if why := wrong(event.Object); why != "" {
		c.odd.add("the object of an event " + string(event.Type) + ": " + why)
		c.odd.report()
		return event, false
	}
	if err != nil || about.GetResourceVersion() == "" {
		return expired("an event of the watch has no resourceVersion"), true
	}
	version := versionNumber(about.GetResourceVersion())
	if version < c.newest && version != 0 && event.Type != watch.Deleted { // before 1.9 a deleted object has its last version
		c.back = true
		c.reportBack(c.newest, version)
		return event, true
	}
	c.newest = max(c.newest, version)
	return event, true
}

// advances reports whether a bookmark's version is no older than what came: the
// reflector would resume from it, and take old events for new ones. A server that
// sends the bookmark at the end of initial events (k8s.io/initial-events-end)
// although nobody asked for these may give the version at which they began.
func (c *checkedWatch) advances(version string) bool {
	number := versionNumber(version)
	if number != 0 && number < c.newest {
		return false
	}
	c.newest = max(c.newest, number)
	return true
}

// expired returns the event that makes a reflector list again.
func expired(why string) watch.Event {
	return watch.Event{Type: watch.Error, Object: &metav1.Status{
		Status: metav1.StatusFailure, Reason: metav1.StatusReasonExpired, Code: http.StatusGone, Message: why,
	}}
}
