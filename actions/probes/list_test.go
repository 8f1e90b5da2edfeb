package probes

import (
	"flag"
	"os"
	"strings"
	"testing"
	"unicode"

	"github.com/traintop/traintop/actions"
)

var update = flag.Bool("update", false, "write docs/probes.md anew")

func TestProbesAreDocumented(t *testing.T) {
	const path = "../../docs/probes.md"
	if *update {
		if err := os.WriteFile(path, []byte(Markdown()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != Markdown() {
		t.Errorf("%s is stale (%v): run make generate", path, err)
	}
}

func TestTheListIsWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range All() {
		if seen[p.ID] || !ownName.MatchString(p.ID) {
			t.Errorf("the ID %q stands twice, or is none", p.ID)
		}
		seen[p.ID] = true
		if p.Title == "" || !strings.HasSuffix(p.About, ".") || p.Commands == nil || p.Read == nil {
			t.Errorf("%s lacks words", p.ID)
		}
		if p.Writes != strings.Contains(strings.ToLower(p.About), "writes") {
			t.Errorf("%s does not say whether it writes", p.ID)
		}
	}
}

// Every probe has a message for every way in which a command can end.
func TestNoAnswerIsNeverGood(t *testing.T) {
	for _, p := range All() {
		for _, kind := range []actions.FailureKind{actions.NoProgram, actions.NotRunning, actions.Gone, actions.Lost, actions.Cancelled} {
			r := p.Read(actions.Answer{Exit: -1, Failure: &actions.Failure{Kind: kind, Text: "the reason\x1b[2J"}})
			if r.State != Unclear || r.Line != "the reason" || r.Key != "" {
				t.Errorf("%s: %+v", p.ID, r)
			}
		}
		for _, a := range []actions.Answer{{}, {Exit: 1}, {Exit: 126}, {Exit: 127}, {Exit: 137, Stderr: []byte("Killed")}} {
			if r := p.Read(a); r.State == Good || r.Line == "" {
				t.Errorf("%s, exit %d: %+v", p.ID, a.Exit, r)
			}
		}
	}
}

// FuzzRead reads hostile output with every probe: it ends, its result is bounded, and
// nothing in the result affects a terminal.
func FuzzRead(f *testing.F) {
	seeds := []string{
		"Filesystem 1024-blocks Used Available Capacity Mounted on\nshm 65536 0 65536 0% /dev/shm\n", "RANK=1\nWORLD_SIZE=2\nA_TOKEN=x\x1b]0;t\a\n",
		"host a\naddress 1.2.3.4\nport 1\nunconnected x\n", "port|m|1|4: ACTIVE|5: LinkUp|r|l\nend\n", "CA 'a'\nPort 1:\nState: Active\n",
		"@process|1|S|w|c\nThread 1 (idle): \"MainThread\"\n    f (a.py:1)\n@end\n", "@folder|/a\n64 bytes copied, 0.1 s, 1\n@code|0\n",
		`{"torch":"1","available":true,"devices":1e9,"built":true}`, "1763632800.1", "Max open files            1 1\n",
		"gpu_uuid, pid\nGPU-1, 7\n", strings.Repeat("x\x1b[31m", 200),
	}
	for _, seed := range seeds {
		f.Add([]byte(seed), 0)
	}
	f.Fuzz(func(t *testing.T, text []byte, exit int) {
		for _, p := range All() {
			for _, command := range [][]string{nil, {"sh"}, {"nvidia-smi"}} {
				r := p.Read(actions.Answer{Command: command, Stdout: text, Stderr: text, Exit: exit, Cut: exit == 1})
				checkResult(t, p.ID, r)
			}
		}
		own, err := Own{Name: "own", Command: []string{"x"}}.Probe()
		if err != nil {
			t.Fatal(err)
		}
		checkResult(t, own.ID, own.Read(actions.Answer{Stdout: text, Exit: exit}))
	})
}

// A line of a megabyte, and a hundred thousand lines, are cut.
func TestHugeAnswersAreCut(t *testing.T) {
	for _, text := range []string{strings.Repeat("x\x1b[31m", 200_000), strings.Repeat("overlay 1 1 1 1% /\n", 100_000), strings.Repeat("RANK=1", 200_000)} {
		for _, p := range All() {
			checkResult(t, p.ID, p.Read(actions.Answer{Stdout: []byte(text), Stderr: []byte(text)}))
		}
	}
}

func checkResult(t *testing.T, id string, r Result) {
	t.Helper()
	if r.State == "" || r.Line == "" || len(r.Detail) > maxDetail+8 {
		t.Errorf("%s: %s %q, %d lines", id, r.State, r.Line, len(r.Detail))
	}
	for _, line := range append(r.Detail, r.Line) {
		if len(line) > 64<<10 {
			t.Errorf("%s: a line of %d bytes", id, len(line))
		}
		for _, c := range line {
			if unicode.IsControl(c) {
				t.Errorf("%s: unsafe line %q", id, line)
			}
		}
	}
}

func BenchmarkReadStacks(b *testing.B) {
	var text strings.Builder
	for range 64 {
		text.WriteString("@process|1|S|w|python train.py\n\nThread 1 (idle): \"MainThread\"\n" + strings.Repeat("    step (train.py:88)\n", 30))
	}
	a := actions.Answer{Stdout: []byte(text.String() + "@end\n")}
	b.ReportAllocs()
	b.SetBytes(int64(len(a.Stdout)))
	for b.Loop() {
		readStacks(a)
	}
}

func BenchmarkOdd(b *testing.B) {
	results := make([]Result, 1024)
	for i := range results {
		results[i] = Result{State: Good, Key: "8 GPUs"}
	}
	results[77].Key = "7 GPUs"
	b.ReportAllocs()
	for b.Loop() {
		if len(Odd(results)) != 1 {
			b.Fatal("not found")
		}
	}
}
