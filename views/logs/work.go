package logs

import (
	"context"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/views"
)

// Work is the next piece of work that takes longer than a key press may: a
// search, a filter, a count of hits, a comparison of ranks, files to save.
func (v *View) Work(f views.Frame) func(context.Context) any {
	if v.job == nil {
		return nil
	}
	if v.jump != nil {
		return v.seek(f)
	}
	if v.lineFilter.text != "" || v.search.text != "" {
		v.loadAll(f)
	}
	if v.lineFilter.text != "" {
		if do := v.lineFilter.slice(v.logs()); do != nil {
			return do
		}
	}
	if v.search.text != "" {
		if do := v.search.slice(v.logs()); do != nil {
			return do
		}
	}
	if v.layer == layerDifferent {
		if do := v.odd.compare(f); do != nil {
			return do
		}
	}
	if v.saving {
		return v.makeFiles(f)
	}
	return nil
}

// Worked takes the result of a piece of work.
func (v *View) Worked(result any, f views.Frame) views.Effect {
	switch r := result.(type) {
	case landed:
		return v.land(r, f)
	case indexed:
		if !v.lineFilter.take(r) {
			v.search.take(r)
		}
	case compared:
		v.odd.take(r)
	case views.Effect:
		return r
	}
	return nil
}

// logs are those of all ranks that are shown, the focused one first, then
// those on the page.
func (v *paneSet) logs() []*store.Log {
	var logs []*store.Log
	add := func(s *rankPane) {
		if s.pane.log != nil && s.pane.log.Lines.Len() > 0 {
			logs = append(logs, s.pane.log)
		}
	}
	if s := v.focused(); s != nil {
		add(s)
	}
	page := v.onPage()
	for _, at := range page {
		if v.allRanks[at] != v.focused() {
			add(v.allRanks[at])
		}
	}
	onPage := make(map[int]bool, len(page)+1)
	for _, at := range page {
		onPage[at] = true
	}
	for _, at := range v.shown {
		if !onPage[at] && v.allRanks[at] != v.focused() {
			add(v.allRanks[at])
		}
	}
	return logs
}
