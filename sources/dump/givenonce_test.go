package dump

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A file is read once, however often and by whatever name it is given.
func TestAFileGivenTwiceIsReadOnce(t *testing.T) {
	folder := t.TempDir()
	logs := filepath.Join(folder, "logs")
	one, link := filepath.Join(logs, "a.log"), filepath.Join(folder, "link.log")
	if err := os.MkdirAll(filepath.Join(logs, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{one: "step 1 loss 2.5\nstep 2 loss 2.25\n", filepath.Join(logs, "sub", "b.log"): "step 1 loss 2.5\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{link: one, filepath.Join(logs, "latest.log"): one} {
		if err := os.Symlink(target, name); err != nil {
			t.Skip("no links here: ", err)
		}
	}
	for _, c := range []struct {
		paths []string
		want  []string // the logs, by their last name
	}{
		{[]string{one, one}, []string{"a.log"}},
		{[]string{one, filepath.Join(logs, ".", "sub", "..", "a.log")}, []string{"a.log"}},
		{[]string{one, link}, []string{"a.log"}},
		{[]string{logs}, []string{"a.log", "b.log"}},
		{[]string{logs, one}, []string{"a.log", "b.log"}},
		{[]string{one, logs}, []string{"a.log", "b.log"}},
		{[]string{logs, filepath.Join(logs, "sub")}, []string{"a.log", "b.log"}},
		{[]string{logs, logs + string(filepath.Separator)}, []string{"a.log", "b.log"}},
		{[]string{logs, "0=" + one}, []string{"a.log", "b.log"}},
	} {
		got := namesOfLogs(t, c.paths...)
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: the logs are %v, want %v", c.paths, got, c.want)
		}
	}
	for _, c := range []struct{ paths, want []string }{
		{[]string{one, "3=" + one}, []string{"3=" + one}},
		{[]string{"3=" + one, one}, []string{"3=" + one}},
		{[]string{"-", one, "-"}, []string{"-", one, "-"}},
	} {
		if got := givenOnce(machine{}, c.paths).paths; !slices.Equal(got, c.want) {
			t.Errorf("of %v it keeps %v", c.paths, got)
		}
	}
	if err := CheckRanks([]string{"-", one, "-"}); err == nil {
		t.Error("standard input may be given twice")
	}
}

// namesOfLogs are the last names of the files of which lines are read.
func namesOfLogs(t *testing.T, paths ...string) []string {
	t.Helper()
	var names []string
	for log := range snapshotOf(t, Options{}, paths...).Logs {
		names = append(names, filepath.Base(log.ID.File))
	}
	slices.Sort(names)
	return names
}
