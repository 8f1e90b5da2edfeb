package cli

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/traintop/traintop/cli/config"
	"github.com/traintop/traintop/views"
)

// A setting is changed in the file, and the rest of it stays as it is written.
func TestASettingIsChangedInTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "below", "config.yaml")
	for _, step := range []struct{ key, value, want, fails string }{
		{key: "theme", value: "nord", want: "theme: nord\n"},
		{key: "logStreams", value: "32", want: "theme: nord\nlogStreams: 32\n"},
		{key: "logStreams", value: "many", fails: `logStreams is "many"; it has to be a whole number, 1 to 1024`},
		{key: "theme", value: "noord", fails: "there is no such theme"},
		{key: "readonly", value: "true", want: "theme: nord\nlogStreams: 32\nreadonly: true\n"},
		{key: "namespace", value: "123", want: "theme: nord\nlogStreams: 32\nreadonly: true\nnamespace: \"123\"\n"},
		{key: "theme", value: "", want: "logStreams: 32\nreadonly: true\nnamespace: \"123\"\n"},
	} {
		err := config.Set(path, step.key, step.value)
		if step.fails != "" {
			if err == nil || !strings.Contains(err.Error(), step.fails) {
				t.Errorf("%s: %v, want %s", step.key, err, step.fails)
			}
			continue
		}
		if text, _ := os.ReadFile(path); err != nil || string(text) != step.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", step.key, err, text, step.want)
		}
	}
	for _, c := range []struct{ text, key, value, want string }{
		// Blank lines, comments, quotes and order stay.
		{"# ours\n\nlogStreams: 8   # few\n\n\ntheme: 'nord'\n", "theme", "dark", "# ours\n\nlogStreams: 8   # few\n\n\ntheme: dark\n"},
		{"theme: \"a\\\"b\" # c\nascii: true\n", "theme", "nord", "theme: nord # c\nascii: true\n"},
		{"ascii: true\n\n# colours\ntheme: nord\n", "ascii", "", "\n# colours\ntheme: nord\n"},
		{"ascii: true", "theme", "nord", "ascii: true\ntheme: nord\n"},
		{"# nothing yet\n", "theme", "nord", "# nothing yet\ntheme: nord\n"},
		{"contexts:\n  my.prod:\n    theme: nord # here\n    ascii: true\n", "contexts.my.prod.theme", "dark", "contexts:\n  my.prod:\n    theme: dark # here\n    ascii: true\n"},
		// A map in braces has no line of its own for each setting.
		{"{theme: nord, ascii: true}\n", "ascii", "", "{theme: nord}\n"},
		{"start: |\n  gpus\ntheme: nord\n", "start", "jobs", "start: jobs\ntheme: nord\n"},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		err := config.Set(path, c.key, c.value)
		if text, _ := os.ReadFile(path); err != nil || string(text) != c.want {
			t.Errorf("%q with %s %q: %v\n%q, want\n%q", c.text, c.key, c.value, err, text, c.want)
		}
	}
	commented := "# of our team\ntheme: nord # by vote\n\ncontexts:\n  prod: {readonly: true} # careful\n"
	if err := os.WriteFile(path, []byte(commented), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := config.Set(path, "theme", "dark"); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(path)
	for _, want := range []string{"# of our team\ntheme: dark # by vote\n", "prod: {readonly: true} # careful"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

func TestSettingsAreListedWithTheirPlace(t *testing.T) {
	c, _ := parsed(t, "theme: nord\nprometheus: {url: 'https://x', bearerToken: s3cret}\nfavouriteNamespaces: [a, b]\ncontexts:\n  prod:\n    theme: dark\n")
	of := func(context string) map[string]views.Setting {
		rows := map[string]views.Setting{}
		for _, row := range config.Rows(c, context) {
			rows[row.Key] = row
		}
		return rows
	}
	if row := of("prod")["theme"]; row.Value != "dark" || row.From != "config.yaml:6" || row.Path != "contexts.prod.theme" || !row.Simple {
		t.Errorf("%+v", row)
	}
	if row := of("lab")["theme"]; row.Value != "nord" || row.From != "config.yaml:1" || row.Path != "theme" {
		t.Errorf("%+v", row)
	}
	if row := of("lab")["prometheus"]; row.Value != "set" || row.Simple {
		t.Errorf("%+v", row)
	}
	if row := of("lab")["favouriteNamespaces"]; row.Value != "a, b" {
		t.Errorf("%+v", row)
	}
	if row := of("lab")["rewind"]; row.From != "" || row.Preset != "256Mi" || !row.Simple {
		t.Errorf("%+v", row)
	}
}

// A typed flag wins over the file, and the settings show it.
func TestSettingsNameTheFlagThatWins(t *testing.T) {
	c, _ := parsed(t, "theme: nord\n")
	namespace := "ml"
	o := &opening{theme: "dark", prometheus: "off", cluster: &genericclioptions.ConfigFlags{Namespace: &namespace}}
	from := map[string]string{}
	for _, row := range o.settingRows(c, "lab") {
		if row.From != "" {
			from[row.Key] = row.Value + " " + row.From + " " + row.Written
		}
	}
	want := map[string]string{"theme": "dark --theme nord", "prometheus": "off --prometheus ", "namespace": "ml --namespace "}
	if !maps.Equal(from, want) {
		t.Errorf("%v, want %v", from, want)
	}
}
