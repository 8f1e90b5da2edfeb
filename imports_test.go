package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/traintop/traintop"

// mayImport lists which of our folders a folder may import, and why. A folder
// covers itself and everything below it unless a longer entry matches. A
// row that no import needs any more is stale and fails the test.
var mayImport = []struct {
	folder  string
	imports []string
	reason  string
}{
	{".", []string{"cli"}, "main calls cli and nothing else"},
	{"cli", []string{"alerts", "alerts/receivers", "jobmetrics", "views", "wait", "wait/watcher", "cli/explain", "sources/yamltext", "actions", "actions/audit", "diagnose", "diagnose/signals", "ui", "views/charts", "views/draw", "themes", "sources/kube", "sources/prometheus", "sources/dump", "sources/logfeed", "sources/formats", "sources/recording", "sources/redact", "sources", "store", "store/lastlook", "store/series", "store/streams", "train", "train/jobname", "demo", "termtext"}, "commands wire sources to the store to a screen or a printed answer; tables are printed from the columns that screens draw, so that both say the same"},
	{"sources/formats/draft", []string{"sources/formats"}, "a line and picked numbers in, a pattern out; names are those that the formats know"},
	{"cli/explain", []string{"sources/dump", "sources/formats", "sources/localfile", "sources/redact", "train", "termtext"}, "it reads one line of a log as curves does, and prints it masked"},
	{"cli/config", []string{"alerts", "diagnose", "train", "sources/localfile", "sources/prometheus", "sources/formats", "store", "diagnose/signals", "actions/probes", "ui/tasks", "ui/custom", "views", "keymap", "themes", "termtext", "alerts/receivers"}, "the configuration file, before anything is started, and its settings as a screen lists them"},
	{"cli/arguments", []string{"train", "termtext"}, "words of a command line in, ranks out"},
	{"train/jobname", []string{"train/kinds", "train", "termtext"}, "a typed word in, the jobs that it means out"},
	{"cli/points", []string{"cli/arguments", "cli/jsontext", "sources/redact", "store", "store/series", "termtext", "train"}, "logs of a snapshot in, points as JSON, CSV or a table out"},
	{"cli/logsread", []string{"cli/jsontext", "diagnose", "store", "store/streams", "termtext", "train"}, "a snapshot in, the logs to read out, and what was not read of them"},
	{"cli/process", []string{"sources/redact", "termtext"}, "the process that a command runs in"},
	{"cli/jsontext", []string{"sources/redact", "termtext"}, "answers in, JSON that is safe for a terminal out"},
	{"cli/examples", nil, "command lines that --help shows"},
	{"cli/findingmarks", []string{"diagnose", "sources/recording", "store", "train"}, "diagnoses in, marks of a recording out"},
	{"cli/outlets", []string{"alerts", "alerts/receivers", "cli/jsontext", "termtext"}, "notices in, lines and sent messages out"},
	{"cli/watchloop", []string{"alerts", "diagnose", "sources", "sources/kube", "store", "store/lastlook", "store/streams", "train"}, "a source and a watcher in; it diagnoses as the source changes"},
	{"jobmetrics", []string{"diagnose", "sources/redact", "store", "store/series", "train", "termtext"}, "snapshots and reports in, series of Prometheus out"},
	{"cli/mergedlogs", []string{"sources", "store", "train", "termtext", "store/loglines"}, "lines in, lines in the order of loglines out; events in, those with the lines that are wanted out"},
	{"ui/custom", []string{"keymap"}, "what a person added to the screen: words and keys in, command lines out"},
	{"ui", []string{"alerts", "ui/incidentlist", "ui/custom", "ui/tasks", "ui/terminal", "sources/localfile", "sources/yamltext", "actions", "actions/audit", "actions/changes", "actions/targets", "views", "views/draw", "diagnose", "diagnose/signals", "keymap", "themes", "store", "store/lastlook", "store/streams", "train", "train/jobname", "train/kinds", "termtext", "sources/redact"}, "the shell routes to the screens and waits on the store; it never sees a source"},
	{"ui/incidentlist", []string{"alerts", "diagnose", "store", "train"}, "the incidents of a session, from its diagnoses and from files that it shares with a watcher"},
	{"ui/terminal", []string{"actions", "themes"}, "who has the terminal: a command in a container, or the screen"},
	{"ui/tasks", []string{"ui/custom", "termtext", "ui/terminal", "views", "sources/localfile", "actions", "actions/audit", "actions/changes", "actions/targets", "views/dialog", "views/draw", "themes", "store", "train"}, "what a key asks for in the cluster, from the question to the end; the program around it is a Host"},
	{"views/draw", []string{"themes", "keymap", "train", "termtext"}, "drawing knows cells, roles, what a key asks of every table, and the words for states; not what is drawn"},
	{"views", []string{"alerts", "termtext", "actions", "views", "views/draw", "diagnose", "keymap", "themes", "store", "store/loglines", "store/series", "store/streams", "train", "train/kinds", "sources/redact", "sources/formats/draft"}, "a screen draws a snapshot; a format of one's own is made from lines alone; the contract is the package views itself; termtext has plurals and ranges of ranks"},
	{"views/screentest", []string{"views", "views/draw", "diagnose", "sources/dump", "train/kinds", "store", "testdata", "themes", "train"}, "what tests of screens share: screens, frames and texts"},
	{"sources/signatures", []string{"train", "termtext"}, "texts in, causes out"},
	{"diagnose/logfindings", []string{"sources/signatures", "store", "store/series", "train", "termtext"}, "what the logs of a job say about its end, for the engine"},
	{"diagnose/capacity", []string{"train/kinds", "store", "train", "termtext"}, "nodes and pods in, what fits out: no rule, no job"},
	{"diagnose/rule", []string{"diagnose/capacity", "diagnose/logfindings", "diagnose/signals", "sources/signatures", "train/kinds", "store", "train", "termtext"}, "what rules read and write; it knows no single cause"},
	{"diagnose/scheduling", []string{"diagnose/capacity", "diagnose/logfindings", "diagnose/rule", "sources/signatures", "train/kinds", "train", "termtext"}, "the stage that the stages after it ask where pods stand"},
	{"diagnose/admission", []string{"diagnose/capacity", "diagnose/logfindings", "diagnose/rule", "diagnose/scheduling", "sources/signatures", "train/kinds", "train", "termtext"}, "a stage is its rules; which pods wait, scheduling knows"},
	{"diagnose/volumes", []string{"diagnose/logfindings", "diagnose/rule", "diagnose/scheduling", "sources/signatures", "train/kinds", "train", "termtext"}, "a stage is its rules; which pods wait, scheduling knows"},
	{"diagnose/images", []string{"diagnose/logfindings", "diagnose/rule", "train/kinds", "train"}, "a stage is its rules"},
	{"diagnose/startup", []string{"diagnose/logfindings", "diagnose/rule", "diagnose/scheduling", "train", "train/kinds"}, "a stage is its rules; which of a job's pods are gone, scheduling knows"},
	{"diagnose/runtime", []string{"diagnose/capacity", "diagnose/logfindings", "diagnose/rule", "diagnose/scheduling", "train/kinds", "store/series", "train", "termtext"}, "a stage is its rules; who never ran, scheduling knows; what a pod holds and tolerates, capacity"},
	{"diagnose", []string{"diagnose/admission", "diagnose/capacity", "diagnose/images", "diagnose/logfindings", "diagnose/rule", "diagnose/runtime", "diagnose/scheduling", "diagnose/signals", "sources/signatures", "diagnose/startup", "diagnose/volumes", "train/kinds", "sources/redact", "store", "store/series", "train", "termtext"}, "the engine: a snapshot in, findings out; it runs the stages' rules, orders what they find and concludes"},
	{"store/streams", []string{"store", "train/kinds", "train"}, "which logs to follow is decided from a snapshot"},
	{"store/lastlook", []string{"store", "train/kinds", "train"}, "events in, and what is about to be deleted out, for those that look now and then"},
	{"store/series", []string{"train"}, "samples in, curves out"},
	{"store/loglines", []string{"train"}, "lines in bounded memory"},
	{"store/history", []string{"train"}, "numbers over an hour in few bytes"},
	{"store/gpus", []string{"train", "store/history"}, "readings in, the GPUs of a node and their history out; of objects it knows what the store answers it"},
	{"store", []string{"train", "train/kinds", "store/series", "store/loglines", "store/history", "store/gpus"}, "the store joins objects into jobs with kinds, which is pure, and keeps logs and the past of GPUs"},
	{"sources/formats", []string{"train"}, "log lines in, samples out"},
	{"sources/logfeed", []string{"sources/signatures", "sources", "sources/formats", "store", "train", "termtext"}, "bytes of a log in, events out: what every source of logs does"},
	{"train/kinds", []string{"train", "termtext"}, "objects in, nouns out"},
	{"sources/metrics/readings", []string{"termtext", "train"}, "what reading such a text answers, and which numbers a GPU can have"},
	{"sources/metrics/tools", []string{"sources/metrics/readings", "train"}, "text of vendors' tools in, readings of GPUs out"},
	{"sources/metrics", []string{"sources/metrics/readings", "sources/metrics/tools", "termtext", "train"}, "text of exporters and of Prometheus in, readings of GPUs out; what tools print, tools reads"},
	{"sources/kube/client", []string{"sources/localfile", "sources/proxyenv", "sources/redact", "termtext", "train/kinds"}, "the connection to an API server: what lists, logs, scrapes and acts asks through it; messages of credential plugins lose their secrets here"},
	{"sources/kube/act", []string{"actions", "sources/kube/client", "sources/redact", "sources/yamltext", "termtext", "train", "train/kinds"}, "what actions has words for is carried out here, over the connection"},
	{"sources/kube", []string{"sources", "sources/formats", "sources/kube/act", "sources/kube/client", "sources/logfeed", "sources/metrics", "sources/redact", "store", "store/streams", "termtext", "train", "train/kinds"}, "a source feeds events to a sink; a plan says which logs; a cluster has its actor"},
	{"sources/dump/document", nil, "the text of one object in, its value out"},
	{"sources/dump/exported", []string{"sources/logfeed"}, "documents of collectors and trainers in, lines of a log out"},
	{"sources/dump", []string{"sources/dump/document", "sources/dump/exported", "sources/localfile", "sources/yamltext", "sources", "train/kinds", "sources/logfeed", "sources/metrics", "sources/recording", "sources/redact", "store", "train", "termtext"}, "a source feeds events to a sink"},
	{"sources/prometheus", []string{"sources/localfile", "sources/proxyenv", "sources", "sources/metrics", "sources/redact", "store", "train", "termtext"}, "a source feeds events to a sink, without secrets that answers quote; what is asked and what answers mean, sources/metrics knows"},
	{"sources/recording", []string{"sources", "train/kinds", "store", "train", "termtext"}, "what a sink is told goes into a file and comes out as a source, safe for a terminal"},
	{"sources/redact/eventmask", []string{"train/kinds", "sources/redact", "store", "train"}, "events in, the same without secrets out: for what is written to files"},
	{"sources/redact", nil, "a leaf: what is secret by its shape or its name"},
	{"sources/flightrecord", []string{"termtext"}, "dumps in, lines of a log out; their texts are any process's"},
	{"sources/proxyenv", []string{"sources/redact", "termtext"}, "the proxy that the environment names for a server; a password in its address is masked here"},
	{"sources/localfile", []string{"termtext"}, "a leaf: small plain files, opened without waiting"},
	{"sources/yamltext", []string{"termtext"}, "values as YAML that a terminal can show"},
	{"sources", []string{"store"}, "the contract names the store's events"},
	{"alerts", []string{"diagnose", "sources/localfile", "sources/redact", "store", "train", "termtext"}, "diagnoses in, incidents and notices out; where notices go, alerts/receivers knows"},
	{"alerts/receivers", []string{"alerts", "sources/localfile", "sources/proxyenv", "sources/redact", "train", "termtext"}, "notices in, messages of chats, mail and pagers out; secrets are read from plain files, and masked in what is sent"},
	{"wait", []string{"diagnose", "store", "store/series", "train", "termtext"}, "snapshots and diagnoses in, lines and outcomes out"},
	{"wait/watcher", []string{"wait", "sources", "store", "train", "train/kinds"}, "a sink that takes a snapshot after each event about a job"},
	{"train", nil, "the nouns depend on nothing"},
	{"keymap", nil, "a leaf: one table of keys"},
	{"themes", nil, "a leaf: colour roles"},
	{"termtext", nil, "a leaf: which characters may reach a terminal; every folder that shows, keeps or answers with text from outside asks it"},
	{"actions/targets", []string{"actions", "train/kinds", "store", "train"}, "which containers a choice means"},
	{"actions/changes", []string{"actions", "train/kinds", "store", "train", "termtext"}, "a snapshot and a choice in, requests out; kinds knows where a job says its size and that it is suspended"},
	{"actions/smi", []string{"actions", "sources/metrics", "store", "train", "termtext"}, "which tool a pod has, and what its text says; the texts sources/metrics knows"},
	{"actions/audit", []string{"actions", "sources/redact", "train", "termtext"}, "what was changed, as lines of a file without secrets"},
	{"actions/probes", []string{"actions", "actions/smi", "sources/redact", "store", "termtext"}, "what is run in ranks, and what the answers mean; secrets in them are masked"},
	{"actions", []string{"train"}, "the words for what is done, which depend on nouns alone"},
	{"demo", []string{"sources/recording", "testdata/story"}, "an embedded recording and what is told beside it"},
	{"testdata", nil, "embedded files"},
	{"testdata/story", nil, "embedded files"},
}

// onlyHere lists libraries that one part of the tree owns.
var onlyHere = []struct {
	library string
	folders []string
	reason  string
}{
	{"k8s.io/client-go", []string{"sources/kube", "sources/prometheus"}, "what talks to an API server lives in one place; Prometheus is reached with the same transport (token files, certificates)"},
	{"k8s.io/metrics", []string{"sources/kube", "sources/metrics"}, "the types of metrics.k8s.io are read where the API server is asked, and where its answer is a file"},
	{"k8s.io/cli-runtime", []string{"sources/kube", "cli"}, "kubectl's own connection flags: declared by cli, followed by sources/kube"},
	{"charm.land/bubbletea", []string{"ui", "views/input"}, "the event loop belongs to the shell, screens are functions; the line editor of bubbles takes keys as messages"},
	{"charm.land/bubbles", []string{"ui", "views"}, "widgets belong to what draws"},
	{"github.com/NimbleMarkets/ntcharts", []string{"views/draw"}, "screens draw through draw, which knows roles, layers and ASCII glyphs"},
	{"charm.land/lipgloss", []string{"ui", "views", "themes"}, "sources and the store know no terminal"},
	{"github.com/spf13/cobra", []string{"cli"}, "command lines live in cli"},
	{"golang.org/x/image", []string{"themes"}, "names of colours are read where themes are made"},
	{"github.com/fsnotify/fsnotify", []string{"cli/config"}, "the files that are watched are those of the configuration"},
	{"github.com/gofrs/flock", []string{"sources/recording"}, "files that only one process may write, recordings and the states of watchers, are locked in one way"},
	{"github.com/klauspost/compress", []string{"sources/recording"}, "the format of recordings is one place's matter"},
	{"github.com/wneessen/go-mail", []string{"alerts/receivers"}, "mail is a receiver of alerts"},
	{"github.com/prometheus/client_golang", []string{"jobmetrics"}, "what is served to Prometheus is in one place"},
	{"github.com/prometheus/common", []string{"sources/metrics"}, "what exporters write is parsed in one place"},
}

type goPackage struct {
	ImportPath, Export                 string // Export is the file of what it compiles to
	Imports, TestImports, XTestImports []string
}

func TestImportDirections(t *testing.T) {
	used := map[string]bool{}
	for _, p := range packages(t) {
		folder := folderOf(p.ImportPath)
		row := rowFor(folder)
		if row < 0 {
			t.Errorf("%s: no row in mayImport says what it may import", folder)
			continue
		}
		for _, imported := range p.Imports {
			if strings.HasPrefix(imported, module) {
				checkOwn(t, folder, row, folderOf(imported), used)
				continue
			}
			checkLibrary(t, folder, imported)
		}
	}
	for _, row := range mayImport {
		for _, imported := range row.imports {
			if !used[row.folder+" "+imported] {
				t.Errorf("stale: nothing in %s imports %s any more", row.folder, imported)
			}
		}
	}
}

func checkOwn(t *testing.T, folder string, row int, imported string, used map[string]bool) {
	t.Helper()
	allowed := mayImport[row]
	for _, may := range allowed.imports {
		if imported == may || strings.HasPrefix(imported, may+"/") && !hasOwnEntry(allowed.imports, imported) {
			used[allowed.folder+" "+may] = true
			return
		}
	}
	if imported != folder && !(within(folder, allowed.folder) && within(imported, allowed.folder) && allowed.folder != "views") {
		t.Errorf("%s imports %s; it may import %v: %s", folder, imported, allowed.imports, allowed.reason)
	}
}

func checkLibrary(t *testing.T, folder, imported string) {
	t.Helper()
	for _, rule := range onlyHere {
		if !strings.HasPrefix(imported, rule.library) {
			continue
		}
		if !slices.ContainsFunc(rule.folders, func(f string) bool { return within(folder, f) }) {
			t.Errorf("%s imports %s, which only %v may: %s", folder, imported, rule.folders, rule.reason)
		}
	}
}

func hasOwnEntry(imports []string, folder string) bool {
	return slices.Contains(imports, folder)
}

func within(folder, parent string) bool {
	return folder == parent || strings.HasPrefix(folder, parent+"/")
}

func folderOf(path string) string {
	if path == module {
		return "."
	}
	return strings.TrimPrefix(path, module+"/")
}

// rowFor returns the longest entry of mayImport that covers a folder.
func rowFor(folder string) int {
	best := -1
	for i, row := range mayImport {
		if within(folder, row.folder) && (best < 0 || len(row.folder) > len(mayImport[best].folder)) {
			best = i
		}
	}
	return best
}

// TestOnlyTheStoreCompilesItsMaps holds that maps of the store stay behind an
// interface (docs/decisions/009-copy-on-write-trees.md).
func TestOnlyTheStoreCompilesItsMaps(t *testing.T) {
	compiled := 0
	for _, p := range packages(t, "-export") {
		object, err := os.ReadFile(p.Export)
		if err != nil {
			t.Fatalf("what %s compiles to: %v", p.ImportPath, err)
		}
		has := bytes.Contains(object, []byte("tidwall/btree.(*Map["))
		if inStore := strings.HasSuffix(p.ImportPath, "/store"); inStore && has {
			compiled++
		} else if has {
			t.Errorf("%s compiles the maps of the store anew: a field names one, or a function that touches one is inlined", p.ImportPath)
		}
	}
	if compiled != 1 {
		t.Error("the store itself was not seen to compile them")
	}
}

// packages lists the packages of the module; with the flag -export it compiles
// them.
func packages(t *testing.T, flags ...string) []goPackage {
	t.Helper()
	list := exec.Command("go", slices.Concat([]string{"list", "-json=ImportPath,Imports,Export"}, flags, []string{"./..."})...)
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []goPackage
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatalf("go list answered %v", err)
		}
		all = append(all, p)
	}
}
