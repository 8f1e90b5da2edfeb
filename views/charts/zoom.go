package charts

import "github.com/traintop/traintop/views"

// zoom is the part of the axis that a person chose, and the parts before it.
type zoom struct {
	window *window // nil for the whole run
	undo   []*window
	// mark is where "zoom to" began, nil when it did not.
	mark *float64
	// panned is true when the last change moved the window without zooming:
	// consecutive moves are undone together.
	panned bool
}

// mostUndo bounds how many zooms can be undone.
const mostUndo = 50

// leastWindow is the smallest part of the run that can be zoomed to.
const leastWindow = 1e-7

// zoomTo shows another part of the axis.
func (v *viewport) zoomTo(w window, panned bool) {
	whole := v.whole()
	span := whole.high - whole.low
	if w.high-w.low < span*leastWindow {
		return
	}
	if !panned || !v.zoom.panned {
		v.zoom.undo = append(v.zoom.undo, v.zoom.window)
		v.zoom.undo = v.zoom.undo[max(0, len(v.zoom.undo)-mostUndo):]
	}
	v.zoom.panned = panned
	if w.low <= whole.low && w.high >= whole.high {
		v.setZoom(nil)
		return
	}
	v.setZoom(&w)
}

func (v *viewport) setZoom(w *window) {
	v.zoom.window = w
	v.window = w
	if v.tail.live && w != nil && w.high < v.own().high {
		v.pause() // the visible part ends before the newest point
		v.window = w
	}
	v.follow()
}

// zoomBy zooms around the crosshair; a factor below 1 zooms in. While live the
// newest point stays at the right.
func (v *viewport) zoomBy(factor float64) {
	w, whole := v.view(), v.whole()
	at := (w.low + w.high) / 2
	if c, i := v.point(); c != nil && finite(c.xs[i]) && c.xs[i] >= w.low && c.xs[i] <= w.high {
		at = c.xs[i]
	}
	w = window{at - (at-w.low)*factor, at + (w.high-at)*factor}
	v.zoomTo(window{max(w.low, whole.low), min(w.high, whole.high)}, false)
}

// pan moves the window by a share of its width.
func (v *viewport) pan(share float64) {
	w, whole := v.view(), v.whole()
	by := (w.high - w.low) * share
	by = max(by, min(0, whole.low-w.low))
	by = min(by, max(0, whole.high-w.high))
	if by != 0 {
		v.zoomTo(window{w.low + by, w.high + by}, true)
	}
}

func (v *viewport) undoZoom() views.Effect {
	n := len(v.zoom.undo)
	if n == 0 {
		return views.Notice{Text: "there is no zoom to undo"}
	}
	before := v.zoom.undo[n-1]
	v.zoom.undo, v.zoom.panned = v.zoom.undo[:n-1], false
	v.setZoom(before)
	return nil
}

// markZoom begins a zoom at the crosshair, or zooms to the part between the two
// marks.
func (v *viewport) markZoom() views.Effect {
	c, i := v.point()
	if c == nil || !finite(c.xs[i]) {
		return nil
	}
	x := c.xs[i]
	if v.zoom.mark == nil {
		v.pause()
		v.crosshair = crosshair{set: true, key: c.key, line: c.row(i).Line}
		v.zoom.mark = &x
		return views.Notice{Text: "move the crosshair to the other end and press z again; esc gives up"}
	}
	from, to := min(*v.zoom.mark, x), max(*v.zoom.mark, x)
	v.zoom.mark = nil
	if from == to {
		return views.Notice{Text: "both ends are the same point, so the zoom stays"}
	}
	v.zoomTo(window{from, to}, false)
	return views.Notice{Text: "zoomed; u undoes it, 0 shows the whole run"}
}

// turnAxis switches the unit of the x axis; the window stays on the same
// points.
func (v *viewport) turnAxis() views.Effect {
	w := v.view()
	first, a := v.nearest(w.low)
	last, b := v.nearest(w.high)
	var notice string
	for {
		v.axis = (v.axis + 1) % axisCount
		v.take(v.run, v.job, v.now, v.theme)
		if whole := v.whole(); whole != (window{0, 1}) || v.axis == byStep {
			break
		}
		notice = "the log tells no times, so there is no axis of time"
	}
	v.zoom.undo, v.zoom.mark = nil, nil
	narrowed := v.zoom.window != nil
	v.zoom.window, v.window = nil, nil
	if !v.tail.live || narrowed {
		v.keepWindow(first, a, last, b)
		if narrowed {
			v.zoom.window = v.window
		}
	}
	return views.Notice{Text: notice, Failed: notice != ""}
}

// keepWindow shows the part from one point to another on the current axis.
func (v *viewport) keepWindow(first *curve, a int, last *curve, b int) {
	if first == nil || last == nil {
		return
	}
	c, d := v.curves[first.key], v.curves[last.key]
	if c == nil || d == nil || a >= len(c.xs) || b >= len(d.xs) {
		return
	}
	if w := (window{c.xs[a], d.xs[b]}); w.low < w.high {
		v.window = &w
	}
}
