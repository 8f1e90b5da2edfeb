package alerts

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// Observation is what one look at the cluster found.
type Observation struct {
	At       time.Time
	Troubles []Trouble
	// Phase returns the phase of a job, false when there is no such job.
	Phase func(train.JobID) (train.Phase, bool)
	// Unread is why the cluster cannot be read, "" when it can. While it cannot, no
	// incident opens or resolves but the watcher's own.
	Unread string
	// Settling is true while what was there before is read: after the first
	// look, until logs are read up to now.
	Settling bool
}

// Tracker turns troubles into incidents and decides who is notified of what, and
// when. It has no goroutine and no clock of its own; only one goroutine may use it.
type Tracker struct {
	Cluster string
	// Reach is that of a notice by its time, nil for none.
	Reach func(at time.Time) string
	Rules []Rule

	// begun is true after the first observation. Troubles that it finds without a
	// continued state are old, and so are those that began before it and are found
	// while it settles: anew is its instant, zero where a state is continued.
	begun bool
	anew  time.Time
	// lastSeen is when the cluster was observed last.
	lastSeen  time.Time
	incidents []*Incident // in the order in which they opened
	followed  map[string]*follow
	// sentBy are the instants of notices in the last hour, by rule.
	sentBy map[string][]time.Time
	// ended are the troubles of incidents that were resolved because they were
	// away, by key: they may come back.
	ended map[string]ended
	// marks are what people marked, also of incidents that are not open yet.
	marks Marks
	// version counts the changes that a state on disk has to have.
	version uint64
}

// follow is what a tracker knows of one trouble: the job's own or a shared one.
type follow struct {
	// first and last are when it was observed.
	first, last time.Time
	// away is when it was first not there again, zero while it is.
	away     time.Time
	incident *Incident // nil until it lasts long enough
	// owed is the notice that is not sent yet, "" for none; from is the incident
	// before what an owed update changed.
	owed Change
	from *Incident
	// sent is when a notice was sent last.
	sent time.Time
	// changes counts notices, for their IDs.
	changes int
	// flaps counts how often the same trouble came back.
	flaps int
	// grown is when a job was added last to an incident of several, and members
	// when each of its jobs was in trouble last; nil where nobody joins.
	grown   time.Time
	members map[train.JobID]time.Time
}

// ended is the end of an incident whose trouble may come back.
type ended struct {
	At    time.Time `json:"at"`
	Flaps int       `json:"flaps"`
}

// group are the troubles of one observation that are one incident.
type group struct {
	key      string
	rule     *Rule
	troubles []Trouble
	// due is true where each of them lasted as long as its rule requires.
	due bool
}

// add adds a trouble with its rule. A job that failed comes first: what the
// others wait for has happened to it.
func (g *group) add(trouble *Trouble, rule *Rule) {
	if trouble.Phase == train.Failed && len(g.troubles) > 0 && g.troubles[0].Phase != train.Failed {
		g.rule, g.troubles = rule, slices.Insert(g.troubles, 0, *trouble)
		return
	}
	g.troubles = append(g.troubles, *trouble)
}

// Observe takes one look at the cluster and returns the notices that are due.
func (t *Tracker) Observe(o Observation) []Due {
	if t.followed == nil {
		t.Continue(State{LastSeen: t.lastSeen})
	}
	t.heedClock(o.At)
	if o.Unread != "" {
		if g := t.groups([]Trouble{t.outage(o.Unread)}, o.At); len(g) > 0 {
			t.see(g[0], o.At, false)
		}
		return t.due(o.At)
	}
	fresh := !t.begun && o.At.Sub(t.lastSeen) > stateHolds
	if fresh {
		t.anew = o.At
	}
	for _, g := range t.groups(o.Troubles, o.At) {
		t.see(g, o.At, fresh || o.Settling && g.beganBefore(t.anew))
	}
	t.settle(o)
	t.begun, t.lastSeen = true, o.At
	t.forget(o.At)
	return t.due(o.At)
}

// clusterUnread is the cause of the watcher's own incident.
const clusterUnread train.Cause = "cluster-unread"

// outage is the watcher's own trouble.
func (t *Tracker) outage(why string) Trouble {
	return Trouble{
		Rank: -1, Shared: "cluster " + t.Cluster, Cause: clusterUnread, Severity: train.SeverityError,
		Title: "the cluster cannot be read, so nothing is known of its jobs: " + why, Evidence: why,
	}
}

// groups joins the troubles that are one incident, in order.
func (t *Tracker) groups(troubles []Trouble, now time.Time) []group {
	at, joined := map[string]int{}, t.joined(now)
	var all []group
	for _, trouble := range troubles {
		rule := RuleFor(t.Rules, &trouble)
		if rule == nil {
			continue
		}
		key := t.keyOf(&trouble, joined)
		i, known := at[key]
		if !known {
			i = len(all)
			at[key] = i
			all = append(all, group{key: key, rule: rule})
		}
		all[i].add(&trouble, rule)
	}
	return t.joinBursts(all, now)
}

// keyOf is the identity of a trouble while it lasts. A job keeps its own
// incident while it is in trouble, whatever the cause becomes, and one that was
// joined with others stays with them, unless it fails of another cause.
func (t *Tracker) keyOf(trouble *Trouble, joined map[train.JobID]string) string {
	own := "job|" + string(trouble.Job.ID)
	if f := t.followed[own]; f != nil && f.incident != nil {
		return own
	}
	if key := joined[trouble.Job.ID]; key != "" && !failedOtherwise(trouble, t.followed[key].incident) {
		return key
	}
	if trouble.Shared == "" {
		return own
	}
	return "shared|" + string(trouble.Cause) + "|" + trouble.Shared
}

// failedOtherwise reports whether a job failed of another cause than that of the
// incident that joins it with jobs that did not fail.
func failedOtherwise(trouble *Trouble, i *Incident) bool {
	return trouble.Phase == train.Failed && i.Rule != "failed" && i.Cause != trouble.Cause
}

// beganBefore reports whether all of a group is known to have begun before an
// instant. Times of objects are whole seconds.
func (g *group) beganBefore(at time.Time) bool {
	at = at.Truncate(time.Second)
	return !slices.ContainsFunc(g.troubles, func(trouble Trouble) bool { return trouble.Since.IsZero() || !trouble.Since.Before(at) })
}

// ended reports whether a job of the group has failed.
func (g *group) ended() bool {
	return slices.ContainsFunc(g.troubles, func(trouble Trouble) bool { return trouble.Phase == train.Failed })
}

// see notes a group that is there now; old is true where it was there before the
// watcher began.
func (t *Tracker) see(g group, now time.Time, old bool) {
	f := t.followed[g.key]
	if f == nil {
		f = &follow{first: now}
		t.followed[g.key] = f
		t.version++
	}
	f.last, f.away = now, time.Time{}
	switch {
	case f.incident != nil && begunAnew(f.incident, &g):
		t.resolve(f, now, fmt.Sprintf("attempt %d began", g.troubles[0].Job.Attempt))
		t.open(f, &g, now)
	case f.incident != nil && f.incident.Old && old: // more is known of it, and nothing is new
		describe(f.incident, &g)
		t.version++
	case f.incident != nil:
		t.update(f, &g, now)
	case old && (!t.begun || !g.ended()): // the first look saw each job that had failed
		t.open(f, &g, now)
		f.incident.Old, f.owed = true, ""
	case g.due, now.Sub(f.began(&g)) >= g.rule.For:
		t.open(f, &g, now)
	}
	f.join(&g, now)
}

// begunAnew reports whether a later attempt of a job has another root cause:
// that is another incident.
func begunAnew(i *Incident, g *group) bool {
	trouble := &g.troubles[0]
	return i.Shared == "" && len(i.Jobs) == 1 && trouble.Cause != i.Cause && trouble.Job.Attempt > i.Jobs[0].Attempt
}

// began is the instant from which a rule counts: that of the trouble where it
// is known, and of what jobs share, when it was seen first, so that the jobs it
// hits come together.
func (f *follow) began(g *group) time.Time {
	if since := g.troubles[0].Since; len(g.troubles) == 1 && g.troubles[0].Shared == "" && !since.IsZero() && since.Before(f.first) {
		return since
	}
	return f.first
}

// open makes an incident of a group.
func (t *Tracker) open(f *follow, g *group, now time.Time) {
	f.incident = &Incident{Opened: now, Rank: -1}
	describe(f.incident, g)
	f.incident.ID = t.identify(f.incident, g)
	f.incident.take(t.marks)
	f.owed, f.changes, f.flaps = Opened, 0, 0
	if before, was := t.ended[g.key]; was && now.Sub(before.At) < flapsWithin {
		f.flaps = before.Flaps + 1
	}
	t.incidents = append(t.incidents, f.incident)
	t.version++
}

// identify makes the ID of an incident that describe has filled in, the same for each
// watcher.
func (t *Tracker) identify(i *Incident, g *group) IncidentID {
	attempt := 0
	if len(i.Jobs) > 0 {
		attempt = i.Jobs[0].Attempt
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%s\n%d\n%d", t.Cluster, baseKey(g.key), i.Cause, attempt, i.Since.Unix()))
	return IncidentID(hex.EncodeToString(sum[:8]))
}

// describe takes the words of an incident from the first trouble of its group,
// and the jobs of all.
func describe(i *Incident, g *group) {
	first := &g.troubles[0]
	i.Rule, i.Cause, i.Severity, i.Title, i.Shared = g.rule.Name, first.Cause, first.Severity, safe(first.Title), first.Shared
	i.Rank, i.Evidence, i.Next, i.NextCommand = first.Rank, safe(first.Evidence), safe(first.Next), safe(first.NextCommand)
	if i.Since.IsZero() || !first.Since.IsZero() && first.Since.Before(i.Since) {
		i.Since = cmp.Or(first.Since, i.Opened)
	}
	if i.Shared == "" && (len(g.troubles) > 1 || len(i.Jobs) > 1) {
		i.Shared = "cause " + string(first.Cause)
		if first.Cause == "" {
			i.Shared = "rule " + i.Rule
		}
	}
	for k := range g.troubles {
		job := g.troubles[k].Job
		if job.ID == "" {
			continue
		}
		if at := slices.IndexFunc(i.Jobs, func(j AffectedJob) bool { return j.ID == job.ID }); at >= 0 {
			i.Jobs[at] = job
		} else {
			i.Jobs = append(i.Jobs, job)
		}
	}
	if len(i.Jobs) > 1 && first.Job.ID != "" {
		i.Title = nameJob(i.Title, first.Job)
	}
}

// nameJob names the job that a sentence calls the job, for an incident of several.
func nameJob(title string, job AffectedJob) string {
	for _, subject := range []string{"The job ", "the job "} {
		if rest, found := strings.CutPrefix(title, subject); found {
			return safe(job.String()) + " " + rest
		}
	}
	return title
}

// update notes what changed of an open incident. A person is notified of another
// cause, a higher severity and further jobs, and from then on of an incident
// that was there before the watcher began.
func (t *Tracker) update(f *follow, g *group, now time.Time) {
	i := f.incident
	before := *i
	describe(i, g)
	i.Outcome = ""
	worse := i.Severity.Order() < before.Severity.Order() || i.Cause != before.Cause || i.failedSince(&before)
	more := len(i.Jobs) > len(before.Jobs)
	if !worse && !more {
		return
	}
	i.Updated, i.Old = now, false
	t.version++
	if f.owed == "" {
		f.owed, f.from = Updated, nil
	}
	if f.from == nil {
		f.from = &before
	}
	i.Changed = changeOf(f.from, i)
}

// changeOf describes in a sentence how an incident differs from itself before.
func changeOf(before, i *Incident) string {
	var all []string
	add := func(text string) { all = append(all, text) }
	switch {
	case i.failedSince(before):
		add("the job failed")
	case i.Severity.Order() < before.Severity.Order():
		add("its severity was " + string(before.Severity) + ", and is " + string(i.Severity) + " now")
	}
	if before.Cause != i.Cause {
		add("the cause was " + cmp.Or(string(before.Cause), "not known"))
	}
	if more := len(i.Jobs) - len(before.Jobs); more > 0 {
		add(termtext.More(more, "job"))
	}
	return strings.Join(all, "; ")
}

// unsent reports whether nobody heard of an incident yet.
func (f *follow) unsent() bool {
	return f.incident.Old || f.owed == Opened || f.owed == Updated && f.sent.IsZero()
}

// settle resolves incidents whose trouble is over, and forgets troubles that
// never became one.
func (t *Tracker) settle(o Observation) {
	for _, key := range slices.Sorted(maps.Keys(t.followed)) {
		f := t.followed[key]
		if f.last.Equal(o.At) {
			continue
		}
		if f.incident == nil {
			delete(t.followed, key)
			t.version++
			continue
		}
		if f.away.IsZero() {
			f.away = o.At
		}
		outcome, final := outcomeOf(f.incident, o.Phase)
		if final || o.At.Sub(f.away) >= f.settles() {
			t.resolve(f, o.At, outcome)
			delete(t.followed, key)
			if !final && !strings.HasPrefix(key, joinedPrefix) {
				t.ended[key] = ended{At: o.At, Flaps: f.flaps}
			}
		}
	}
}

// settles is how long the trouble has to be away: longer each time that it came
// back, so that one that comes and goes becomes one incident.
func (f *follow) settles() time.Duration {
	settle := SettleFor
	for range f.flaps {
		if settle *= settleGrows; settle >= longestSettle {
			return longestSettle
		}
	}
	return settle
}

// outcomeOf describes how the trouble of some jobs ended; final is true where it
// cannot come back.
func outcomeOf(i *Incident, phase func(train.JobID) (train.Phase, bool)) (outcome string, final bool) {
	counts := map[string]int{}
	final = len(i.Jobs) > 0
	for _, job := range i.Jobs {
		now, there := phase(job.ID)
		word := "is no longer in trouble"
		switch {
		case !there:
			word = "was deleted"
		case now == train.Succeeded:
			word = "succeeded"
		case now == train.Suspended:
			word = "was suspended"
		case now == train.Running:
			word, final = "runs", false
		default:
			final = false
		}
		counts[word]++
	}
	if len(i.Jobs) == 0 {
		return "it is over", false
	}
	for k, word := range slices.Sorted(maps.Keys(counts)) {
		if k > 0 {
			outcome += ", "
		}
		if len(i.Jobs) == 1 {
			return "the job " + word, final
		}
		outcome += fmt.Sprintf("%d: %s", counts[word], word)
	}
	return outcome, final
}

// resolve ends an incident. An incident that was never sent gets no notice of its
// end.
func (t *Tracker) resolve(f *follow, now time.Time, outcome string) {
	i := f.incident
	i.Resolved, i.Outcome = now, outcome
	t.version++
	rule := t.ruleNamed(i.Rule)
	if f.unsent() || rule != nil && rule.KeepResolved {
		return
	}
	t.followed["resolved|"+string(i.ID)] = &follow{first: now, last: now, incident: i, owed: Resolved, sent: f.sent, changes: f.changes}
}

func (t *Tracker) ruleNamed(name string) *Rule {
	if at := slices.IndexFunc(t.Rules, func(r Rule) bool { return r.Name == name }); at >= 0 {
		return &t.Rules[at]
	}
	return nil
}

// forget drops resolved incidents that are old or too many, and ends of troubles
// that did not come back.
func (t *Tracker) forget(now time.Time) {
	maps.DeleteFunc(t.ended, func(_ string, e ended) bool { return now.Sub(e.At) >= flapsWithin })
	resolved := 0
	for _, i := range t.incidents {
		if !i.Open() {
			resolved++
		}
	}
	t.incidents = slices.DeleteFunc(t.incidents, func(i *Incident) bool {
		drop := !i.Open() && (resolved > mostResolved || now.Sub(i.Resolved) > keepResolved)
		if drop {
			resolved--
		}
		return drop
	})
}

// Incidents are all that is remembered, the newest first. They are copies.
func (t *Tracker) Incidents() []Incident {
	all := make([]Incident, 0, len(t.incidents))
	for _, i := range slices.Backward(t.incidents) {
		all = append(all, copied(i))
	}
	return all
}

// copied is an incident that shares nothing with the tracker's.
func copied(i *Incident) Incident {
	c := *i
	c.Jobs, c.Sent = slices.Clone(i.Jobs), slices.Clone(i.Sent)
	return c
}

// find is the incident with an ID, nil without one.
func (t *Tracker) find(id IncidentID) *Incident {
	if at := slices.IndexFunc(t.incidents, func(i *Incident) bool { return i.ID == id }); at >= 0 {
		return t.incidents[at]
	}
	return nil
}
