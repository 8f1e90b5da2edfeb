package views

import (
	"strconv"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/draw"
)

// RankState is the mark of a rank's state. A rank without a pod is missing only
// while its job waits for the pod, and where its pods were read.
func RankState(t *themes.Theme, j *train.Job, r *train.Rank) draw.State {
	s := draw.Rank(t, r.State)
	if r.State != train.RankMissing || j == nil {
		return s
	}
	switch {
	case j.Phase.Terminal(), held(j):
		s.Word, s.Role = "no pod", themes.Dim
	case j.ReadyStated, j.Unread:
		s.Word, s.Role = "not read", themes.Dim
	}
	return s
}

// LogState is the state of a rank's log: that of its stream, which a source may keep open for a
// while after the container has ended and prints no more.
func LogState(r *train.Rank, stream train.StreamState) train.StreamState {
	if stream == train.StreamLive && (r.State == train.RankFailed || r.State == train.RankSucceeded) {
		return train.StreamEnded
	}
	return stream
}

// held reports whether a job is to have no pods yet: a person or a queue holds it back.
func held(j *train.Job) bool { return j.Phase == train.Suspended || j.Phase == train.Queued }

// RankNumber is the number of a rank as a table shows it: with a question mark where it
// is assumed, and a dash for a pod that runs no training process.
func RankNumber(t *themes.Theme, r *train.Rank) string {
	switch {
	case r.Unranked:
		return t.Glyphs.Dash
	case r.Assumed:
		return strconv.Itoa(r.Index) + "?"
	}
	return strconv.Itoa(r.Index)
}

// RankTitle names a rank: "rank 3", or the role of a pod that runs no training process.
func RankTitle(r *train.Rank) string {
	if r.Unranked && r.Role != "" {
		return r.RoleName()
	}
	return "rank " + strconv.Itoa(r.Index)
}

// NoPodYet explains why a rank has no pod, in a few words.
func NoPodYet(j *train.Job) string {
	switch {
	case j != nil && j.Phase.Terminal():
		return "its pod is gone, or was not read"
	case j != nil && (j.ReadyStated || j.Unread) && !held(j):
		return "its pod was not read"
	}
	return "no pod yet"
}
