package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/ui/custom"
)

// ownKey is a key that runs a program.
func ownKey(key string, impact keymap.Impact, p custom.Program, scopes ...keymap.Scope) custom.Key {
	return custom.Key{Name: "report", Program: &p, OwnKey: keymap.OwnKey{Key: key, Means: "my report", Scopes: scopes, Impact: impact}}
}

func TestAliasesFiltersAndHotkeys(t *testing.T) {
	set := custom.Set{
		Aliases: map[string]string{"mine": "jobs /clip", "no": "gpus", "nodes": "jobs"},
		Filters: map[string]string{"vision": "^vision", "late": "-f zzz"},
		Keys:    []custom.Key{{Name: "clip", Line: "jobs /clip", OwnKey: keymap.OwnKey{Key: "f5", Means: "only clip"}}},
	}
	d := drive(t, Options{Config: Config{Custom: set}}, 140, 40)
	d.command("mine").shows("Jobs 1 of 14", "/clip")
	d.command("no").shows("Nodes 14") // what comes with traintop wins
	d.command("aliases").shows("mine", "yours: jobs /clip")
	d.command("jobs").keys("/").types("@vi").shows("@vision").keys("enter").shows("/^vision")
	d.hides("Jobs 14")
	d.command("jobs /@vision").shows("/^vision")
	d.command("jobs").shows("Jobs 14").send(tea.KeyPressMsg{Code: tea.KeyF5})
	d.shows("Jobs 1 of 14", "/clip")
	d.keys("?").shows("Yours", "only clip")
}

func TestASessionStartsWithAView(t *testing.T) {
	d := drive(t, Options{Session: Session{Settings: Settings{Start: "nodes /gpu"}}}, 120, 30)
	d.shows("Nodes", "/gpu")
	d = drive(t, Options{Session: Session{Namespace: "vision", Settings: Settings{Start: "jobs llm"}}, NamespaceGiven: true}, 120, 30)
	d.shows("prod-gpu · vision")
	d = drive(t, Options{Session: Session{Settings: Settings{Start: "nosuch"}}}, 120, 30)
	d.shows("Jobs 14", "nosuch is no command")
}

// A command gets the selected job, rank, node and pod as arguments, and what it
// prints is shown.
func TestACommandGetsWhatIsSelected(t *testing.T) {
	d, record := inCluster(t, &fakeActor{}, nil)
	script := filepath.Join(t.TempDir(), "print")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nprintf '<%s>' \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	d.m.o.Custom.Keys = []custom.Key{
		ownKey("f5", keymap.Changes, custom.Program{Arguments: []string{script, "$NAME", "$NAMESPACE", "$JOB", "rank=$RANK", "$POD", "$NODE", "$CONTEXT"}, Output: true}),
		ownKey("f6", keymap.Changes, custom.Program{Arguments: []string{script, "$FILTER"}, Output: true}),
		ownKey("f7", keymap.Changes, custom.Program{Arguments: []string{script, "$NAME"}, Output: true, Confirm: true}),
	}
	d.m.configure()
	d.command("jobs /clip").keys("enter").send(tea.KeyPressMsg{Code: tea.KeyF5})
	d.shows("report", "<clip-", "<vision>", "<clip>", "<rank=", "<prod-gpu>")
	if text := auditText(t, record); !strings.Contains(text, "run report") || !strings.Contains(text, script) {
		t.Errorf("recorded %s", text)
	}
	d.command("jobs").send(tea.KeyPressMsg{Code: tea.KeyF6})
	d.shows("report: $FILTER has no value for what is selected")
	d.command("jobs /clip").send(tea.KeyPressMsg{Code: tea.KeyF7})
	d.shows("Run report?", "On this machine runs:", script+" clip", "Cancel")
	d.keys("enter").hides("<clip>")
	d.send(tea.KeyPressMsg{Code: tea.KeyF7})
	d.keys("tab", "enter").shows("<clip>")
}

// The rank that failed first is what a command is about, though it runs no more.
func TestACommandGetsTheRankThatFailed(t *testing.T) {
	d, _ := inCluster(t, &fakeActor{}, func(o *Options) { o.Session.Store = fromFiles(t, "../testdata/demo/speech.yaml") })
	echo := custom.Program{Arguments: []string{"echo", "rank $RANK is $POD"}, Output: true}
	d.m.o.Custom.Keys = []custom.Key{ownKey("f5", keymap.Looks, echo)}
	d.m.configure()
	d.command("jobs /hubert-xl").send(tea.KeyPressMsg{Code: tea.KeyF5})
	d.shows("rank 2 is hubert-xl-worker-1")
}

// Commands are not offered with --readonly, of the past and of files, unless
// they are marked as safe.
func TestCommandsDisappearWhereNothingMayChange(t *testing.T) {
	echo := custom.Program{Arguments: []string{"echo", "$NAME"}, Output: true}
	keys := func(impact keymap.Impact) Config {
		return Config{Custom: custom.Set{Keys: []custom.Key{ownKey("f5", impact, echo)}}}
	}
	f5 := tea.KeyPressMsg{Code: tea.KeyF5}
	readOnly := Session{Settings: Settings{ReadOnly: true}}

	d := drive(t, Options{Session: readOnly, Config: keys(keymap.Changes)}, 160, 40)
	d.send(f5)
	d.hides("my report", "report runs")
	if d.keys("?"); strings.Contains(d.screen(), "my report") {
		t.Errorf("the help names it:\n%s", d.screen())
	}
	d = drive(t, Options{Config: keys(keymap.Changes)}, 160, 40) // files
	d.hides("my report").send(f5)
	d.shows("report needs a cluster")
	d = drive(t, Options{Session: readOnly, Config: keys(keymap.Looks)}, 160, 40)
	d.shows("my report").send(f5)
	d.shows("report", "1-1 of 1")
	d.hides("needs a cluster")
}

func TestACommandThatFailsIsNamed(t *testing.T) {
	d, _ := inCluster(t, &fakeActor{}, nil)
	d.m.o.Custom.Keys = []custom.Key{
		ownKey("f5", keymap.Changes, custom.Program{Arguments: []string{"sh", "-c", "echo no such place >&2; exit 3"}, Background: true}),
		ownKey("f6", keymap.Changes, custom.Program{Arguments: []string{"traintop-has-no-such-program"}}),
		ownKey("f7", keymap.Changes, custom.Program{Arguments: []string{"true"}}),
	}
	d.m.configure()
	d.send(tea.KeyPressMsg{Code: tea.KeyF5})
	d.shows("report: sh: exit status 3: no such place")
	d.send(tea.KeyPressMsg{Code: tea.KeyF6})
	d.shows("traintop-has-no-such-program")
	d.send(tea.KeyPressMsg{Code: tea.KeyF7})
	d.shows("report is done")
}

// A variable of k9s is the cell of the selected row, in tables of the API server too.
func TestCellsOfTheSelectedRowAreVariables(t *testing.T) {
	echo := custom.Program{Arguments: []string{"echo", "<$COL-NAME>", "<$COL-UP-TO-DATE>", "<$COL-READY>", "${COL-IMAGES}"}, Output: true}
	d, _ := withTables(t, func(o *Options) {
		o.Custom = custom.Set{Keys: []custom.Key{ownKey("f5", keymap.Looks, echo, keymap.Resource)}}
	})
	d.command("deploy").brings(deployments("api", "front"))
	d.keys("j").send(tea.KeyPressMsg{Code: tea.KeyF5})
	d.shows("<front> <10> <1/1> nginx:1")
}

// The mark before a state is for eyes: a program gets the word.
func TestCellsOfStatesAreWords(t *testing.T) {
	echo := custom.Program{Arguments: []string{"echo", "<$COL-PHASE>", "<$COL-RANKS>"}, Output: true}
	d, _ := withTables(t, func(o *Options) {
		o.Custom = custom.Set{Keys: []custom.Key{ownKey("f5", keymap.Looks, echo, keymap.Jobs)}}
	})
	d.command("jobs").send(tea.KeyPressMsg{Code: tea.KeyF5})
	d.shows("<failed> <0/2>")
}
