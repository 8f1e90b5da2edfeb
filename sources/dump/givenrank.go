package dump

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/traintop/traintop/train"
)

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
// keeps its rank.
func (r *logReader) assignRank(t *tail, found logRank) logRank {
	if r.findRank == nil {
		return found
	}
	owner, refused := r.findRank(found.rank)
	if refused != "" && !t.refused {
		t.refused = true
		r.leftOut(Problem{File: t.arg, Text: refused + "; it is read by itself"})
	}
	if owner.Job == "" {
		return found
	}
	t.id = train.StreamID{File: t.path}
	if p := r.pods.find(owner.Namespace, owner.Pod); p != nil && owner.Pod != "" {
		t.id.Namespace, t.id.Pod, t.id.UID = p.namespace, p.name, p.uid
		if l := p.restartsOf(""); l != nil {
			t.id.Restart = l.restarts
		}
	}
	return logRank{found.rank, string(owner.Job)}
}

// CheckRanks returns an error where one plain file of this machine is given for
// two ranks, as 0=a.log and 5=a.log: a log is that of one rank. So it does where
// standard input is given twice.
func CheckRanks(paths []string) error {
	type given struct {
		rank int
		name string
		info fs.FileInfo
	}
	var all []given
	if at := slices.Index(paths, stdinPath); at >= 0 && slices.Contains(paths[at+1:], stdinPath) {
		return errors.New("standard input was given twice, and can be read once; save it to a file, or give one - alone")
	}
	for _, path := range paths {
		rank, name := splitRank(machine{}, path)
		if rank < 0 {
			continue
		}
		info, err := os.Stat(name)
		if err != nil || !info.Mode().IsRegular() {
			continue // reading it reports the error
		}
		for _, before := range all {
			if before.rank != rank && os.SameFile(before.info, info) {
				return fmt.Errorf("one file was given for ranks %d and %d: %s; give each rank a log of its own", before.rank, rank, plain(before.name))
			}
		}
		all = append(all, given{rank, name, info})
	}
	return nil
}
