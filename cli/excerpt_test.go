package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/traintop/traintop/train"
)

// excerptJobs are jobs of the demo's files with a finding.
var excerptJobs = []string{"speech/PyTorchJob/hubert-xl", "speech/PyTorchJob/wav2vec2-ctc", "vision/PyTorchJob/sdxl-base", "research/PyTorchJob/phi-4-dpo", "llm/Job/dbrx-finetune"}

// diagnosedAlike compares the diagnosis of a job in its excerpt file with that
// in the recording or files that it was taken from.
func diagnosedAlike(t *testing.T, all, one, job string) {
	t.Helper()
	want, got := diagnosed(t, "", "--from", all, job), diagnosed(t, "", "--from", one, job)
	if len(want.Findings) == 0 {
		t.Errorf("%s: there is no finding to compare", job)
	}
	unseenIn(want.Checks, got.Checks)
	if diff := cmp.Diff(without(t, want, all), without(t, got, one)); diff != "" {
		t.Errorf("%s (-%s +excerpt):\n%s", job, all, diff)
	}
}

// TestAnExcerptIsDiagnosedAsTheWholeWas extracts jobs of the demo from a
// recording of all of it.
func TestAnExcerptIsDiagnosedAsTheWholeWas(t *testing.T) {
	all := filepath.Join(t.TempDir(), "all.ttrec")
	done := func(args ...string) {
		t.Helper()
		if _, messages, code := command(t, "", args...); code != exitDone {
			t.Fatalf("%s: exit %d: %s", strings.Join(args, " "), code, messages)
		}
	}
	done("record", "--from", "../testdata/demo", "-o", all)
	for _, job := range excerptJobs {
		one := filepath.Join(t.TempDir(), "one.ttrec")
		done("record", "--from", all, "--job", job, "-o", one)
		diagnosedAlike(t, all, one, job)
		if _, messages, code := command(t, "", "record", "--from", all, "--job", job, "-o", one); code == exitDone || !strings.Contains(messages, "exists") {
			t.Errorf("%s again: exit %d: %s", job, code, messages)
		}
	}
}

// unseenIn removes a difference of files: a file has objects without a list of
// their kind, so that a kind of which the job has none is unseen in its
// excerpt. Kinds of a cluster were listed.
func unseenIn(whole, excerpt []checkAnswer) {
	for i := range excerpt {
		if i < len(whole) && excerpt[i].Result == train.CheckUnknown && strings.Contains(excerpt[i].Why, "the files hold none") {
			excerpt[i] = whole[i]
		}
	}
}

// without is an answer without the name of its file.
func without(t *testing.T, answer diagnosisAnswer, path string) []string {
	t.Helper()
	text, err := json.MarshalIndent(answer, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return slices.Collect(strings.Lines(strings.ReplaceAll(string(text), path, "FILE")))
}

// TestAnExcerptOfFilesIsDiagnosedAsTheyAre extracts jobs from the files
// themselves.
func TestAnExcerptOfFilesIsDiagnosedAsTheyAre(t *testing.T) {
	const files = "../testdata/demo"
	for _, job := range excerptJobs {
		one := filepath.Join(t.TempDir(), "one.ttrec")
		if _, messages, code := command(t, "", "record", "--from", files, "--job", job, "-o", one); code != exitDone {
			t.Fatalf("%s: exit %d: %s", job, code, messages)
		}
		diagnosedAlike(t, files, one, job)
	}
}

// An excerpt of files has the whole log of its job, however long it is.
func TestAnExcerptOfFilesHasAllLines(t *testing.T) {
	folder := t.TempDir()
	var log strings.Builder
	for step := range 100_000 {
		fmt.Fprintf(&log, "step %d loss %.5f and what else a line of a log has, which makes it a hundred bytes long\n", step, 3-float64(step)/1e5)
	}
	if err := os.WriteFile(filepath.Join(folder, "train.log"), []byte(log.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	one := filepath.Join(folder, "one.ttrec")
	if _, said, code := command(t, "", "record", "--from", filepath.Join(folder, "train.log"), "--job", "train.log", "-o", one); code != exitDone {
		t.Fatalf("exit %d: %s", code, said)
	}
	out, said, code := command(t, "", "logs", "--from", one)
	if lines := strings.Count(out, "\n"); lines != 100_000 || code != exitDone {
		t.Errorf("exit %d, %d lines: %s", code, lines, said)
	}
}

func TestAJobIsNotTakenOutOfACluster(t *testing.T) {
	out := filepath.Join(t.TempDir(), "a.ttrec")
	f := func(want string, args ...string) {
		t.Helper()
		if _, messages, code := command(t, "", append([]string{"record", "-o", out}, args...)...); code == exitDone || !strings.Contains(messages, want) {
			t.Errorf("%v: exit %d: %s, want %q", args, code, messages, want)
		}
	}
	f("none is given", "--job", "hubert-xl")
	f("do not go with it", "--from", "../testdata/demo", "--job", "hubert-xl", "--for", "1m")
}

// TestOfOtherJobsInAnExcerptNothingIsSaid: their events are not in it, so it
// finds nothing in them and rules nothing out.
func TestOfOtherJobsInAnExcerptNothingIsSaid(t *testing.T) {
	const files, job = "../testdata/demo", "speech/PyTorchJob/hubert-xl"
	one := filepath.Join(t.TempDir(), "one.ttrec")
	if _, messages, code := command(t, "", "record", "--from", files, "--job", job, "-o", one); code != exitDone {
		t.Fatalf("exit %d: %s", code, messages)
	}
	all := diagnosed(t, "", "-A", "--from", one)
	for _, f := range all.Findings {
		if f.Job != job {
			t.Errorf("%s: found %s", f.Job, f.Title)
		}
	}
	others := map[string]bool{}
	for _, check := range all.Checks {
		if check.Job == job {
			continue
		}
		if check.Result != train.CheckUnknown && !others[check.Job] {
			t.Errorf("%s: %s %s: %s", check.Job, check.Cause, check.Result, check.Why)
		}
		others[check.Job] = true
	}
	if len(others) == 0 || len(all.Findings) == 0 {
		t.Errorf("%d other jobs, %d findings", len(others), len(all.Findings))
	}
	text, _, _ := command(t, "", "diagnose", "-A", "--from", one)
	if !strings.Contains(text, "not looked at") || strings.Contains(text, "Nothing found") {
		t.Errorf("the text says of the others:\n%s", text)
	}
}
