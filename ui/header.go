package ui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// header draws the lines above the screen: context, counts, health of the
// sources.
type header struct{ m *model }

// lines is the header: the context, the GPUs held, whether the data is fresh;
// below it, where there is room, the favourite namespaces and the worst
// finding.
func (h *header) lines() []string {
	h.m.clock.headTurn = 0
	if !h.m.header {
		return nil
	}
	lines := []string{h.whereLine()}
	if h.m.height < favouritesFrom {
		return lines
	}
	line := h.m.painter.line()
	if len(h.m.namespaces.favourites) > 1 && h.offersNamespace() {
		if h.m.height >= wrongFrom {
			h.addFavourites(line, h.m.width)
			lines = append(lines, line.String())
			line = h.m.painter.line()
		} else {
			h.addFavourites(line, h.m.width/2)
		}
	}
	h.addFindings(line)
	return append(lines, line.String())
}

// whereLine gives up names and counts, in this order, where what all that is shown
// depends on would have no room: that the API server does not answer, or that pods
// may not be read.
func (h *header) whereLine() string {
	sums := groupSources(h.m.snapshot.Health())
	need := h.urgent(sums)
	line := h.where()
	for _, withCounts := range []bool{true, false} {
		if line.Left()-1 >= need {
			break
		}
		line = h.shortWhere(withCounts, need)
	}
	room := line.Left() - 1
	health := h.healthLine(room)
	h.addGPUs(line, room-health.Left()+1) // and a gap
	return line.Right(health).String()
}

// urgent is the room that it takes to report that the API server does not answer or
// does not let pods be read, 0 while it does both.
func (h *header) urgent(sums []sourceGroup) int {
	if len(sums) == 0 {
		return 0
	}
	if sums[0].silent() {
		ages := &draw.Ages{Now: h.m.snapshot.Now}
		return draw.Width(h.sourceText(sums[0], ages)) + 1
	}
	forbidden := sumForbidden(sums)
	if forbidden == 0 || h.m.snapshot.Complete(kinds.PodKind, h.m.namespace) {
		return 0
	}
	return draw.Width(h.forbiddenText(forbidden)) + 1
}

// sumForbidden is how much of all sources was refused.
func sumForbidden(sums []sourceGroup) (forbidden int) {
	for i := range sums {
		forbidden += sums[i].forbidden
	}
	return forbidden
}

// forbiddenText reports how much was refused.
func (h *header) forbiddenText(forbidden int) string {
	return fmt.Sprintf("  %s %d forbidden", h.m.theme.Glyphs.Warning, forbidden)
}

// where names the context, the namespace and what else was chosen.
func (h *header) where() *draw.Line {
	namespace := draw.Clean(h.m.namespace)
	if h.m.namespace == "" {
		namespace = "all namespaces"
	}
	line := h.addContext(h.m.painter.line(), h.mostContext()).
		Add(themes.Dim, " "+h.m.theme.Glyphs.Dot+" ").Add(themes.Strong, namespace)
	if h.m.selector != nil {
		line.Add(themes.Dim, " -l ").Add(themes.Strong, draw.Clean(h.m.selector.String()))
	}
	if h.m.session.ReadOnly {
		line.Add(themes.Dim, " [R]")
	}
	h.addForwards(line)
	h.addLowCounts(line)
	return line
}

// shortWhere is the context alone, or with the counts, so that need cells stay free;
// of a long context the first letters are left.
func (h *header) shortWhere(withCounts bool, need int) *draw.Line {
	counts, least := h.m.painter.line(), h.m.width/8
	if withCounts {
		h.addLowCounts(counts)
		least = h.m.width/5 - 2
	}
	free := min(h.mostContext(), h.m.width-need-counts.Used()-3)
	line := h.addContext(h.m.painter.line(), max(2, least, free))
	if withCounts {
		h.addLowCounts(line)
	}
	return line
}

// addLowCounts counts what needs a person where findings have no line.
func (h *header) addLowCounts(line *draw.Line) {
	if sum := h.sumFindings(); h.m.height < favouritesFrom && h.needs(sum) > 0 {
		line.Add(themes.Text, " ")
		h.addCounts(line, sum, false)
	}
}

// mostContext is how many cells the name of the context takes.
func (h *header) mostContext() int { return max(12, h.m.width/3) }

// addContext names the context in at most most cells.
func (h *header) addContext(line *draw.Line, most int) *draw.Line {
	return line.Add(themes.Accent, " "+draw.CutPath(draw.Clean(h.m.session.Context), most, h.m.theme.Glyphs.Ellipsis))
}

// addGPUs shows how many accelerators are held, and their use, as far as there
// is room beside the right part.
func (h *header) addGPUs(line *draw.Line, reserved int) {
	t := h.m.snapshot.GPUs()
	if t.All == 0 {
		return
	}
	const gap = "    "
	room := line.Left() - reserved - len(gap)
	if t.Held == 0 && !h.m.snapshot.Complete(kinds.PodKind, "") {
		// It is not known yet, or may not be read, what pods hold.
		text, slices := draw.Count(t.All-t.Slices)+" GPUs", ", "+draw.Count(t.Slices)+" MIG slices"
		if t.All == t.Slices {
			text = strings.TrimPrefix(slices, ", ")
		} else if t.Slices > 0 && room >= len(text)+len(slices) {
			text += slices
		}
		if room >= len(text) {
			line.Add(themes.Text, gap+text)
		}
		return
	}
	orMore := ""
	if views.PodsOutOfSight(h.m.snapshot) {
		orMore = " or more"
	}
	if t.All == t.Slices {
		if text := h.slicesText(gap+"MIG slices", orMore); room >= len(text) {
			line.Add(themes.Text, text)
		}
		return
	}
	text := fmt.Sprintf("GPUs %s%s of %s held", draw.Count(t.Held-t.HeldSlices), orMore, draw.Count(t.All-t.Slices))
	if room < len(text) {
		return
	}
	line.Add(themes.Text, gap+text)
	slices := ""
	if t.Slices > 0 {
		slices = h.slicesText(", MIG", orMore)
	}
	if room, said := h.addFree(line, room-len(text)); said && room >= len(slices) {
		h.addUse(line, room-len(slices), slices, float64(t.Held)/float64(t.All))
	}
}

// slicesText reports how many MIG slices are held, and where there are no whole GPUs
// how many are free.
func (h *header) slicesText(name, orMore string) string {
	t := h.m.snapshot.GPUs()
	text := fmt.Sprintf("%s %s%s of %s held", name, draw.Count(t.HeldSlices), orMore, draw.Count(t.Slices))
	if t.All == t.Slices && h.m.analysis.report != nil && orMore == "" {
		text += fmt.Sprintf(", %s free", draw.Count(h.freeGPUs().Slices))
	}
	return text
}

// addFree shows how many accelerators are free, and why the others that nobody
// holds are not, in few words where there is little room. It returns the room
// that is left, and whether all of it was shown: where it was not, use is left out.
func (h *header) addFree(line *draw.Line, room int) (left int, said bool) {
	if h.m.analysis.report == nil || views.PodsOutOfSight(h.m.snapshot) {
		return room, true
	}
	free := h.freeGPUs()
	text := fmt.Sprintf(", %s free", draw.Count(free.Free-free.Slices))
	if room < len(text) {
		return room, false
	}
	line.Add(themes.Text, text)
	room -= len(text)
	rest := free.Rest()
	if rest == "" {
		return room, true
	}
	if room < len(rest)+len(", ") {
		rest = free.ShortRest()
	}
	if room < len(rest)+len(", ") {
		return room, false
	}
	line.Add(themes.Dim, ", "+rest)
	return room - len(rest) - len(", "), true
}

// gpuBar is how wide the bar of held accelerators is.
const gpuBar = 10

// addUse shows the use of the held GPUs, where it is measured; else a bar shows how
// many are held. The text about slices comes between: they are not counted with whole
// GPUs. Where more than a few of them are not measured, the others are not counted
// without a note.
func (h *header) addUse(line *draw.Line, room int, slices string, held float64) {
	sum, total := &h.m.analysis.gpus, h.m.snapshot.GPUs()
	measured, idleNow := sum.Held-sum.HeldSlices, sum.Idle-sum.IdleSlices
	if measured == 0 {
		if line.Add(themes.Text, slices); room > gpuBar {
			line.Add(themes.BarFull, " "+draw.Bar(h.m.theme, held, gpuBar))
		}
		return
	}
	busy, idle, dark := fmt.Sprintf(", %s busy", draw.Count(measured-idleNow)), "", ""
	if idleNow > 0 {
		busy, idle = busy+", ", fmt.Sprintf("%s idle", draw.Count(idleNow))
	}
	if n := total.Held - total.HeldSlices - measured; n > 0 {
		dark = fmt.Sprintf(", %s not measured", draw.Count(n))
		if room < len(busy)+len(idle)+len(dark) && n <= measured/10 {
			dark = ""
		}
	}
	if room -= len(busy) + len(idle) + len(dark); room < 0 {
		line.Add(themes.Text, slices)
		return
	}
	line.Add(themes.Text, busy).Add(themes.Waiting, idle).Add(themes.Dim, dark).Add(themes.Text, slices)
	if past := sum.values(); room > len(past) {
		line.Add(themes.BarFull, " "+draw.SparkBetween(h.m.theme, past, 0, 100))
	}
}

// healthLine describes the health of the sources, as far as there is room: the
// program's sources one by one, and how much was refused, for which a healthy source
// makes room.
func (h *header) healthLine(room int) *draw.Line {
	line := draw.NewLine(h.m.theme, max(0, room), false)
	ages := &draw.Ages{Now: h.m.snapshot.Now}
	sums := groupSources(h.m.snapshot.Health())
	forbidden := sumForbidden(sums)
	refused := h.forbiddenText(forbidden)
	for _, s := range sums {
		switch {
		case s.worst.State == train.SourceAbsent && s.forbidden == 0 && s.listing == 0:
			continue // the cluster does not have it, and will not soon: :sources shows it
		case sums[0].silent() && !s.silent() && !s.worst.State.Settled():
			continue // it waits for the API server
		case views.OutrunsServer(s.worst, ages) && !sums[0].silent():
			if h.newestOf(s.name).IsZero() {
				continue
			}
			s.worst.State = train.SourceLive // the header shows the age of its numbers
		}
		text := h.sourceText(s, ages)
		needed := draw.Width(text) + 1
		if s.forbidden > 0 && forbidden > 0 && !s.worst.State.Trouble() {
			needed += draw.Width(refused)
		}
		if needed <= line.Left() {
			line.Add(draw.SourceHealth(h.m.theme, &s.worst).Role, text)
		}
		failing := train.Health{Source: s.name, State: train.SourceRetrying, Since: s.troubledSince}
		if s.troubled > 0 && !s.silent() && (sums[0].silent() || !views.OutrunsServer(failing, ages)) {
			if text := fmt.Sprintf(", %d failing", s.troubled); draw.Width(text)+1 <= line.Left() {
				line.Add(themes.Waiting, text)
			}
		}
		if s.forbidden > 0 && forbidden > 0 { // of all sources together, at the first of them
			forbidden = h.addForbidden(line, refused, forbidden)
		}
	}
	h.m.clock.headTurn = ages.Turn
	return line.Add(themes.Text, " ")
}

// addForbidden reports how much was refused, with where to read what that is as far
// as there is room. It returns how much is still to be shown.
func (h *header) addForbidden(line *draw.Line, text string, forbidden int) int {
	for _, text := range []string{text + ", :sources", text} {
		if draw.Width(text)+1 <= line.Left() {
			line.Add(themes.Waiting, text)
			return 0
		}
	}
	return forbidden
}

// sourceText is a source with its state, and since when it is in trouble.
func (h *header) sourceText(s sourceGroup, ages *draw.Ages) string {
	state := draw.SourceHealth(h.m.theme, &s.worst)
	name, word := h.sourceWords(s, state.Word)
	text := "  " + state.Mark + " " + draw.Clean(name) + " " + word
	if s.listing > 0 && s.worst.State == train.SourceListing {
		text += " " + strconv.Itoa(s.listing)
	}
	if s.worst.State.Trouble() {
		since := s.worst.Since
		if at := h.newestOf(s.name); !at.IsZero() { // what is shown is as old as that
			since = at
		}
		text += " " + ages.Since(since)
	}
	return text
}

// exporters is the name of exporters of GPU metrics among the sources:
// "exporters" as a whole, "exporter/NODE" for each that fails.
const exporters = "exporters"

// sourceWords are a source's name and state; for a healthy source of metrics
// its age shows more. That age is as of the last update, some seconds ago at
// most: it alone does not make the screen tick.
func (h *header) sourceWords(s sourceGroup, word string) (name, state string) {
	name = s.name
	if name == exporters && !h.m.analysis.gpus.Newest[train.FromDCGM].IsZero() {
		name = "dcgm"
	}
	if at := h.newestOf(s.name); s.worst.State == train.SourceLive && !at.IsZero() {
		return name, termtext.Duration(h.m.snapshot.Now.Sub(at))
	}
	return name, word
}

// newestOf is when a source of metrics last measured, zero for another source and
// for one that never did.
func (h *header) newestOf(source string) time.Time {
	var from []train.GPUSource
	switch source {
	case exporters:
		from = []train.GPUSource{train.FromDCGM, train.FromExporter, train.FromSMIExporter}
	case "prometheus":
		from = []train.GPUSource{train.FromPrometheus}
	}
	for _, one := range from {
		if at := h.m.analysis.gpus.Newest[one]; !at.IsZero() {
			return at
		}
	}
	return time.Time{}
}

// sourceGroup is one source with everything below it: "kube" and "kube/pods", all
// files.
type sourceGroup struct {
	name  string
	worst train.Health
	// listing, forbidden and troubled count the sources below it.
	listing, forbidden, troubled int
	troubledSince                time.Time // the first of them
}

// silent reports whether the source is an API server that does not answer: all
// that is shown is then as old as that.
func (s sourceGroup) silent() bool {
	return s.name == "kube" && (s.worst.State == train.SourceRetrying || s.worst.State == train.SourceFailed)
}

// fails counts one more source below it that is in trouble since then.
func (s *sourceGroup) fails(since time.Time) {
	if s.troubled++; s.troubledSince.IsZero() || since.Before(s.troubledSince) {
		s.troubledSince = since
	}
}

// groupSources sums health by source, in order of name, the API server before all
// others: what they report depends on it. A source is not failing because one of
// its lists is, because something was refused, or because the cluster does not have
// it.
func groupSources(all []train.Health) []sourceGroup {
	var sums []sourceGroup
	for _, h := range all {
		name := h.Source // "kube/pods", "file PATH"
		if i := strings.IndexAny(name, "/ "); i > 0 {
			name = name[:i]
		}
		single := name == "exporter"
		if single {
			name = exporters // one of a thousand that fails does not mean that all fail
		}
		if len(sums) == 0 || sums[len(sums)-1].name != name {
			sums = append(sums, sourceGroup{name: name})
		}
		s := &sums[len(sums)-1]
		if !h.State.Settled() {
			s.listing++
		}
		switch {
		case single && h.State.Trouble():
			s.fails(h.Since)
		case single:
		case h.State == train.SourceForbidden && h.Resource != "":
			s.forbidden++
		case h.Resource != "" && h.Source != name && h.State.Trouble():
			s.fails(h.Since) // one list of many: the API server answers
		case s.worst.State == "" || severity(h.State) > severity(s.worst.State):
			s.worst = h
		}
	}
	for i := range sums {
		switch s := &sums[i]; {
		case s.worst.State != "":
		case s.forbidden > 0:
			s.worst.State = train.SourceForbidden
		default:
			s.worst.State, s.worst.Since = train.SourceRetrying, s.troubledSince
		}
	}
	if i := slices.IndexFunc(sums, func(s sourceGroup) bool { return s.name == "kube" }); i > 0 {
		kube := sums[i]
		copy(sums[1:i+1], sums[:i])
		sums[0] = kube
	}
	return sums
}

func severity(s train.SourceState) int {
	switch s {
	case train.SourceFailed:
		return 6
	case train.SourceRetrying:
		return 5
	case train.SourceForbidden:
		return 4
	case train.SourceConnecting:
		return 3
	case train.SourceListing:
		return 2
	case train.SourceLive, train.SourceRead:
		return 1
	}
	return 0
}

// addFavourites names the namespaces of the digit keys, in at most width cells.
func (h *header) addFavourites(line *draw.Line, width int) {
	add := func(digit int, name, namespace string) {
		text := draw.Clean(name)
		if width-line.Used() < draw.Width(text)+5 || !h.isNamespaceKey(digit) {
			return
		}
		role := themes.Dim
		if namespace == h.m.namespace {
			role = themes.Strong
		}
		line.Add(themes.Key, " "+strconv.Itoa(digit)+" ").Add(role, text).Add(themes.Dim, " ")
	}
	add(0, "all", "")
	for i, namespace := range h.m.namespaces.favourites {
		add(i+1, namespace, namespace)
	}
}

// offersNamespace reports whether any digit of a favourite namespace means it
// on the screen.
func (h *header) offersNamespace() bool {
	for digit := range len(h.m.namespaces.favourites) + 1 {
		if h.isNamespaceKey(digit) {
			return true
		}
	}
	return false
}

// isNamespaceKey reports whether a digit chooses a namespace on the screen: in
// logs it chooses how far back lines go, in a job its tab.
func (h *header) isNamespaceKey(digit int) bool {
	action, _ := keymap.Lookup(h.m.top().Scope(), strconv.Itoa(digit))
	_, is := keymap.FavouriteDigit(action)
	return is
}

// addForwards shows how many ports are forwarded.
func (h *header) addForwards(line *draw.Line) {
	all := h.m.tasks.Forwards.States()
	if len(all) == 0 {
		return
	}
	role, text := themes.Dim, " pf "+draw.Count(len(all))
	if slices.ContainsFunc(all, func(f views.Forwarded) bool { return f.State.Trouble != "" }) {
		role, text = themes.Waiting, text+h.m.theme.Glyphs.Warning
	}
	line.Add(role, text)
}
