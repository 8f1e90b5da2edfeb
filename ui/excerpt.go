package ui

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

// Excerpts saves a recording of one job: from a Timeline, or from the current
// snapshot.
type Excerpts interface {
	// Excerpt writes all data on a job from its creation up to an instant into
	// a new file, and returns its size in bytes. A source without a past writes
	// its current data. An existing file is fs.ErrExist. It is called off the
	// event loop and may block; when ctx ends, no file is left behind.
	Excerpt(ctx context.Context, job *train.Job, at time.Time, path string) (bytes int64, err error)
}

// excerpts saves the excerpt of a job: it reads the job's logs first.
type excerpts struct{ m *model }

// excerpt is the one that is being saved.
type excerpt struct {
	saving bool
	of     *train.Job
	from   Excerpts
	// store is where the logs of its ranks are collected, nil when they are
	// not.
	store *store.Store
	// logs are the wanted ones, began is when they were requested, and read how far
	// each is.
	logs  streams.Want
	began time.Time
	read  map[train.StreamID]*readSoFar
	// unread are the ranks whose logs were not read to their end in time.
	unread []int
}

// readSoFar is how far a log is read. A followed log has no end: it is read once its
// newest line is of now, or no longer gets younger.
type readSoFar struct {
	// known is the newest line that was here before the log was read anew.
	known time.Time
	// lag was the age of the newest line at the last check, and steady counts the
	// checks since when it has not shrunk.
	lag    time.Duration
	steady int
}

// How long saving waits for the logs of ranks that were not followed: at most
// gatherMost. gatherLogs are followed at once for it. The newest line of a log is of
// now where it is younger than gatherFresh; a log rests after gatherSteady checks: a
// kubelet may pause for seconds. Found by feel.
const (
	gatherEvery  = 500 * time.Millisecond
	gatherMost   = 15 * time.Second
	gatherFresh  = 5 * time.Second
	gatherSteady = 6
	gatherLogs   = 256
)

// save saves a recording of the selected job.
func (w *excerpts) save() tea.Cmd {
	i := &w.m.excerpt
	if i.saving {
		return w.m.say("the excerpt of "+i.of.Ref.String()+" is being saved already", true)
	}
	from, can := w.m.session.Past.(Excerpts)
	if !can {
		from = w.m.session.Known
	}
	if from == nil {
		return w.m.say("an excerpt cannot be made of what is shown here", true)
	}
	job := w.m.jobHere()
	if job == nil {
		return w.m.say("no job is chosen whose excerpt could be saved", true)
	}
	*i = excerpt{saving: true, of: job, from: from}
	if w.m.o.Cluster == nil || w.m.session.Actor == nil || w.m.travel.replays() || job.LogsOnly {
		return tea.Batch(w.m.say("saving the excerpt of "+job.Ref.String(), false), w.write(w.m.travel.heading()))
	}
	return w.gather()
}

// gather follows the logs of all ranks for a while.
func (w *excerpts) gather() tea.Cmd {
	i := &w.m.excerpt
	ranks := make([]int, len(i.of.Ranks))
	i.read = map[train.StreamID]*readSoFar{}
	for rank := range ranks {
		ranks[rank] = rank
		for _, log := range w.m.snapshot.RankLogs(i.of, rank) {
			i.read[log.ID] = &readSoFar{known: newestTime(log)}
		}
	}
	i.store, i.began = w.m.session.Store, w.m.snapshot.Now
	i.logs = streams.Want{Job: i.of.ID, Ranks: ranks, Previous: true, Whole: true}
	w.m.logPlan.plan()
	return tea.Batch(w.m.say("reading the logs of all ranks of "+i.of.Ref.String()+" for its excerpt", false), w.m.after(gatherEvery, gatherTick{}))
}

// gathers adds the logs that an excerpt needs to those of the screens.
func (i *excerpt) gathers(wants []streams.Want, most int) ([]streams.Want, int) {
	if i.store == nil {
		return wants, most
	}
	return append(wants[:len(wants):len(wants)], i.logs), max(most, gatherLogs)
}

// gatherTick checks whether the logs were read.
type gatherTick struct{}

func (gatherTick) arrive(m *model) tea.Cmd {
	i := &m.excerpt
	if i.store == nil {
		return nil
	}
	if i.store != m.session.Store && i.store != m.travel.live {
		m.excerpt = excerpt{} // the session is over
		return nil
	}
	s := i.store.Snapshot()
	i.unread = m.excerpts.unread(s)
	if len(i.unread) > 0 && s.Now.Sub(i.began) < gatherMost {
		return m.after(gatherEvery, gatherTick{})
	}
	i.store = nil
	m.logPlan.plan()
	return tea.Batch(m.say("saving the excerpt of "+i.of.Ref.String(), false), m.excerpts.write(s.Now))
}

// unread are the ranks, by their index, with logs that are not read to their end.
func (w *excerpts) unread(s *store.Snapshot) (ranks []int) {
	i := &w.m.excerpt
	for _, chosen := range w.m.reading.plan.Chosen {
		job, rank, _ := s.RankOfLog(chosen.ID)
		if job == nil || job.ID != i.of.ID {
			continue
		}
		if !i.isRead(s.Log(chosen.ID), chosen.ID, s.Now) && !slices.Contains(ranks, rank) {
			ranks = append(ranks, rank)
		}
	}
	return ranks
}

// isRead reports whether a log is read to its end, or cannot be.
func (i *excerpt) isRead(log *store.Log, id train.StreamID, now time.Time) bool {
	if log == nil {
		return false
	}
	switch log.Status.State {
	case train.StreamOpening, train.StreamWaiting:
		return false
	case train.StreamLive:
	default:
		return true
	}
	so := i.read[id]
	if so == nil {
		so = &readSoFar{}
		i.read[id] = so
	}
	newest := newestTime(log)
	lag := now.Sub(newest)
	if so.steady++; so.lag-lag > gatherEvery/10 {
		so.steady = 0
	}
	so.lag = lag
	return !newest.Before(so.known) && (lag.Abs() < gatherFresh || so.steady > gatherSteady)
}

// newestTime is the time of the newest line of a log that has one.
func newestTime(log *store.Log) time.Time {
	for n := log.Lines.Len() - 1; n >= 0; n-- {
		if at := log.Lines.Time(n); !at.IsZero() {
			return at
		}
	}
	return time.Time{}
}

// write saves it up to an instant.
func (w *excerpts) write(at time.Time) tea.Cmd {
	ctx, job, from, folder := w.m.ctx, w.m.excerpt.of, w.m.excerpt.from, w.m.saveFolder()
	return w.m.host.InBackground(func() tea.Msg {
		var done excerptSaved
		done.err = withoutFault(func() (err error) {
			done.path, done.bytes, err = newExcerpt(ctx, from, job, at, folder)
			return err
		})
		return done
	})
}

// newExcerpt writes it into a new file.
func newExcerpt(ctx context.Context, from Excerpts, job *train.Job, at time.Time, folder string) (path string, bytes int64, err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", 0, fmt.Errorf("making the folder for the excerpt: %w", err)
	}
	name := "excerpt-" + views.FileName(job.Ref.Namespace+"-"+job.Ref.Name) + "-" + at.UTC().Format("2006-01-02T15-04-05Z")
	for n := 0; ; n++ {
		path = filepath.Join(folder, name+".ttrec")
		if n > 0 {
			path = filepath.Join(folder, fmt.Sprintf("%s-%d.ttrec", name, n))
		}
		bytes, err = from.Excerpt(ctx, job, at, path)
		if !errors.Is(err, fs.ErrExist) || n >= 1000 {
			return path, bytes, err
		}
	}
}

// excerptSaved is the end of it.
type excerptSaved struct {
	path  string
	bytes int64
	err   error
}

func (s excerptSaved) arrive(m *model) tea.Cmd {
	unread, job := m.excerpt.unread, m.excerpt.of
	m.excerpt = excerpt{}
	if s.err != nil {
		return m.say(s.err.Error(), true)
	}
	if len(unread) > 0 {
		for at, rank := range unread {
			unread[at] = job.Ranks[rank].Index
		}
		return m.say(fmt.Sprintf("saved %s, %s: the logs of ranks %s were not read to their end in %s, and their newest lines are not in it", s.path, termtext.Bytes(s.bytes), termtext.RankRanges(unread), gatherMost), true)
	}
	return m.say(fmt.Sprintf("saved %s, %s: attach it to the ticket; traintop --from opens it", s.path, termtext.Bytes(s.bytes)), false)
}
