package charts

// viewport is the part of a sheet that a person looks at: the visible part of
// the axis, whether it follows new points, and the position of the crosshair.
type viewport struct {
	sheet
	crosshair crosshair
	tail      tail
	zoom      zoom
	// laid is the layout of the last drawing.
	laid layout
}
