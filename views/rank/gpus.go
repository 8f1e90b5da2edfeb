package rank

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/traintop/traintop/diagnose/signals"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
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

// The sparkline of a GPU's use: how far it reaches back, and in how many cells.
const (
	sparkCells = 20
	sparkStep  = store.GPUHistory / sparkCells
)

// gpuColumn is a column of the table of a rank's GPUs.
type gpuColumn struct {
	title string
	right bool
	of    func(*train.GPUState) (string, themes.Role)
}

// gpus is the table of the rank's GPUs, what is wrong with them, and who
// measured when.
func (t *text) gpus(states []*train.GPUState, wanted int) {
	var told []*train.GPUState
	for _, state := range states {
		if len(state.Sources) > 0 {
			told = append(told, state)
		}
	}
	if len(told) == 0 {
		return
	}
	t.heading("GPUs " + strconv.Itoa(len(told)))
	if len(told) < wanted {
		t.fact("measured", draw.Of(len(told), wanted), themes.Waiting)
	}
	t.fact("source", t.measuredBy(told), themes.Text)
	t.table(t.gpuColumns(), told)
	for _, state := range told {
		for _, s := range t.f.Diagnosis.Signals().GPU(state.GPU.ID()) {
			t.add(draw.Span{Text: "  GPU " + state.GPU.Index + " ", Role: themes.Dim}, draw.Span{Text: s.Word + ": ", Role: signalRole(&s)}, draw.Span{Text: s.Text, Role: themes.Text})
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

// gpuColumns are those of the table.
func (t *text) gpuColumns() []gpuColumn {
	amount := func(title string, q train.Quantity) gpuColumn {
		return gpuColumn{title, true, func(g *train.GPUState) (string, themes.Role) {
			return draw.Amount(t.f.Theme, &g.Values, q), themes.Text
		}}
	}
	return []gpuColumn{
		{"GPU", true, func(g *train.GPUState) (string, themes.Role) { return gpuName(&g.GPU), themes.Strong }},
		{"MODEL", false, func(g *train.GPUState) (string, themes.Role) { return g.GPU.Model, themes.Dim }},
		{"USE", true, func(g *train.GPUState) (string, themes.Role) {
			use, known := g.Values.Get(train.GPUUtilization)
			return draw.Percent(t.f.Theme, use, known), themes.HeatRole(use / 100)
		}},
		{"LAST HOUR", false, func(g *train.GPUState) (string, themes.Role) { return t.spark(g), themes.Dim }},
		amount("TENSOR", train.GPUTensorActive),
		{"MEMORY", true, func(g *train.GPUState) (string, themes.Role) {
			used, known := g.Values.Get(train.GPUMemoryUsed)
			total, totalKnown := g.Values.Get(train.GPUMemoryTotal)
			return draw.MiB(t.f.Theme, used, known, total, totalKnown), themes.Text
		}},
		amount("TEMP", train.GPUTemperature),
		{"POWER", true, func(g *train.GPUState) (string, themes.Role) {
			power, known := g.Values.Get(train.GPUPower)
			limit, limitKnown := g.Values.Get(train.GPUPowerLimit)
			return draw.WattsOf(t.f.Theme, power, known, limit, limitKnown), themes.Text
		}},
		amount("CLOCK", train.GPUSMClock),
		{"THROTTLED BY", false, throttle},
		{"XID", true, func(g *train.GPUState) (string, themes.Role) {
			if xid, known := g.Values.Get(train.GPUXid); known && xid != 0 {
				return draw.Whole(xid), themes.Waiting
			}
			return "", themes.Dim
		}},
	}
}

// gpuName is a GPU's number, with its slice where it is one.
func gpuName(g *train.GPU) string {
	name := g.Index
	if g.MIG.Profile != "" || g.MIG.Instance != "" {
		name += " " + strings.TrimSpace(g.MIG.Profile+" #"+g.MIG.Instance)
	}
	return name
}

// spark is the use of a GPU over the last hour.
func (t *text) spark(g *train.GPUState) string {
	var past [sparkCells]float32
	from := g.At.Truncate(sparkStep).Add(sparkStep - store.GPUHistory)
	t.f.Snapshot.GPUBuckets(g.GPU.ID(), train.GPUUtilization, from, sparkStep, past[:])
	for _, v := range past {
		if !math.IsNaN(float64(v)) {
			return draw.SparkBetween(t.f.Theme, past[:], 0, 100)
		}
	}
	return ""
}

// throttle names the reasons for a lower clock, the bad ones loudly.
func throttle(g *train.GPUState) (string, themes.Role) {
	bits, known := g.Values.Get(train.GPUThrottle)
	if !known || bits < 0 || bits > math.MaxUint32 {
		return "", themes.Dim
	}
	var names []string
	role := themes.Dim
	for _, reason := range train.ThrottleReasons {
		if uint64(bits)&reason.Bit != 0 {
			names = append(names, reason.Name)
			if reason.Bad {
				role = themes.Waiting
			}
		}
	}
	return strings.Join(names, " "), role
}

// table adds a table; columns in which no row says anything are left out, and
// numbers that are old are greyed, or gone.
func (t *text) table(columns []gpuColumn, states []*train.GPUState) {
	lines := make([]draw.TextLine, len(states)+1)
	for _, column := range columns {
		cells := make([]draw.Span, len(states))
		width, said := 0, false
		for i, state := range states {
			text, role := column.of(state)
			text = draw.Clean(text)
			if said = said || text != "" && text != t.f.Theme.Glyphs.Untold; state.Freshness(t.f.Now()) != train.Fresh {
				role = themes.Dim
			}
			if state.Freshness(t.f.Now()) == train.Expired && column.title != "GPU" && column.title != "MODEL" {
				text = t.f.Theme.Glyphs.Untold
			}
			cells[i], width = draw.Span{Text: text, Role: role}, max(width, draw.Width(text))
		}
		if !said {
			continue
		}
		width = max(width, len(column.title))
		lines[0] = append(lines[0], draw.Span{Text: "  " + draw.Fit(column.title, width, column.right, ""), Role: themes.Heading})
		for i, cell := range cells {
			cell.Text = "  " + draw.Fit(cell.Text, width, column.right, "")
			lines[i+1] = append(lines[i+1], cell)
		}
	}
	t.lines = append(t.lines, lines...)
}

// usage is what the rank's pod and its containers use beside GPUs.
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

// used lists what one of them uses.
func (t *text) used(u *train.Usage) string {
	var parts []string
	if v, known := u.Values.Get(train.UsedCPU); known {
		parts = append(parts, "CPU "+strconv.FormatFloat(v, 'f', 1, 64)+" cores")
	}
	if v, known := u.Values.Get(train.UsedMemory); known {
		parts = append(parts, "memory "+draw.Bytes(int64(min(max(v, 0), math.MaxInt64/2))))
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
