package config

import (
	"strings"
	"testing"
)

// Of a file with several documents none is passed over: the second may forbid
// changes. Separators without anything behind them are no documents.
func TestAFileIsOneDocument(t *testing.T) {
	for text, want := range map[string]string{
		"theme: dark\n---\nreadonly: true\n":      ":3: a second document begins here",
		"---\ntheme: dark\n...\n---\nlogs: 1\n":   ":5: a second document begins here",
		"theme: dark\n---\nreadonly: [\n":         "not valid YAML",
		"---\ntheme: dark\n---\n# nothing more\n": "",
		"# mine\n---\nreadonly: true\n":           "",
		"---\n---\nreadonly: true\n":              "",
	} {
		_, _, err := parse("config.yaml", []byte(text))
		_, _, changing := settingsRoot([]byte(text))
		for _, err := range []error{err, changing} {
			said := ""
			if err != nil {
				said = problemOf("config.yaml", err).String()
			}
			if (want == "") != (said == "") || !strings.Contains(said, want) {
				t.Errorf("%q: %q, want %q", text, said, want)
			}
		}
	}
	c, _, err := parse("config.yaml", []byte("---\n---\nreadonly: true\n"))
	if err != nil || c.ReadOnly == nil || !*c.ReadOnly {
		t.Errorf("behind an empty document: %v, %v", c.ReadOnly, err)
	}
}
