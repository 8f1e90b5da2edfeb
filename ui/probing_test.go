package ui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"
	"go.uber.org/goleak"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/actions/audit"
	"github.com/traintop/traintop/actions/probes"
	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

// inRanks replaces containers: it answers commands, and can do nothing else.
type inRanks struct {
	actions.Actor
	answer func(pod string, command []string) (stdout string, err error)

	mu  sync.Mutex
	ran []string // pod and command
}

func (a *inRanks) Execute(_ context.Context, e actions.Exec) error {
	a.mu.Lock()
	a.ran = append(a.ran, e.Pod+" "+strings.Join(e.Command, " "))
	a.mu.Unlock()
	stdout, err := a.answer(e.Pod, e.Command)
	_, _ = e.Stdout.Write([]byte(stdout))
	return err
}

// gpusOf is a query of nvidia-smi as driver 590 answers it on a pod with two
// H100 (shortened from sources/metrics/testdata/nvsmi-query-gpu-h100-load.csv).
func gpusOf(pod string) string {
	heading := "index, uuid, name, pci.bus_id, utilization.gpu [%], memory.used [MiB], memory.total [MiB], temperature.gpu, power.draw [W], power.limit [W], clocks.current.sm [MHz]\n"
	row := "%d, GPU-%s-%d, NVIDIA H100 80GB HBM3, 00000000:00:0%d.0, %d %%, 20130 MiB, 81559 MiB, 54, 690.12 W, 700.00 W, 1755 MHz\n"
	return heading + fmt.Sprintf(row, 0, pod, 0, 8, 97) + fmt.Sprintf(row, 1, pod, 1, 9, 31)
}

func smiAnswers(pod string, command []string) (string, error) {
	line := strings.Join(command, " ")
	switch {
	case strings.HasSuffix(pod, "-worker-1"):
		return "", &actions.Failure{Kind: actions.NoProgram, Text: "pod " + pod + ": it has no nvidia-smi"}
	case strings.Contains(line, "--query-gpu"):
		return gpusOf(pod), nil
	case strings.Contains(line, "--query-compute-apps"):
		return "gpu_uuid, pid, process_name, used_gpu_memory [MiB]\nGPU-" + pod + "-0, 4711, /usr/bin/python3, 20120 MiB\n", nil
	case strings.Contains(line, "topo"):
		return "\x1b[4m\tGPU0\tGPU1\x1b[0m\nGPU0\t X \tNV18\nGPU1\tNV18\t X \n", nil
	}
	return "NVIDIA-SMI 590.48.01 of " + pod + "\n", nil
}

func withRanks(a *inRanks) Options {
	return Options{Session: Session{Actor: a}}
}

func atNine() time.Time { return nine }

func TestNvidiaSMIInAllRanks(t *testing.T) {
	defer goleak.VerifyNone(t)
	a := &inRanks{answer: smiAnswers}
	d := drive(t, withRanks(a), 160, 45).command("jobs /bert").keys("enter", "n")
	d.shows("nvidia-smi in", "GPUs", "97 %", "31 %", "690 W of 700", "1755 MHz", "has no nvidia-smi", "1 without an answer", "every 5s")
	d.keys("r").shows("raw text, r goes back", "NVIDIA-SMI 590.48.01 of", "$ nvidia-smi")
	d.keys("3").shows("NV18", "GPU0     X ")
	d.keys("4").shows("4711", "/usr/bin/python3")
	d.keys("2").shows("nvidia-smi dmon -c")
	before := len(a.ran)
	d.keys("1", "R")
	if len(a.ran) == before {
		t.Error("R asks nobody again")
	}
	d.drain(d.m.look())
	d.keys("esc").command("gpus").shows("nvidia-smi", "97 %")
	if gpus := d.m.snapshot.AllGPUs(); !slices.ContainsFunc(gpus, func(g *train.GPUState) bool { return slices.Contains(g.Sources, train.FromTool) }) {
		t.Error("the store was told nothing")
	}
}

// Commands repeat while the screen is open, and end with it.
func TestNvidiaSMIIsRefreshed(t *testing.T) {
	a := &inRanks{answer: smiAnswers}
	d := drive(t, withRanks(a), 160, 45).command("jobs /bert").keys("enter", "n")
	ask := d.m.top().(views.Asking).Ask(d.m.frame())
	round := askAgain{d.m.ctx, d.m.asking.generation, *ask}
	before := len(a.ran)
	d.send(round)
	if got := len(a.ran) - before; got != len(ask.Runs) {
		t.Errorf("%d runs in the second round, want %d", got, len(ask.Runs))
	}
	d.keys("esc")
	before = len(a.ran)
	if d.send(round); len(a.ran) != before {
		t.Error("a screen that was left goes on asking")
	}
}

func TestWhyThereIsNoNvidiaSMI(t *testing.T) {
	for text, err := range map[string]error{
		"may not exec":            &actions.Failure{Kind: actions.Forbidden, Text: "you may not exec into pods: ask for the right create on pods/exec"},
		"it did not end in 20s":   &actions.Failure{Kind: actions.TooLate, Text: "it did not end in 20s"},
		"could not communicate":   &actions.ExitError{Code: 9},
		"the connection was lost": &actions.Failure{Kind: actions.Lost, Text: "the connection was lost"},
	} {
		a := &inRanks{answer: func(string, []string) (string, error) {
			if exit := (*actions.ExitError)(nil); errors.As(err, &exit) {
				return "NVIDIA-SMI has failed because it could not communicate with the NVIDIA driver.\n", err
			}
			return "", err
		}}
		drive(t, withRanks(a), 200, 45).command("jobs /bert").keys("enter", "n").shows(text)
	}
	drive(t, Options{}, 120, 30).command("jobs /bert").keys("enter", "n").shows("there is no cluster here to act in")
}

// resolves answers the probe of the first rank's name: one rank cannot resolve
// it.
func resolves(pod string, command []string) (string, error) {
	if !strings.Contains(strings.Join(command, " "), "MASTER_ADDR") {
		return "", &actions.Failure{Kind: actions.NoProgram, Text: "no such program"}
	}
	if strings.HasSuffix(pod, "-worker-2") {
		return "variable MASTER_ADDR\nhost bert-large-master-0\nunresolved \x1b[31m[Errno -2] Name or service not known\n", nil
	}
	return "variable MASTER_ADDR\nhost bert-large-master-0\naddress 10.0.0.7\n", nil
}

func TestProbesLayAnswersSideBySide(t *testing.T) {
	defer goleak.VerifyNone(t)
	a := &inRanks{answer: resolves}
	d := drive(t, withRanks(a), 160, 45).command("jobs /bert").keys("enter", "x")
	d.shows("Probes 13", "cuda-visible", "ASKS")
	d.keys("/").types("dnsm").keys("enter")
	d.shows("Probes 1", "dns-master", "/dnsm")
	d.keys("enter")
	d.shows("MASTER_ADDR resolves in", "1 bad", "alike", "does not resolve")
	d.hides("\x1b[31m[Errno")
	lines := strings.Split(d.screen(), "\n")
	first := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "ANSWER") }) + 1
	if !strings.Contains(lines[first], "does not resolve") {
		t.Errorf("the odd one is not on top: %q", lines[first])
	}
	n := len(a.ran)
	if d.keys("r"); len(a.ran) != 2*n {
		t.Errorf("%d commands after a second run, want %d", len(a.ran), 2*n)
	}
	d.keys("C")
	if !strings.Contains(d.copied, "bad: bert-large-master-0 does not resolve") || strings.Contains(d.copied, "\x1b") {
		t.Errorf("copied %q", d.copied)
	}
	d.keys("enter").shows("unresolved")
	d.keys("esc", "tab").shows("in rank")
	if len(d.m.filed.answers) == 0 || !slices.ContainsFunc(d.m.filed.answers, func(p diagnose.ProbeAnswer) bool { return p.Bad && p.Odd && p.Probe == "dns-master" }) {
		t.Errorf("filed %+v", d.m.filed.answers)
	}
}

// A probe that changes something asks first, with Cancel preset, and is
// recorded; where nothing may be changed it is not offered.
func TestProbesThatWriteAskFirst(t *testing.T) {
	own, err := probes.Own{Name: "touch-it", Command: []string{"touch", "/ckpt/x"}}.Probe()
	if err != nil {
		t.Fatal(err)
	}
	harmless, err := probes.Own{Name: "look-at-it", Command: []string{"ls"}, Harmless: true}.Probe()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	a := &inRanks{answer: func(string, []string) (string, error) { return "", nil }}
	o := withRanks(a)
	o.Probes, o.Audit = []probes.Probe{own, harmless}, audit.New(path, atNine)
	d := drive(t, o, 120, 40).command("jobs /bert").keys("enter", "x", "/").types("touchit").keys("enter", "enter")
	d.shows("Run touch-it?", "It runs in")
	if d.keys("enter"); len(a.ran) > 0 {
		t.Errorf("Cancel is not preset: %q ran", a.ran)
	}
	d.keys("enter", "tab", "enter").shows("touch-it in")
	if len(a.ran) == 0 {
		t.Fatal("it was confirmed and did not run")
	}
	record, err := os.ReadFile(path)
	if err != nil || strings.Count(string(record), "probe touch-it") != 2*len(a.ran) {
		t.Errorf("%d ran, recorded: %s, %v", len(a.ran), record, err)
	}
	n := len(a.ran)
	if d.keys("r").shows("Run touch-it?"); len(a.ran) != n {
		t.Error("again does not ask")
	}
	d.keys("tab", "enter").shows("touch-it in")
	if len(a.ran) != 2*n {
		t.Errorf("%d ran, want %d", len(a.ran), 2*n)
	}

	o = withRanks(a)
	o.Probes, o.ReadOnly = []probes.Probe{own, harmless}, true
	d = drive(t, o, 120, 40).command("jobs /bert").keys("enter", "x")
	d.shows("look-at-it")
	d.hides("touch-it", "write-test")
	ran := len(a.ran)
	d.m.nav.open(views.AnswersRoute{Probe: "touch-it", Job: d.m.lastJob})
	if d.keys("r").shows("read-only"); len(a.ran) != ran {
		t.Error("it runs in a read-only session")
	}
}

func TestAProbeThatCannotBeRecordedIsNotRun(t *testing.T) {
	own, err := probes.Own{Name: "touch-it", Command: []string{"touch", "/ckpt/x"}}.Probe()
	if err != nil {
		t.Fatal(err)
	}
	a := &inRanks{answer: func(string, []string) (string, error) { return "", nil }}
	o := withRanks(a)
	o.Probes, o.Audit = []probes.Probe{own}, audit.New(t.TempDir(), atNine) // a folder
	d := drive(t, o, 160, 40).command("jobs /bert").keys("enter", "x", "/").types("touchit").keys("enter", "enter", "tab", "enter")
	if d.shows("cannot be recorded"); len(a.ran) > 0 {
		t.Errorf("%q ran", a.ran)
	}
}

// A step of a diagnosis that names a probe runs it, and its answer is listed as
// evidence on return.
func TestStepsRunTheirProbes(t *testing.T) {
	a := &inRanks{answer: func(pod string, _ []string) (string, error) {
		if strings.HasSuffix(pod, "-3") {
			return "", &actions.Failure{Kind: actions.Lost, Text: "the connection was lost"}
		}
		return "@process|17|S|0|python train.py\nProcess 17: python train.py\nPython v3.11.9\n\nThread 17 (idle): \"MainThread\"\n    all_reduce (torch/distributed/distributed_c10d.py:2501)\n    train (train.py:88)\n@end\n", nil
	}}
	o := withRanks(a)
	o.Store = fromFiles(t, "../testdata/demo/vision.yaml", "../testdata/demo/logs/vision")
	d := drive(t, o, 160, 60).command("jobs /vit-elastic").keys("D", "right", "right", "right", "right", "right")
	d.shows("probe python-stack", "enter runs it in the ranks")
	for range 20 {
		if d.keys("j"); onProbe(d) {
			break
		}
	}
	d.keys("enter").shows("could not be told", "the connection was lost")
	if len(a.ran) == 0 {
		t.Fatal("nothing was run")
	}
	d.keys("esc").shows("probe python-stack", "Evidence", "all_reduce")
}

// onProbe reports whether the line under the cursor is a step with a probe.
func onProbe(d *driver) bool {
	return slices.ContainsFunc(strings.Split(d.screen(), "\n"), func(l string) bool {
		return strings.HasPrefix(l, d.m.theme.Glyphs.Cursor) && strings.Contains(l, "probe python-stack") && strings.Contains(l, "enter runs it")
	})
}

// The keys of actions work on every screen that has them.
func TestWhatIsActedOn(t *testing.T) {
	a := &inRanks{answer: smiAnswers}
	for name, lead := range map[string]func(d *driver){
		"job, none chosen":  func(d *driver) { d.command("jobs /bert").keys("enter") },
		"job, events":       func(d *driver) { d.command("jobs /bert").keys("enter", "2") },
		"job, objects":      func(d *driver) { d.command("jobs /bert").keys("enter", "3") },
		"jobs":              func(d *driver) { d.command("jobs /bert") },
		"diagnosis":         func(d *driver) { d.command("jobs /bert").keys("D") },
		"job, one of many":  func(d *driver) { d.command("jobs /bert").keys("enter", "j") },
		"rank":              func(d *driver) { d.command("jobs /bert").keys("enter", "i") },
		"node":              func(d *driver) { d.command("jobs /bert").keys("enter", "o") },
		"nodes":             func(d *driver) { d.command("nodes").keys("j") },
		"GPUs":              func(d *driver) { d.command("gpus /bert") },
		"answers of probes": func(d *driver) { d.command("jobs /bert").keys("enter", "x", "enter") },
	} {
		d := drive(t, withRanks(a), 160, 45)
		lead(d)
		d.keys("n")
		all := strings.HasPrefix(name, "job, none") || name == "job, events" || name == "job, objects" || name == "jobs" || name == "diagnosis"
		one := name == "job, one of many" || name == "rank"
		switch screen := d.screen(); {
		case !strings.Contains(screen, "nvidia-smi in"):
			t.Errorf("%s: n does not open nvidia-smi:\n%s", name, screen)
		case all && !strings.Contains(screen, "nvidia-smi in all"), one && !strings.Contains(screen, "nvidia-smi in rank "):
			t.Errorf("%s: %s", name, strings.Split(screen, "\n")[5])
		}
	}
}

// probingPaths are the keys that open the screens that run commands in ranks.
var probingPaths = []struct {
	name string
	keys []string
}{
	{"smi", []string{"n"}},
	{"smi-raw", []string{"n", "r"}},
	{"smi-processes", []string{"n", "4"}},
	{"probes", []string{"x"}},
	{"answers", []string{"x", "j", "j", "enter"}},
}

func answerAll(pod string, command []string) (string, error) {
	if command[0] == "nvidia-smi" {
		return smiAnswers(pod, command)
	}
	return resolves(pod, command)
}

func TestProbingScreens(t *testing.T) {
	for _, size := range sizes {
		for _, path := range probingPaths {
			t.Run(fmt.Sprintf("%dx%d/%s", size.width, size.height, path.name), func(t *testing.T) {
				d := drive(t, withRanks(&inRanks{answer: answerAll}), size.width, size.height)
				d.command("jobs /bert").keys("enter").keys(path.keys...)
				d.send(noticeOver(d.m.notice.generation))
				checkSize(t, d.coloured(), size.width, size.height)
				golden.RequireEqual(t, d.screen())
			})
		}
	}
}

// Every key of these screens has an effect on them, in every tab, also where
// nothing is shown.
func TestEveryKeyOfProbingIsHandled(t *testing.T) {
	folder := t.TempDir()
	objects := fixture(t)
	for _, path := range probingPaths {
		for _, filter := range []string{"", "nothing has this text"} {
			lead := func() *driver {
				o := withRanks(&inRanks{answer: answerAll})
				o.Store, o.SaveIn = objects, folder
				d := drive(t, o, 120, 30).command("jobs /bert").keys("enter").keys(path.keys...)
				if filterable, is := d.m.top().(views.Filterable); is && filter != "" {
					if err := filterable.SetFilter(filter); err != nil {
						t.Fatal(err)
					}
					d.m.dirty = true
				}
				return d
			}
			there := newPlaceKeys(lead)
			for _, b := range keymap.In(there.d.m.top().Scope()) {
				if b.Action == keymap.Shell {
					continue // uses the terminal
				}
				if wrong := there.press(b.Keys[0]); wrong != "" {
					t.Errorf("%s, filter %q, %s (%s): %s", path.name, filter, b.Keys[0], b.Action, wrong)
				}
			}
		}
	}
}

// The output of a container may hold any escape sequence: none reaches the
// terminal.
func TestHostileAnswersAreSafe(t *testing.T) {
	evil := strings.Repeat("\x1b]0;owned\x07\x1b[2J\x1b[31mred\r\n\ttab\xff\u202e", 2000)
	a := &inRanks{answer: func(_ string, command []string) (string, error) {
		if strings.Contains(strings.Join(command, " "), "query-gpu") {
			return gpusOf("\x1b]0;x\x07\u202e") + evil, nil
		}
		return "gpu_uuid, pid, process_name, used_gpu_memory [MiB]\nGPU-1, 7, " + evil + ", 1 MiB\n" + evil, nil
	}}
	for _, keys := range [][]string{{"n"}, {"n", "r"}, {"n", "4"}, {"n", "2"}, {"x", "enter"}, {"x", "enter", "enter"}, {"x", "G", "enter"}} {
		d := drive(t, withRanks(a), 100, 30).command("jobs /bert").keys("enter").keys(keys...)
		checkSize(t, d.coloured(), 100, 30)
		if strings.ContainsAny(d.screen(), "\x07\r\u202e") || strings.Contains(d.coloured(), "\x1b]0") || strings.Contains(d.coloured(), "\x1b[2J") {
			t.Errorf("%v: %q", keys, d.screen())
		}
	}
}
