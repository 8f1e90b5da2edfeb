package act

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// mostFollowed is how many links a kernel follows on one path (Linux,
// path_resolution(7)).
const mostFollowed = 40

// linkWalk follows a link as the kernel does, folder by folder and through
// each link on the path, below base of a root.
type linkWalk struct {
	root *os.Root
	base string
	// at is the folder reached so far, below base.
	at       []string
	followed int
	// missing is set once a part of the path does not exist.
	missing bool
}

// leadsOut returns why a link in a folder (below base, with slashes) does not
// stay below base; "" if it does.
func leadsOut(root *os.Root, base, folder, to string) string {
	w := &linkWalk{root: root, base: base}
	for part := range strings.SplitSeq(path.Clean(folder), "/") {
		if part != "." && part != "" {
			w.at = append(w.at, part)
		}
	}
	return w.follow(to)
}

const (
	outOfCopied = "out of what is copied"
	overNothing = "back over what is not here"
)

func (w *linkWalk) follow(to string) string {
	switch {
	case to == "":
		return "nowhere"
	case path.IsAbs(to) || filepath.IsAbs(to):
		return outOfCopied
	}
	for part := range strings.SplitSeq(filepath.ToSlash(to), "/") {
		if why := w.step(part); why != "" {
			return why
		}
	}
	return ""
}

// step moves to one name. After a missing name only names may follow: whatever
// is created there later, they lead further in.
func (w *linkWalk) step(part string) string {
	switch {
	case part == "" || part == ".":
		return ""
	case part == ".." && w.missing:
		return overNothing
	case part == ".." && len(w.at) == 0:
		return outOfCopied
	case part == "..":
		w.at = w.at[:len(w.at)-1]
		return ""
	case w.missing:
		return ""
	}
	return w.enter(part)
}

func (w *linkWalk) enter(part string) string {
	name := filepath.Join(w.base, filepath.Join(w.at...), part)
	info, err := w.root.Lstat(name)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if w.followed++; w.followed > mostFollowed {
			return "through too many links"
		}
		var to string
		if to, err = w.root.Readlink(name); err == nil {
			return w.follow(to)
		}
	}
	w.missing = err != nil
	w.at = append(w.at, part)
	return ""
}
