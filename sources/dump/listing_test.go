package dump

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// tree makes files, of paths and texts, and links, of paths and targets.
func tree(t *testing.T, files, links map[string]string) (root string) {
	t.Helper()
	root = t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range links {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Skip("no symbolic links here")
		}
	}
	return root
}

// Folder links that lead out of a folder are not followed, and each is named;
// those that stay inside are followed once.
func TestLinksOutOfAFolder(t *testing.T) {
	files := map[string]string{"archive/sub/a.yaml": podNamed("a"), "elsewhere/b.yaml": podNamed("b"), "archive2/c.yaml": podNamed("c")}
	for name, c := range map[string]struct {
		links map[string]string
		paths []string
		read  string
		says  []string // in problems
	}{
		"a folder beside it":        {map[string]string{"archive/d": "../elsewhere"}, []string{"archive"}, "a", []string{"archive/d: this link leads out of the folder, to ROOT/elsewhere, and is not read"}},
		"a name that begins alike":  {map[string]string{"archive/d": "../archive2"}, []string{"archive"}, "a", []string{"ROOT/archive2, and is not read"}},
		"the whole disk":            {map[string]string{"archive/d": "/"}, []string{"archive"}, "a", []string{"to /, and is not read"}},
		"the folder above it":       {map[string]string{"archive/sub/d": "../.."}, []string{"archive"}, "a", []string{"is not read"}},
		"by way of another link":    {map[string]string{"archive/in": "sub", "archive/sub/d": "../../elsewhere"}, []string{"archive"}, "a", []string{"is not read"}},
		"inside, in a loop":         {map[string]string{"archive/d": "sub", "archive/sub/up": "..", "archive/self": "."}, []string{"archive"}, "a", nil},
		"the named path is a link":  {map[string]string{"link": "archive"}, []string{"link"}, "a", nil},
		"its target is named too":   {map[string]string{"archive/d": "../elsewhere"}, []string{"archive", "elsewhere"}, "a b", nil},
		"the link itself is named":  {map[string]string{"archive/d": "../elsewhere"}, []string{"archive", "archive/d"}, "a b", nil},
		"a device":                  {map[string]string{"archive/d": os.DevNull}, []string{"archive"}, "a", []string{"is not read"}},
		"a folder link, read twice": {map[string]string{"archive/d": "../elsewhere", "archive/e": "../elsewhere"}, []string{"archive"}, "a", []string{"archive/d: this", "archive/e: this"}},
	} {
		root := tree(t, files, c.links)
		real, err := filepath.EvalSymlinks(root)
		if err != nil {
			t.Fatal(err)
		}
		var paths []string
		for _, path := range c.paths {
			paths = append(paths, filepath.Join(root, path))
		}
		h, read, err := readAll(t, Options{}, paths...)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var pods []string
		for _, key := range slices.Sorted(maps.Keys(h.objects)) {
			pods = append(pods, strings.TrimPrefix(key, "ml/Pod/"))
		}
		problems := fmt.Sprint(read.Summary().Problems)
		if got := strings.Join(pods, " "); got != c.read || len(c.says) != len(read.Summary().Problems) {
			t.Errorf("%s: read %q, want %q; problems %s", name, got, c.read, problems)
		}
		for _, part := range c.says {
			if !strings.Contains(problems, strings.ReplaceAll(part, "ROOT", real)) {
				t.Errorf("%s: %q is not in %s", name, part, problems)
			}
		}
	}
}

// Of many links out of a folder the first are named and the others counted.
func TestManyLinksOutOfAFolder(t *testing.T) {
	links := map[string]string{}
	for i := range 30 {
		links[fmt.Sprintf("archive/d%02d", i)] = "../elsewhere"
	}
	root := tree(t, map[string]string{"archive/a.yaml": podNamed("a"), "elsewhere/b.yaml": podNamed("b")}, links)
	_, read, err := readAll(t, Options{}, filepath.Join(root, "archive"))
	if problems := read.Summary().Problems; err != nil || len(problems) != namedFiles+1 || !strings.Contains(problems[namedFiles].Text, "25 more links") {
		t.Errorf("%v %+v", err, problems)
	}
}

// The kubelet's folder of container logs holds links to files elsewhere: those
// are read, and that they left the folder is reported.
func TestLinksToFilesElsewhere(t *testing.T) {
	root := tree(t, map[string]string{"pods/ml_a_u/x/0.log": "step 1 loss 2.5\n", "containers/b.log": "step 1 loss 2.5\n"}, map[string]string{"containers/a.log": "../pods/ml_a_u/x/0.log"})
	containers := filepath.Join(root, "containers")
	h, read, err := readAll(t, Options{}, containers)
	if got := h.health["file "+containers]; err != nil || !strings.HasSuffix(got.Text, "2 logs") {
		t.Errorf("read %+v: %v", got, err)
	}
	if said := fmt.Sprint(read.Summary().LeftOut); len(read.Summary().Problems) > 0 || !strings.Contains(said, "1 link leads out of this folder") || !strings.Contains(said, "a.log (to ") {
		t.Errorf("said %s, %v", said, read.Summary().Problems)
	}
}

// Listing a folder ends at a number of files and at the time of an answer, and
// names where.
func TestListingIsBounded(t *testing.T) {
	files := map[string]string{}
	for i := range 10 {
		files[fmt.Sprintf("s/%d.yaml", i)] = podNamed(fmt.Sprint("p", i))
	}
	root := tree(t, files, nil)
	bounded := New([]string{root}, Options{})
	bounded.mostListed = 4
	h := newHeard()
	err := bounded.Run(t.Context(), h)
	if problems := fmt.Sprint(bounded.Summary().Problems); err != nil || len(h.objects) != 4 || !strings.Contains(problems, "only the first 4 files of a folder are listed") || !strings.Contains(problems, filepath.Join("s", "4.yaml")) {
		t.Errorf("%d objects, %v: %s", len(h.objects), err, problems)
	}
	_, _, err = readAll(t, Options{ListWithin: time.Nanosecond}, root)
	if err == nil || !strings.Contains(err.Error(), "--request-timeout waits longer") {
		t.Errorf("without time: %v", err)
	}
}
