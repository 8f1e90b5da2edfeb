package dump

import (
	"slices"
	"strings"
	"testing"
)

// TestFolderReadsLogsByContent checks that a log in a folder is read whatever
// its name, and that other files are reported.
func TestFolderReadsLogsByContent(t *testing.T) {
	root := folderOf(t, map[string]string{
		"rank1.json":     `{"time":"2026-11-20T08:50:01Z","msg":"begin"}` + "\n" + `{"time":"2026-11-20T08:50:02Z","msg":"end"}` + "\n",
		"l5":             "begin\nstep: 1 loss: 2.5\n",
		"l6":             "2026-11-20 08:50:00 INFO begin\n2026-11-20 08:50:01 INFO end\n",
		"l7":             "begin\ntorch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n",
		"l8":             "[{train.py:45} INFO - step: 1 loss: 2.5\n[{train.py:45} INFO - step: 2 loss: 2.4\n",
		"l9":             "{\n  \"floatx\": \"float32\"\n}Built the network\nstep: 1 loss: 2.5\n",
		"settings":       "{\n  \"floatx\": \"float32\"\n}\n",
		"worker-0.out.1": "hello\n",
		"pods":           podNamed("a"),
		"notes":          "buy milk\nand bread\n",
		"train.py":       "print('step: 1 loss: 2.5')\n",
		"README.md":      "It says\nstep: 1 loss: 2.5\n",
		"config.yaml":    "lr: 0.1\nloss: 2\n",
		".old.log":       "step: 1 loss: 2.5\n",
	})
	h, files, err := readAll(t, Options{}, root)
	if err != nil {
		t.Fatal(err)
	}
	read := logged(snapshotOf(t, Options{}, root), root)
	var names []string
	for name := range read {
		names = append(names, name)
	}
	slices.Sort(names)
	if got := strings.Join(names, " "); got != "l5 l6 l7 l8 l9 rank1.json worker-0.out.1" {
		t.Errorf("read as logs: %s", got)
	}
	if h.objects["ml/Pod/a"] == nil {
		t.Errorf("objects are %v", h.objects)
	}
	var left string
	for _, p := range files.Summary().LeftOut {
		left += p.String() + "\n"
	}
	for _, name := range []string{"5 files left out", "settings (JSON", "README.md, config.yaml, notes, train.py (text, and neither", ".old.log"} {
		if !strings.Contains(left, name) {
			t.Errorf("%q is not in %q", name, left)
		}
	}
}
