package controlplane

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// moduleWith is a downloaded module of one file, with a folder to build it in.
func moduleWith(t *testing.T, file, text string) module {
	t.Helper()
	m := module{Path: "example.com/operator", Version: "v1.0.0", Dir: t.TempDir(), work: t.TempDir()}
	path := filepath.Join(m.Dir, filepath.FromSlash(file))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	// As the Go command leaves them.
	if err := os.WriteFile(path, []byte(text), 0o444); err != nil {
		t.Fatal(err)
	}
	if err := m.writeGoMod(throwawayGoMod(m, goModFile{})); err != nil {
		t.Fatal(err)
	}
	return m
}

// Two edits of one file are both in what is built, and the downloaded module stays
// as it is.
func TestEditsAreBuiltFromACopy(t *testing.T) {
	m := moduleWith(t, "cmd/main.go", "port = 8080\ndir = \"/etc\"\n")
	scratch := t.TempDir()
	err := m.edit(t.Context(), scratch, []Edit{
		{File: "cmd/main.go", Old: "8080", New: "0"}, {File: "cmd/main.go", Old: `"/etc"`, New: `"."`},
	})
	if err != nil {
		t.Fatal(err)
	}
	edited, err := os.ReadFile(filepath.Join(scratch, "source", "cmd", "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "port = 0\ndir = \".\"\n"; string(edited) != want {
		t.Errorf("built is %q, want %q", edited, want)
	}
	text, err := os.ReadFile(filepath.Join(m.work, "go.mod"))
	if want := "replace example.com/operator => " + filepath.Join(scratch, "source"); err != nil || !strings.Contains(string(text), want) {
		t.Errorf("the go.mod lacks %q (%v):\n%s", want, err, text)
	}
	if kept, err := os.ReadFile(filepath.Join(m.Dir, "cmd", "main.go")); err != nil || !strings.Contains(string(kept), "8080") {
		t.Errorf("the module's own file became %q (%v)", kept, err)
	}
}

// A release in which the text has moved, or occurs twice, is not built unedited.
func TestAnEditThatFitsNowhereIsAnError(t *testing.T) {
	for _, old := range []string{"8081", "8080"} {
		m := moduleWith(t, "main.go", "8080 8080\n")
		if err := m.edit(t.Context(), t.TempDir(), []Edit{{File: "main.go", Old: old, New: "0"}}); err == nil {
			t.Errorf("an edit of %s is taken, which stands there %d times", old, strings.Count("8080 8080", old))
		}
	}
}

func TestFilesAreKeptUnderTheirPaths(t *testing.T) {
	m := moduleWith(t, "config/crd/jobs.yaml", "kind: CustomResourceDefinition\n")
	folder := t.TempDir()
	if err := m.keepFiles([]string{"config/crd/*.yaml"}, folder); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(folder, "config", "crd", "jobs.yaml")); err != nil {
		t.Error(err)
	}
	if err := m.keepFiles([]string{"manifests/*.yaml"}, folder); err == nil {
		t.Error("a pattern without files is taken")
	}
}
