package alerts

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Outlet takes notices for one receiver and sends them in its own time.
type Outlet interface {
	Name() string
	// Queue never blocks.
	Queue(n Notice)
}

// keepsAlive is an outlet whose receiver forgets an incident of which it hears
// nothing: an open one is sent to it again and again, which notifies nobody again.
type keepsAlive interface {
	KeepsAlive() time.Duration
}

// Watcher keeps incidents, notifies outlets of them and remembers on disk what was
// sent. Its methods may be called from several goroutines.
type Watcher struct {
	// Path is the file of its state, "" to keep none.
	Path string
	// Address is that of the API server of the cluster, "" where there is none.
	Address string
	// Say prints one line for the person who started it.
	Say func(string)
	// Holds reports whether this watcher may send now, of several that agree on one;
	// nil for a watcher that is alone. It differs from standing by where the program was
	// stopped for a while and does not know yet that another one sends.
	Holds func() bool

	mu      sync.Mutex
	tracker Tracker
	outlets []Outlet
	// outgoing are the notices that no outlet has reported back, by receiver
	// and ID.
	outgoing map[[2]string]Outgoing
	// standby is true while another watcher of the cluster sends. waiting are
	// the notices that it should have sent, or that this one may not send yet.
	standby bool
	waiting []Due
	// kept is when open incidents were sent again to receivers that forget.
	kept map[string]time.Time
	// listed are the incidents that were there before and were listed.
	listed  map[IncidentID]bool
	unsaved string // the failure to save that was reported
	// saved is what was saved last, and when.
	saved struct {
		version uint64
		at      time.Time
	}
}

// NewWatcher makes one for a cluster by its name, without a state yet.
func NewWatcher(cluster string, rules []Rule, say func(string)) *Watcher {
	return &Watcher{Say: say, tracker: Tracker{Cluster: cluster, Rules: rules}, outgoing: map[[2]string]Outgoing{}, kept: map[string]time.Time{}, listed: map[IncidentID]bool{}}
}

// ReachBy sets the flags with which traintop reaches what is watched, by the time of
// a notice, as part of a command line.
func (w *Watcher) ReachBy(flags func(at time.Time) string) { w.tracker.Reach = flags }

// Begin takes up the state at a path and sends again what was on its way when
// the last watcher ended. It fails where a state may not be read, or is of another
// cluster or program.
func (w *Watcher) Begin(path string, outlets []Outlet) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.Path, w.outlets = path, outlets
	state := State{}
	if path != "" {
		var err error
		if state, err = w.takeUp(path); err != nil {
			return err
		}
	}
	if state.Cluster != "" && state.Cluster != w.tracker.Cluster {
		return fmt.Errorf("%s is of the cluster %s, and this watcher is of %s; move the file away or choose another with --state", path, state.Cluster, w.tracker.Cluster)
	}
	if otherAddress(state.Address, w.Address) {
		return fmt.Errorf("%s is of the cluster at %s, and this watcher is of the one at %s; move the file away or choose another with --state", path, state.Address, w.Address)
	}
	w.tracker.Continue(state)
	for _, o := range state.Outgoing {
		w.Say(fmt.Sprintf("%s to %s was on its way when the last watcher ended, and may have arrived; it is sent once more, with the same id %s",
			heading(o.Notice), o.Receiver, o.Notice.ID))
		w.queue(o)
	}
	return nil
}

// Look takes one observation, sends what is due and saves.
func (w *Watcher) Look(o Observation) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.report(w.tracker.Observe(o))
	w.keepAlive(o.At)
	w.list()
	if w.saved.version != w.tracker.version || o.At.Sub(w.saved.at) >= saveEvery {
		w.saved.version, w.saved.at = w.tracker.version, o.At
		w.save()
	}
}

// saveEvery is how old the instant of the last look may become on disk.
const saveEvery = time.Minute

// standbyKeeps is how long a watcher that stands by keeps notices that another
// one should have sent: many times what a Lease holds.
const standbyKeeps = 10 * time.Minute

// report hands notices to the outlets of their rules. The state is saved before:
// a watcher that is killed in between sends them again, once.
func (w *Watcher) report(due []Due) {
	if !w.sends() {
		w.waiting = append(w.waiting, due...)
		if n := len(w.waiting); n > 0 { // the other one has sent what is old
			newest := w.waiting[n-1].Notice.At
			w.waiting = slices.DeleteFunc(w.waiting, func(d Due) bool { return newest.Sub(d.Notice.At) > standbyKeeps })
		}
		return
	}
	due, w.waiting = append(w.waiting, due...), nil
	var all []Outgoing
	for _, d := range due {
		for _, outlet := range w.outlets {
			if d.goesTo(outlet.Name()) {
				o := Outgoing{outlet.Name(), d.Notice}
				w.outgoing[o.key()] = o
				all = append(all, o)
			}
		}
	}
	if len(all) == 0 {
		return
	}
	w.save()
	for _, o := range all {
		w.queue(o)
	}
}

// sends reports whether this watcher is the one that sends.
func (w *Watcher) sends() bool { return !w.standby && (w.Holds == nil || w.Holds()) }

// keepAlive sends open incidents again to receivers that would forget them.
func (w *Watcher) keepAlive(now time.Time) {
	if !w.sends() {
		return
	}
	for _, outlet := range w.outlets {
		keeps, is := outlet.(keepsAlive)
		if !is || now.Sub(w.kept[outlet.Name()]) < keeps.KeepsAlive() {
			continue
		}
		w.kept[outlet.Name()] = now
		for _, d := range w.tracker.openNow(now) {
			if d.goesTo(outlet.Name()) {
				outlet.Queue(d.Notice)
			}
		}
	}
}

func (o Outgoing) key() [2]string { return [2]string{o.Receiver, o.Notice.ID} }

// queue hands a notice to its outlet, if that is still configured.
func (w *Watcher) queue(o Outgoing) {
	at := slices.IndexFunc(w.outlets, func(outlet Outlet) bool { return outlet.Name() == o.Receiver })
	if at < 0 {
		w.Say("the receiver " + o.Receiver + " is no longer configured; its notice " + o.Notice.ID + " is dropped")
		return
	}
	w.outgoing[o.key()] = o
	w.outlets[at].Queue(o.Notice)
}

// list prints what was wrong before this watcher began, each once: what logs report
// comes after the rest.
func (w *Watcher) list() {
	var lines []string
	for _, i := range w.tracker.incidents {
		if i.Open() && i.Old && !w.listed[i.ID] {
			w.listed[i.ID] = true
			lines = append(lines, "  "+heading(Notice{Change: Opened, Incident: *i}))
		}
	}
	if len(lines) == 0 {
		return
	}
	w.Say(fmt.Sprintf("in trouble before this watcher began, and not sent (%d):", len(lines)))
	for _, line := range lines {
		w.Say(line)
	}
}

// mostDeliveries is how many deliveries of one incident are remembered: those of
// two weeks of reminders each four hours.
const mostDeliveries = 100

// Delivered notes the result of sending a notice.
func (w *Watcher) Delivered(n Notice, d Delivery) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.outgoing, [2]string{d.Receiver, n.ID})
	if d.Failed != "" {
		receiver := d.Receiver
		if receiver == StandardOutput {
			receiver = "standard output"
		}
		w.Say(fmt.Sprintf("%s did not get %s: %s", receiver, heading(n), d.Failed))
	}
	if strings.HasSuffix(n.ID, keptSuffix) {
		return
	}
	if i := w.tracker.find(n.Incident.ID); i != nil && d.Receiver != StandardOutput {
		i.Sent = append(i.Sent, d)
		i.Sent = i.Sent[max(0, len(i.Sent)-mostDeliveries):]
	}
	w.save()
}

// Acknowledge notes that a person has taken an incident: of it only its end is
// sent. It is false where there is no such incident.
func (w *Watcher) Acknowledge(id IncidentID, at time.Time) bool {
	return w.change(id, func(i *Incident) { i.Acknowledged = at })
}

// Mute sends nothing about an incident until an instant.
func (w *Watcher) Mute(id IncidentID, until time.Time) bool {
	return w.change(id, func(i *Incident) { i.Muted = until })
}

func (w *Watcher) change(id IncidentID, how func(*Incident)) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	i := w.tracker.find(id)
	if i == nil {
		return false
	}
	how(i)
	w.save()
	return true
}

// Incidents are all that is remembered, the newest first.
func (w *Watcher) Incidents() []Incident {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.tracker.Incidents()
}

// StandBy stops sending while another watcher of the cluster sends. TakeOver
// begins again, with what became due since an instant: the other may have died
// before it sent that.
func (w *Watcher) StandBy() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.standby = true
}

// TakeOver sends from now on.
func (w *Watcher) TakeOver(since time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.standby {
		return
	}
	w.standby = false
	missed := slices.DeleteFunc(w.waiting, func(d Due) bool { return d.Notice.At.Before(since) })
	w.waiting = nil
	w.report(missed)
}

// save writes the state, and reports once when it cannot: what is known goes on in
// memory.
func (w *Watcher) save() {
	if w.Path == "" {
		return
	}
	var outgoing []Outgoing
	for _, key := range slices.SortedFunc(maps.Keys(w.outgoing), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		outgoing = append(outgoing, w.outgoing[key])
	}
	state := w.tracker.State(outgoing)
	state.Address = w.Address
	err := WriteState(w.Path, state)
	switch {
	case err == nil && w.unsaved != "":
		w.Say("the state is saved again")
		w.unsaved = ""
	case err != nil && w.unsaved == "":
		w.unsaved = err.Error()
		w.Say(fmt.Sprintf("%v: it goes on in memory, and a watcher that is started again may send notices twice; make room or choose another file with --state", err))
	}
}
