package dump

import (
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/termtext"
)

// Summary counts the content of the files.
type Summary struct {
	// Files counts reported paths and files; OtherFiles those in folders with
	// neither Kubernetes objects nor a log.
	Files, OtherFiles int
	// Objects counts by kind; an object that occurs twice counts once.
	Objects map[schema.GroupKind]int
	// Unknown lists those kinds of Objects that are unrelated to training.
	Unknown []schema.GroupKind
	// Problems lists what could not be read, in order, at most maxProblems;
	// Dropped counts the others.
	Problems []Problem
	Dropped  int
	// LeftOut describes what was skipped on purpose, one entry for each path:
	// files of a folder that are neither objects nor logs, text around
	// objects.
	LeftOut []Problem
}

// Problem is one part that could not be read.
type Problem struct {
	File string
	Line int // from 1; 0 for the file as a whole
	Text string
}

// String is "file:line: cause".
func (p Problem) String() string {
	if p.Line == 0 {
		return shown(p.File) + ": " + plain(p.Text)
	}
	return shown(p.File) + ":" + strconv.Itoa(p.Line) + ": " + plain(p.Text)
}

// shown returns a path for people.
func shown(path string) string {
	if path == stdinPath {
		return "standard input"
	}
	return plain(path)
}

const maxProblems = 100

// Summary returns the counts so far.
func (f *Files) Summary() Summary {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.summary
	s.Objects, s.Problems, s.LeftOut, s.Unknown = maps.Clone(s.Objects), slices.Clone(s.Problems), slices.Clone(s.LeftOut), nil
	for kind := range s.Objects {
		if !known(kind) {
			s.Unknown = append(s.Unknown, kind)
		}
	}
	slices.SortFunc(s.Unknown, func(a, b schema.GroupKind) int { return strings.Compare(a.String(), b.String()) })
	return s
}

func (f *Files) count(change func(*Summary)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(&f.summary)
}

// problems adds the problems of one file to the summary.
func (r *fileReader) problems(path string, got report) {
	broken := got.broken
	if got.err != nil {
		broken = append(broken, Problem{File: path, Text: got.err.Error()})
	}
	if got.misplaced() {
		broken = append(broken, Problem{File: path, Text: got.foreign})
	}
	r.files.count(func(s *Summary) {
		kept := min(len(broken), maxProblems-len(s.Problems))
		s.Problems = append(s.Problems, broken[:kept]...)
		s.Dropped += len(broken) - kept + got.failed - len(got.broken)
	})
}

// text describes a report, for the screen and the JSON problems.
func (r report) text(path string) string {
	path = shown(path)
	switch {
	case r.foreign != "":
		return path + ": " + r.foreign
	case r.err != nil && !r.understood():
		return path + ": " + plain(r.err.Error())
	}
	var parts []string
	if !r.metrics && (r.objects > 0 || !r.log && r.failed == 0) {
		parts = append(parts, termtext.Count(r.objects, "object"))
	}
	if r.unknown > 0 {
		parts[0] += fmt.Sprintf(", %d of kinds that say nothing about training", r.unknown)
	}
	for _, said := range []string{r.note, r.aside, r.lacks} {
		if said != "" {
			parts = append(parts, said)
		}
	}
	quoted := min(len(r.broken), 3)
	for _, broken := range r.broken[:quoted] {
		parts = append(parts, "not read: "+strings.TrimPrefix(broken.String(), path+": "))
	}
	if more := r.failed - quoted; more > 0 {
		parts = append(parts, termtext.More(more, "")+" could not be read")
	}
	if r.err != nil {
		parts = append(parts, plain(r.err.Error()))
	}
	return path + ": " + strings.Join(parts, "; ")
}

// foreign counts the files of a folder with neither objects nor a log.
type foreign struct {
	files int
	first string
	named []alikeFiles // the first of them
}

// alikeFiles names files of the same type.
type alikeFiles struct{ names, what string }

// namedFiles limits how many files of a folder a message names.
const namedFiles = 5

func (f *foreign) add(file, what string) {
	if f.files++; f.files == 1 {
		f.first = plain(file) + ": " + what
	}
	if f.files > namedFiles {
		return
	}
	name := plain(path.Base(filepath.ToSlash(file)))
	for i := range f.named {
		if f.named[i].what == what {
			f.named[i].names += ", " + name
			return
		}
	}
	f.named = append(f.named, alikeFiles{name, what})
}

// text names the first files and counts the others.
func (f *foreign) text() string {
	var parts []string
	for _, alike := range f.named {
		parts = append(parts, alike.names+" ("+alike.what+")")
	}
	if more := f.files - namedFiles; more > 0 {
		parts = append(parts, "and "+termtext.More(more, ""))
	}
	return termtext.Count(f.files, "file") + " left out: " + strings.Join(parts, "; ")
}

// leftOut records the skipped part of a file.
func (f *Files) leftOut(what Problem) {
	f.count(func(s *Summary) {
		if len(s.LeftOut) < maxProblems {
			s.LeftOut = append(s.LeftOut, what)
		}
	})
}

// folderNote reports what a folder holds; of one with hidden content alone, that
// it was not read.
func folderNote(files int, hidden []string, other foreign, failed int) string {
	if files == 0 && failed == 0 {
		if len(hidden) > 0 {
			return "it holds nothing else; " + hiddenNote(hidden) + "; name one with --from to read it"
		}
		return "it is empty"
	}
	parts := []string{termtext.Count(files, "file")}
	if other.files > 0 {
		parts = append(parts, fmt.Sprintf("%d of something else (%s)", other.files, other.first))
	}
	if failed > 0 {
		parts = append(parts, fmt.Sprintf("%d with problems", failed))
	}
	return strings.Join(parts, ", ")
}

// maxText limits a quoted text of a file or a library's error, in runes.
const maxText = 400

// plain makes text from outside safe for a message.
func plain(text string) string { return termtext.Short(text, maxText) }

// hiddenNote names hidden content of a folder that was not read.
func hiddenNote(hidden []string) string {
	return "hidden files, folders and pipes are not looked into: " + termtext.FewOf(hidden, namedFiles, func(file string) string {
		return plain(path.Base(filepath.ToSlash(file)))
	})
}
