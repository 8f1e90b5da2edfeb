package dump

import (
	"path/filepath"
	"strings"
)

// givenOnce returns the paths without those that stand for a file or a folder that
// another one stands for, by another spelling or through a link. One that names a
// rank is kept before one that does not.
func givenOnce(d disk, paths []string) []string {
	at := map[string]int{} // by the path without links
	var kept []string
	for _, path := range paths {
		rank, name := splitRank(d, path)
		real, err := d.Real(name)
		if path == stdinPath || err != nil { // reading it reports the error
			kept = append(kept, path)
			continue
		}
		before, twice := at[real]
		switch {
		case !twice:
			at[real] = len(kept)
			kept = append(kept, path)
		case rank >= 0:
			if without, _ := splitRank(d, kept[before]); without < 0 {
				kept[before] = path
			}
		}
	}
	return kept
}

// listedByName reports whether a file inside the folder is listed under its own name
// too, so that a link to it is no second log: latest.log beside the logs.
func (l *listing) listedByName(target string) bool {
	between, err := filepath.Rel(l.real, target)
	if err != nil {
		return false
	}
	for _, part := range strings.Split(filepath.ToSlash(between), "/") {
		if strings.HasPrefix(part, ".") {
			return false // hidden: the files of a mounted ConfigMap are links into ..data
		}
	}
	return true
}

// givenInside reports whether a file of the folder is given by itself as well, or with
// a folder in this one: it is read there.
func (l *listing) givenInside(target string) bool {
	for _, other := range l.others {
		if inside(l.real, other) && inside(other, target) {
			return true
		}
	}
	return false
}
