package dump

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/termtext"
)

// maxListed limits the files that are listed below one folder: the logs of a
// large node and the files of a must-gather are fewer.
const maxListed = 100_000

// listing lists the regular files below a folder, sorted by name. It leaves out
// hidden files and anything that could block a read for ever (pipes, sockets,
// devices), and returns their names.
type listing struct {
	disk disk
	ctx  context.Context
	root string // as given
	real string // without links
	// others are the other paths that were given, without links.
	others []string
	most   int           // files
	within time.Duration // for all folders together, 0 for no limit
	until  time.Time     // where there is one

	visited       map[string]bool
	files, hidden []string
	// left are files elsewhere that links name; out counts the links that lead
	// out of the folder and are not followed.
	left     []string
	out      int
	problems []Problem
	ended    bool // not everything is listed
}

// list lists the files below a folder.
func (r *fileReader) list(root string) *listing {
	f := r.files
	l := &listing{disk: f.disk, ctx: r.ctx, root: root, most: f.mostListed, within: f.listWithin, visited: map[string]bool{}}
	began := time.Now() //nolint:forbidigo // a stopwatch, no time of day
	l.until = began.Add(l.within - r.listed)
	defer func() { r.listed += time.Since(began) }()
	real, err := f.disk.Real(root)
	if err != nil {
		l.fail(root, explainOpen(err))
		return l
	}
	l.real = real
	l.others = slices.DeleteFunc(slices.Clone(f.real), func(other string) bool { return other == real })
	l.visit(root, real)
	if more := l.out - namedFiles; more > 0 {
		l.fail(root, fmt.Errorf("%s out of the folder and %s not read", termtext.More(more, "link")+termtext.Agree(more, " leads", " lead"), termtext.Agree(more, "is", "are")))
	}
	return l
}

func (l *listing) fail(name string, why error) {
	l.problems = append(l.problems, Problem{File: name, Text: why.Error()})
}

// visit lists a folder; real is its path without links.
func (l *listing) visit(folder, real string) {
	if l.visited[real] {
		return // a link back up, or a second path to the same folder
	}
	l.visited[real] = true
	entries, err := l.disk.ReadDir(folder)
	if err != nil {
		l.fail(folder, explainOpen(err))
		return
	}
	for _, entry := range entries {
		name := l.disk.Join(folder, entry.Name())
		if l.end(name) {
			return
		}
		switch {
		case strings.HasPrefix(entry.Name(), "."):
			l.hidden = append(l.hidden, name)
		case entry.Type()&fs.ModeSymlink != 0:
			l.link(name)
		default:
			l.entry(name, l.disk.Join(real, entry.Name()))
		}
	}
}

// end reports whether nothing more is listed, and reports once where it ended.
func (l *listing) end(name string) bool {
	switch {
	case l.ended:
		return true
	case l.ctx.Err() != nil: // the reader left
		l.ended = true
	case len(l.files) >= l.most:
		l.ended = true
		l.fail(l.root, fmt.Errorf("only the first %d files of a folder are listed; %s and what follows it are not read; name smaller folders with --from", l.most, plain(name)))
	case l.within > 0 && time.Now().After(l.until): //nolint:forbidigo // the same
		l.ended = true
		l.fail(l.root, fmt.Errorf("its files were not listed within the %s that this may take; %s and what follows it are not read; name smaller folders with --from, or --request-timeout waits longer", l.within, plain(name)))
	}
	return l.ended
}

// entry lists what a name of a folder represents; real is it without links.
func (l *listing) entry(name, real string) {
	info, err := l.disk.Stat(name)
	switch {
	case err != nil:
		l.fail(name, explainOpen(err))
	case info.IsDir():
		l.visit(name, real)
	case info.Mode().IsRegular() && l.givenInside(real):
	case info.Mode().IsRegular():
		l.files = append(l.files, name)
	default:
		l.hidden = append(l.hidden, name)
	}
}

// link follows a link inside the folder. Of those that lead out of it files are
// read: the kubelet's /var/log/containers holds links into /var/log/pods.
func (l *listing) link(name string) {
	target, err := l.disk.Real(name)
	if err != nil {
		l.fail(name, explainOpen(err))
		return
	}
	info, err := l.disk.Stat(target)
	switch {
	case inside(l.real, target):
		if err != nil || info.IsDir() || !l.listedByName(target) {
			l.entry(name, target)
		}
	case err != nil:
		l.fail(name, explainOpen(err))
	case info.Mode().IsRegular():
		l.files = append(l.files, name)
		l.left = append(l.left, plain(path.Base(filepath.ToSlash(name)))+" (to "+plain(target)+")")
	case l.given(target): // it is read there
	default:
		if l.out++; l.out <= namedFiles {
			l.fail(name, errors.New("this link leads out of the folder, to "+plain(target)+", and is not read; name it with --from to read it"))
		}
	}
}

// given reports whether a path lies in another one that was given.
func (l *listing) given(target string) bool {
	for _, other := range l.others {
		if inside(other, target) {
			return true
		}
	}
	return false
}

// inside reports whether a path is a folder or lies in it, both without links.
func inside(folder, name string) bool {
	between, err := filepath.Rel(folder, name)
	return err == nil && filepath.IsLocal(between)
}

// leftNote reports which links led to files elsewhere, "" for none.
func (l *listing) leftNote() string {
	n := len(l.left)
	if n == 0 {
		return ""
	}
	return termtext.Count(n, "link") + termtext.Agree(n, " leads", " lead") + " out of this folder, to " +
		termtext.Agree(n, "a file that is", "files that are") + " read: " + termtext.Few(l.left, namedFiles)
}
