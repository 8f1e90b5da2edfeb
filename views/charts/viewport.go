package charts

// viewport is what a person looks at of a sheet: the part of the axis that is
// shown, whether it follows what is new, and where the crosshair is.
type viewport struct {
	sheet
	cross cross
	tail  tail
	zoom  zoom
	// laid is where things stood when they were drawn last.
	laid layout
}
