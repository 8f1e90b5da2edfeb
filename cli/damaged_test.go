package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// answersOf are the commands that answer about a recording, and whether they
// print JSON.
var answersOf = []struct {
	args []string
	json bool
}{
	{[]string{"jobs"}, false}, {[]string{"diagnose"}, false}, {[]string{"logs", "detr-r50"}, false}, {[]string{"curves", "-o", "csv"}, false}, {[]string{"gpus"}, false},
	{[]string{"jobs", "-o", "json"}, true}, {[]string{"diagnose", "-o", "json"}, true}, {[]string{"curves", "-o", "json"}, true}, {[]string{"gpus", "-o", "json"}, true},
}

// saysWhatIsMissing reports whether an answer names a span of the recording in
// which something may be missing, on standard error or among its problems.
func saysWhatIsMissing(out, messages string, isJSON bool) bool {
	said := messages
	if isJSON {
		var answer struct{ Problems []problemAnswer }
		if json.Unmarshal([]byte(out), &answer) == nil {
			said += fmt.Sprint(answer.Problems)
		}
	}
	return strings.Contains(said, "may be missing") && strings.Contains(said, "2026-") || strings.Contains(said, "opening the recording") ||
		strings.Contains(said, "recording holds nothing")
}

// TestNoAnswerFromADamagedRecordingIsSilent flips bits of a real recording of
// one job and cuts it; each answer is as before or names what may be missing.
func TestNoAnswerFromADamagedRecordingIsSilent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "one.ttrec")
	if _, messages, code := command(t, "", "record", "--from", "../testdata/story/demo.ttrec", "--job", "detr-r50", "-o", path); code != exitDone {
		t.Fatalf("exit %d: %s", code, messages)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	answers := func() (all [][2]string) {
		for _, a := range answersOf {
			out, messages, _ := command(t, "", append(a.args, "--from", path)...)
			all = append(all, [2]string{out, messages})
		}
		return all
	}
	want := answers()
	check := func(how string, text []byte) {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		for i, got := range answers() {
			if got[0] != want[i][0] && !saysWhatIsMissing(got[0], got[1], answersOf[i].json) {
				t.Errorf("%s: %v prints something else and does not say why: %q", how, answersOf[i].args, got[1])
			}
		}
	}
	random := rand.New(rand.NewPCG(7, 8))
	for range 12 {
		text, at := bytes.Clone(whole), 64+random.IntN(len(whole)-64)
		text[at] ^= 1 << random.IntN(8)
		check(fmt.Sprintf("byte %d", at), text)
	}
	check("cut at 60 %", whole[:len(whole)*6/10])
	check("cut between pieces", whole[:bytes.LastIndex(whole[:len(whole)/2], []byte("TTpc"))])
}
