package job

import (
	"slices"
	"time"

	"github.com/traintop/traintop/diagnose/signals"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

// rankGPUs are the measured GPUs of the ranks of a job.
type rankGPUs struct {
	// ofRank are those of each rank, by its index in Job.Ranks.
	ofRank [][]*train.GPUState
	// odd is the fault of each rank, nil without one.
	odd      []*rankSignal
	most     int             // GPUs of the rank that has most
	sum      *store.JobGPUs  // nil when nothing is measured
	reported [cellKinds]bool // quantities that any GPU reports
	// highest are the numbers that are drawn hottest.
	highest [cellKinds]float64

	seen rankGPUsSeen
	// version counts changes of the odd ranks.
	version uint64
}

// rankSignal is a fault of the GPUs of a rank, or of one of them.
type rankSignal struct {
	word, text string
	role       themes.Role
}

// rankGPUsSeen is the input that rankGPUs were made from.
type rankGPUsSeen struct {
	job     *train.Job
	version uint64
	now     time.Time
	report  *signals.Report
}

// rankGPUsPause is the time between two updates from readings that keep changing.
const rankGPUsPause = time.Second

// load updates the GPUs from the newest snapshot. A clock that does not move
// is that of a file: updates are not delayed there.
func (g *rankGPUs) load(f views.Frame, j *train.Job) {
	next := rankGPUsSeen{j, f.Snapshot.GPUsVersion, f.Snapshot.Now, f.Diagnosis.Signals()}
	passed := next.now.Sub(g.seen.now)
	same := next
	same.version, same.now = g.seen.version, g.seen.now
	if same == g.seen && (next.version == g.seen.version && passed == 0 || passed > 0 && passed < rankGPUsPause) {
		return
	}
	g.seen = next
	g.sum = f.Snapshot.JobGPUs(j)
	g.share(f, j)
	g.findQuantities()
	g.findOddRanks(f, j)
}

// share assigns the GPUs to the ranks whose pods hold them. Numbers that have
// expired are not shown, so they are left out.
func (g *rankGPUs) share(f views.Frame, j *train.Job) {
	g.ofRank, g.most = make([][]*train.GPUState, len(j.Ranks)), 0
	if g.sum == nil {
		return
	}
	type pod struct{ namespace, name string }
	byPod := make(map[pod]int, len(j.Ranks))
	for i := range j.Ranks {
		byPod[pod{j.Ranks[i].Namespace, j.Ranks[i].Pod}] = i
	}
	for _, state := range f.Snapshot.GPUsOf(j) {
		rankIndex, found := byPod[pod{state.GPU.Namespace, state.GPU.Pod}]
		if found && len(state.Sources) > 0 && state.Freshness(f.Now()) != train.Expired {
			g.ofRank[rankIndex] = append(g.ofRank[rankIndex], state)
			g.most = max(g.most, len(g.ofRank[rankIndex]))
		}
	}
}

// findQuantities finds which quantities the GPUs report, and their largest values.
func (g *rankGPUs) findQuantities() {
	g.reported, g.highest = [cellKinds]bool{}, [cellKinds]float64{}
	for _, gpus := range g.ofRank {
		for _, state := range gpus {
			for kind := cellUse; kind < cellKinds; kind++ {
				v, known := state.Values.Get(kind.quantity())
				g.reported[kind] = g.reported[kind] || known
				g.highest[kind] = max(g.highest[kind], v)
			}
			if limit, known := state.Values.Get(train.GPUPowerLimit); known {
				g.highest[cellPower] = max(g.highest[cellPower], limit)
			}
		}
	}
	g.highest[cellUse], g.highest[cellTensor], g.highest[cellSM] = 100, 1, 1
}

// findOddRanks finds the ranks with a signal.
func (g *rankGPUs) findOddRanks(f views.Frame, j *train.Job) {
	before := g.odd
	g.odd = make([]*rankSignal, len(j.Ranks))
	g.fromSignals(f, j)
	if !slices.EqualFunc(before, g.odd, func(a, c *rankSignal) bool { return (a == nil) == (c == nil) }) {
		g.version++
	}
}

// fromSignals takes the worst signal of each rank: of one of its GPUs, or of
// the rank within its job. A signal of the whole job makes no rank odd.
func (g *rankGPUs) fromSignals(f views.Frame, j *train.Job) {
	report := f.Diagnosis.Signals()
	worst := make([]train.Severity, len(j.Ranks))
	say := func(rankIndex int, s *signals.Signal, text string) {
		if s.Severity != train.SeverityInfo && (worst[rankIndex] == "" || s.Severity.Order() < worst[rankIndex].Order()) {
			worst[rankIndex] = s.Severity
			g.odd[rankIndex] = &rankSignal{s.Word, text, signalRole(s)}
		}
	}
	for rankIndex, gpus := range g.ofRank {
		for _, state := range gpus {
			for _, s := range report.GPU(state.GPU.ID()) {
				say(rankIndex, &s, "GPU "+state.GPU.Index+": "+s.Text)
			}
		}
	}
	reported := report.Job(j.ID)
	if len(reported) == 0 {
		return
	}
	byNumber := make(map[int]int, len(j.Ranks))
	for i := range j.Ranks {
		byNumber[j.Ranks[i].Index] = i
	}
	for i := range reported {
		for _, rank := range reported[i].Ranks {
			if rankIndex, found := byNumber[rank]; found {
				say(rankIndex, &reported[i], reported[i].Text)
			}
		}
	}
}

func signalRole(s *signals.Signal) themes.Role {
	if s.Severity == train.SeverityError {
		return themes.Bad
	}
	return themes.Waiting
}
