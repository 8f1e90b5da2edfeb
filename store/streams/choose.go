package streams

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Choose returns the plan for all wants, with at most most logs. In order of
// need they are: shown ranks, rank 0 and those that print metrics, failing
// ones, the others; of equal need, those wanted first.
func Choose(s *store.Snapshot, wants []Want, most int) *Plan {
	c := chooser{snapshot: s, plan: &Plan{Most: most, left: map[leftKey]string{}, full: map[leftKey]bool{}}, chosenAt: map[train.StreamID]int{}}
	for i := range wants {
		c.want(&wants[i])
	}
	slices.SortStableFunc(c.wishes, func(a, b wish) int { return cmp.Compare(a.need, b.need) })
	for i := range c.wishes {
		c.add(&c.wishes[i])
	}
	return c.plan
}

// need is the priority of a rank; less is earlier.
type need int

const (
	needShown need = iota
	needPrevious
	needLead
	needFailing
	needOther
)

// previously returns the need of the previous container instance of a rank: a
// shown rank gets both before others.
func (n need) previously() need {
	if n == needShown {
		return needPrevious
	}
	return n + needOther
}

// wish is one wanted log of one rank.
type wish struct {
	need need
	key  leftKey
	log  Chosen
}

type chooser struct {
	snapshot *store.Snapshot
	plan     *Plan
	wishes   []wish
	// chosenAt are the indices of logs in the plan.
	chosenAt map[train.StreamID]int
	// fullText is why a log is left out where the plan is full.
	fullText string
}

func (c *chooser) want(w *Want) {
	job := c.snapshot.Job(w.Job)
	if job == nil || job.LogsOnly {
		return // logs from files are read anyway
	}
	ranks := w.Ranks
	if ranks == nil {
		ranks = c.informative(job)
	}
	for _, rank := range ranks {
		if rank >= 0 && rank < len(job.Ranks) {
			c.wantRank(w, job, rank)
		}
	}
}

func (c *chooser) wantRank(w *Want, job *train.Job, rank int) {
	r := &job.Ranks[rank]
	key := leftKey{job.ID, rank}
	found := c.find(job, r, w.Container)
	if found.why != "" && w.Others {
		if init, has := c.findInit(job, r); has {
			found = init
		}
	}
	if found.why != "" {
		c.plan.left[key] = found.why
		return
	}
	n := c.needOf(w, r, rank)
	c.wishes = append(c.wishes, wish{n, key, Chosen{ID: found.id, Ended: found.ended, Whole: w.Whole}})
	if w.Previous && found.previous {
		found.id.Restart--
		c.wishes = append(c.wishes, wish{n.previously(), key, Chosen{ID: found.id, Previous: true, Whole: w.Whole}})
	}
	if w.Others && w.Previous && !found.previous {
		if log, _, failed := earlierFailure(c.snapshot, job, r); failed {
			log.Whole = w.Whole
			c.wishes = append(c.wishes, wish{n.previously(), key, log})
		}
	}
	if w.Others {
		c.wantFailedBeside(w, job, r, found.id, wish{need: n, key: key})
	}
}

// wantFailedBeside adds the logs of the containers that ended badly beside the
// one that is read anyway.
func (c *chooser) wantFailedBeside(w *Want, job *train.Job, r *train.Rank, read train.StreamID, add wish) {
	pod := c.snapshot.Pod(cmp.Or(r.Namespace, job.Ref.Namespace), r.Pod)
	if pod == nil {
		return
	}
	for _, beside := range failedBeside(pod, read.Container) {
		add.log = Chosen{ID: beside.log.ID, Previous: beside.log.Previous, Whole: w.Whole}
		c.wishes = append(c.wishes, add)
	}
}

func (c *chooser) needOf(w *Want, r *train.Rank, rank int) need {
	switch {
	case w.Shown:
		return needShown
	case w.Ranks == nil && !failing(r), rank == 0:
		return needLead
	case failing(r):
		return needFailing
	}
	return needOther
}

func failing(r *train.Rank) bool {
	switch r.State {
	case train.RankFailed, train.RankCrashing, train.RankLost:
		return true
	}
	return false
}

// add adds a wish to the plan as long as there is room.
func (c *chooser) add(w *wish) {
	if i, has := c.chosenAt[w.log.ID]; has {
		c.plan.Chosen[i].Whole = c.plan.Chosen[i].Whole || w.log.Whole
		return
	}
	if len(c.plan.Chosen) >= c.plan.Most {
		if c.plan.left[w.key] == "" && !w.log.Previous {
			c.plan.full[w.key] = true
			if c.fullText == "" { // one text for the thousands of ranks of a large cluster
				c.fullText = fmt.Sprintf("not followed: the limit of %d logs is reached by others; show this rank alone, or raise logStreams in the configuration", c.plan.Most)
			}
			c.plan.left[w.key] = c.fullText
		}
		return
	}
	c.chosenAt[w.log.ID] = len(c.plan.Chosen)
	c.plan.Chosen = append(c.plan.Chosen, w.log)
}
