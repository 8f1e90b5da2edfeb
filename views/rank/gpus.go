package rank

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/traintop/traintop/diagnose/signals"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/columns"
	"github.com/traintop/traintop/views/columns/gpurows"
	"github.com/traintop/traintop/views/draw"
)

// gpusOf are the GPUs that the rank's pod holds.
func (v *View) gpusOf(f views.Frame) []*train.GPUState {
	var mine []*train.GPUState
	for _, state := range f.Snapshot.GPUsOf(f.Snapshot.Job(v.job)) {
		if state.GPU.Pod == v.known.Pod && state.GPU.Namespace == v.known.Namespace && v.known.Pod != "" {
			mine = append(mine, state)
		}
	}
	return mine
}

// gpuTitles are the columns of the table of a rank's GPUs.
var gpuTitles = []string{
	gpurows.TitleGPU, gpurows.TitleModel, gpurows.TitleUse, gpurows.TitleLastHour, gpurows.TitleTensor, gpurows.TitleMemory,
	gpurows.TitleTemp, gpurows.TitlePower, gpurows.TitleClock, gpurows.TitleThrottle, gpurows.TitleXid,
}

// gpus is the table of the rank's GPUs, their faults, and the source and time
// of the measurements.
func (t *text) gpus(states []*train.GPUState, wanted int) {
	var measured []*train.GPUState
	for _, state := range states {
		if len(state.Sources) > 0 {
			measured = append(measured, state)
		}
	}
	if len(measured) == 0 {
		return
	}
	t.heading("GPUs " + strconv.Itoa(len(measured)))
	if len(measured) < wanted {
		t.fact("measured", draw.Of(len(measured), wanted), themes.Waiting)
	}
	t.fact("source", t.measuredBy(measured), themes.Text)
	t.table(gpuColumns(), gpurows.Of(t.f.Snapshot, t.f.Diagnosis.Signals(), measured, nil))
	for _, state := range measured {
		for _, s := range t.f.Diagnosis.Signals().GPU(state.GPU.ID()) {
			t.add(draw.Span{Text: "  GPU " + state.GPU.Index + " ", Role: themes.Dim}, draw.Span{Text: s.Word + ": ", Role: signalRole(&s)}, draw.Span{Text: strings.TrimPrefix(s.Text, s.Word+": "), Role: themes.Text})
		}
	}
}

func signalRole(s *signals.Signal) themes.Role {
	switch s.Severity {
	case train.SeverityError:
		return themes.Bad
	case train.SeverityWarning:
		return themes.Waiting
	}
	return themes.Dim
}

// measuredBy names the sources, and how old the oldest number is.
func (t *text) measuredBy(states []*train.GPUState) string {
	var names []string
	oldest := time.Time{}
	for _, state := range states {
		if oldest.IsZero() || state.At.Before(oldest) {
			oldest = state.At
		}
		for _, source := range state.Sources {
			if name := source.String(); !strings.Contains(strings.Join(names, ", "), name) {
				names = append(names, name)
			}
		}
	}
	text := strings.Join(names, ", ")
	if age := t.f.Ages.Since(oldest); age != "" {
		text += ", " + age + " ago"
	}
	return text
}

// gpuColumns are those of the table. A page has numbers of GPUs below each
// other and the whole name of a model, and shows an Xid only where there is
// one.
func gpuColumns() []draw.Column[*gpurows.Row] {
	drawn := gpurows.Columns().Named(gpuTitles...).Drawn()
	for i := range drawn {
		c := &drawn[i]
		switch cell := c.Cell; c.Title {
		case gpurows.TitleGPU:
			c.Right = true
		case gpurows.TitleModel:
			c.Cell = columns.Dim(func(r *gpurows.Row) string { return r.GPU.Model })
		case gpurows.TitleXid:
			c.Cell = func(r *gpurows.Row, ink draw.Ink) draw.Cell {
				if xid, known := r.Get(train.GPUXid, ink.Ages.Now); !known || xid == 0 {
					return draw.Cell{}
				}
				return cell(r, ink)
			}
		}
	}
	return drawn
}

// column is a column of a table in a text.
type column struct {
	title             string
	cells             []draw.Span
	right             bool
	width, importance int
}

// table adds a table. Columns in which no row has anything are left out; where not all
// fit, the least important are named below instead.
func (t *text) table(all []draw.Column[*gpurows.Row], rows []*gpurows.Row) {
	shown, left := fitting(t.columnsOf(all, rows), t.f.Width)
	lines := make([]draw.TextLine, len(rows)+1)
	for _, c := range shown {
		lines[0] = append(lines[0], draw.Span{Text: "  " + draw.Fit(c.title, c.width, c.right, ""), Role: themes.Heading})
		for i, cell := range c.cells {
			cell.Text = "  " + draw.Fit(cell.Text, c.width, c.right, "")
			lines[i+1] = append(lines[i+1], cell)
		}
	}
	t.lines = append(t.lines, lines...)
	if len(left) > 0 {
		t.add(draw.Span{Text: "  a wider terminal shows " + strings.Join(left, ", "), Role: themes.Dim})
	}
}

// columnsOf are the columns in which a row has something.
func (t *text) columnsOf(all []draw.Column[*gpurows.Row], rows []*gpurows.Row) []column {
	var filled []column
	for _, of := range all {
		c := column{title: of.Title, right: of.Right, width: len(of.Title), importance: of.Importance}
		known := false
		for _, row := range rows {
			cell := of.Cell(row, t.f.Ink())
			text := cell.String()
			known = known || text != "" && text != t.f.Theme.Glyphs.Unmeasured
			c.cells = append(c.cells, draw.Span{Text: text, Role: cell.Role})
			c.width = max(c.width, draw.Width(text))
		}
		if known {
			filled = append(filled, c)
		}
	}
	return filled
}

// fitting are the columns that fit side by side, and the titles of the others.
func fitting(all []column, width int) (shown []column, left []string) {
	shown = slices.Clone(all)
	used := 0
	for _, c := range all {
		used += 2 + c.width
	}
	for used > width && len(shown) > 1 {
		least := 0
		for i, c := range shown {
			if c.importance < shown[least].importance {
				least = i
			}
		}
		used -= 2 + shown[least].width
		left = append(left, shown[least].title)
		shown = slices.Delete(shown, least, least+1)
	}
	return shown, left
}

// usage is the usage of the rank's pod and its containers beside GPUs.
func (t *text) usage(f views.Frame, namespace, pod string) {
	all := f.Snapshot.PodUsage(namespace, pod)
	if len(all) == 0 {
		return
	}
	t.heading("CPU, memory and network")
	for _, u := range all {
		name := u.Container
		if name == "" {
			name = "the pod"
		}
		if text := t.used(u); text != "" {
			t.fact(name, text, themes.Text)
		}
		if share, known := u.Values.Get(train.UsedCPUThrottled); known && share > 0 {
			role := themes.Dim
			if share >= 0.25 {
				role = themes.Waiting
			}
			t.fact("  throttled", draw.Share(f.Theme, share, true)+" of the time: the limit of CPU is too low", role)
		}
	}
}

// used lists the usage of one of them.
func (t *text) used(u *train.Usage) string {
	var parts []string
	if v, known := u.Values.Get(train.UsedCPU); known {
		parts = append(parts, "CPU "+strconv.FormatFloat(v, 'f', 1, 64)+" cores")
	}
	if v, known := u.Values.Get(train.UsedMemory); known {
		parts = append(parts, "memory "+termtext.Bytes(int64(min(max(v, 0), math.MaxInt64/2))))
	}
	for _, rate := range []struct {
		q    train.UsageQuantity
		name string
	}{{train.UsedNetworkReceived, "received"}, {train.UsedNetworkSent, "sent"}, {train.UsedRDMAReceived, "RDMA received"}, {train.UsedRDMASent, "RDMA sent"}} {
		if v, known := u.Values.Get(rate.q); known {
			parts = append(parts, rate.name+" "+draw.Rate(t.f.Theme, v, true))
		}
	}
	if age := t.f.Ages.Since(u.At); age != "" && len(parts) > 0 {
		parts = append(parts, age+" ago")
	}
	return strings.Join(parts, ", ")
}
