package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// damaged are texts with unreadable parts: a recorded list that was cut at many
// places or changed, and texts that no reader can read whole.
func damaged(t *testing.T) map[string][]byte {
	t.Helper()
	list, err := os.ReadFile("testdata/pending.yaml")
	if err != nil {
		t.Fatal(err)
	}
	list = list[bytes.Index(list, []byte("apiVersion")):]
	asJSON, err := yaml.YAMLToJSON(list)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{
		"aliases that multiply":   []byte(bomb),
		"an alias of itself":      []byte("apiVersion: v1\nkind: Pod\nmetadata: &m\n  name: a\n  labels: *m\n"),
		"a spec that is a number": bytes.Replace(list, []byte("  metadata:\n"), []byte("  metadata: 5\n  was:\n"), 1),
		"labels that are a list":  []byte("apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: a\n  labels: [x]\n"),
		"a NUL":                   bytes.Replace(list, []byte("kind: PyTorchJob"), []byte("kind: PyTorchJob\x00"), 1),
		"a NUL in JSON":           bytes.Replace(asJSON, []byte(`"kind":"PyTorchJob"`), []byte("\x00\"kind\":\"PyTorchJob\""), 1),
		"brackets without end":    []byte("apiVersion: v1\nkind: Pod\nmetadata: " + strings.Repeat("[", 20000)),
	}
	end := bytes.LastIndex(list, []byte("\nkind:"))
	for i := range 12 {
		at := 14 + (end-14)*i/12
		all[fmt.Sprintf("YAML cut at %d", at)] = list[:at]
		at = 20 + (len(asJSON)-21)*i/12
		all[fmt.Sprintf("JSON cut at %d", at)] = asJSON[:at]
	}
	return all
}

// bomb is an object whose aliases expand to a thousand million words.
var bomb = func() string {
	text := "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 9 {
		text += fmt.Sprintf("a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i), 10), ", "))
	}
	return text
}()

// TestWhatCouldNotBeReadIsNamed holds that every command names what it could
// not read, whatever it reads instead.
func TestWhatCouldNotBeReadIsNamed(t *testing.T) {
	commands := [][]string{
		{"jobs"}, {"jobs", "-o", "json"}, {"jobs", "-o", "yaml"}, {"jobs", "-o", "name"}, {"diagnose"}, {"diagnose", "-o", "json"}, {"gpus"}, {"gpus", "-o", "json"},
		{"curves"}, {"curves", "-o", "json"}, {"curves", "-o", "csv"}, {"logs"},
	}
	folder := t.TempDir()
	for what, text := range damaged(t) {
		path := filepath.Join(folder, strings.ReplaceAll(what, " ", "-")+".yaml")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, args := range commands {
			out, messages, code := command(t, "", slices.Concat(args, []string{"--from", path})...)
			named := strings.Contains(messages, filepath.Base(path)) && (strings.Contains(messages, "not read") || code == exitFailed)
			if slices.Contains(args, "json") || slices.Contains(args, "yaml") {
				words := strings.Join(strings.Fields(out), " ") // YAML folds them
				named = named || strings.Contains(words, "problems") && strings.Contains(words, "not read")
			}
			if !named {
				t.Errorf("%s, %v: exit %d and not a word\n%s%s", what, args, code, out, messages)
			}
		}
	}
}

// A file in a folder and standard input behave the same.
func TestWhatCouldNotBeReadIsNamedOfFoldersAndStandardInput(t *testing.T) {
	path := page(t, "bomb.yaml", bomb)
	good := strings.Replace(page(t, "x.log", "step 1 loss 2.5\n"), "x.log", "", 1)
	if _, messages, _ := command(t, "", "diagnose", "--from", filepath.Dir(path), "--from", good); !strings.Contains(messages, "bomb.yaml") || !strings.Contains(messages, "not read") {
		t.Errorf("folder: %s", messages)
	}
	if _, messages, _ := command(t, bomb, "diagnose", "--from", "-"); !strings.Contains(messages, "not read") {
		t.Errorf("standard input: %s", messages)
	}
}

// TestBinaryFilesAreRefusedAlike holds that a binary file is an error of every
// command, with the same message.
func TestBinaryFilesAreRefusedAlike(t *testing.T) {
	path := page(t, "model.bin", "\x7fELF\x02\x01\x01\x00\x00\x00\xfe\xed\xfa\xce")
	for _, name := range []string{"jobs", "diagnose", "gpus", "curves", "logs"} {
		_, messages, code := command(t, "", name, "--from", path)
		if want := "nothing could be read: " + path + ": binary data"; code != exitFailed || !strings.Contains(messages, want) {
			t.Errorf("%s: exit %d, %q, want %q", name, code, messages, want)
		}
	}
}
