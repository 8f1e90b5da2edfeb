package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/traintop/traintop/cli/config"
	"github.com/traintop/traintop/keymap"
)

func TestAliasesHotkeysAndCommandsAreRead(t *testing.T) {
	c, warnings := parsed(t, `
start: gpus
aliases: {mine: ":jobs owner=me", two words: x, self: self x, empty: ""}
filters: {oom: /memory}
hotkeys:
- {key: shift-f5, command: ":jobs /clip", description: only clip}
- {key: l, scopes: [jobs], command: gpus}
- {key: F7, scopes: [job, jbos], command: gpus}
- {key: F8}
commands:
- {name: wandb, key: ctrl-t, scopes: [jobs, job], description: open W&B, command: [open, "https://wandb.ai/x/$JOB"], background: true, readOnlySafe: true}
- {name: again, key: ctrl-t, scopes: [job], command: [echo, $JOB]}
- {name: pipe, key: F9, shell: true, command: 'kubectl get pod "$POD" -o yaml | less', confirm: true}
- {name: noshell, key: F10, command: 'kubectl get pod $POD'}
- {name: evil, key: F10, shell: true, command: 'eval $NAME'}
- {name: unknown, key: F10, command: [echo, $THING]}
- {key: F10, command: [echo]}
- {name: keyless, command: [echo]}
- {name: typo, key: F11, comand: [echo]}
contexts: {prod: {start: jobs ml}}
`)
	all := strings.Join(warnings, "\n")
	for _, want := range []string{
		`:3: the alias "two words" has to be one word`, `:3: the alias self stands for "self x"`, ":3: the alias empty stands for",
		`:7: hotkey "gpus": the key l is logs in jobs already`, `:8: hotkey "gpus": there is no screen "jbos"`, `did you mean "jobs"?`, `:9: hotkey "": it has no command`,
		`:12: command "again": the key ctrl-t is that of "wandb" in job already`, `:14: the command "noshell": its command has to be a list`, `shell: true`,
		`:15: the command "evil": it would run the text of a variable`, `:16: the command "unknown": there is no variable $THING`,
		`:17: the command "": it has no name`, `:18: command "keyless": "" is no key`, `:19: there is no setting "commands[8].comand"; did you mean "command"?`,
	} {
		if !strings.Contains(all, want) {
			t.Errorf("%s is not in\n%s", want, all)
		}
	}
	set := c.Custom()
	if set.Aliases["mine"] != "jobs owner=me" || len(set.Aliases) != 1 || set.Filters["oom"] != "memory" || c.In("prod").Start != "jobs ml" || c.In("lab").Start != "gpus" {
		t.Errorf("%+v", set)
	}
	if len(set.Keys) != 3 {
		t.Fatalf("%d keys: %+v", len(set.Keys), set.Keys)
	}
	if k := set.Keys[1]; k.OwnKey.Key != "ctrl+t" || k.Impact != keymap.Looks || !k.Program.Background || !slices.Equal(k.Scopes, []keymap.Scope{keymap.Jobs, keymap.Job}) {
		t.Errorf("%+v", k)
	}
	if k := set.Keys[2]; k.Impact != keymap.Changes || !k.Program.Confirm || !strings.Contains(k.Program.Script, "| less") || len(k.Scopes) != 0 {
		t.Errorf("%+v", k)
	}
}

// A saved filter may be that of another name; names that go round in a circle are
// no filter.
func TestSavedFiltersNameEachOther(t *testing.T) {
	c, warnings := parsed(t, `
filters:
  oom: /-f memory
  short: "@oom"
  shorter: /@short
  a: "@b"
  b: "@c"
  c: /@a
  self: "@self"
  into: "@a"
  mail: "@example.com"
`)
	set := c.Custom()
	for name, want := range map[string]string{"oom": "-f memory", "short": "-f memory", "shorter": "-f memory", "mail": "@example.com"} {
		if set.Filters[name] != want {
			t.Errorf("%s is %q, want %q", name, set.Filters[name], want)
		}
	}
	if len(set.Filters) != 4 {
		t.Errorf("they are %v", set.Filters)
	}
	all := strings.Join(warnings, "\n")
	for _, want := range []string{
		`:6: the saved filter a leads in a circle and to no filter: @a → @b → @c → @a; it is left out`, `:7: the saved filter b leads in a circle and to no filter: @b → @c → @a → @b;`, `:9: the saved filter self leads in a circle and to no filter: @self → @self;`,
		`:10: the saved filter into leads in a circle and to no filter: @into → @a → @b → @c → @a`,
	} {
		if !strings.Contains(all, want) {
			t.Errorf("%s is not in\n%s", want, all)
		}
	}
}

// k9s' plugins are read where what they need is here.
func TestPluginsOfK9sAreRead(t *testing.T) {
	configFiles(t, map[string]string{"k9s/plugins.yaml": `
plugins:
  stern:
    shortCut: Ctrl-Y
    confirm: false
    description: "Logs <Stern>"
    scopes: [pods]
    command: stern
    background: false
    args: [--tail, 50, $FILTER, -n, $NAMESPACE, --context, $CONTEXT]
  debug:
    shortCut: Shift-D
    override: true
    dangerous: true
    scopes: [containers]
    command: bash
    args: [-c, "kubectl debug -it --context $CONTEXT -n=$NAMESPACE $POD --target=$NAME"]
  cpu: {shortCut: Shift-C, description: cpu, scopes: [all], command: kubectl, dangerous: false, override: true, args: [top, $NAME]}
  column: {shortCut: F5, scopes: [pods], command: echo, args: [$COL-NAME]}
  helm: {shortCut: F6, scopes: [helm], command: helm, args: [get, $NAME]}
  taken: {shortCut: l, scopes: [pods], command: kubectl, args: [logs, $NAME]}
`})
	with := config.WithK9s(config.Config{})
	set := with.Custom()
	if len(set.Keys) != 4 {
		t.Fatalf("%d keys: %+v", len(set.Keys), set.Keys)
	}
	column, cpu, debug, stern := set.Keys[0], set.Keys[1], set.Keys[2], set.Keys[3]
	if !slices.Equal(column.Scopes, []keymap.Scope{keymap.Job, keymap.Rank, keymap.ResourcePods}) || column.Program.Arguments[1] != "$COL-NAME" {
		t.Errorf("column: %+v", column)
	}
	if cpu.OwnKey.Key != "C" || cpu.Impact != keymap.Looks || !slices.Equal(cpu.Scopes, []keymap.Scope{keymap.Table}) {
		t.Errorf("cpu: %+v", cpu)
	}
	if debug.OwnKey.Key != "D" || !debug.Program.Confirm || debug.Impact != keymap.Changes || !slices.Equal(debug.Scopes, []keymap.Scope{keymap.Rank}) {
		t.Errorf("debug: %+v", debug)
	}
	if stern.OwnKey.Key != "ctrl+y" || stern.Impact != keymap.Changes || stern.Program.Arguments[2] != "50" || stern.Means != "Logs <Stern>" {
		t.Errorf("stern: %+v", stern)
	}
	out, _, code := command(t, "", "config", "check")
	if code != exitDone { // there is no config.yaml, and so nothing to check
		t.Errorf("exit %d: %s", code, out)
	}
}

func TestConfigCheckNamesPluginsThatCannotBeUsed(t *testing.T) {
	configFiles(t, map[string]string{
		"traintop/config.yaml": "theme: dark\n",
		"k9s/plugins.yaml":     "plugins:\n  helm: {shortCut: F6, scopes: [helm], command: helm}\n  column:\n    {shortCut: F5, scopes: [pods], command: sh, args: [-c, echo $COL-NAME]}\n",
	})
	out, _, code := command(t, "", "config", "check")
	for _, want := range []string{`plugins.yaml:2: plugin helm: no screen here has rows of ["helm"]; it is left out`, "plugins.yaml:3: plugin column: a shell has no variable $COL-NAME"} {
		if !strings.Contains(out, want) || code != exitFailed {
			t.Errorf("exit %d, %s is not in\n%s", code, want, out)
		}
	}
}
