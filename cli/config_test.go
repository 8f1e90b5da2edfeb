package cli

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/traintop/traintop/cli/config"
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/ui/custom"
)

var update = flag.Bool("update", false, "write generated documentation anew")

// parsed reads a configuration of this text.
func parsed(t *testing.T, text string) (c config.Config, warnings []string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, problems, err := config.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return c, problems.Lines()
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

// A wrong setting is named with file, line, key, value and what is allowed, in
// no words of the language that the program is written in, and the others are
// used.
func TestAWrongSettingIsNamedAndTheOthersAreUsed(t *testing.T) {
	for text, want := range map[string]string{
		"theme: nord\nlogStreams: abc\n":                      `config.yaml:2: logStreams is "abc"; it has to be a whole number, 1 to 1024; 64 is used`,
		"logStreams: 1.5\ntheme: nord\n":                      ":1: logStreams is 1.5; it has to be a whole number",
		"theme: nord\ncontexts:\n  b:\n    ascii: 5\n":        ":4: contexts.b.ascii is 5; it has to be true or false; the general setting is used",
		"favouriteNamespaces: ml\ntheme: nord\n":              `:1: favouriteNamespaces is "ml"; it has to be a list, as in [a, b]; the busiest ones is used`,
		"favouriteNamespaces: [ml, 3]\ntheme: nord\n":         ":1: favouriteNamespaces[1] is 3; it has to be text",
		"patterns:\n- {name: a}\n- {name: 3}\ntheme: nord\n":  ":3: patterns[1].name is 3; it has to be text",
		"prometheus:\n  bearerToken: [s3cret]\ntheme: nord\n": ":2: prometheus.bearerToken is a list; it has to be text",
		"prometheus:\n  password: s3cret\ntheme: nord\n":      `:2: there is no setting "prometheus.password"`,
		"theme: nord\nreadonly: maybe\n":                      `:2: readonly is "maybe"; it has to be true or false; until then nothing can be changed in any context`,
		"theme: nord\nreadonly:\n":                            `:2: readonly is empty; it has to be true or false; until then nothing can be changed in any context`,
		"contexts: [a]\ntheme: nord\n":                        ":1: contexts is a list; it has to be a map, as in {name: value}; until then nothing can be changed",
		"theme: nord\nascii: true\ntheme: dark\n":             ":3: theme is set already in line 1, which is used; keep one of the two",
		"theme: nord\nlogMemoryMiB: [*x]\n":                   "",
	} {
		path := filepath.Join(t.TempDir(), "config.yaml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, problems, err := config.Read(path)
		if want == "" {
			if err == nil {
				t.Errorf("%q is read", text)
			}
			continue
		}
		all := strings.Join(problems.Lines(), "\n")
		switch {
		case err != nil || len(problems) != 1 || !strings.Contains(all, want):
			t.Errorf("%q: %v, %s, want ...%s...", text, err, all, want)
		case c.Theme != "nord":
			t.Errorf("%q: the other settings are not used", text)
		case strings.Contains(all, "unmarshal") || strings.Contains(all, "s3cret") || strings.Contains(all, "struct") || strings.Contains(all, "json"):
			t.Errorf("%q: %s", text, all)
		}
	}
}

// A file that is no YAML stops the start: it is not known whether it forbids
// changes.
func TestAFileThatCannotBeReadIsAnError(t *testing.T) {
	for text, want := range map[string]string{
		"- a\n":                           ":1: the file has to be a map of settings",
		"theme: dark: nord\n":             ":1: not valid YAML: a colon too many",
		"theme: nord\n\treadonly: true\n": ": not valid YAML: ",
		"prometheus: *mine\n":             ":1: not valid YAML: text that begins with * has to stand in quotes",
	} {
		path := filepath.Join(t.TempDir(), "config.yaml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := config.Read(path)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "yaml: ") {
			t.Errorf("%q: %v, want ...%s...", text, err, want)
		}
	}
}

// A configuration that is a link to what is not there now, or below one, may forbid
// changes; one that goes away while the screen is open lifts nothing.
func TestAConfigurationThatIsAway(t *testing.T) {
	dir := t.TempDir()
	link, folder := filepath.Join(dir, "config.yaml"), filepath.Join(dir, "traintop")
	for _, at := range []string{link, folder} {
		if err := os.Symlink(filepath.Join(dir, "not-mounted"), at); err != nil {
			t.Skip(err)
		}
	}
	for _, path := range []string{link, filepath.Join(folder, "config.yaml")} {
		_, _, err := config.Read(path)
		checked := config.Check(path)
		if err == nil || !strings.Contains(err.Error(), "is a link to "+filepath.Join(dir, "not-mounted")+", which is not there") || checked.Missing || len(checked.Problems) != 1 {
			t.Errorf("%s: %v, %+v", path, err, checked)
		}
	}
	path := filepath.Join(dir, "plain.yaml")
	if err := os.WriteFile(path, []byte("readonly: true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	now, _, err := config.Read(path)
	if err != nil || os.Remove(path) != nil {
		t.Fatal(err)
	}
	if _, _, err := readAgain(path, &now); err == nil || !strings.Contains(err.Error(), "no longer there; its settings hold") {
		t.Errorf("the file is gone: %v", err)
	}
	if _, _, err := readAgain(path, &config.Config{}); err != nil {
		t.Errorf("it never had settings: %v", err)
	}
}

// A typing error never allows what a person meant to forbid.
func TestASettingThatCannotBeReadForbids(t *testing.T) {
	for text, want := range map[string]map[string]bool{
		"readonly: tru\n":                   {"prod": true, "lab": true},
		"readOnly: true\n":                  {"prod": true, "lab": true},
		"readonly: false\nreadonly: true\n": {"prod": true, "lab": true},
		"contexts: prod\n":                  {"prod": true, "lab": true},
		"readonly: yes\n":                   {"prod": true, "lab": true},
		"readonly: off\n":                   {"prod": false, "lab": false},
		"contexts: {prod: readonly}\n":      {"prod": true, "lab": false},
		"contexts:\n  prod: {readonly: [yes]}\n  lab: {ascii: 1}\n":                 {"prod": true, "lab": false},
		"contexts: {prod.example.com: {ReadOnly: 1}}\n":                             {"prod.example.com": true, "lab": false},
		"readonly: x\ncontexts: {lab: {readonly: false}}\n":                         {"prod": true, "lab": true},
		"base: &safe {readonly: true}\ncontexts: {prod: {<<: *safe}, lab: *safe}\n": {"prod": true, "lab": true},
	} {
		c, _ := parsed(t, text)
		for context, forbidden := range want {
			if got := set(c.In(context).ReadOnly); got != forbidden {
				t.Errorf("%q: in %s changes are forbidden %v, want %v", text, context, got, forbidden)
			}
		}
	}
}

const configIntro = "# Configuration\n\ntraintop reads `traintop/config.yaml` in the XDG config directory (`~/.config` on Linux, `~/Library/Application Support` on macOS, `%LOCALAPPDATA%` on Windows). It need not exist. Where `HOME` is not set or relative, the folder of the user database counts; without one nothing is read or kept. Flags win over it, and a context's own settings over the general ones. A setting that does not exist or cannot be used is named with its line, and the others are used; `traintop config check` lists them all. `:settings` shows every setting with its value and where that comes from (the line of the file, a flag, or the default); `enter` changes one and leaves the rest of the file as it is written, `e` edits the file. Where `readonly` itself cannot be read, nothing can be changed. A file that is a link to what is not there is an error; where a file goes away while the screen is open, what it set holds until the next start.\n\n"

const configPatterns = `
## Formats of your own

A pattern reads the lines of a log that no known format fits. Its named groups are what the line tells: ` + "`step`, `epoch`, `total` (how many steps there will be), `time`" + ` and any metric by its name. It is tried before the formats that traintop knows, and tested with its example when it is loaded. Where the charts of a log find no metric, ` + "`f`" + ` makes one of a line of it: its numbers are picked and named, what that reads of the log is shown, and it is written here.

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

A server that holds several clusters (Thanos, Mimir) marks their series with a label: ` + "`" + `cluster` + "`" + `, ` + "`" + `cluster_name` + "`" + `, ` + "`" + `k8s_cluster_name` + "`" + `, ` + "`" + `k8s_cluster` + "`" + ` or ` + "`" + `kubernetes_cluster` + "`" + `. Without a ` + "`" + `match` + "`" + ` that names it, the series whose nodes and pods are those of this cluster are read, and a problem says which clusters were seen and which was taken. Where none or several fit equally well, none is read: mixed numbers of equally named nodes would be wrong. GPUs on machines that this cluster does not have, once all its nodes are known, are left out, and a problem says how many and names one.

Files are read again when they change, except passwordFile. Credentials are sent to that URL alone: redirects are not followed, and with another host after ` + "`--prometheus`" + ` they are left out.
`

const configThemes = `
## Themes of your own

A file ` + "`traintop/themes/NAME.yaml`" + ` beside the configuration is the theme NAME. What it leaves out is as in the theme that it is based on.

` + "```yaml" + `
base: nord                  # dark, light, high-contrast, solarized or nord
background: "#101418"       # default is the terminal's own
selection: "#26303c"        # behind the selected row; match is behind hits of a search
roles:
  accent: tomato            # a name of SVG and HTML, #rrggbb, #rgb, or default
  bad: {color: "#ff5555", bold: true, underline: false, background: default}
names: []                   # six colours, for names that keep theirs
heat: []                    # eight colours, from cold to hot
` + "```" + `

Roles are ROLES. ` + "`text`, `dim`, `strong`, `heading`, `accent`, `rule`" + ` and the states of jobs also give their colour to what follows them, such as keys to ` + "`accent`" + `. ` + "`traintop config check`" + ` names colours that are hard to read.

Skins of k9s are themes too: a file of ` + "`k9s/skins`" + ` (or of ` + "`$K9S_CONFIG_DIR/skins`" + `) as ` + "`k9s-NAME`" + `, one that lies in ` + "`traintop/themes`" + ` by its own name. Colours that would be hard to read are made lighter or darker.
`

const configOwn = `
## Aliases, filters, hotkeys and commands of your own

` + "```yaml" + `
start: jobs ml /llama            # the screen to begin with; also for one context
aliases: {mine: jobs owner=me}   # :mine
filters: {oom: "-f memory"}      # /@oom, and :jobs /@oom
hotkeys:                         # a line of the : prompt on a key
  - {key: shift-f5, command: ":gpus", description: all GPUs}
commands:                        # a program of this machine on a key
  - name: wandb
    key: ctrl-t
    scopes: [jobs, job]          # screens; without it all of them
    description: open W&B
    command: [xdg-open, "https://wandb.ai/our-team/ml/runs/$JOB"]
    background: true             # beside the screen; its end is a notice
    readOnlySafe: true           # also with --readonly, of files and of the past
  - name: dmesg
    key: f6
    scopes: [job, rank, nodes]
    command: [ssh, $NODE, dmesg]
    output: true                 # what it prints becomes a screen
    confirm: true                # asks first
  - name: disk
    key: f7
    scopes: [job]
    shell: true                  # a text for /bin/sh
    command: kubectl --context "$CONTEXT" -n "$NAMESPACE" exec "$POD" -- df -h | sort
    wait: true                   # until enter
` + "```" + `

A command without ` + "`background` or `output`" + ` has the terminal until it ends. With marked rows it runs for each of them. One that is not ` + "`readOnlySafe`" + ` is recorded in the audit log and is not offered with ` + "`--readonly`" + `.

Keys are a letter or sign, ` + "`f1` to `f20`" + `, names such as ` + "`home`" + `, behind ` + "`ctrl-`, `alt-`, `shift-`" + `. A key that has a meaning on a screen needs ` + "`override: true`" + `. Scopes are SCOPES.

Variables, in an argument or in a script: VARIABLES. ` + "`$$`" + ` is a dollar. A command whose variable has no value for what is selected is not run.

Commands get text of the cluster to read, not to run. The command is a list of a program and its arguments: a value becomes text within its argument, and nothing splits or expands it. A value with other signs than those of names (letters, digits and ` + "`_.:/@%+=,-`" + `) may only be a whole argument, and neither behind a program that runs its arguments (a shell, ssh, env, sudo, timeout, python, vim, make, …) nor behind an option such as ` + "`-c`" + `, ` + "`-e`" + ` or ` + "`--exec`" + `. With ` + "`shell: true`" + `, and in the script of ` + "`[sh, -c, …]`" + `, values are variables of the environment, and where one has other signs than those of names the command is not run; only ` + "`$CONTEXT`" + `, ` + "`$CLUSTER`" + `, ` + "`$USER`" + ` and ` + "`$KUBECONFIG`" + `, which are your own, may have them. A script with variables is refused where anything that the shell expands begins a command, or is given to eval, to a shell (also by a pipe) or where such a program runs its arguments. What a program that traintop does not know makes of its arguments, and what a script writes into a file to run it later, is not checked.

` + "`plugins.yaml`" + ` of k9s is read too. Its scopes pods, containers, nodes, jobs (and kinds of training jobs), cronjobs, events, namespaces, contexts and all are the screens here that have such rows; ` + "`$COL-X`" + ` is the cell of the selected row in the column X of that screen; ` + "`dangerous: false`" + ` marks one as safe for ` + "`--readonly`" + `. What needs something else (other scopes, a key that is taken without ` + "`override`" + `) is left out, and ` + "`traintop config check`" + ` names it.
`

const configViews = `
## Columns and lists of your own

` + "```yaml" + `
views:
  jobs:                          # the name of a list: jobs, nodes, gpus, queues, events, diagnose, namespaces, contexts; job for its ranks
    columns:
      - NAME                     # a column of the list, by its title
      - {title: WHY, width: 40}
      - {title: TEAM, label: example.com/team, width: 10}
      - {annotation: example.com/wandb-run}   # the title is what stands behind the slash
    sort: AGE desc
    wide: false
    filter: "@oom"               # the list begins with it; esc takes it away
` + "```" + `

The columns are shown in this order; the others of the list are wide columns behind them (` + "`ctrl-w`" + `). On a narrow terminal the last of those that were chosen give way first.

What is not in the configuration is kept for each context in ` + "`traintop/state.json`" + ` of the XDG state directory: order and wide columns of lists, jobs that were pinned (` + "`b`" + `), and for each of the last 200 jobs how panes of logs and charts were arranged.
`

const configKinds = `
## Kinds of jobs of your own

A kind that traintop does not know (docs/kinds.md has those that it does) becomes rows of the job list, with ranks, logs, GPUs and diagnosis, once it is told where its objects have what a job is made of. It is read where the cluster serves it, and from files and recordings.

` + "```yaml" + `
kinds:
- group: kubeflow.org            # notebooks of Kubeflow
  versions: [v1, v1beta1]        # those that have these fields, the preferred first
  kind: Notebook
  roles: [{name: notebook, template: spec.template, ready: status.readyReplicas}]
  suspend: metadata.annotations.kubeflow-resource-stopped
  pods: {labels: {notebook-name: "{name}"}}
  training: false
- group: slinky.slurm.net        # nodes of Slurm in pods, of Slinky
  versions: [v1beta1]
  kind: NodeSet
  roles: [{name: slurmd, replicas: status.desired, template: spec.template, container: spec.slurmd, ready: status.readyReplicas}]
  pods: {index: nodeset.slinky.slurm.net/pod-index, container: slurmd}
  training: false
- group: example.com             # roles in a map: spec.replicaSpecs.worker.count
  versions: [v1]
  kind: FineTune
  resource: finetunes
  roles: [{each: spec.replicaSpecs, replicas: count, template: podTemplate}]
  suspend: spec.paused
  phase: status.state
  phases: {Running: [Active], Failed: [Failed, Broken]}
  started: status.began
  minReplicas: spec.min
  pods: {labels: {example.com/job: "{name}"}, role: example.com/role, index: example.com/rank, aside: [coordinator]}
` + "```" + `

| setting | without it | meaning |
| --- | --- | --- |
| ` + "`group`, `versions`, `kind`" + ` | | what the API server calls it; it has to be in namespaces |
| ` + "`resource`" + ` | the kind in small letters with an s | its plural; where the cluster has another one, :sources says which |
| ` + "`roles`" + ` | | the groups of equal pods, in the order of their ranks: ` + "`name`, `replicas`" + ` (1 where the object has none), ` + "`template`" + ` (a pod template: what its containers ask for counts as GPUs), ` + "`container`" + ` (one beside the template), ` + "`ready`" + ` (the controller's own count, for where no pods are read). With ` + "`each`" + `, the path of a map or a list of roles, the other paths begin at its entries, and ` + "`name`" + ` is the field with the name in a list |
| ` + "`suspend`" + ` | never suspended | true, or any text, while the job is suspended |
| ` + "`conditions`" + ` | ` + "`status.conditions`" + ` | the list of conditions; those with status True count |
| ` + "`phase`" + ` | | a text with the phase, for where no condition says it |
| ` + "`phases`" + ` | Failed; Succeeded, Complete, Completed; Suspended; Queued, Queuing; Restarting; Running; Pending, Created, Starting and other words for what comes before | types of conditions and texts of ` + "`phase`" + ` that mean a phase (Pending: texts alone); the others keep their usual ones |
| ` + "`started`, `finished`" + ` | from the pods | times |
| ` + "`minReplicas`, `maxReplicas`" + ` | not elastic | how many pods an elastic job may have |
| ` + "`pods`" + ` | | pods that the object owns, through Jobs and other kinds of docs/kinds.md, are found without it. ` + "`labels`" + ` find others (` + "`{name}`" + ` is the name of the job), ` + "`role`" + ` and ` + "`index`" + ` are labels or annotations with a pod's role and its number (without ` + "`index`" + ` the number at the end of its name), ` + "`aside`" + ` are roles that are no ranks, ` + "`container`" + ` is the training container |
| ` + "`training`" + ` | true | false for a kind that runs other things too: its objects are listed among the jobs where they have GPUs or a queue |

A path is names joined by dots, with ` + "`\\.`" + ` for a dot within a name. What cannot be used is named at the start and by ` + "`traintop config check`" + `, with its line; the other kinds are used. A path of ` + "`roles`" + ` that an object does not have is in the job's WHY, and its size is that of its pods; so is a field that cannot be read: a phase that no word means, a time or a number that is none. The rights to get, list and watch the resource are needed beside those of deploy/rbac.yaml. Without a configuration HyperPodPyTorchJob and DLRover's ElasticJob are read in the same way.
`

// ownWords fills in what the program knows.
func ownWords(text string) string {
	var scopes, variables []string
	for _, scope := range keymap.OwnScopes() {
		scopes = append(scopes, "`"+string(scope)+"`")
	}
	for _, v := range custom.Variables() {
		variables = append(variables, "`$"+v[0]+"` ("+v[1]+")")
	}
	variables = append(variables, "`${label:KEY}`, `${annotation:KEY}` and `${COL-TITLE}` (the cell of the selected row in the column TITLE)")
	return strings.NewReplacer("SCOPES", strings.Join(scopes, ", "), "VARIABLES", strings.Join(variables, ", ")).Replace(text)
}

// Every key is in the documentation, which is made from the same table.
func TestConfigurationIsDocumented(t *testing.T) {
	const path = "../docs/configuration.md"
	want := configIntro + config.Markdown() + strings.ReplaceAll(configThemes, "ROLES", strings.Join(themes.RoleNames(), ", ")) + configViews + ownWords(configOwn) + configActing + configPrometheus + configPatterns + configProbes + configKinds
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
