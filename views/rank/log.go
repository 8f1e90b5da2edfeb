package rank

import (
	"fmt"
	"strings"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// log is the newest log of the rank, nil without one.
func (v *View) log(f views.Frame) *store.Log {
	if j := f.Snapshot.Job(v.job); j != nil {
		return f.Snapshot.RankLog(j, v.at(j))
	}
	return nil
}

func (v *View) logVersion(f views.Frame) uint64 {
	if log := v.log(f); log != nil {
		return log.Version
	}
	return 0
}

// at is the rank's index in Job.Ranks now.
func (v *View) at(j *train.Job) int {
	for i := range j.Ranks {
		if r := &j.Ranks[i]; v.found && r.Role == v.role && r.RoleIndex == v.roleIndex {
			return i
		}
	}
	return v.rank
}

// log shows the status and the newest lines of the rank's log.
func (t *text) log(log *store.Log) {
	if log == nil {
		return
	}
	n := log.Lines.Len()
	said := ""
	if n > 0 {
		last := log.Lines.At(n - 1)
		said = strings.TrimSpace(draw.LogPlain(last.Text))
		if ago := t.f.Ages.Since(last.Time); ago != "" {
			said = ago + " ago: " + said
		}
	}
	state := fmt.Sprintf("%s, %s kept", log.Status.State, draw.Plural(n, "line"))
	if dropped, _ := log.Lines.Dropped(); dropped > 0 {
		state += ", " + draw.Count(int(dropped)) + " dropped"
	}
	if log.Status.Text != "" {
		state += ": " + log.Status.Text
	}
	t.fact("log", state, themes.Text)
	t.fact("last line", said, themes.Text)
}

// Streams is the end of the rank's log.
func (v *View) Streams(views.Frame) []streams.Want {
	return []streams.Want{{Job: v.job, Ranks: []int{v.rank}, Shown: true}}
}
