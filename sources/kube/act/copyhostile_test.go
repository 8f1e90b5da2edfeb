package act

import (
	"archive/tar"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/traintop/traintop/actions"
)

func aFile(name string) tar.Header   { return tar.Header{Name: name, Typeflag: tar.TypeReg} }
func aFolder(name string) tar.Header { return tar.Header{Name: name, Typeflag: tar.TypeDir} }
func aLink(name, to string) tar.Header {
	return tar.Header{Name: name, Typeflag: tar.TypeSymlink, Linkname: to}
}

// Archives of an untrusted container. In each, good is a file that has to
// arrive whatever else the archive has; {outside} is a folder beside the
// destination and {secret} a file in it.
var hostileArchives = []struct {
	name    string
	entries []tar.Header
	before  func(run string) // content of the destination before
	want    map[string]string
	skipped []string // texts about skipped entries, in order
}{
	{
		name: "a link whose parent is itself a link",
		entries: []tar.Header{
			aFolder("./sub"), aLink("./run", "sub"), aLink("./run/notes.txt", "../../outside/secret"),
			aLink("./deep", "sub/.."), aLink("./sub/up", "../deep/.."), aLink("./notes.txt", "deep/../outside/secret"),
		},
		want:    map[string]string{"run": "-> sub", "deep": "-> sub/.."},
		skipped: []string{"run/notes.txt", "sub/up: a link to ../deep/..", "notes.txt: a link to deep/../outside/secret"},
	},
	{
		name:    "a chain of links, each harmless alone",
		entries: []tar.Header{aFolder("./a"), aFolder("./a/b"), aLink("./a/b/up", ".."), aLink("./upper", "a/b/up/.."), aLink("./top", "upper/../outside/secret"), aLink("./topper", "a/b/up/../../outside")},
		want:    map[string]string{"a/b/up": "-> ..", "upper": "-> a/b/up/.."},
		skipped: []string{"top: a link to upper/../outside/secret", "topper: a link to a/b/up/../../outside"},
	},
	{
		name:    "a link that a later link turns around",
		entries: []tar.Header{aLink("./notes", "later/../outside/secret"), aLink("./later", "."), aLink("./stays", "later/good")},
		want:    map[string]string{"later": "-> .", "stays": "-> later/good"},
		skipped: []string{"notes: a link to later/../outside/secret"},
	},
	{
		name:    "a link that is replaced by another",
		entries: []tar.Header{aFolder("./d"), aFolder("./d/e"), aLink("./turn", "d/e"), aLink("./notes", "turn/../../outside/secret"), aLink("./turn", ".")},
		want:    map[string]string{"turn": "-> ."},
		skipped: []string{"notes: a link to turn/../../outside/secret"},
	},
	{
		name:    "hard links",
		entries: []tar.Header{{Name: "./hard", Typeflag: tar.TypeLink, Linkname: "{secret}"}, {Name: "./up", Typeflag: tar.TypeLink, Linkname: "../outside/secret"}, {Name: "./other", Typeflag: tar.TypeLink, Linkname: "./good"}},
		skipped: []string{"hard: another name of {secret}, out of what is copied", "up: another name of ../outside/secret, out of what is copied", "other: another name of ./good, which is copied"},
	},
	{
		name:    "absolute links",
		entries: []tar.Header{aLink("./abs", "{secret}"), aLink("./root", "/"), aLink("./proc", "/proc/self/cwd"), aLink("./empty", "")},
		skipped: []string{"abs: a link to {secret}", "root: a link to /", "proc: a link to /proc/self/cwd", "empty: a link"},
	},
	{
		name:    "files through links and files",
		entries: []tar.Header{aLink("./out", "../outside"), aFile("./out/secret"), aLink("./in", "."), aFile("./in/through"), aFile("./good/below"), aFolder("./good"), aFile("./nowhere/file")},
		want:    map[string]string{"in": "-> ."},
		skipped: []string{"out/secret:", "in/through:", "good/below:", "good: a file here", "nowhere/file:", "out: a link to ../outside"},
	},
	{
		name:    "a folder that becomes a link",
		entries: []tar.Header{aFolder("./d"), aFile("./d/a"), aLink("./d", "../outside"), aLink("./d", "."), aFile("./d/secret")},
		want:    map[string]string{"d/a": "evil", "d/secret": "evil"},
		skipped: []string{"d: a link to ../outside", "d: a link to ."},
	},
	{
		name: "links that were here before",
		before: func(run string) {
			_ = os.Symlink("../outside", run+"/mine")
			_ = os.Symlink("../outside/secret", run+"/file")
		},
		entries: []tar.Header{aFile("./mine/secret"), aFolder("./mine"), aFolder("./mine/new"), aLink("./reads", "mine/secret"), aLink("./mine/l", "x"), aFile("./file")},
		want:    map[string]string{"mine": "-> ../outside", "file": "evil"},
		skipped: []string{"mine/secret: ", "mine: a link here", "mine/new: ", "mine/l:", "reads: a link to mine/secret"},
	},
	{
		name:    "devices and pipes",
		entries: []tar.Header{{Name: "./pipe", Typeflag: tar.TypeFifo}, {Name: "./disk", Typeflag: tar.TypeBlock, Devmajor: 8}, {Name: "./zero", Typeflag: tar.TypeChar, Devmajor: 1, Devminor: 5}, {Name: "./odd", Typeflag: 'Z'}},
		skipped: []string{"pipe: a device or a pipe", "disk: a device or a pipe", "zero: a device or a pipe", "odd: neither"},
	},
	{
		name:    "long and deep names",
		entries: []tar.Header{aFile("./" + strings.Repeat("n", 256)), aFile("./" + strings.Repeat("d/", 3000) + "x"), aFile("./" + strings.Repeat("ü", 127)), aLink("./long", strings.Repeat("x", 5000)), aLink("./"+strings.Repeat("l", 300), "good")},
		want:    map[string]string{strings.Repeat("ü", 127): "evil"},
		skipped: []string{"nnn", "d/d/", "long: a link to xxx", "lll"},
	},
	{
		name:    "control characters",
		entries: []tar.Header{aFile("./\x1b]0;owned\x07.log"), aLink("./\x1b[2J", "../\x1b[31m"), aFile("./../\u202egpj.exe")},
		want:    map[string]string{"\x1b]0;owned\x07.log": "evil"},
		skipped: []string{"gpj.exe: its name", "a link to ../"},
	},
	{
		name:    "a cycle and a long chain of links",
		entries: append([]tar.Header{aLink("./self", "self"), aLink("./x", "y"), aLink("./y", "x")}, chainOfLinks(60)...),
		skipped: []string{"self: a link to self", "x: a link to y"},
	},
}

// chainOfLinks returns more links to each other than a kernel follows (40).
func chainOfLinks(n int) (chain []tar.Header) {
	for i := range n {
		chain = append(chain, aLink(fmt.Sprintf("./chain%02d", i+1), fmt.Sprintf("chain%02d", i)))
	}
	return chain
}

func TestHostileArchivesStayInTheirFolder(t *testing.T) {
	for _, one := range hostileArchives {
		t.Run(one.name, func(t *testing.T) {
			here := t.TempDir()
			outside, run := here+"/outside", here+"/run"
			write(t, outside+"/secret", "kept")
			write(t, run+"/.before", "mine")
			if one.before != nil {
				one.before(run)
			}
			named := strings.NewReplacer("{outside}", outside, "{secret}", outside+"/secret")
			entries := []tar.Header{aFolder("./")}
			entries = append(entries, aFile("./good"))
			for _, entry := range one.entries {
				entry.Linkname = named.Replace(entry.Linkname)
				entries = append(entries, entry)
			}
			entries = append(entries, aFile("./last"))
			done := unpackHostile(t, here, entries)

			if diff := cmp.Diff(map[string]string{"secret": "kept"}, tree(t, outside)); diff != "" {
				t.Errorf("outside: %s", diff)
			}
			if left, _ := os.ReadDir(here); len(left) != 2 {
				t.Errorf("beside the destination: %v", left)
			}
			copied := tree(t, run)
			for _, honest := range []string{"good", "last"} {
				if copied[honest] != "evil" {
					t.Errorf("%s did not arrive", honest)
				}
			}
			noLinkLeadsOut(t, run, one.name == "links that were here before")
			if one.want != nil {
				want := map[string]string{".before": "mine", "good": "evil", "last": "evil"}
				for name, text := range one.want {
					want[name] = text
				}
				if diff := cmp.Diff(want, copied); diff != "" {
					t.Errorf("-want +copied:\n%s", diff)
				}
			}
			saidInOrder(t, done.Skipped, one.skipped, named)
		})
	}
}

// unpackHostile copies an archive that a container's tar would not write.
func unpackHostile(t *testing.T, here string, entries []tar.Header) actions.Transferred {
	t.Helper()
	b := &box{without: []string{"sha256sum"}, play: map[string]func(actions.Exec) error{
		"test": func(actions.Exec) error { return nil },
		"tar":  archive(entries...),
	}}
	done, err := Copy(t.Context(), b, actions.Transfer{Remote: "/run", Local: here, Overwrite: true})
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// noLinkLeadsOut follows each link as the kernel would.
func noLinkLeadsOut(t *testing.T, run string, mine bool) {
	t.Helper()
	root, err := os.OpenRoot(run)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for name, text := range tree(t, run) {
		if !strings.HasPrefix(text, "-> ") || mine && name == "mine" {
			continue
		}
		if _, err := root.Stat(name); err != nil && strings.Contains(err.Error(), "escapes") {
			t.Errorf("%s %s leads out", name, text)
		}
	}
	_ = filepath.WalkDir(run, func(name string, entry fs.DirEntry, err error) error {
		if info, _ := entry.Info(); info != nil && info.Mode()&(fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky|fs.ModeDevice|fs.ModeNamedPipe) != 0 {
			t.Errorf("%s has the mode %v", name, info.Mode())
		}
		return err
	})
}

// saidInOrder wants each text in one of the lines, and no control characters.
func saidInOrder(t *testing.T, said, want []string, named *strings.Replacer) {
	t.Helper()
	rest := said
	for _, text := range want {
		text = named.Replace(text)
		found := false
		for len(rest) > 0 && !found {
			found, rest = strings.Contains(rest[0], text), rest[1:]
		}
		if !found {
			t.Errorf("not said: %q, of %q", text, said)
		}
	}
	for _, line := range said {
		if strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r == 0x7f }) || len(line) > 1000 {
			t.Errorf("%.200q is not fit for a screen", line)
		}
	}
}

// The destination folder is itself a link to another place.
func TestAFolderIsNotCopiedThroughALinkOfItsName(t *testing.T) {
	here := t.TempDir()
	write(t, here+"/outside/secret", "kept")
	_ = os.Symlink("outside", here+"/run")
	b := &box{without: []string{"sha256sum"}, play: map[string]func(actions.Exec) error{
		"test": func(actions.Exec) error { return nil },
		"tar":  archive(aFolder("./"), aFile("./secret")),
	}}
	_, err := Copy(t.Context(), b, actions.Transfer{Remote: "/run", Local: here, Overwrite: true})
	if err == nil || !strings.Contains(err.Error(), "run is a link here") {
		t.Errorf("it says %v", err)
	}
	if diff := cmp.Diff(map[string]string{"outside/secret": "kept", "run": "-> outside"}, tree(t, here)); diff != "" {
		t.Errorf("here: %s", diff)
	}
}

// Two names that are one file here: the second does not replace the first
// silently.
func TestASecondFileOfOneNameIsSaid(t *testing.T) {
	b, here, _ := newBox(t)
	b.without = []string{"sha256sum", "cksum", "wc"}
	b.play = map[string]func(actions.Exec) error{
		"test": func(actions.Exec) error { return nil },
		"tar":  archive(aFolder("./"), aFile("./README"), aFile("./README"), aFile("./last")),
	}
	done, err := Copy(t.Context(), b, actions.Transfer{Remote: "/run", Local: here})
	if err != nil || done.Files != 2 || len(done.Skipped) != 1 || !strings.Contains(done.Skipped[0], "README") {
		t.Errorf("%+v, %v", done, err)
	}
}

// A link in an upload does not lead out of the uploaded folder.
func TestLinksThatAreCopiedUpStayWithin(t *testing.T) {
	b, here, there := newBox(t)
	write(t, here+"/run/sub/x", "x")
	write(t, here+"/secret", "kept")
	for name, to := range map[string]string{"in": "sub", "up": "in/../../secret", "sub/deep": "..", "out": "sub/deep/../secret", "x": "sub/x"} {
		if err := os.Symlink(to, filepath.Join(here, "run", name)); err != nil {
			t.Fatal(err)
		}
	}
	done, err := Copy(t.Context(), b, actions.Transfer{Up: true, Local: here + "/run", Remote: there})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"run/sub/x": "x", "run/in": "-> sub", "run/sub/deep": "-> ..", "run/x": "-> sub/x"}
	if diff := cmp.Diff(want, tree(t, there)); diff != "" {
		t.Errorf("-want +copied:\n%s", diff)
	}
	if len(done.Skipped) != 2 {
		t.Errorf("skipped: %q", done.Skipped)
	}
}

// Names with another meaning on Windows are not created there.
func TestNamesThatWindowsReadsOtherwise(t *testing.T) {
	for _, name := range []string{"CON", "a/nul.txt", "COM1", "lpt9.log", "com¹", "CONIN$", "C:/x", "C:x", "a:stream", `a\b`, `..\up`, "dot.", "space ", "dots./x", "what?", "a*", "a|b", `"q"`, "<a>", "bell\a", `\\host\share`} {
		if why := unfitFor(name, "windows"); why == "" {
			t.Errorf("%q is let through", name)
		}
		if why := unfitFor(name, "linux"); why != "" {
			t.Errorf("%q is refused where it is a name: %s", name, why)
		}
	}
	for _, name := range []string{"a/b.txt", "console", "comma", "null", ".hidden", "ü b", "../x", "./x", "COM10", "a.b.c"} {
		if why := unfitFor(name, "windows"); why != "" {
			t.Errorf("%q is refused: %s", name, why)
		}
	}
}
