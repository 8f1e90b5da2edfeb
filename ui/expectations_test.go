package ui

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/traintop/traintop/keymap"
)

// expectation is what people who know k9s, or charts of training runs, expect to find.
type expectation struct {
	expects string
	// Of these at least one shows it: keys that mean an action in a scope, commands of the
	// prompt, tests ("folder TestName").
	keys     []meaning
	commands []string
	tests    []string
	// why is the reason why it is not so, "" where it is; instead is what to use then.
	why string
}

// meaning is what a key does in a scope.
type meaning struct {
	scope  keymap.Scope
	key    string
	action keymap.Action
}

// expectations are those of one part, in the order of the page.
type expectations struct {
	part string
	all  []expectation
}

func means(scope keymap.Scope, action keymap.Action, all ...string) (of []meaning) {
	for _, key := range all {
		of = append(of, meaning{scope, key, action})
	}
	return of
}

func expected() []expectations {
	return []expectations{
		{"Everywhere", expectedEverywhere()}, {"Movement", expectedMovement()}, {"Every table", expectedTables()},
		{"Screen by screen", expectedScreens()}, {"Logs", expectedLogs()}, {"Texts", expectedTexts()},
		{"Filters and commands", expectedGrammar()}, {"How it behaves", expectedBehaviour()}, {"Charts", expectedCharts()},
	}
}

func expectedEverywhere() []expectation {
	return []expectation{
		{expects: "`:` opens the command line, `/` the filter, `?` the help of the screen", keys: []meaning{{keymap.Jobs, ":", keymap.Command}, {keymap.Jobs, "/", keymap.Filter}, {keymap.Jobs, "?", keymap.ShowHelp}}},
		{expects: "`?`, `esc` and `enter` close the help", keys: means(keymap.Help, keymap.Back, "esc", "enter"), tests: []string{"ui TestEnterClosesTheHelp"}},
		{expects: "`esc` takes back one step: the prompt, the filter, the screen", keys: means(keymap.Jobs, keymap.Back, "esc"), tests: []string{"ui TestEscUndoesOneStep"}},
		{expects: "`q` goes back", keys: means(keymap.Job, keymap.BackOrQuit, "q"), tests: []string{"ui TestQuitting"}},
		{expects: "`ctrl-c`, `:q`, `:quit`, `:exit`, `:qa`, `:q!` quit", keys: means(keymap.Jobs, keymap.Quit, "ctrl+c"), commands: []string{"q", "quit", "exit", "qa", "q!"}},
		{expects: "`ctrl-c` can be turned off", why: "it is the one key that always ends a program in a terminal; a filter, a prompt and a dialog leave with `esc`"},
		{expects: "`enter` goes into the row", keys: means(keymap.Jobs, keymap.Open, "enter")},
		{expects: "`[`, `]` and `-` go through the commands typed before", keys: []meaning{{keymap.Jobs, "[", keymap.HistoryBack}, {keymap.Jobs, "]", keymap.HistoryOn}, {keymap.Jobs, "-", keymap.LastCommand}}, tests: []string{"ui TestHistory"}},
		{expects: "`ctrl-a` lists resources and their short names", keys: means(keymap.Jobs, keymap.ShowAliases, "ctrl+a"), tests: []string{"ui TestCtrlAListsTheResourcesOfTheCluster"}},
		{expects: "`esc` leads back from that list, and from that of forwards, to the screen before", tests: []string{"ui TestHistory"}},
		{expects: "`ctrl-r` draws and reads anew", keys: means(keymap.Jobs, keymap.Redraw, "ctrl+r")},
		{expects: "`ctrl-e` hides the header, `ctrl-g` the breadcrumbs", keys: []meaning{{keymap.Jobs, "ctrl+e", keymap.ToggleHeader}, {keymap.Jobs, "ctrl+g", keymap.ToggleCrumbs}}},
		{expects: "`tab` and `shift-tab` go through the fields of a dialog", keys: []meaning{{keymap.Dialog, "tab", keymap.DialogNext}, {keymap.Dialog, "shift+tab", keymap.DialogBack}}},
		{expects: "in the prompt `tab` and `right` take the suggestion, `enter` runs, `esc` leaves", tests: []string{"ui TestPromptCompletes"}},
		{expects: "in the prompt `up` and `down` go through suggestions", why: "they recall what was entered before, as in a shell; `ctrl-n` and `ctrl-p` go through suggestions"},
		{expects: "in the prompt `ctrl-w` and `ctrl-u` clear", keys: []meaning{{keymap.Prompt, "ctrl+w", keymap.EraseWordLeft}, {keymap.Prompt, "ctrl+u", keymap.EraseToStart}}, tests: []string{"ui TestPromptEdits"}},
	}
}

func expectedMovement() []expectation {
	return []expectation{
		{expects: "`j`, `k` and the arrows move by rows", keys: append(means(keymap.Jobs, keymap.Down, "j", "down"), means(keymap.Jobs, keymap.Up, "k", "up")...)},
		{expects: "`h` and `l` scroll a text sideways", keys: []meaning{{keymap.Manifest, "h", keymap.ScrollLeft}, {keymap.Manifest, "l", keymap.ScrollRight}}},
		{expects: "`h` and `l` scroll a table sideways", why: "`l` opens logs on nearly every table; `left`, `right`, `<` and `>` scroll it"},
		{expects: "`g` and `G`, Home and End go to the ends", keys: append(means(keymap.Jobs, keymap.Top, "g", "home"), means(keymap.Jobs, keymap.Bottom, "G", "end")...)},
		{expects: "`ctrl-f`, `ctrl-b`, PgDn, PgUp move by pages", keys: append(means(keymap.Jobs, keymap.PageDown, "ctrl+f", "pgdown"), means(keymap.Jobs, keymap.PageUp, "ctrl+b", "pgup")...)},
		{expects: "the cursor stays on its object while rows come, go and move", tests: []string{"views/draw TestCursorStaysOnItsObject"}},
	}
}

func expectedTables() []expectation {
	return []expectation{
		{expects: "`d` describes, `y` shows YAML, `e` edits", keys: []meaning{{keymap.Resource, "d", keymap.Describe}, {keymap.Resource, "y", keymap.YAML}, {keymap.Resource, "e", keymap.Edit}}},
		{expects: "`ctrl-d` deletes after a question, with propagation and Cancel preset", keys: means(keymap.Resource, keymap.Delete, "ctrl+d"), tests: []string{"ui TestAChangeIsAskedWithCancelPreset", "ui TestRowsAreDeletedAfterAQuestion"}},
		{expects: "`space`, `ctrl-space` and `ctrl-\\` mark and unmark; actions take all marked rows", keys: []meaning{{keymap.Jobs, "space", keymap.Mark}, {keymap.Jobs, "ctrl+space", keymap.MarkRange}, {keymap.Jobs, "ctrl+\\", keymap.ClearMarks}}, tests: []string{"ui TestMarkedRowsGetAnAnswerEach"}},
		{expects: "`c` copies the name, `n` the namespace, of all marked rows", keys: []meaning{{keymap.Resource, "c", keymap.CopyName}, {keymap.Resource, "n", keymap.CopyNS}}, tests: []string{"ui TestCopySaveAndYAML"}},
		{expects: "`n` copies the namespace on jobs, ranks and GPUs", why: "there `n` is nvidia-smi; `ctrl-n` copies the namespace"},
		{expects: "`ctrl-s` saves the table", keys: means(keymap.Jobs, keymap.Save, "ctrl+s"), tests: []string{"ui TestSavedFilesNeverOverwrite"}},
		{expects: "`ctrl-z` leaves what is in trouble, of events the warnings", keys: means(keymap.Events, keymap.FaultyOnly, "ctrl+z"), tests: []string{"views/draw TestFilterAndFaulty"}},
		{expects: "`ctrl-w` shows wide columns", keys: means(keymap.Jobs, keymap.Wide, "ctrl+w")},
		{expects: "`0` is all namespaces, `1` to `9` are favourites that the header names", keys: means(keymap.Jobs, keymap.Favourite1, "1"), tests: []string{"ui TestNamespaces", "ui TestTheHeaderOffersDigitsThatChooseNamespaces"}},
		{expects: "`w` goes to the namespace of the row", keys: means(keymap.Jobs, keymap.UseNamespace, "w")},
		{expects: "`J` jumps to the owner", keys: means(keymap.Resource, keymap.JumpOwner, "J"), tests: []string{"ui TestTheOwnerOfARowIsOneKeyAway"}},
		{expects: "`N`, `A`, `S`, `P` sort by name, age, status, namespace; again turns the order", keys: []meaning{{keymap.Jobs, "N", keymap.SortName}, {keymap.Jobs, "A", keymap.SortAge}, {keymap.Jobs, "S", keymap.SortStatus}, {keymap.Jobs, "P", keymap.SortNS}}, tests: []string{"views/draw TestSortKeysTurnTheOrder"}},
		{expects: "`shift-left`, `shift-right` and `O` sort by any column", keys: []meaning{{keymap.Resource, "shift+left", keymap.SortLeft}, {keymap.Resource, "shift+right", keymap.SortRight}, {keymap.Resource, "O", keymap.SortChosen}}, tests: []string{"ui TestNumbersSortAsNumbers"}},
		{expects: "the column that the rows are sorted by is on the screen", tests: []string{"views/draw TestTheSortedColumnIsShown"}},
		{expects: "older sort keys for ready, IP, CPU, memory and roles", why: "k9s took them away itself; columns are the server's, and any is sorted with `shift-right` and `O`"},
		{expects: "read-only takes keys that change away, from the footer too", tests: []string{"ui TestReadOnlyTablesHaveNoKeysThatChange", "ui TestReadOnlyTakesChangesAway"}},
		{expects: "plugins get the cells of the row as `$COL-X`", tests: []string{"ui TestCellsOfTheSelectedRowAreVariables"}},
	}
}

func expectedScreens() []expectation {
	return []expectation{
		{expects: "pods: `l` logs, `p` logs before, `s` shell, `a` attach, of any pod", keys: []meaning{{keymap.ResourcePods, "l", keymap.OpenLogs}, {keymap.ResourcePods, "p", keymap.OpenPrevious}, {keymap.ResourcePods, "s", keymap.Shell}, {keymap.ResourcePods, "a", keymap.Attach}}, tests: []string{"ui TestThePodOfNoJobHasALog"}},
		{expects: "pods: `F` forwards a port, `f` lists forwards, `o` opens the node, `t` copies files", keys: []meaning{{keymap.ResourcePods, "F", keymap.ForwardPort}, {keymap.ResourcePods, "f", keymap.ShowForward}, {keymap.ResourcePods, "o", keymap.GoNode}, {keymap.ResourcePods, "t", keymap.CopyFiles}}},
		{expects: "pods: `enter` lists containers", why: "`enter` opens the log at once, where `a` goes through the containers; `d` describes each"},
		{expects: "pods: `ctrl-k` kills without a question", why: "nothing is deleted without a question: `ctrl-d` deletes a pod, `ctrl-k` on ranks restarts them"},
		{expects: "pods: `z` deletes all that ended", why: "a pod that ended has the only log of its failure; `/` and marks choose those that `ctrl-d` may delete"},
		{expects: "pods, Deployments: `i` sets an image", why: "`e` edits it, with the change shown before it is applied"},
		{expects: "jobs: `enter` opens the pods, `l` the logs of all, `p` those before", keys: []meaning{{keymap.Jobs, "l", keymap.OpenLogs}, {keymap.Jobs, "p", keymap.OpenPrevious}}, tests: []string{"ui TestEnterOpensWhatAWorkloadOwns"}},
		{expects: "CronJobs: `enter` opens the jobs, `s` suspends and resumes, `t` triggers", keys: []meaning{{keymap.ResourceCronJobs, "s", keymap.Schedule}, {keymap.ResourceCronJobs, "t", keymap.Trigger}}, tests: []string{"ui TestEnterOpensWhatAWorkloadOwns", "ui TestCronJobsAreTriggeredAndSuspended"}},
		{expects: "Deployments, StatefulSets, DaemonSets, ReplicaSets: `enter` opens the pods", tests: []string{"ui TestEnterOpensWhatAWorkloadOwns"}},
		{expects: "Deployments, StatefulSets: `s` scales", keys: means(keymap.Resource, keymap.Replicas, "s"), tests: []string{"ui TestSizesAreChangedWhereThereIsAScale"}},
		{expects: "Deployments, StatefulSets, DaemonSets: `l` shows the logs of all pods", keys: []meaning{{keymap.ResourceWorkloads, "l", keymap.OpenLogs}, {keymap.ResourceWorkloads, "p", keymap.OpenPrevious}}, tests: []string{"ui TestTheLogsOfAWorkload"}},
		{expects: "Deployments, StatefulSets, DaemonSets: `r` restarts", why: "traintop changes training jobs and what they stand on; a command of one's own on a key runs kubectl rollout restart"},
		{expects: "Deployments: `z` lists ReplicaSets", why: "`:rs` lists them, and `J` leads from a pod up"},
		{expects: "nodes: `enter` opens the pods on the node", keys: means(keymap.Nodes, keymap.Open, "enter")},
		{expects: "nodes: `c` cordons, `u` uncordons, `r` drains", keys: []meaning{{keymap.Nodes, "c", keymap.Cordon}, {keymap.Nodes, "u", keymap.Uncordon}, {keymap.Nodes, "r", keymap.Drain}}, tests: []string{"ui TestADrainBeginsWithTheCordon"}},
		{expects: "nodes: `s` opens a shell on the node", keys: append(means(keymap.Nodes, keymap.NodeShell, "s"), means(keymap.ResourceNodes, keymap.NodeShell, "s")...), tests: []string{"ui TestAShellOnANode"}},
		{expects: "namespaces, contexts: `enter` and `u` change to it", keys: append(means(keymap.Namespaces, keymap.Use, "enter", "u"), means(keymap.Contexts, keymap.UseContext, "enter", "u")...), tests: []string{"ui TestContextsAreListedAndChanged"}},
		{expects: "contexts: `r` renames, `ctrl-d` deletes", why: "the kubeconfig belongs to other programs too; kubectl config changes it"},
		{expects: "events: `L`, `C`, `R` sort by last seen, count, reason", keys: []meaning{{keymap.Events, "L", keymap.SortLastSeen}, {keymap.Events, "C", keymap.SortCount}, {keymap.Events, "R", keymap.SortReason}}},
		{expects: "events: keys to sort by type, source and first seen", why: "warnings come first anyway; `shift-right` and `O` sort by any column"},
		{expects: "ConfigMaps, Secrets, claims, accounts: `u` lists what uses it", keys: means(keymap.Resource, keymap.ShowUsers, "u"), tests: []string{"ui TestUsersOfAnObject"}},
		{expects: "Secrets: `x` decodes", keys: means(keymap.Resource, keymap.DecodeSecret, "x"), tests: []string{"ui TestValuesOfASecretAreShownAfterAQuestion"}},
		{expects: "custom resources: a table with the server's columns, `enter` describes", tests: []string{"ui TestAnyResourceIsATable"}},
		{expects: "`:xray` is a tree with `l`, `p`, `d`, `y`, `e`, `ctrl-d`", commands: []string{"xray"}, keys: []meaning{{keymap.Xray, "l", keymap.OpenLogs}, {keymap.Xray, "p", keymap.OpenPrevious}, {keymap.Xray, "d", keymap.Describe}, {keymap.Xray, "y", keymap.YAML}, {keymap.Xray, "e", keymap.Edit}, {keymap.Xray, "ctrl+d", keymap.Delete}}},
		{expects: "xray: `s` and `a` enter a pod", why: "`enter` opens the job or the log, from where `s` and `a` do"},
		{expects: "digits choose tabs", keys: []meaning{{keymap.Job, "1", keymap.TabRanks}, {keymap.Job, "2", keymap.TabEvents}}},
	}
}

func expectedLogs() []expectation {
	return []expectation{
		{expects: "`0` is the tail, `1` the head, `2` to `6` the last 1, 5, 15, 30, 60 minutes", keys: []meaning{{keymap.Logs, "0", keymap.LogTail}, {keymap.Logs, "1", keymap.LogHead}, {keymap.Logs, "6", keymap.LogHour}}},
		{expects: "`/` leaves only the lines that match", why: "`/` searches, so that the lines around a hit stay in sight; `&` filters, as in less"},
		{expects: "hits are marked", tests: []string{"views/draw TestHitsAreMarkedWhereTheTextIs"}},
		{expects: "`s` follows or not, `f` is the full screen, `t` time stamps, `w` wraps", keys: []meaning{{keymap.Logs, "s", keymap.LogFollow}, {keymap.Logs, "f", keymap.LogFullScreen}, {keymap.Logs, "t", keymap.LogStamps}, {keymap.Logs, "w", keymap.Wrap}}, tests: []string{"views/logs TestStampsMarkersAndClearing"}},
		{expects: "`a` shows all containers together", why: "`a` goes from one container to the next: sidecars would break the order of steps; `v` merges ranks"},
		{expects: "`m` draws a marker, `C` clears", keys: []meaning{{keymap.Logs, "m", keymap.LogMarker}, {keymap.Logs, "C", keymap.LogClear}}, tests: []string{"views/logs TestStampsMarkersAndClearing"}},
		{expects: "`L` keeps the horizontal place", keys: means(keymap.Logs, keymap.LogColumnLock, "L")},
		{expects: "`c` copies, `ctrl-s` saves", keys: []meaning{{keymap.Logs, "c", keymap.CopyText}, {keymap.Logs, "ctrl+s", keymap.SaveText}}, tests: []string{"views/logs TestCopyIsBoundedAndSaysSo"}},
		{expects: "a line above the text says which toggles are on", tests: []string{"views/logs TestScreens"}},
		{expects: "the logs of all pods of a job in one view", keys: means(keymap.Logs, keymap.LogMerge, "v"), tests: []string{"views/logs TestMergedByTime"}},
		{expects: "`+` and `_` change the size of panes (lazydocker)", keys: []meaning{{keymap.Logs, "+", keymap.LogMorePanes}, {keymap.Logs, "_", keymap.LogFewerPanes}}, tests: []string{"views/logs TestTheGridTakesWhatHasRoom"}},
		{expects: "a key reads older lines (ktop)", keys: means(keymap.Logs, keymap.LogReload, "R"), tests: []string{"views/logs TestWhatIsWanted"}},
		{expects: "the log of the container before the newest", keys: means(keymap.Logs, keymap.LogOlder, "p"), tests: []string{"views/logs TestAttemptsAndContainersAreSelectable"}},
	}
}

func expectedTexts() []expectation {
	return []expectation{
		{expects: "`/` searches, `n` and `N` go through the hits", keys: []meaning{{keymap.Manifest, "/", keymap.Filter}, {keymap.Manifest, "n", keymap.NextMatch}, {keymap.Manifest, "N", keymap.PrevMatch}}, tests: []string{"views/draw TestPagerSearches"}},
		{expects: "`f` is the full screen", why: "a text has the whole screen; `ctrl-e` and `ctrl-g` give it the header and the breadcrumbs too"},
		{expects: "`c` copies, `ctrl-s` saves, `esc` goes back", keys: []meaning{{keymap.Manifest, "c", keymap.CopyText}, {keymap.Manifest, "ctrl+s", keymap.SaveText}, {keymap.Manifest, "esc", keymap.Back}}},
		{expects: "`r` reads again and again, or not", keys: means(keymap.Manifest, keymap.Refresh, "r"), tests: []string{"ui TestYAMLIsKeptUpToDate"}},
		{expects: "`m` shows managed fields, `x` decodes a Secret", keys: []meaning{{keymap.Manifest, "m", keymap.ManagedFields}, {keymap.Manifest, "x", keymap.DecodeSecret}}},
	}
}

func expectedGrammar() []expectation {
	return []expectation{
		{expects: "`/text` is a regular expression without regard to case, `/!text` its inverse, `/-l k=v` labels, `/-f text` fuzzy", tests: []string{"views/draw TestFilterGrammar"}},
		{expects: "a filter applies while it is typed, to all columns together, also those for which the screen is too narrow; the title names these where they decide", tests: []string{"views/draw TestFilterAndFaulty", "views/draw TestFiltersNameColumnsThatAreNotShown"}},
		{expects: "`:jobs NS`, `/text`, `k=v` and `@CONTEXT` are combined", commands: []string{"jobs"}, tests: []string{"ui TestCommandArguments"}},
		{expects: "`:ctx NAME` and `:ns NAME` change context and namespace", commands: []string{"ctx", "ns"}, tests: []string{"ui TestContextsAreListedAndChanged"}},
		{expects: "any resource by its plural, singular, short name or group", commands: []string{"pods"}, tests: []string{"ui TestOwnScreensWinAndFullNamesReachTheTable"}},
		{expects: "logs have the same grammar of filters", tests: []string{"views/logs TestFilterGrammar"}},
		{expects: "logs are filtered fuzzily or by label", why: "a line of a log has no labels, and a fuzzy filter of prose matches everything"},
	}
}

func expectedBehaviour() []expectation {
	return []expectation{
		{expects: "the footer lists the keys that are valid here, the help all", tests: []string{"ui TestTheFooterGoesByNeed", "ui TestKeysThatAreShownMeanWhatIsSaid"}},
		{expects: "`enter` again and again ends in a log", tests: []string{"ui TestEnterOnAPodOpensItsLog"}},
		{expects: "the title has resource, count and filter; filter, order and marks outlive an update", tests: []string{"views/draw TestMarksStayOnTheirObjects"}},
		{expects: "what destroys asks first, with Cancel preset, and is gone in read-only sessions; the header says so", tests: []string{"ui TestReadOnlyIsShown", "ui TestAChangeIsAskedWithCancelPreset"}},
		{expects: "results and errors are a line for some seconds", tests: []string{"ui TestNoticesOfAScreenGoWithIt"}},
		{expects: "colour is the state of a row; what runs does not look as if it failed", tests: []string{"views/resources TestStatesHaveTheirColour"}},
		{expects: "namespace and view are remembered for each context", tests: []string{"ui TestRememberedPerContext"}},
		{expects: "a server that falls silent is named within 15 seconds, at every width", tests: []string{"ui TestASilentServerIsNamedAtEveryWidth", "sources/kube TestASilentServerIsNotLive"}},
	}
}

func expectedCharts() []expectation {
	return []expectation{
		{expects: "a smoothed line over the band of all samples, weighted by step and unbiased at its beginning; `e` goes through none, .6, .9, .99", keys: means(keymap.Charts, keymap.ChartSmooth, "e"), tests: []string{"views/charts TestTheMeanIsThatOfItsDefinition", "views/charts TestMeansOutliveThinning"}},
		{expects: "a thinned curve has the dots of all samples", tests: []string{"views/draw TestADecimatedCurveHasTheDotsOfEveryPoint"}},
		{expects: "the y range leaves single outliers out and counts them; `y` shows all, or keeps it fixed", keys: means(keymap.Charts, keymap.ChartY, "y"), tests: []string{"views/charts TestRangeOf", "views/charts TestWhatIsOutsideIsSaid"}},
		{expects: "a logarithmic y axis", keys: means(keymap.Charts, keymap.ChartLog, "Y"), tests: []string{"views/draw TestTicks"}},
		{expects: "values that are no number, and spikes, are marked and jumped to", keys: append(means(keymap.Charts, keymap.ChartTrouble, "n"), means(keymap.Charts, keymap.ChartTroubleN, "N")...), tests: []string{"views/charts TestTroubleIsJumpedTo"}},
		{expects: "noise is no spike", tests: []string{"views/charts TestANoisyCurveNearZeroHasNoSpikes"}},
		{expects: "restarts are rules with their cause, lost steps and checkpoints are told", tests: []string{"views/charts TestCauseOfARestart", "views/charts TestLostStepsAndCheckpointsAreReported"}},
		{expects: "other ranks are grey, the odd one has a colour and a name", keys: means(keymap.Charts, keymap.ChartRanks, "r"), tests: []string{"views/charts TestRanksAreGreyAndTheOddOneIsNamed"}},
		{expects: "other runs are laid over, with the difference at the crosshair", keys: means(keymap.Charts, keymap.ChartOthers, "o"), tests: []string{"views/charts TestOtherRunsAreLaidOver"}},
		{expects: "step of steps, rate, time to go, stalls; the terminal's own progress", tests: []string{"views/jobs TestRunningJobsSayHowFarTheyAre", "views/charts TestProgressForTheTerminal"}},
		{expects: "speed in strips below the loss, on the same axis", keys: means(keymap.Charts, keymap.ChartMetrics, "m"), tests: []string{"views/charts TestMetricsAreChosen"}},
		{expects: "rows of GPUs below, on the same axis", keys: means(keymap.Charts, keymap.ChartGPUs, "a"), tests: []string{"views/charts TestTheSlowRankIsAStripe"}},
		{expects: "one crosshair through all, by keys and mouse; `enter` opens the line of the log", keys: means(keymap.Charts, keymap.ChartLine, "enter"), tests: []string{"views/charts TestTheCrosshairMovesByColumnsAndOpensTheLine", "views/charts TestClicks"}},
		{expects: "live, paused, and how much is new", keys: means(keymap.Charts, keymap.ChartPause, "s"), tests: []string{"views/charts TestLiveFollowsAndPausedCountsWhatIsNew"}},
		{expects: "small terminals, ASCII and no colour", tests: []string{"views/charts TestAnySize", "views/charts TestASCII"}},
		{expects: "the point, or what is shown as CSV, is copied", keys: append(means(keymap.Charts, keymap.ChartCopy, "c"), means(keymap.Charts, keymap.ChartCopyCSV, "C")...), tests: []string{"views/charts TestCSV"}},
		{expects: "the x axis is steps, time, or time without that in which no pod ran", keys: means(keymap.Charts, keymap.ChartX, "x"), tests: []string{"views/charts TestUptimeLeavesOutTheTimeWithoutPods"}},
	}
}

// A row that says yes has something to show, and that exists.
func TestExpectationsAreMet(t *testing.T) {
	for _, part := range expected() {
		for _, e := range part.all {
			if shown := len(e.keys) + len(e.commands) + len(e.tests); (shown == 0) == (e.why == "") {
				t.Errorf("%s: neither yes nor a reason, or both", e.expects)
			}
			for _, k := range e.keys {
				if action, _ := keymap.Lookup(k.scope, k.key); action != k.action {
					t.Errorf("%s: %s in %s is %q, want %q", e.expects, k.key, k.scope, action, k.action)
				}
			}
			for _, name := range e.commands {
				if _, known := commandNamed(name); !known {
					t.Errorf("%s: there is no command %s", e.expects, name)
				}
			}
			for _, name := range e.tests {
				if !hasTest(t, name) {
					t.Errorf("%s: there is no test %s", e.expects, name)
				}
			}
		}
	}
}

// hasTest reports whether a folder has a test.
func hasTest(t *testing.T, name string) bool {
	t.Helper()
	folder, test, _ := strings.Cut(name, " ")
	files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(folder), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "func "+test+"(t *testing.T)") {
			return true
		}
	}
	return false
}

// expectationsPage is docs/expectations.md.
func expectationsPage() string {
	var b strings.Builder
	b.WriteString("# What people expect\n\nWhat hands that know k9s do without thinking, and what people want of charts of training runs: whether traintop has it, and what shows it; or why not. Printed from the table in `ui/expectations_test.go`, whose test fails when a key, a command or a test that a row names is not there; `make generate` writes it anew.\n")
	for _, part := range expected() {
		fmt.Fprintf(&b, "\n## %s\n\n| Expected | | Shown by, or the reason |\n|---|---|---|\n", part.part)
		for _, e := range part.all {
			answer, shown := "yes", strings.Join(e.shown(), ", ")
			if e.why != "" {
				answer, shown = "no", e.why
			}
			fmt.Fprintf(&b, "| %s | %s | %s |\n", e.expects, answer, shown)
		}
	}
	return b.String()
}

// shown names what shows an expectation.
func (e expectation) shown() (all []string) {
	for _, k := range e.keys {
		all = append(all, fmt.Sprintf("`%s` in %s", keymap.Print(k.key), k.scope))
	}
	for _, name := range e.commands {
		all = append(all, "`:"+name+"`")
	}
	for _, name := range e.tests {
		folder, test, _ := strings.Cut(name, " ")
		all = append(all, fmt.Sprintf("%s (%s)", test, folder))
	}
	return all
}

func TestExpectationsAreDocumented(t *testing.T) {
	const path = "../docs/expectations.md"
	want := expectationsPage()
	if update := flag.Lookup("update"); update != nil && update.Value.String() == "true" {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.ReplaceAll(string(have), "\r\n", "\n") != want {
		t.Error("docs/expectations.md differs from the table; go test ./ui -run Documented -update writes it anew")
	}
}

func TestEnterClosesTheHelp(t *testing.T) {
	d := drive(t, Options{}, 120, 30).keys("?").shows("Keys in jobs")
	d.keys("enter").hides("Keys in jobs").shows("Jobs 14")
	d.keys("?", "?").hides("Keys in jobs")
	d.keys("?", "esc").hides("Keys in jobs")
}
