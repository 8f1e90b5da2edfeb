package cli

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/traintop/traintop/cli/config"
)

var update = flag.Bool("update", false, "write generated documentation anew")

// parsed reads a configuration of this text.
func parsed(t *testing.T, text string) (c config.Config, warnings []string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, warnings, err := config.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return c, warnings
}

func TestUnknownKeysAreNamed(t *testing.T) {
	c, warnings := parsed(t, "theme: nord\nfavoriteNamespaces: [a]\ncontexts:\n  prod: {readonly: true, themes: dark}\n")
	all := strings.Join(warnings, "\n")
	if len(warnings) != 2 || !strings.Contains(all, "favoriteNamespaces") || !strings.Contains(all, "contexts.prod.themes") {
		t.Errorf("warnings are %q", warnings)
	}
	if prod, other := c.In("prod"), c.In("lab"); !set(prod.ReadOnly) || set(other.ReadOnly) || prod.Theme != "nord" {
		t.Errorf("prod is %+v, another context %+v", prod, other)
	}
}

func TestNumbersOfLogsAreBounded(t *testing.T) {
	c, warnings := parsed(t, "logStreams: 5000\nlogMemoryMiB: 64\ncurveValues: -1\npatterns:\n- {nam: a, match: b, example: c}\ncontexts:\n  prod: {logStreams: 10}\n")
	all := strings.Join(warnings, "\n")
	for _, want := range []string{"logStreams is 5000, which is not between 1 and 1024", "curveValues is -1", `"patterns[0].nam"`, `"contexts.prod.logStreams"`} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in the warnings %q", want, warnings)
		}
	}
	if c.LogStreams != nil || c.CurveValues != nil || c.Limits().AllLogBytes != 64<<20 || len(warnings) != 4 {
		t.Errorf("got %+v, warnings %q", c.LogConfig, warnings)
	}
}

func TestNoConfigurationIsNoError(t *testing.T) {
	if _, warnings, err := config.Read(filepath.Join(t.TempDir(), "none.yaml")); err != nil || len(warnings) != 0 {
		t.Errorf("%v %v", warnings, err)
	}
}

func TestABrokenConfigurationNamesFileAndCause(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(path, []byte("readonly: [\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := config.Read(path); err == nil || !strings.Contains(err.Error(), path+":1: not valid YAML: a value or a closing bracket is missing") {
		t.Errorf("the error is %v", err)
	}
}

// A wrong setting is named with its line and the type that it needs, in no
// words of the language that the program is written in.
func TestAWrongSettingIsNamedInPlainWords(t *testing.T) {
	for text, want := range map[string]string{
		"theme: nord\nlogStreams: abc\n":                      ":2: logStreams has to be a whole number, and is text",
		"logStreams: 1.5\n":                                   ":1: logStreams has to be a whole number, and is a number",
		"contexts:\n  a: {ascii: true}\n  b:\n    ascii: 5\n": ":4: contexts.b.ascii has to be true or false, and is a number",
		"favouriteNamespaces: ml\n":                           ":1: favouriteNamespaces has to be a list, as in [a, b], and is text",
		"favouriteNamespaces: [ml, 3]\n":                      ":1: favouriteNamespaces[1] has to be text",
		"patterns:\n- {name: a}\n- {name: 3}\n":               ":3: patterns[1].name has to be text",
		"prometheus:\n  bearerToken: [s3cret]\n":              ":2: prometheus.bearerToken has to be text; in quotes where it looks like something else, and is a list",
		"contexts: [a]\n":                                     ":1: contexts has to be a map, as in {name: value}, and is a list",
		"- a\n":                                               ":1: the file has to be a map of settings",
		"readonly: true\nascii: true\nreadonly: false\n":      ":3: readonly is set already in line 1",
		"theme: dark: nord\n":                                 ":1: not valid YAML: a colon too many",
		"theme: nord\n\treadonly: true\n":                     ": not valid YAML: ",
		"prometheus: *mine\n":                                 ":1: not valid YAML: text that begins with * has to stand in quotes",
	} {
		path := filepath.Join(t.TempDir(), "config.yaml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := config.Read(path)
		switch {
		case err == nil || !strings.Contains(err.Error(), want):
			t.Errorf("%q: %v, want ...%s...", text, err, want)
		case strings.Contains(err.Error(), "unmarshal") || strings.Contains(err.Error(), "yaml: ") || strings.Contains(err.Error(), "s3cret") || strings.Contains(err.Error(), "struct"):
			t.Errorf("%q: %v", text, err)
		}
	}
}

const configIntro = "# Configuration\n\ntraintop reads `traintop/config.yaml` in the XDG config directory (`~/.config` on Linux, `~/Library/Application Support` on macOS, `%LOCALAPPDATA%` on Windows). It need not exist. Flags win over it, and a context's own settings over the general ones. Keys that do not exist are named in a warning.\n\n"

const configPatterns = `
## Formats of your own

A pattern reads the lines of a log that no known format fits. Its named groups are what the line tells: ` + "`step`, `epoch`, `total` (how many steps there will be), `time`" + ` and any metric by its name. It is tried before the formats that traintop knows, and tested with its example when it is loaded.

` + "```yaml" + `
patterns:
  - name: our-trainer
    match: 'it=(?P<step>\d+)/(?P<total>\d+) L=(?P<loss>\S+) eta=(?P<lr>\S+)'
    example: 'it=120/5000 L=2.31 eta=1e-4'
` + "```" + `
`

const configProbes = `
## Probes of your own

A probe runs a command in the marked ranks and shows the first line of each answer; the answer that differs from most is marked, and an exit code other than 0 is the trouble. The command is a list of a program and its arguments: nothing splits or expands it, and nothing of the cluster becomes part of it. One that is not marked as harmless asks before it runs, and is not offered with ` + "`--readonly`" + `. Those that come with traintop are in docs/probes.md.

` + "```yaml" + `
probes:
  - name: eth-errors                  # small letters, digits and dashes
    title: errors of the network card
    command: [ethtool, -S, eth0]
    harmless: true
    timeout: 30s                      # 20s without it, 10m at most
` + "```" + `
`

const configActing = `
## What may be done in a cluster

Whatever changes something asks first. ` + "`readonly`" + ` takes all of it away, for one context as well:

` + "```yaml" + `
debugImage: registry.example.com/tools:1   # for pods without a shell; busybox without it
contexts:
  prod: {readonly: true}
  lab: {debugImage: busybox}
` + "```" + `

A shell is bash where the container has one, else sh. YAML is edited in ` + "`$KUBE_EDITOR`" + ` or ` + "`$EDITOR`" + `, else vi, as kubectl does. Forwarded ports listen on this machine alone and are opened with ` + "`open`" + `, ` + "`xdg-open`" + ` or what Windows has. Every change is recorded in ` + "`traintop/audit.jsonl`" + ` in the XDG state directory, which nobody else may read; five files of 4 MiB are kept.
`

const configPrometheus = `
## Prometheus

What GPUs do, their last hour, and what nodes and pods use is read from a server of the Prometheus API (Prometheus, Thanos, Mimir, Cortex, VictoriaMetrics) when there is one. Without a setting it is looked for among the Services of the cluster and reached through the API server, which needs the right to get services/proxy in its namespace. ` + "`--prometheus URL`" + ` names another one, ` + "`--prometheus off`" + ` none.

` + "```yaml" + `
prometheus:
  url: https://prometheus.example.com/prefix   # what stands before /api/v1; off reads none
  bearerTokenFile: /run/secrets/prometheus     # or bearerToken, or username and passwordFile
  caFile: ca.pem                               # or insecureSkipVerify: true; certFile and keyFile for a client certificate
  headers: {X-Scope-OrgID: ml}                 # added to each request
  match: cluster="prod"                        # added to each selector, where the server holds several clusters
contexts:
  laptop: {prometheus: {url: "off"}}
` + "```" + `

Files are read again when they change, except passwordFile. Credentials are sent to that URL alone: redirects are not followed, and with another host after ` + "`--prometheus`" + ` they are left out.
`

// Every key is in the documentation, which is made from the same table.
func TestConfigurationIsDocumented(t *testing.T) {
	const path = "../docs/configuration.md"
	want := configIntro + config.Markdown() + configActing + configPrometheus + configPatterns + configProbes
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s is stale (%v): run make generate", path, err)
	}
}

func TestAContextHasADebugImageOfItsOwn(t *testing.T) {
	c, warnings := parsed(t, "debugImage: tools:1\ncontexts:\n  lab: {debugImage: busybox}\n  prod: {readonly: true}\n")
	if len(warnings) > 0 || c.In("lab").DebugImage != "busybox" || c.In("prod").DebugImage != "tools:1" {
		t.Errorf("in lab %q, in prod %q, warnings %q", c.In("lab").DebugImage, c.In("prod").DebugImage, warnings)
	}
}
