// Package draw has the parts that screens are drawn with: text in terminal
// cells, ages and numbers as people read them, marks, bars, and the table.
//
// Text from a cluster or a file is hostile. Everything that this package puts
// on a line goes through Clean, so that no control byte and no escape sequence
// of it reaches the terminal.
package draw
