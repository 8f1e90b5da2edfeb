package gpurows

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/columns"
	"github.com/traintop/traintop/views/draw"
)

// index is the number with the slice's profile or how many share it.
func index(r *Row, ink draw.Ink) draw.Cell {
	text := r.GPU.Index
	switch {
	case len(r.Sources) == 0 && !named(&r.GPU):
		return draw.Cell{Text: strconv.Itoa(r.Cells()) + "x", Role: themes.Dim}
	case text == "":
		text = ink.Theme.Glyphs.Unmeasured
	}
	if r.GPU.MIG.Instance != "" || r.GPU.MIG.Profile != "" {
		text += " " + sliceName(&r.GPU)
	}
	if r.Sharing > 1 {
		text += " shared by " + strconv.Itoa(r.Sharing)
	} else if r.GPU.Share != "" {
		text += " share " + r.GPU.Share
	}
	return draw.Cell{Text: text}
}

// sliceName is the profile and the instance of a slice.
func sliceName(g *train.GPU) string { return strings.TrimSpace(g.MIG.Profile + " #" + g.MIG.Instance) }

// keptFrom is what keeps pods from the node of a GPU, "" where one could get it.
func keptFrom(r *Row) string {
	if r.in == nil {
		return ""
	}
	switch n := r.in.Node(r.GPU.Node); {
	case n == nil:
		return ""
	case !n.Ready:
		return "not ready"
	case n.Cordoned:
		return "cordoned"
	}
	return ""
}

// holder is "job · rank", a pod without a job, or "free".
func holder(r *Row, ink draw.Ink) draw.Cell {
	name := r.Name()
	switch {
	case r.Vacant && !r.Trouble.Broken():
		if word := keptFrom(r); word != "" {
			return draw.Cell{Text: word, Role: themes.Dim}
		}
		return draw.Cell{Text: "free", Role: themes.Good}
	case name == "":
		return columns.Unmeasured(ink)
	case r.Job == nil || r.Rank < 0:
		return draw.Cell{Text: name, Role: ink.Theme.NameRole(name)}
	}
	return draw.Cell{Spans: []draw.Span{
		{Text: name, Role: ink.Theme.NameRole(name)},
		{Text: " " + ink.Theme.Glyphs.Dot + " " + strconv.Itoa(r.Rank), Role: themes.Dim},
	}}
}

// faded is the role of a number that may be old.
func (r *Row) faded(role themes.Role, now time.Time) themes.Role {
	if r.Freshness(now) != train.Fresh {
		return themes.Dim
	}
	return role
}

func use(r *Row, ink draw.Ink) draw.Cell {
	percent, known := r.Use(ink.Ages.Now)
	cell := draw.Cell{Text: draw.Percent(ink.Theme, percent, known), Role: themes.Dim}
	if known {
		cell.Role = r.faded(themes.HeatRole(percent/100), ink.Ages.Now)
	}
	return cell
}

// amount is the cell of one quantity with its unit.
func amount(q train.Quantity) func(*Row, draw.Ink) draw.Cell {
	return func(r *Row, ink draw.Ink) draw.Cell {
		if !r.Measured(ink.Ages.Now) {
			return columns.Unmeasured(ink)
		}
		cell := draw.Cell{Text: draw.Amount(ink.Theme, &r.Values, q), Role: themes.Dim}
		if r.Values.Known(q) {
			cell.Role = r.faded(themes.Text, ink.Ages.Now)
		}
		return cell
	}
}

func memory(r *Row, ink draw.Ink) draw.Cell {
	used, known := r.Get(train.GPUMemoryUsed, ink.Ages.Now)
	total, hasMost := r.Get(train.GPUMemoryTotal, ink.Ages.Now)
	return draw.Cell{Text: draw.MiB(ink.Theme, used, known, total, hasMost), Role: r.known(known, ink)}
}

func power(r *Row, ink draw.Ink) draw.Cell {
	watts, known := r.Get(train.GPUPower, ink.Ages.Now)
	limit, hasMost := r.Get(train.GPUPowerLimit, ink.Ages.Now)
	return draw.Cell{Text: draw.WattsOf(ink.Theme, watts, known, limit, hasMost), Role: r.known(known, ink)}
}

func (r *Row) known(known bool, ink draw.Ink) themes.Role {
	if !known {
		return themes.Dim
	}
	return r.faded(themes.Text, ink.Ages.Now)
}

func throttle(r *Row, ink draw.Ink) draw.Cell {
	bits, known := r.Get(train.GPUThrottle, ink.Ages.Now)
	if !known || bits < 0 || bits > math.MaxUint32 {
		return columns.Unmeasured(ink)
	}
	names, bad := throttleReasons(bits)
	role := themes.Dim
	if len(bad) > 0 {
		role = themes.Waiting
	}
	return draw.Cell{Text: strings.Join(names, " "), Role: role}
}

// throttleReasons are the names of the reasons for a lower clock, and of those
// that are bad.
func throttleReasons(bits float64) (all, bad []string) {
	for _, reason := range train.ThrottleReasons {
		if uint64(bits)&reason.Bit == 0 {
			continue
		}
		all = append(all, reason.Name)
		if reason.Bad {
			bad = append(bad, reason.Name)
		}
	}
	return all, bad
}

func source(r *Row, ink draw.Ink) draw.Cell {
	if len(r.Sources) == 0 {
		return draw.Cell{Text: "not measured", Role: themes.Dim}
	}
	names := make([]string, len(r.Sources))
	for i, s := range r.Sources {
		names[i] = s.String()
	}
	return draw.Cell{Text: strings.Join(names, ", "), Role: themes.Dim}
}

func age(r *Row, ink draw.Ink) draw.Cell {
	if len(r.Sources) == 0 || r.At.IsZero() {
		return columns.Unmeasured(ink)
	}
	return draw.Cell{Text: ink.Ages.Since(r.At), Role: themes.Dim}
}

func trouble(r *Row, ink draw.Ink) draw.Cell {
	switch {
	case r.Trouble != nil:
		return draw.Cell{Spans: r.Trouble.Spans()}
	case r.OfJob != nil:
		return draw.Cell{Spans: r.OfJob.Spans()}
	case len(r.Sources) > 0 && r.Freshness(ink.Ages.Now) == train.Expired:
		return draw.Cell{Text: "not measured for " + ink.Ages.Since(r.At), Role: themes.Dim}
	case len(r.Sources) == 0:
		return draw.Cell{Text: "not measured", Role: themes.Dim}
	}
	return draw.Cell{}
}
