package logs

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// Title shows the ranks, whether they follow, and the search.
func (v *View) Title(f views.Frame) views.Title {
	if v.job == nil {
		return views.Title{Text: "Logs"}
	}
	d := drawer{&v.paneSet}
	title := views.Title{Text: "Logs " + draw.Clean(v.job.Ref.Name), Filter: v.search.text, Note: d.note()}
	switch v.layer {
	case layerRanks:
		return v.ranks.title(title)
	case layerDifferent:
		return v.odd.title(title)
	}
	if text := d.which(); text != "" {
		title.Parts = append(title.Parts, draw.Span{Text: text, Role: themes.Text})
	}
	if v.gone {
		title.Parts = append(title.Parts, draw.Span{Text: "the job was deleted", Role: themes.Bad})
	}
	if d.anyToFollow(f) {
		title.Parts = append(title.Parts, d.followPart(f))
	}
	if text := d.olderShown(); text != "" {
		title.Parts = append(title.Parts, draw.Span{Text: text, Role: themes.Waiting})
	}
	if at := v.moment(); !at.IsZero() {
		title.Parts = append(title.Parts, draw.Span{Text: "in step " + at.In(v.stamps.zone()).Format("15:04:05.000"), Role: themes.Accent})
	}
	title.Flags = d.flags()
	return title
}

// which names the ranks on the page; "" when there is one alone.
func (v *drawer) which() string {
	total := len(v.allRanks)
	switch {
	case total == 1 && !v.merged:
		return ""
	case v.merged && len(v.shown) == total:
		return "all " + draw.Plural(total, "rank") + " by time"
	case v.merged:
		return fmt.Sprintf("%d of %s by time", len(v.shown), draw.Plural(total, "rank"))
	}
	page := v.pageSize()
	on := len(v.onPage())
	text := fmt.Sprintf("%d of %s", on, draw.Plural(total, "rank"))
	if pages := (len(v.shown) + page - 1) / page; pages > 1 {
		text += fmt.Sprintf(", page %d of %d", v.focus/page+1, pages)
	}
	return text
}

// olderShown names the ranks whose merged lines are not those of the newest
// attempt; a pane shows it in its head.
func (v *drawer) olderShown() string {
	first, count := 0, 0
	for _, at := range v.shown {
		s := v.allRanks[at]
		if p := &s.pane; v.merged && p.at >= 0 && p.at < len(p.instances)-1 {
			if count++; count == 1 {
				first = s.rank.Index
			}
		}
	}
	switch count {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("older attempt of rank %d", first)
	}
	return "older attempts of " + draw.Plural(count, "rank")
}

// anyToFollow is whether lines may come: from a cluster, or from a file that was read.
func (v *drawer) anyToFollow(f views.Frame) bool {
	if live(f) {
		return true
	}
	if !v.merged {
		s := v.focused()
		return s == nil || s.pane.log != nil
	}
	return slices.ContainsFunc(v.shown, func(at int) bool { return v.allRanks[at].pane.log != nil })
}

// followPart shows whether new lines appear as they arrive.
func (v *drawer) followPart(f views.Frame) draw.Span {
	follows := false
	if s := v.focused(); s != nil {
		follows = s.pane.follow
	}
	if v.merged {
		follows = v.merge.follow()
	}
	if follows {
		return draw.Span{Text: "follow " + f.Theme.Glyphs.Running, Role: themes.Good}
	}
	text := "paused"
	if v.merged {
		if n := v.merge.unseen(v.paneSet); n > 0 {
			text += fmt.Sprintf(", +%s new", draw.Count(int(n)))
		}
	}
	return draw.Span{Text: text, Role: themes.Waiting}
}

// flags name what is left out.
func (v *drawer) flags() string {
	var flags []string
	if v.lineFilter.text != "" {
		flags = append(flags, "&"+draw.Clean(v.lineFilter.text))
	}
	if v.since.length > 0 {
		flags = append(flags, "last "+termtext.Duration(v.since.length))
	}
	if n := v.unparsed(); n > 0 {
		flags = append(flags, draw.Plural(n, "line")+" not parsed, a bug")
	}
	return strings.Join(flags, "  ")
}

// unparsed counts the lines on which a parser broke.
func (v *drawer) unparsed() (n int) {
	for _, at := range v.shown {
		if log := v.allRanks[at].pane.log; log != nil {
			n += int(log.Broken.Lines)
		}
	}
	return n
}

// note is the result of the search and the display settings.
func (v *drawer) note() string {
	var notes []string
	if v.search.text != "" {
		notes = append(notes, v.hitCount())
	}
	if v.wrap {
		notes = append(notes, "wrap")
	}
	if v.locked {
		notes = append(notes, "columns locked")
	}
	if v.loose && !v.merged {
		notes = append(notes, "not in step")
	}
	if v.merged && v.unfolded {
		notes = append(notes, "unfolded")
	}
	if v.stamps != stampsOff {
		notes = append(notes, v.stamps.String())
	}
	return strings.Join(notes, "  ")
}

// hitCount is which of the lines that match is pointed to, how many there are,
// and how many of them in the focused pane.
func (v *drawer) hitCount() string {
	total, here, complete := 0, 0, true
	for _, at := range v.shown {
		log := v.allRanks[at].pane.log
		if log == nil {
			continue
		}
		x := v.search.of(log)
		complete = complete && x.covers(log)
		if x == nil {
			continue
		}
		total += len(x.hits)
		if s := v.focused(); s != nil && s.pane.log == log {
			here = len(x.hits)
		}
	}
	text := draw.Plural(total, "hit")
	if !complete {
		text = draw.Count(total) + "+ hits"
	} else if n := v.hitNumber(); n > 0 {
		text = "hit " + draw.Count(n) + " of " + draw.Count(total)
	}
	if s := v.focused(); s != nil && len(v.shown) > 1 && !v.merged && total > 0 {
		text += fmt.Sprintf(", %s in rank %d", draw.Count(here), s.rank.Index)
	}
	return text
}

// hitNumber counts the hits up to the line pointed to, in the order of the
// screen; 0 where that line is none.
func (v *drawer) hitNumber() int {
	if v.merged {
		return v.mergedHitNumber()
	}
	before := 0
	for i, at := range v.shown {
		p := &v.allRanks[at].pane
		if p.log == nil {
			continue
		}
		x := v.search.of(p.log)
		if x == nil {
			continue
		}
		if i == v.focus {
			if n, is := slices.BinarySearch(x.hits, p.target); is {
				return before + n + 1
			}
			return 0
		}
		before += len(x.hits)
	}
	return 0
}

// mergedHitNumber is hitNumber by time: of equal times, the lower rank is first.
func (v *drawer) mergedHitNumber() int {
	pointed, when, number := -1, int64(0), 0
	for _, at := range v.shown {
		log := v.allRanks[at].pane.log
		if log == nil || log.ID != v.merge.target || v.merge.targetAt == 0 {
			continue
		}
		if x := v.search.of(log); x != nil {
			if n, is := slices.BinarySearch(x.hits, v.merge.targetAt); is {
				pointed, when, number = at, log.Lines.Order(log.Lines.Find(v.merge.targetAt)), n+1
			}
		}
	}
	if pointed < 0 {
		return 0
	}
	for _, at := range v.shown {
		log := v.allRanks[at].pane.log
		if log == nil || at == pointed {
			continue
		}
		if x := v.search.of(log); x != nil {
			number += sort.Search(len(x.hits), func(i int) bool {
				order := log.Lines.Order(log.Lines.Find(x.hits[i]))
				return order > when || order == when && at > pointed
			})
		}
	}
	return number
}
