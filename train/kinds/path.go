package kinds

import (
	"fmt"
	"strings"
	"time"
)

// Path is the way from the root of an object to a field: the names of maps
// within each other. An empty path is no field.
type Path []string

// ParsePath reads a path as kubectl's custom columns write one: names joined by
// dots, a dot within a name behind a backslash, a dot before the first name
// left out. "" is the empty path.
func ParsePath(text string) (Path, error) {
	if text == "" {
		return nil, nil
	}
	var path Path
	var name strings.Builder
	escaped := false
	end := func() error {
		if name.Len() == 0 {
			return fmt.Errorf("a path is names joined by dots, as in spec.workers.replicas, with \\. for a dot within a name")
		}
		path = append(path, name.String())
		name.Reset()
		return nil
	}
	for _, r := range strings.TrimPrefix(text, ".") {
		switch {
		case !escaped && r == '\\':
			escaped = true
			continue
		case !escaped && r == '.':
			if err := end(); err != nil {
				return nil, err
			}
		case !escaped && strings.ContainsRune("[]{}()*?@$|,'\" \t\n", r):
			return nil, fmt.Errorf("a path has names and dots alone, and no %q: lists and maps of roles are read with each", r)
		default:
			name.WriteRune(r)
		}
		escaped = false
	}
	return path, end()
}

// String is the path as ParsePath reads it.
func (p Path) String() string {
	names := make([]string, len(p))
	for i, name := range p {
		names[i] = strings.ReplaceAll(name, ".", `\.`)
	}
	return strings.Join(names, ".")
}

// at returns the value of the field, nil where it is missing.
func (p Path) at(f fields) any {
	if len(p) == 0 {
		return nil
	}
	return f.in(p[:len(p)-1]...)[p[len(p)-1]]
}

// holder returns the map that has the field, and the field's name, as the
// readers of fields take them.
func (p Path) holder(f fields) (fields, string) {
	if len(p) == 0 {
		return nil, ""
	}
	return f.in(p[:len(p)-1]...), p[len(p)-1]
}

// time returns the time at the path, zero where there is none.
func (p Path) time(f fields) time.Time {
	in, field := p.holder(f)
	return in.when(field)
}

// isSet reports whether the field is true, or a text other than "false": some
// controllers write the time of a stop where others write a boolean.
func (p Path) isSet(f fields) bool {
	switch value := p.at(f).(type) {
	case bool:
		return value
	case string:
		return value != "" && !strings.EqualFold(value, "false")
	}
	return false
}
