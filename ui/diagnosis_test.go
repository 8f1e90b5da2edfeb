package ui

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
)

// Dumps of a real control plane, which train/kinds and diagnose keep with a
// note on how they were recorded.
const (
	ofKinds    = "../train/kinds/testdata/clusters/"
	ofDiagnose = "../diagnose/testdata/clusters/"
)

var diagnosed = []struct {
	name, file string
	keys       []string
}{
	{"pending-gpu", ofDiagnose + "pytorch-pending-gpu.yaml", nil},
	{"image-not-found", ofKinds + "pytorch-image-not-found.yaml", []string{"j", "j"}},
	{"crashloop", ofKinds + "pytorch-crashloop.yaml", []string{"G"}},
	{"healthy", ofDiagnose + "pytorch-running.yaml", nil},
	{"done", ofKinds + "tfjob-succeeded.yaml", nil},
	{"another-stage", ofDiagnose + "tfjob-pvc-missing.yaml", []string{"left"}},
}

func TestDiagnosisScreens(t *testing.T) {
	for _, size := range sizes {
		for _, of := range diagnosed {
			t.Run(fmt.Sprintf("%dx%d/%s", size.width, size.height, of.name), func(t *testing.T) {
				d := drive(t, Options{Session: Session{Store: fromFiles(t, of.file)}}, size.width, size.height)
				d.keys("D").keys(of.keys...)
				checkSize(t, d.coloured(), size.width, size.height)
				golden.RequireEqual(t, uncounted(d.screen()))
			})
		}
		t.Run(fmt.Sprintf("%dx%d/findings", size.width, size.height), func(t *testing.T) {
			d := drive(t, Options{}, size.width, size.height).command("diagnose")
			checkSize(t, d.coloured(), size.width, size.height)
			golden.RequireEqual(t, uncounted(d.screen()))
		})
	}
}

// counted is how many causes were ruled out or not checked: each new cause adds
// one.
var counted = regexp.MustCompile(`(Ruled out|Not checked)  [0-9]+ causes?(, [0-9]+ of them)?`)

// uncounted is a screen without the number of causes.
func uncounted(screen string) string { return counted.ReplaceAllString(screen, "$1  N causes") }

// A cause that was ruled out is counted, and listed in words on a key.
func TestRuledOutCausesAreListedInWords(t *testing.T) {
	d := drive(t, Options{Session: Session{Store: fromFiles(t, ofDiagnose+"pytorch-pending-gpu.yaml")}}, 120, 60).keys("D")
	d.shows("Ruled out", "R lists them").hides("api-version-no-match", "CPU is short")
	d.keys("R").shows("Ruled out").hides("R lists them", "api-version-no-match")
	d.keys("ctrl+f").shows("admission")
	d.keys("R").shows("R lists them")
}

// The output of a step's command is shown in place, evidence is opened on its
// screen, and everything else is copied.
func TestDiagnosisLeadsOn(t *testing.T) {
	open := func(file string, keys ...string) *driver {
		return drive(t, Options{Session: Session{Store: fromFiles(t, file)}}, 120, 40).keys("D").keys(keys...)
	}
	open(ofKinds+"pytorch-image-not-found.yaml", "enter").shows("ImagePullBackOff")
	open(ofDiagnose+"pytorch-pending-gpu.yaml", "G", "enter").shows("Node gpu-h100-0")
	open(ofDiagnose+"pytorch-pending-gpu.yaml", "enter").shows("llama-70b-worker-1")
	d := open(ofDiagnose+"tfjob-pvc-missing.yaml", "j", "enter")
	d.shows("copied")
	if d.copied == "" {
		t.Error("nothing was copied")
	}
	d.keys("left").shows("[schedule")
	d.keys("right", "right").shows("[image")
	open(ofDiagnose+"pytorch-running.yaml").shows("Nothing wrong", "admission", "passed")
}

func TestFindingsLeadToTheirJobs(t *testing.T) {
	d := drive(t, Options{}, 160, 45).command("diagnose")
	d.shows("Findings", "need you", "CAUSE")
	d.keys("enter", "enter").shows("Evidence")
}

// The diagnosis is one key away on every screen of jobs.
func TestDiagnosisFromEveryScreen(t *testing.T) {
	open := func() *driver { return drive(t, Options{}, 160, 45) }
	for name, keys := range map[string][]string{"job": {"enter"}, "rank": {"enter", "i"}, "logs": {"l"}, "charts": {"C"}} {
		t.Run(name, func(t *testing.T) { open().keys(keys...).keys("D").shows("[progress", "Evidence") })
	}
	for list, keys := range map[string][]string{"diagnose": {"D", "D"}, "gpus": {"D"}, "events": {"D"}, "nodes": {"j", "enter", "D"}} {
		t.Run(list, func(t *testing.T) { open().command(list).keys(keys...).shows("admission", "speed") })
	}
}
