package jobrows

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/columns"
	"github.com/traintop/traintop/views/draw"
)

func aged(of func(job, *draw.Ages) string) func(job, draw.Ink) draw.Cell {
	return func(j job, ink draw.Ink) draw.Cell { return draw.Cell{Text: of(j, ink.Ages), Role: numbers(j)} }
}

// numbers is the role of numbers: normal while a job runs, dimmed when it is
// over.
func numbers(j job) themes.Role {
	if j.Phase.Terminal() {
		return themes.Dim
	}
	return themes.Text
}

func (f *Facts) name(j job, _ draw.Ink) draw.Cell {
	switch {
	case f.Need(j) != "":
		return draw.Cell{Text: j.Ref.Name, Role: themes.Strong}
	case j.Phase == train.Running || j.LogsOnly:
		return draw.Cell{Text: j.Ref.Name, Role: themes.Text}
	}
	return draw.Cell{Text: j.Ref.Name, Role: themes.Dim}
}

func phase(j job, ink draw.Ink) draw.Cell {
	if j.LogsOnly {
		return draw.Cell{Text: ink.Theme.Glyphs.Unknown + " log", Role: themes.Dim}
	}
	state := draw.Phase(ink.Theme, j.Phase)
	return draw.Cell{Text: state.String(), Role: state.Role}
}

func ranks(j job, _ draw.Ink) draw.Cell {
	role := numbers(j)
	if j.Phase == train.Running && j.Ready < j.Wanted && !j.LogsOnly {
		role = themes.Waiting
	}
	return draw.Cell{Text: Ranks(j), Role: role}
}

// Ranks is how many ranks of a job are ready of those that it wants; of a job that
// succeeded, how many are done.
func Ranks(j *train.Job) string {
	switch {
	case j.LogsOnly: // it is unknown which of them run
		return draw.Count(j.Wanted)
	case j.Phase == train.Succeeded:
		done := 0
		for i := range j.Roles {
			done += j.Done(j.Roles[i].Name)
		}
		return doneOf(done, j.Wanted)
	}
	return draw.Of(j.Ready, j.Wanted)
}

// RoleRanks is what Ranks returns for one role.
func RoleRanks(j *train.Job, r *train.Role) string {
	if j.Phase == train.Succeeded {
		return doneOf(j.Done(r.Name), r.Wanted)
	}
	return draw.Of(r.Ready, r.Wanted)
}

// doneOf names the wanted alone where pods are gone or were not read, so that nobody
// knows how many of them are done.
func doneOf(done, wanted int) string {
	if done < wanted {
		return draw.Count(wanted)
	}
	return draw.Of(done, wanted)
}

func gpus(j job, ink draw.Ink) draw.Cell {
	if j.GPUs == 0 {
		return columns.Dash(ink)
	}
	return draw.Cell{Text: devices(j), Role: numbers(j)}
}

// devices is what a job asks for, MIG slices apart from whole GPUs.
func devices(j job) string {
	if j.Slices == 0 {
		return draw.Count(j.GPUs)
	}
	return draw.Devices(j.GPUs, j.Slices)
}

func queueName(j job) string {
	if j.Queue == nil {
		return ""
	}
	return cmp.Or(j.Queue.Name, j.Queue.ClusterQueue)
}

// queue names the queue and the place in it.
func queue(j job, _ draw.Ink) draw.Cell {
	text, role := queueName(j), themes.Dim
	if j.Queue != nil && j.Queue.Place > 0 {
		text, role = text+" #"+strconv.Itoa(j.Queue.Place), themes.Queued
	}
	return draw.Cell{Text: text, Role: role}
}

func restarts(j job, ink draw.Ink) draw.Cell {
	if j.Restarts == 0 {
		return columns.Dash(ink)
	}
	role := themes.Redoing
	if j.Phase == train.Succeeded {
		role = themes.Dim
	}
	return draw.Cell{Text: draw.Count(j.Restarts), Role: role}
}

func roles(j job) string {
	var parts []string
	for i := range j.Roles {
		parts = append(parts, j.Roles[i].Name+" "+RoleRanks(j, &j.Roles[i]))
	}
	return strings.Join(parts, ", ")
}

func nodes(j job) string {
	on := map[string]bool{}
	for i := range j.Ranks {
		if j.Ranks[i].Node != "" {
			on[j.Ranks[i].Node] = true
		}
	}
	if len(on) == 0 {
		return ""
	}
	return strconv.Itoa(len(on))
}

func owner(j job) string {
	if j.Owner.Kind == "" {
		return ""
	}
	return j.Owner.Short()
}
