package config

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/traintop/traintop/ui/custom"
)

// ownView is a list as a person wants it.
type ownView struct {
	Columns []ownColumn `json:"columns"`
	// Sort is a title, with " desc" behind it for the other direction.
	Sort   string `json:"sort"`
	Wide   *bool  `json:"wide"`
	Filter string `json:"filter"`
}

// ownColumn is a column: a title, or a map.
type ownColumn struct {
	custom.Column
	wrong string
}

// widestColumn bounds the width of a column, in cells.
const widestColumn = 200

// UnmarshalJSON never fails: a wrong column must not keep the others from being
// used.
func (c *ownColumn) UnmarshalJSON(text []byte) error {
	*c = ownColumn{}
	if json.Unmarshal(text, &c.Title) == nil {
		return nil
	}
	var column struct {
		Title, Label, Annotation string
		Width                    int
	}
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&column); err != nil {
		c.wrong = string(text)
		return nil //nolint:nilerr // checkViews reports it
	}
	c.Column = column
	return nil
}

// problem is why a column cannot be used, "" where it can.
func (c *ownColumn) problem() string {
	switch {
	case c.wrong != "":
		return c.wrong + " is no column: it has to be a title, or a map of title, label, annotation and width"
	case c.Title == "" && c.Label == "" && c.Annotation == "":
		return "a column has no title"
	case c.Label != "" && c.Annotation != "":
		return "the column " + c.Title + " is a label or an annotation, not both"
	case c.Width < 0 || c.Width > widestColumn:
		return "the width of " + c.Title + " is " + strconv.Itoa(c.Width) + fmt.Sprintf(", which is not between 1 and %d", widestColumn)
	}
	return ""
}

// checkViews makes the views that can be used, and reports the rest.
func (c *ownConfig) checkViews(r *reader) {
	c.custom.Views = map[string]custom.View{}
	for _, name := range slices.Sorted(maps.Keys(c.Views)) {
		own, view := c.Views[name], custom.View{}
		for i := range own.Columns {
			if problem := own.Columns[i].problem(); problem != "" {
				r.add(fmt.Sprintf("views.%s.columns[%d]", name, i), "views.%s: %s; it is left out", name, problem)
				continue
			}
			view.Columns = append(view.Columns, own.Columns[i].Column)
		}
		view.Sort, view.Descending = sortOf(own.Sort)
		view.Wide, view.Filter = own.Wide, own.Filter
		c.custom.Views[name] = view
	}
}

// sortOf reads a title and a direction: "AGE", "AGE desc", and as k9s writes it
// "AGE:desc".
func sortOf(text string) (title string, descending bool) {
	for _, end := range []string{" desc", ":desc"} {
		if title, is := strings.CutSuffix(text, end); is {
			return strings.TrimSpace(title), true
		}
	}
	title = strings.TrimSuffix(strings.TrimSuffix(text, " asc"), ":asc")
	return strings.TrimSpace(title), false
}
