package ui

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/views/draw"
)

// speeds are how many recorded seconds pass in one, the choices of the keys.
var speeds = []float64{1, 2, 5, 10, 30, 60, 120, 300, 600}

// playEvery is the time between two steps of playing: often enough to look
// continuous, and seldom enough that a step costs little beside it.
const playEvery = 200 * time.Millisecond

// longestStep bounds the time that one step of playing catches up: after a slow
// step, or a machine that slept, playing continues without a jump.
const longestStep = time.Second

// travel is the instant that the session shows.
type travel struct {
	m *model
	// at is the shown instant.
	at time.Time
	// live is the live store while its past is shown, nil otherwise.
	live    *store.Store
	speed   float64
	playing bool
	// moving is true while an instant is loaded or played to, and wanted is the
	// one requested meanwhile.
	moving bool
	wanted *time.Time
	// stepped is when the newest step of playing began.
	stepped time.Time
	moments []Moment
	// generation counts plays; a tick of an earlier one is ignored.
	generation int
	// mute hides the story.
	mute bool
}

// past reports whether the past of a live cluster is shown.
func (t *travel) past() bool { return t.live != nil }

// replays reports whether an instant of a timeline is shown.
func (t *travel) replays() bool { return t.m.session.Past != nil && (t.m.session.Replayed || t.past()) }

// begin is the start of a session.
func (t *travel) begin() {
	*t = travel{m: t.m, generation: t.generation + 1, speed: 1}
	if !t.m.session.Replayed || t.m.session.Past == nil {
		return
	}
	if t.m.session.Plays > 0 {
		t.speed, t.playing = t.m.session.Plays, true
	}
}

// startPlayback starts reading the moments, and playing.
func (t *travel) startPlayback() tea.Cmd {
	if !t.replays() {
		return nil
	}
	return tea.Batch(t.askMoments(), t.playOn())
}

// act carries out an action of the timeline.
func (t *travel) act(action keymap.Action) (cmd tea.Cmd, handled bool) {
	var by time.Duration
	switch action {
	case keymap.TravelBack:
		by = -10 * time.Second
	case keymap.TravelOn:
		by = 10 * time.Second
	case keymap.TravelBackMin:
		by = -time.Minute
	case keymap.TravelOnMin:
		by = time.Minute
	case keymap.TravelBackHour:
		by = -time.Hour
	case keymap.TravelOnHour:
		by = time.Hour
	case keymap.TravelStory:
		t.mute = !t.mute
		return nil, true
	case keymap.TravelPlay, keymap.TravelMark, keymap.TravelMarkBack, keymap.TravelFaster, keymap.TravelSlower, keymap.TravelNow:
	default:
		return nil, false
	}
	if why := t.noPast(); why != "" {
		return t.m.say(why, true), true
	}
	switch action {
	case keymap.TravelPlay:
		return t.playOrPause(), true
	case keymap.TravelFaster, keymap.TravelSlower:
		return t.changeSpeed(action == keymap.TravelFaster), true
	case keymap.TravelNow:
		return t.toNow(), true
	case keymap.TravelMark, keymap.TravelMarkBack:
		return t.toMoment(action == keymap.TravelMark), true
	}
	return t.to(t.heading().Add(by)), true
}

// noPast explains why there is no past to show, "" where there is one.
func (t *travel) noPast() string {
	switch from, _ := t.span(); {
	case t.m.session.Past == nil && t.m.session.Actor == nil:
		return "these are files of one instant; 'traintop record' keeps what can be gone back over"
	case t.m.session.Past == nil:
		return "nothing of the past is kept here: rewind is off in the configuration, or could not begin"
	case from.IsZero():
		return "nothing is kept yet: that begins some seconds after the start"
	}
	return ""
}

func (t *travel) span() (from, to time.Time) {
	if t.m.session.Past == nil {
		return from, to
	}
	return t.m.session.Past.Span()
}

// heading is the shown instant, or the one being loaded.
func (t *travel) heading() time.Time {
	switch t := t; {
	case t.wanted != nil:
		return *t.wanted
	case t.past() || t.m.session.Replayed && !t.at.IsZero():
		return t.at
	case t.m.session.Replayed && t.m.session.Past != nil:
		return t.m.session.Past.At()
	}
	return t.m.snapshot.Now
}

// to shows another instant; one after the end of a live past is now.
func (t *travel) to(at time.Time) tea.Cmd {
	from, to := t.span()
	if at.Before(from) {
		at = from
	}
	if !at.Before(to) {
		if !t.m.session.Replayed {
			return t.toNow()
		}
		at = to
	}
	if t.moving {
		t.wanted = &at
		return nil
	}
	t.moving, t.wanted = true, nil
	return tea.Batch(t.load(at, t.m.session.Past.Load), t.askMomentsLate())
}

// loader makes the store of an instant.
type loader func(ctx context.Context, at time.Time, before *store.Snapshot) (*store.Store, error)

// load makes the store of an instant off the event loop, with its snapshot and
// diagnosis, so that nothing of another instant is shown.
func (t *travel) load(at time.Time, from loader) tea.Cmd {
	ctx, before, generation := t.m.ctx, t.m.snapshot, t.generation
	options := diagnose.Options{Thresholds: t.m.o.Thresholds, Probes: t.m.filed.answers, Reach: t.m.session.Reach}
	list := t.m.incidents.ofInstant()
	return func() tea.Msg {
		to := moved{generation: generation, at: at}
		to.err = withoutFault(func() (err error) {
			if to.store, err = from(ctx, at, before); err != nil {
				return err
			}
			to.diagnosis, _ = analysed{from: to.store, list: list}.look(options, nil, gpuSum{}).(analysed)
			if to.of = to.diagnosis.of; to.of == nil {
				to.of = to.store.Snapshot()
			}
			return nil
		})
		return to
	}
}

// withoutFault turns a panic into an error.
func withoutFault(do func() error) (err error) {
	defer func() {
		if what := recover(); what != nil {
			err = fmt.Errorf("this is a bug of traintop: %v", what)
		}
	}()
	return do()
}

// moved is an instant that was loaded.
type moved struct {
	generation int
	at         time.Time
	store      *store.Store
	of         *store.Snapshot
	diagnosis  analysed
	err        error
}

func (a moved) arrive(m *model) tea.Cmd {
	if a.generation != m.travel.generation {
		return nil // of an earlier session, or now is shown again
	}
	t := &m.travel
	t.moving = false
	if a.err != nil {
		t.wanted, t.playing = nil, false
		return m.say("this instant cannot be shown: "+a.err.Error(), true)
	}
	if !m.session.Replayed && t.live == nil {
		t.live = m.session.Store
	}
	t.at = a.at
	m.travel.showStore(a.store, a.of)
	d := &a.diagnosis
	m.analysis.report, m.analysis.gpus, m.analysis.looked, m.analysis.broken = d.report, d.gpus, d.of, d.broken
	said := m.incidents.take(d.list, d.incidents)
	if t.wanted != nil {
		return tea.Batch(said, m.travel.to(*t.wanted))
	}
	if a.at.IsZero() { // it began again, and its moments have other times
		return tea.Batch(said, m.travel.askMoments(), m.travel.playOn())
	}
	return tea.Batch(said, m.travel.playOn())
}

// showStore replaces the shown store; the screens stay open.
func (t *travel) showStore(s *store.Store, of *store.Snapshot) {
	t.m.session.Store, t.m.snapshot = s, of
	t.m.clock = ticker{generation: t.m.clock.generation + 1}
	t.m.analysis = analysis{runs: t.m.analysis.runs + 1}
	t.m.namespaces.assignDigits()
	t.m.incidents.refresh()
	t.m.follow(s)
}

// toNow shows the newest snapshot.
func (t *travel) toNow() tea.Cmd {
	if t.m.session.Replayed {
		_, to := t.span()
		t.playing = false
		return t.to(to)
	}
	if !t.past() {
		t.wanted = nil
		return t.m.say("this is now", false)
	}
	live, generation := t.live, t.generation+1
	*t = travel{m: t.m, generation: generation, speed: t.speed, moments: t.moments, at: t.at, live: live, moving: true}
	return func() tea.Msg {
		taken := takeSnapshot(live)
		if now, is := taken.(snapshotTaken); is {
			return returned{generation, now}
		}
		return taken
	}
}

// returned is the newest snapshot of a cluster whose past was shown.
type returned struct {
	generation int
	now        snapshotTaken
}

func (r returned) arrive(m *model) tea.Cmd {
	t := &m.travel
	if r.generation != t.generation {
		return nil
	}
	wanted := t.wanted
	m.travel = travel{m: t.m, generation: t.generation, speed: t.speed, moments: t.moments}
	m.travel.showStore(r.now.from, r.now.of)
	m.reading.plan = nil // the cluster still follows the logs of the last plan
	if wanted != nil {
		return m.travel.to(*wanted)
	}
	return tea.Batch(m.say("back to now", false), m.look())
}

// playOrPause handles its key. At the end of a replay it begins again.
func (t *travel) playOrPause() tea.Cmd {
	if t.playing {
		t.playing = false
		return nil
	}
	if !t.replays() {
		return t.m.say("this is now, which plays by itself; "+keymap.Print(keymap.KeyOf(keymap.TravelBack))+" goes back", false)
	}
	t.playing = true
	if from, to := t.span(); t.m.session.Replayed && !t.heading().Before(to) {
		return t.to(from)
	}
	return t.playOn()
}

func (t *travel) changeSpeed(faster bool) tea.Cmd {
	i, exact := slices.BinarySearch(speeds, t.speed)
	switch {
	case faster && exact:
		i++
	case !faster:
		i--
	}
	t.speed = speeds[min(max(i, 0), len(speeds)-1)]
	if !t.replays() {
		return t.m.say("what is played from here on is played "+speedText(t.speed)+" as fast", false)
	}
	return nil
}

func speedText(speed float64) string { return strconv.FormatFloat(speed, 'f', -1, 64) + "x" }

// playOn waits for the next step, while something is played.
func (t *travel) playOn() tea.Cmd {
	if !t.playing || t.moving {
		return nil
	}
	t.stepped = t.wall()
	return t.m.after(playEvery, playTick(t.generation))
}

// wall is the clock of playing.
func (t *travel) wall() time.Time {
	if t.m.o.Now == nil {
		return time.Time{}
	}
	return t.m.o.Now()
}

// playTick is the next step.
type playTick int

func (p playTick) arrive(m *model) tea.Cmd {
	m.dirty = false
	t := &m.travel
	if int(p) != t.generation || !t.playing || t.moving {
		return nil
	}
	passed := playEvery
	if m.o.Now != nil {
		passed = min(max(m.travel.wall().Sub(t.stepped), 0), longestStep)
	}
	_, to := m.travel.span()
	at := m.travel.heading().Add(time.Duration(float64(passed) * t.speed))
	if !at.Before(to) {
		return m.travel.playedOut(to)
	}
	t.moving = true
	ctx, past, done := m.ctx, m.session.Past, played{generation: t.generation, at: at}
	return func() tea.Msg {
		done.err = withoutFault(func() error { return past.Next(ctx, done.at) })
		return done
	}
}

// playedOut handles the end of a recording.
func (t *travel) playedOut(to time.Time) tea.Cmd {
	t.m.dirty = true
	looping, loops := t.m.session.Past.(Repeating)
	switch {
	case !t.m.session.Replayed:
		return t.toNow()
	case loops:
		t.moving = true
		again := func(ctx context.Context, _ time.Time, before *store.Snapshot) (*store.Store, error) {
			return looping.Again(ctx, before)
		}
		return t.load(time.Time{}, again)
	}
	t.playing = false
	return t.to(to)
}

// played is a completed step.
type played struct {
	generation int
	at         time.Time
	err        error
}

func (p played) arrive(m *model) tea.Cmd {
	t := &m.travel
	m.dirty = p.generation == t.generation
	if !m.dirty {
		return nil
	}
	t.moving, t.at = false, p.at
	if p.err != nil {
		t.playing = false
		return m.say("playing stopped: "+p.err.Error(), true)
	}
	if t.wanted != nil {
		return m.travel.to(*t.wanted)
	}
	return m.travel.playOn()
}

// toMoment jumps to the nearest mark, and describes it.
func (t *travel) toMoment(next bool) tea.Cmd {
	moment := nearest(t.allMoments(), t.heading(), next)
	if moment == nil {
		where := "after"
		if !next {
			where = "before"
		}
		return t.m.say(fmt.Sprintf("nothing is marked %s %s", where, clockTime(t.heading())), false)
	}
	return tea.Batch(t.to(moment.At), t.m.say(draw.Clean(moment.Text), moment.Trouble))
}

// allMoments are the notable events of the past and what of incidents lies in it,
// in order of time.
func (t *travel) allMoments() []Moment {
	all := slices.Clone(t.moments)
	from, to := t.span()
	for _, m := range t.m.incidents.moments {
		if !m.At.Before(from) && !m.At.After(to) {
			all = append(all, m)
		}
	}
	slices.SortStableFunc(all, func(a, b Moment) int { return a.At.Compare(b.At) })
	return all
}

// nearest is the moment after an instant, or before it; nil for none. A moment
// within a second of it counts as the current one.
func nearest(moments []Moment, at time.Time, next bool) *Moment {
	if next {
		i := slices.IndexFunc(moments, func(m Moment) bool { return m.At.After(at) })
		if i < 0 {
			return nil
		}
		return &moments[i]
	}
	for i := len(moments) - 1; i >= 0; i-- {
		if moments[i].At.Before(at.Add(-time.Second)) {
			return &moments[i]
		}
	}
	return nil
}

// askMoments reads the moments.
func (t *travel) askMoments() tea.Cmd {
	ctx, past, generation := t.m.ctx, t.m.session.Past, t.generation
	return t.m.host.OffLoop(func() tea.Msg {
		moments, err := past.Moments(ctx)
		return momentsRead{generation, moments, err}
	})
}

// askMomentsLate reads them where they were not read at the start: of a live
// past.
func (t *travel) askMomentsLate() tea.Cmd {
	if t.m.session.Replayed {
		return nil
	}
	return t.askMoments()
}

// momentsRead is the result of askMoments.
type momentsRead struct {
	generation int
	moments    []Moment
	err        error
}

func (r momentsRead) arrive(m *model) tea.Cmd {
	if r.generation != m.travel.generation {
		return nil
	}
	m.travel.moments = r.moments
	if r.err != nil {
		return m.say("what happened cannot be marked on the timeline: "+r.err.Error(), true)
	}
	return nil
}

// goAt is the command ":at".
func goAt(m *model, words []string) tea.Cmd {
	if why := m.travel.noPast(); why != "" {
		return m.say(why, true)
	}
	if len(words) == 0 {
		return m.say(":at wants a time: 14:07, 2026-11-20T14:07:00Z, -5m before the end, or now", true)
	}
	if words[0] == "now" {
		return m.travel.toNow()
	}
	at, err := m.session.Past.Instant(strings.Join(words, " "))
	if err != nil {
		return m.say(":at "+err.Error(), true)
	}
	return m.travel.to(at)
}
