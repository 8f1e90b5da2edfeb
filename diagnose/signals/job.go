package signals

import (
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/train"
)

// job is a running job with its GPUs as rules see it.
type job struct {
	*train.Job
	*scene

	gpus  []gpu     // the measured ones, in order of rank and index
	fresh []*gpu    // those whose numbers are not old
	began time.Time // when the youngest of its ranks began; zero when unknown

	nodes  []machine // see machines
	listed bool      // they were looked up

	measured []container // see containers
	asked    bool        // they were looked up
}

// young reports whether a rank of the job began less than d ago.
func (j *job) young(d time.Duration) bool { return !j.began.IsZero() && j.now.Sub(j.began) < d }

// once is true when all its numbers were measured once.
func (j *job) once() bool {
	return !slices.ContainsFunc(j.fresh, func(g *gpu) bool { return !g.once() })
}

// lasts works as for a GPU, for the job as a whole.
func (j *job) lasts(kind string, from time.Time, least time.Duration) (since time.Time, enough bool) {
	if from.IsZero() || from.After(j.now) {
		from = j.now
	}
	since = j.memory.note(kind, "", from)
	return since, j.once() || j.now.Sub(since) >= least
}

// some returns at most n of its fresh GPUs, evenly spread over the ranks.
func (j *job) some(n int) []*gpu { return spread(j.fresh, n) }

func spread(all []*gpu, n int) []*gpu {
	if len(all) <= n {
		return all
	}
	some := make([]*gpu, n)
	for i := range some {
		some[i] = all[i*len(all)/n]
	}
	return some
}

// machine is a node of a job with its usage.
type machine struct {
	name string
	// of is nil where no cluster object describes it (a file).
	of *train.Node
	// usage is nil where it is not measured, and where its numbers are old.
	usage *train.Usage
}

// machines returns the nodes of its GPUs in order of name, each once. Several
// rules need them: they are looked up once.
func (j *job) machines() []machine {
	if j.listed {
		return j.nodes
	}
	j.listed = true
	j.nodes = make([]machine, 0, len(j.gpus)/8+1)
	for i := range j.gpus {
		if name := j.gpus[i].GPU.Node; name != "" && (len(j.nodes) == 0 || j.nodes[len(j.nodes)-1].name != name) {
			j.nodes = append(j.nodes, machine{name: name})
		}
	}
	slices.SortFunc(j.nodes, func(a, b machine) int { return strings.Compare(a.name, b.name) })
	j.nodes = slices.Compact(j.nodes)
	for i := range j.nodes {
		m := &j.nodes[i]
		m.of = j.past.Node(m.name)
		if u := j.past.NodeUsage(m.name); u != nil && u.Freshness(j.now) == train.Fresh {
			m.usage = u
		}
	}
	return j.nodes
}

// container is the current usage of a container of a running rank.
type container struct {
	rank  int // Rank.Index
	usage *train.Usage
}

// containers returns those of the running ranks that are measured, in order of
// rank. Several rules need them: they are looked up once.
func (j *job) containers() []container {
	if j.asked {
		return j.measured
	}
	j.asked = true
	for i := range j.Ranks {
		r := &j.Ranks[i]
		if r.Pod == "" || r.State != train.RankRunning {
			continue
		}
		for _, u := range j.past.PodUsage(r.Namespace, r.Pod) {
			if u.Freshness(j.now) == train.Fresh {
				j.measured = append(j.measured, container{r.Index, u})
			}
		}
	}
	return j.measured
}

// peers returns groups of GPUs that do the same work on the same hardware, so
// that one can be compared with the others.
func (j *job) peers() [][]*gpu {
	type key struct{ role, model, profile string }
	var groups [][]*gpu
	at := map[key]int{}
	last, of := key{}, -1
	for _, g := range j.fresh {
		k := key{model: g.GPU.Model, profile: g.GPU.MIG.Profile}
		if g.rank != nil {
			k.role = g.rank.Role
		}
		if of < 0 || k != last {
			known := false
			if of, known = at[k]; !known {
				of = len(groups)
				at[k] = of
				groups = append(groups, nil)
			}
			last = k
		}
		groups[of] = append(groups[of], g)
	}
	return groups
}

// rankAt returns the rank with an index; the position of a rank is mostly its
// index.
func rankAt(j *train.Job, index int) *train.Rank {
	if index < 0 {
		return nil
	}
	if index < len(j.Ranks) && j.Ranks[index].Index == index {
		return &j.Ranks[index]
	}
	for i := range j.Ranks {
		if j.Ranks[i].Index == index {
			return &j.Ranks[i]
		}
	}
	return nil
}

// beganAt returns when the current attempt of a rank began; zero when unknown.
func beganAt(r *train.Rank) time.Time {
	if r == nil || len(r.Attempts) == 0 {
		return time.Time{}
	}
	return r.Attempts[len(r.Attempts)-1].Started
}
