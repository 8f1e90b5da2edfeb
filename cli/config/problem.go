package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	goyaml "sigs.k8s.io/yaml/goyaml.v3"

	"github.com/traintop/traintop/termtext"
)

// Problem is a setting that cannot be used as it is written.
type Problem struct {
	File string `json:"file"`
	// Line is 0 where the file as a whole is meant.
	Line int `json:"line,omitempty"`
	// Key is the path of the setting: "contexts.prod.ascii", "probes[1].name".
	Key string `json:"key,omitempty"`
	// Text states what is wrong, what is allowed and what is used instead.
	Text string `json:"text"`
}

// problemOf is the error of a file as a whole, with its line where it has one.
func problemOf(file string, err error) Problem {
	if at := (*settingError)(nil); errors.As(err, &at) {
		return Problem{File: file, Line: at.line, Text: at.text}
	}
	return Problem{File: file, Text: err.Error()}
}

// String is one line: file, line and text.
func (p Problem) String() string {
	place := p.File
	if p.Line > 0 {
		place += ":" + strconv.Itoa(p.Line)
	}
	return place + ": " + p.Text
}

// Problems are those of the configuration, in the order of the file.
type Problems []Problem

// Lines are the problems as texts.
func (p Problems) Lines() []string {
	lines := make([]string, len(p))
	for i := range p {
		lines[i] = p[i].String()
	}
	return lines
}

// reader collects the problems of one file.
type reader struct {
	file     string
	problems Problems
	// lines are those of each setting by its path.
	lines map[string]int
	// kept are the paths of the items of each list that were not left out, by
	// the path of the list.
	kept map[string][]string
}

func newReader(file string, root *goyaml.Node) *reader {
	r := &reader{file: file, lines: map[string]int{}, kept: map[string][]string{}}
	if root != nil {
		r.noteLines(root, "", 0)
	}
	return r
}

// noteLines records the line of each setting by its path.
func (r *reader) noteLines(node *goyaml.Node, path string, depth int) {
	if depth > deepest {
		return
	}
	for _, child := range settingsIn(node, path) {
		line := child.value.Line
		if child.name != nil {
			line = child.name.Line
		}
		r.lines[child.path] = line
		r.noteLines(child.value, child.path, depth+1)
	}
}

// add reports a problem of a setting.
func (r *reader) add(path, format string, values ...any) {
	r.problems = append(r.problems, Problem{File: r.file, Line: lineOf(r.lines, path), Key: path, Text: termtext.Line(fmt.Sprintf(format, values...))})
}

// lineOf is the line of a setting, or of the nearest one that contains it, 0 for none.
// lines are those of settings by their paths.
func lineOf(lines map[string]int, path string) int {
	for path != "" {
		if line := lines[path]; line > 0 {
			return line
		}
		cut := strings.LastIndexAny(path, ".[")
		path = path[:max(cut, 0)]
	}
	return 0
}

// itemPath is the path in the file of the i-th item that is left of a list.
func (r *reader) itemPath(list string, i int) string {
	if kept := r.kept[list]; i < len(kept) {
		return kept[i]
	}
	return fmt.Sprintf("%s[%d]", list, i)
}

// sorted are the problems in the order of the file.
func (r *reader) sorted() Problems {
	sortByLine(r.problems)
	return r.problems
}

// sortByLine sorts problems of one file.
func sortByLine(problems Problems) {
	slices.SortStableFunc(problems, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
}
