package queues

import (
	"cmp"
	"strconv"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views/draw"
)

const (
	titleName      = "QUEUE"
	titleNamespace = "NAMESPACE"
	titleWaiting   = "WAITING"
)

func columns() []draw.Column[row] {
	return []draw.Column[row]{
		{Title: "TYPE", Importance: 60, Min: 12, Max: 20, Cell: quiet(kindWord), Compare: byText(kindWord)},
		{Title: titleNamespace, Importance: 65, Name: true, Min: 6, Max: 24, Cell: quiet(func(r row) string { return r.ref.Namespace }), Compare: byText(func(r row) string { return r.ref.Namespace })},
		{Title: titleName, Importance: 100, Name: true, Min: 10, Want: 24, Max: 40, Cell: name, Compare: byText(func(r row) string { return r.ref.Name })},
		{Title: "RESOURCE", Importance: 70, Name: true, Min: 14, Max: 36, Cell: quiet(func(r row) string { return r.resource }), Compare: byText(func(r row) string { return r.resource })},
		{Title: "FLAVOR", Importance: 40, Name: true, Min: 6, Max: 24, Cell: quiet(func(r row) string { return r.flavor }), Compare: byText(func(r row) string { return r.flavor })},
		{Title: "USED", Importance: 90, Right: true, Cell: amount(func(r row) (resource.Quantity, bool) { return r.used, r.hasUsed })},
		{Title: "LIMIT", Importance: 89, Right: true, Cell: amount(func(r row) (resource.Quantity, bool) { return r.most, r.hasMost })},
		{Title: "SHARE", Importance: 55, Cell: share},
		{Title: titleWaiting, Importance: 85, Right: true, Cell: waiting, Compare: func(a, b row) int { return cmp.Compare(a.waitCount(), b.waitCount()) }, Descending: true},
		{Title: "RUNNING", Importance: 50, Right: true, Cell: running},
		{Title: "FROM", Importance: 30, Min: 6, Max: 24, Wide: true, Cell: quiet(func(r row) string { return r.behind })},
		{Title: "FIRST IN LINE", Importance: 80, Min: 12, Want: 16, Grow: true, Cell: line},
	}
}

func byText(of func(row) string) func(a, b row) int {
	return func(a, b row) int { return cmp.Compare(of(a), of(b)) }
}

func quiet(of func(row) string) func(row, draw.Ink) draw.Cell {
	return func(r row, _ draw.Ink) draw.Cell { return draw.Cell{Text: of(r), Role: themes.Dim} }
}

func kindWord(r row) string {
	switch r.system {
	case kueueSystem:
		return r.ref.Kind
	case quotaSystem:
		return "ResourceQuota"
	}
	return r.system + " queue"
}

func name(r row, _ draw.Ink) draw.Cell {
	if r.stopped != "" || r.waitCount() > 0 {
		return draw.Cell{Text: r.ref.Name, Role: themes.Strong}
	}
	return draw.Cell{Text: r.ref.Name}
}

func amount(of func(row) (resource.Quantity, bool)) func(row, draw.Ink) draw.Cell {
	return func(r row, ink draw.Ink) draw.Cell {
		q, said := of(r)
		if !said {
			return draw.Cell{Text: ink.Theme.Glyphs.Dash, Role: themes.Dim}
		}
		role := themes.Text
		if r.full() {
			role = themes.Waiting
		}
		return draw.Cell{Text: q.String(), Role: role}
	}
}

// shareCells is how wide the bar of a share is.
const shareCells = 8

func share(r row, ink draw.Ink) draw.Cell {
	part, known := r.share()
	if !known {
		return draw.Cell{}
	}
	role := themes.BarFull
	if part >= 1 {
		role = themes.Waiting
	}
	percent := strconv.Itoa(int(part*100)) + "%"
	return draw.Cell{Spans: []draw.Span{
		{Text: draw.Bar(ink.Theme, part, shareCells), Role: role},
		{Text: draw.Spaces(5-len(percent)) + percent, Role: themes.Dim},
	}}
}

// waitCount prefers the queue's own count, which includes jobs of namespaces
// that we may not read.
func (r row) waitCount() int { return max(len(r.waits), int(r.pending)) }

func waiting(r row, ink draw.Ink) draw.Cell {
	if n := r.waitCount(); n > 0 {
		return draw.Cell{Text: strconv.Itoa(n), Role: themes.Queued}
	}
	return draw.Cell{Text: ink.Theme.Glyphs.Dash, Role: themes.Dim}
}

func running(r row, ink draw.Ink) draw.Cell {
	if r.admitted < 0 {
		return draw.Cell{Text: ink.Theme.Glyphs.Dash, Role: themes.Dim}
	}
	return draw.Cell{Text: strconv.FormatInt(r.admitted, 10), Role: themes.Dim}
}

// line names the waiting jobs, in order; the reason why a queue admits nothing
// comes first.
func line(r row, _ draw.Ink) draw.Cell {
	var spans []draw.Span
	if r.stopped != "" {
		spans = append(spans, draw.Span{Text: r.stopped + "  ", Role: themes.Bad})
	}
	for i, j := range r.waits {
		if i == 5 {
			spans = append(spans, draw.Span{Text: draw.More(len(r.waits)-i, ""), Role: themes.Dim})
			break
		}
		spans = append(spans,
			draw.Span{Text: strconv.Itoa(i+1) + " ", Role: themes.Dim},
			draw.Span{Text: j.Ref.Name, Role: themes.Text},
			draw.Span{Text: " (" + draw.Plural(j.GPUs, "GPU") + ")  ", Role: themes.Dim})
	}
	if len(spans) == 0 {
		return draw.Cell{}
	}
	return draw.Cell{Spans: spans}
}
