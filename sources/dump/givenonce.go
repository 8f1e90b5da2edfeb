package dump

import (
	"context"
	"path/filepath"
	"strings"
	"time"
)

// givenPaths are the paths that were given, each file and folder once.
type givenPaths struct {
	paths []string
	// real are they without links, and without a rank, as far as they are there.
	real []string
}

// givenInTime returns the paths that are left of those that were given, all of them
// where a file system does not answer in time.
func givenInTime(d disk, paths []string, most time.Duration) givenPaths {
	given, err := inTime(context.Background(), most, func() (givenPaths, error) { return givenOnce(d, paths), nil }, func(givenPaths) {})
	if err != nil {
		return givenPaths{paths: paths} // reading the one that does not answer reports it
	}
	return given
}

// givenOnce leaves out paths that lead to a file or a folder to which another one
// leads, by another spelling or through a link. One that names a rank is kept before
// one that does not.
func givenOnce(d disk, paths []string) givenPaths {
	at := map[string]int{} // by the path without links
	var kept, all []string
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
			kept, all = append(kept, path), append(all, real)
		case rank >= 0:
			if without, _ := splitRank(d, kept[before]); without < 0 {
				kept[before] = path
			}
		}
	}
	return givenPaths{kept, all}
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
