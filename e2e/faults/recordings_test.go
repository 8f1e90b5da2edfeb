package faults

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A recorder that is killed at any moment leaves a file that is read as far as
// it was written, or that is reported to be empty.
func TestKilledRecorder(t *testing.T) {
	for n := range kills {
		moment := time.Duration(n+1) * 200 * time.Millisecond
		t.Run("after "+moment.String(), func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "killed.ttrec")
			record(t, file, moment)
			if _, err := os.Stat(file); err != nil {
				return // it was killed before it began to write, and the file is not recognised as a recording
			}
			run := ask(t, "jobs", "--from", file)
			wrong := isUnfit(run, nil)
			if run.Err == "" && !strings.Contains(run.Out, failedJob) {
				wrong = append(wrong, "it neither shows the jobs nor says why")
			}
			if len(wrong) > 0 {
				t.Errorf("%s\nexit %d\n%s\n%s", strings.Join(wrong, "; "), run.Code, run.Out, run.Err)
			}
		})
	}
}

// Each cut and each flipped bit of a recording leaves the answer as it was, or
// is reported.
func TestDamagedRecordings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "whole.ttrec")
	record(t, file, 4*time.Second)
	whole, err := os.ReadFile(file)
	must(t, err)
	good := map[string]Run{}
	for _, command := range damagedAnswers {
		good[command] = ask(t, append(strings.Fields(command), "--from", file)...)
	}
	if !strings.Contains(good["jobs"].Out, failedJob) || !strings.Contains(good["logs "+failedJob].Out, "LibsndfileError") {
		t.Fatalf("the recording that is to be damaged lacks what is looked for: %+v", good)
	}
	random := rand.New(rand.NewPCG(1, 0))
	for n := range damages {
		at := 16 + random.IntN(len(whole)-16)
		damaged, how := slices.Clone(whole), fmt.Sprintf("cut at byte %d of %d", at, len(whole))
		if n%2 == 0 {
			damaged = damaged[:at]
		} else {
			bit := random.IntN(8)
			damaged[at] ^= 1 << bit
			how = fmt.Sprintf("bit %d of byte %d of %d flipped", bit, at, len(whole))
		}
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "damaged.ttrec")
			must(t, os.WriteFile(file, damaged, 0o600))
			for _, command := range damagedAnswers {
				run := ask(t, append(strings.Fields(command), "--from", file)...)
				wrong := isUnfit(run, nil)
				if run.Err == "" && run.Out != good[command].Out {
					wrong = append(wrong, "the answer is another one, without a word")
				}
				if len(wrong) > 0 {
					t.Errorf("%s: %s\nexit %d, %d bytes of %d\n%.1000s\n%.1000s", command, strings.Join(wrong, "; "), run.Code, len(run.Out), len(good[command].Out), run.Out, run.Err)
				}
			}
		})
	}
}

// record runs a recorder on a healthy cluster, and kills it at a moment.
func record(t *testing.T, file string, moment time.Duration) {
	t.Helper()
	server, err := StartServer(recorded, wireWell)
	must(t, err)
	defer server.Stop()
	program := Program{built, t.TempDir()}
	args, err := program.arguments(server, longTimeout, []string{"record", "-o", file})
	must(t, err)
	_, err = program.Start(t.Context(), moment, memoryLimit, args...)
	must(t, err)
}

// ask runs the program without a cluster.
func ask(t *testing.T, args ...string) Run {
	t.Helper()
	run, err := Program{built, t.TempDir()}.Start(t.Context(), timeLimit, memoryLimit, args...)
	must(t, err)
	return run
}
