package views

import (
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/draw"
)

// RankState is the mark of a rank's state. A rank without a pod is missing only
// while its job has yet to end, and where its pods were read.
func RankState(t *themes.Theme, j *train.Job, r *train.Rank) draw.State {
	s := draw.Rank(t, r.State)
	if r.State != train.RankMissing || j == nil {
		return s
	}
	switch {
	case j.Phase.Terminal():
		s.Word, s.Role = "no pod", themes.Dim
	case j.ReadyStated:
		s.Word, s.Role = "not read", themes.Dim
	}
	return s
}

// NoPodYet explains why a rank has no pod, in a few words.
func NoPodYet(j *train.Job) string {
	switch {
	case j != nil && j.Phase.Terminal():
		return "its pod is gone, or was not read"
	case j != nil && j.ReadyStated:
		return "its pod was not read"
	}
	return "no pod yet"
}
