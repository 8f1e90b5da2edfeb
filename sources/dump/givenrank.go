package dump

import "github.com/traintop/traintop/train"

// RankOwner is the rank of a job that was read, whose log a person gave as
// RANK=PATH.
type RankOwner struct {
	Job train.JobID
	// Namespace and Pod name its pod, "" where it has none.
	Namespace, Pod string
}

// FindRanks sets who finds the rank of a log that a person gave as RANK=PATH,
// or whose name has a rank and no pod. It is asked once all objects are applied. refused is why no rank is found
// although jobs were read, "" where there is none among them. Call it before
// Run.
func (f *Files) FindRanks(find func(rank int) (owner RankOwner, refused string)) { f.findRank = find }

// givenRanks is the run of logs with given ranks that no job owns.
const givenRanks = "the ranks given"

// assignGiven sets the pod and the rank of a log that a person gave with its
// rank.
func (r *logReader) assignGiven(t *tail) logRank {
	return r.assignRank(t, logRank{t.given, givenRanks})
}

// assignRank sets the pod of a log whose rank is known, that of the only job
// among the objects or of the one that was named. Without such a job the log
// stays in its seat.
func (r *logReader) assignRank(t *tail, seat logRank) logRank {
	if r.findRank == nil {
		return seat
	}
	owner, refused := r.findRank(seat.rank)
	if refused != "" && !t.refused {
		t.refused = true
		r.leftOut(Problem{File: t.arg, Text: refused + "; it is read by itself"})
	}
	if owner.Job == "" {
		return seat
	}
	t.id = train.StreamID{File: t.path}
	if p := r.pods.find(owner.Namespace, owner.Pod); p != nil && owner.Pod != "" {
		t.id.Namespace, t.id.Pod, t.id.UID = p.namespace, p.name, p.uid
		if l := p.life(""); l != nil {
			t.id.Restart = l.restarts
		}
	}
	return logRank{seat.rank, string(owner.Job)}
}
