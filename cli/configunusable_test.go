package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// config check names settings that are read and cannot be used, with their line.
func TestConfigCheckNamesWhatCannotBeUsed(t *testing.T) {
	for text, want := range map[string]string{
		`prometheus: {url: "ftp://x"}`:                                      "has to look like https://",
		`prometheus: {url: "http://h", bearerTokenFile: /nonexistent/file}`: "bearerTokenFile",
		`prometheus: {url: "http://h", match: "}or{"}`:                      "prometheus.match",
		`contexts: {prod: {prometheus: {url: "http://h", match: "a=b"}}}`:   "contexts.prod.prometheus.match",
		`views: {jobs: {sort: NOSUCH desc}}`:                                "no column NOSUCH to sort by",
		`views: {jobs: {filter: "@nosuch"}}`:                                "no saved filter nosuch",
		`views: {jobs: {filter: "("}}`:                                      "regular expression",
		`start: gpuss`:                                                      "start: there is no command gpuss; is it gpus?",
		`contexts: {prod: {start: "jobs /("}}`:                              "contexts.prod.start: its filter cannot be used",
		`hotkeys: [{key: shift-f2, command: ":jobs /@nosuch"}]`:             "hotkeys[0]: its filter cannot be used: there is no saved filter nosuch",
		`hotkeys: [{key: l, scopes: [jobs], command: nodes}]`:               "hotkey \"nodes\"",
		`aliases: {g: noodes}`:                                              "aliases.g: there is no command noodes",
		`{start: jobs ml /llama, contexts: {prod: {start: gpus}}, aliases: {g: pods}, hotkeys: [{key: shift-f2, command: crontabs}]}`: "nothing wrong",
		`filters: {h: "-l a in (b"}`: "label selector",
		`debugImage: "a b"`:          "debugImage",
		`namespace: "A_b"`:           "no namespace can be called so",
		`{namespace: "", debugImage: "r.example/a:1", views: {jobs: {sort: name desc, filter: "@mine"}}, filters: {mine: "-l owner=me"}, prometheus: {url: "https://h", match: 'cluster="prod", team=~"a|b"'}}`: "nothing wrong",
	} {
		path := filepath.Join(t.TempDir(), "config.yaml")
		if err := os.WriteFile(path, []byte("\n"+text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		out, messages, code := command(t, "", "config", "check", path)
		said := out + messages
		if !strings.Contains(said, want) || (code == exitDone) != (want == "nothing wrong") || code != exitDone && !strings.Contains(said, path+":2: ") {
			t.Errorf("%s: exit %d, no %q in\n%s", text, code, want, said)
		}
	}
}
