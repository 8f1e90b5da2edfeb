package charts

import (
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// Click puts the crosshair on the point nearest to a column; on a strip's
// name it draws that strip large; twice opens the log line.
func (v *View) Click(x, y int, double bool, f views.Frame) views.Effect {
	if v.picker != nil {
		return nil
	}
	if y >= v.laid.body {
		if double {
			return v.openLine()
		}
		return nil
	}
	strip := v.stripAt(y)
	if strip == nil || v.load(f) != nil {
		return nil
	}
	cell := x - v.laid.frame.gutter
	if cell < 0 || cell >= v.laid.frame.plot {
		v.focus = strip.metric
		return nil
	}
	scale := v.xScale(v.laid.frame.plot)
	if c, i := v.nearest(scale.Value(cell*draw.DotsX + draw.DotsX/2)); c != nil {
		v.put(c, i)
		if double {
			return v.openLine()
		}
	}
	return nil
}

func (v *View) stripAt(y int) *placed {
	for i := range v.laid.strips {
		if st := &v.laid.strips[i]; y >= st.top && y < st.top+st.height {
			return st
		}
	}
	return nil
}

// Wheel zooms around the crosshair.
func (v *View) Wheel(lines int, f views.Frame) {
	if v.picker != nil {
		v.picker.cursor = max(0, v.picker.cursor+lines)
		return
	}
	if len(v.laid.strips) == 0 || v.load(f) != nil {
		return
	}
	if lines < 0 {
		v.zoomBy(0.8)
	} else {
		v.zoomBy(1.25)
	}
}

// Drag moves the plot with the mouse, by cells to the right.
func (v *View) Drag(cells int, f views.Frame) {
	if v.picker == nil && v.laid.frame.plot > 0 && len(v.laid.strips) > 0 && v.load(f) == nil {
		v.pan(-float64(cells) / float64(v.laid.frame.plot))
	}
}
