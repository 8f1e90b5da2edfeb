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

// board is the measurements of the GPUs of a job's ranks.
type board struct {
	// gpus are those of each rank, by its index in Job.Ranks.
	gpus [][]*train.GPUState
	// odd is the fault of each rank, nil without one.
	odd  []*rankSignal
	most int             // GPUs of the rank that has most
	sum  *store.JobGPUs  // nil when nothing is measured
	tell [cellKinds]bool // quantities that any GPU reports
	// highest are the numbers that are drawn hottest.
	highest [cellKinds]float64

	seen boardSeen
	// version counts changes of the odd ranks.
	version uint64
}

// rankSignal is a fault of the GPUs of a rank, or of one of them.
type rankSignal struct {
	word, text string
	role       themes.Role
}

// boardSeen is the input that a board was made from.
type boardSeen struct {
	job     *train.Job
	version uint64
	now     time.Time
	report  *signals.Report
}

// boardPause is the time between two updates from readings that keep changing.
const boardPause = time.Second

// load updates the board from the newest snapshot. A clock that does not move
// is that of a file: updates are not delayed there.
func (b *board) load(f views.Frame, j *train.Job) {
	next := boardSeen{j, f.Snapshot.GPUsVersion, f.Snapshot.Now, f.Diagnosis.Signals()}
	passed := next.now.Sub(b.seen.now)
	same := next
	same.version, same.now = b.seen.version, b.seen.now
	if same == b.seen && (next.version == b.seen.version && passed == 0 || passed > 0 && passed < boardPause) {
		return
	}
	b.seen = next
	b.sum = f.Snapshot.JobGPUs(j)
	b.share(f, j)
	b.findQuantities()
	b.findOddRanks(f, j)
}

// share assigns the GPUs to the ranks whose pods hold them. Numbers that have
// expired are not shown, so they are left out.
func (b *board) share(f views.Frame, j *train.Job) {
	b.gpus, b.most = make([][]*train.GPUState, len(j.Ranks)), 0
	if b.sum == nil {
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
			b.gpus[rankIndex] = append(b.gpus[rankIndex], state)
			b.most = max(b.most, len(b.gpus[rankIndex]))
		}
	}
}

// findQuantities finds which quantities the GPUs report, and their largest values.
func (b *board) findQuantities() {
	b.tell, b.highest = [cellKinds]bool{}, [cellKinds]float64{}
	for _, gpus := range b.gpus {
		for _, state := range gpus {
			for kind := cellUse; kind < cellKinds; kind++ {
				v, known := state.Values.Get(kind.quantity())
				b.tell[kind] = b.tell[kind] || known
				b.highest[kind] = max(b.highest[kind], v)
			}
			if limit, known := state.Values.Get(train.GPUPowerLimit); known {
				b.highest[cellPower] = max(b.highest[cellPower], limit)
			}
		}
	}
	b.highest[cellUse], b.highest[cellTensor], b.highest[cellSM] = 100, 1, 1
}

// findOddRanks finds the ranks with a signal.
func (b *board) findOddRanks(f views.Frame, j *train.Job) {
	before := b.odd
	b.odd = make([]*rankSignal, len(j.Ranks))
	b.fromSignals(f, j)
	if !slices.EqualFunc(before, b.odd, func(a, c *rankSignal) bool { return (a == nil) == (c == nil) }) {
		b.version++
	}
}

// fromSignals takes the worst signal of each rank: of one of its GPUs, or of
// the rank within its job. A signal of the whole job makes no rank odd.
func (b *board) fromSignals(f views.Frame, j *train.Job) {
	report := f.Diagnosis.Signals()
	worst := make([]train.Severity, len(j.Ranks))
	say := func(rankIndex int, s *signals.Signal, text string) {
		if s.Severity != train.SeverityInfo && (worst[rankIndex] == "" || s.Severity.Order() < worst[rankIndex].Order()) {
			worst[rankIndex] = s.Severity
			b.odd[rankIndex] = &rankSignal{s.Word, text, signalRole(s)}
		}
	}
	for rankIndex, gpus := range b.gpus {
		for _, state := range gpus {
			for _, s := range report.GPU(state.GPU.ID()) {
				say(rankIndex, &s, "GPU "+state.GPU.Index+": "+s.Text)
			}
		}
	}
	told := report.Job(j.ID)
	if len(told) == 0 {
		return
	}
	byNumber := make(map[int]int, len(j.Ranks))
	for i := range j.Ranks {
		byNumber[j.Ranks[i].Index] = i
	}
	for i := range told {
		for _, rank := range told[i].Ranks {
			if rankIndex, found := byNumber[rank]; found {
				say(rankIndex, &told[i], told[i].Text)
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
