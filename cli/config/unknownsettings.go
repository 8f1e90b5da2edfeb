package config

import (
	"fmt"
	"slices"
	"strings"

	goyaml "sigs.k8s.io/yaml/goyaml.v3"
)

// unknownSetting is a setting that does not exist, and those that exist in its
// place.
type unknownSetting struct {
	path  string
	known []string
}

func unknownIn(path, key string, known []string) unknownSetting {
	return unknownSetting{strings.TrimPrefix(path+"."+key, "."), known}
}

// warn names for each unknown setting its line, and the setting that may be
// meant.
func warn(file string, text []byte, unknown []unknownSetting) (warnings []string) {
	var document goyaml.Node
	_ = goyaml.Unmarshal(text, &document) // it was read before
	lines := map[string]int{}
	if len(document.Content) > 0 {
		notesLines(document.Content[0], "", lines)
	}
	slices.SortFunc(unknown, func(a, b unknownSetting) int { return strings.Compare(a.path, b.path) })
	for _, u := range unknown {
		place := file
		if line := lines[u.path]; line > 0 {
			place = fmt.Sprintf("%s:%d", file, line)
		}
		warnings = append(warnings, fmt.Sprintf("%s: there is no setting %q%s (see docs/configuration.md)", place, u.path, u.meant()))
	}
	return warnings
}

// notesLines records the line of each setting by its path.
func notesLines(node *goyaml.Node, path string, lines map[string]int) {
	for _, child := range settingsIn(node, path) {
		if child.name != nil {
			lines[child.path] = child.name.Line
		}
		notesLines(child.value, child.path, lines)
	}
}

// meant suggests the nearest known setting, "" where none is near: one letter
// in three may differ.
func (u unknownSetting) meant() string {
	key := u.path[strings.LastIndexByte(u.path, '.')+1:]
	best, least := "", len(key)/3+2
	for _, name := range u.known {
		if d := distance(strings.ToLower(key), strings.ToLower(name)); d < least {
			best, least = name, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// distance is how many letters have to be inserted, removed or changed to turn
// one word into another (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost++
			}
			before = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
