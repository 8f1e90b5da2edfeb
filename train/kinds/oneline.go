package kinds

import "github.com/traintop/traintop/termtext"

// longestLine bounds a reason, in runes; a longer one is no more useful in a
// list, and the object itself has the rest.
const longestLine = 240

// oneLine returns text of a cluster as a list may show it.
func oneLine(text string) string { return termtext.Short(text, longestLine) }

// after puts a separator before text that is not empty.
func after(separator, text string) string {
	if text == "" {
		return ""
	}
	return separator + text
}
