package draw

import (
	"unicode/utf8"

	"github.com/traintop/traintop/themes"
)

// Cross is a vertical rule that is drawn over a raster without being in it: a
// crosshair moves and the plot stays.
type Cross struct {
	// Column is a cell, -1 for none.
	Column int
	Sign   string
	Role   themes.Role
}

// Raster appends one row of a raster, as far as the line reaches. Looks
// change only where the colour does.
func (l *Line) Raster(r *Raster, row int, cross Cross) *Line {
	width := min(r.width, l.width-l.used)
	if row < 0 || row >= r.height || width <= 0 {
		return l
	}
	for column, c := range r.cells[row*r.width : row*r.width+width] {
		if column == cross.Column && c.layer <= LayerBand {
			l.look(cross.Role)
			if c.layer == LayerBand { // a spike under the crosshair stays visible
				l.b.WriteString(l.theme.Glyphs.Dots[r.pattern(row, column)])
			} else {
				l.b.WriteString(cross.Sign)
			}
			continue
		}
		if c.layer == LayerNone || c.sign == ' ' {
			l.b.WriteByte(' ')
			continue
		}
		l.look(c.role)
		if c.sign != 0 {
			var buffer [utf8.UTFMax]byte
			l.b.Write(buffer[:utf8.EncodeRune(buffer[:], c.sign)])
			continue
		}
		l.b.WriteString(l.theme.Glyphs.Dots[r.pattern(row, column)])
	}
	l.used += width
	return l
}

// look switches to a role's look unless it is the current one.
func (l *Line) look(role themes.Role) {
	if !l.opened || l.role != role {
		l.b.WriteString(l.theme.Open(role, l.selected))
		l.role, l.opened = role, true
	}
}

// RasterTo is Raster for the first cells of the row.
func (l *Line) RasterTo(r *Raster, row, cells int, cross Cross) *Line {
	width := l.width
	l.width = min(width, l.used+cells)
	l.Raster(r, row, cross)
	l.width = width
	return l
}
