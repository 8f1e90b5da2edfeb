package faults

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Every row: the program ends in time and in bounded memory, with the exit code
// and the texts that the table promises, and answers what it still can.
func TestFaults(t *testing.T) {
	runRows(t, false, func(t *testing.T) { t.Parallel() })
}

// Rows that make both sides work hard run one at a time: several of them leave
// too little of a small machine to programs that have ten seconds for an answer.
func TestHeavyFaults(t *testing.T) {
	runRows(t, true, func(*testing.T) {})
}

// An endless command is interrupted so long after it met the fault; on a slow machine its
// words may need longer.
const (
	speaksWithin = 8 * time.Second
	speaksLate   = 20 * time.Second
)

// A heavy row whose program reports that it waited for its answers as long as
// it may is run again: the machine was too slow to show the row's fault.
const (
	outOfTime  = "still waiting after 10s"
	heavyTries = 4
)

// runRows runs the rows whose fault is heavy or is not.
func runRows(t *testing.T, heavy bool, begin func(t *testing.T)) {
	t.Helper()
	for _, row := range Rows() {
		if row.Fault.heavy != heavy {
			continue
		}
		for _, name := range row.Commands {
			for _, args := range row.runs(name) {
				t.Run(strings.Join([]string{row.Fault.Words, row.when(), strings.Join(args, " ")}, "/"), func(t *testing.T) {
					begin(t)
					if name == screen {
						row.checkScreen(t)
						return
					}
					c := commandNamed(name)
					run := runAgainst(t, row, c, args, speaksWithin)
					if c.endless && len(row.missing(run, args)) > 0 {
						run = runAgainst(t, row, c, args, speaksLate)
					}
					for tries := 1; heavy && tries < heavyTries && strings.Contains(run.Err, outOfTime); tries++ {
						run = runAgainst(t, row, c, args, speaksWithin)
					}
					row.check(t, run, args)
				})
			}
		}
	}
}

// runAgainst runs one command line against a cluster that misbehaves.
func runAgainst(t *testing.T, row Row, c Command, args []string, speaks time.Duration) Run {
	t.Helper()
	server, err := StartServer(recorded, row.Fault.wire)
	must(t, err)
	defer server.Stop()
	server.Misbehave(row.Fault, row.At, row.After)
	program := Program{built, t.TempDir()}
	args, err = program.arguments(server, row.timeout(), args)
	must(t, err)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	if row.After > 0 {
		go breakWhenBegun(ctx, server)
	}
	if c.endless {
		stopWhenMet(ctx, stop, server, speaks)
	}
	run, err := program.Start(ctx, timeLimit, memoryLimit, args...)
	must(t, err)
	if server.Hits() == 0 && row.Fault.wire == wireWell {
		t.Errorf("the program never met the fault; it printed\n%s\n%s", run.Out, run.Err)
	}
	return run
}

// breakWhenBegun cuts all connections after the good answers, so that followed
// resources are requested again and meet the fault.
func breakWhenBegun(ctx context.Context, server *Server) {
	if when(ctx, server.Begun) && sleep(ctx, 500*time.Millisecond) { // the last answer is on its way
		server.Break()
	}
}

// stopWhenMet interrupts an endless command once it met the fault and had time
// to report it: its output shows no other sign of it.
func stopWhenMet(ctx context.Context, stop context.CancelFunc, server *Server, speaks time.Duration) {
	go func() {
		defer stop()
		if when(ctx, func() bool { return server.Hits() > 0 }) {
			sleep(ctx, speaks)
		}
	}()
}

// check compares a run with what the row promises.
func (r Row) check(t *testing.T, run Run, args []string) {
	t.Helper()
	wrong := isUnfit(run, args)
	if run.Code != r.Exit {
		wrong = append(wrong, "the exit code is wrong")
	}
	wrong = append(wrong, r.missing(run, args)...)
	if len(wrong) > 0 {
		t.Errorf("%s\nexit %d (want %d) after %s, %d MiB\n--- standard output\n%.2000s\n--- standard error\n%.2000s",
			strings.Join(wrong, "; "), run.Code, r.Exit, run.Took.Round(time.Millisecond), run.Peak>>20, run.Out, run.Err)
	}
}

// missing are the texts that the row promises and that did not come.
func (r Row) missing(run Run, args []string) (wrong []string) {
	messages := run.Err
	switch {
	case isJSON(args):
		messages += problemsOf(run.Out)
	case slices.Contains(args, "diagnose"):
		messages += run.Out // unread sources are part of a diagnosis
	}
	for _, text := range r.Says {
		if !strings.Contains(messages, text) {
			wrong = append(wrong, "it does not say "+text)
		}
	}
	for _, text := range r.Still {
		if !strings.Contains(run.Out, text) {
			wrong = append(wrong, "it does not answer "+text)
		}
	}
	return wrong
}

// isUnfit checks what no run may do, whatever the fault.
func isUnfit(run Run, args []string) (wrong []string) {
	if run.Late {
		wrong = append(wrong, "it did not end within "+timeLimit.String())
	}
	if run.Peak > memoryLimit {
		wrong = append(wrong, "it held too much memory")
	}
	if !slices.Contains([]int{0, 1, 3}, run.Code) && !run.Late && run.Peak <= memoryLimit {
		wrong = append(wrong, "the exit code means nothing")
	}
	if isJSON(args) && run.Out != "" && !json.Valid([]byte(run.Out)) {
		wrong = append(wrong, "the answer is no JSON")
	}
	for _, text := range []string{"panic:", "goroutine ", "DATA RACE", token} {
		if strings.Contains(run.Err+run.Out, text) {
			wrong = append(wrong, "it prints "+text)
		}
	}
	if strings.ContainsAny(run.Err, "\x1b\x00\x07") {
		wrong = append(wrong, "its messages hold control characters")
	}
	return wrong
}

// problemsOf are the texts of the problems in a JSON answer, and those of a
// diagnosis's missing parts.
func problemsOf(out string) string {
	var answer struct {
		Problems []struct{ Source, Text string }
		Missing  json.RawMessage
		Verdicts json.RawMessage
	}
	_ = json.Unmarshal([]byte(out), &answer) // isUnfit reports text that is not JSON
	var texts strings.Builder
	for _, p := range answer.Problems {
		texts.WriteString(p.Source + ": " + p.Text + "\n")
	}
	texts.Write(answer.Missing)
	texts.Write(answer.Verdicts)
	return texts.String()
}

// arguments are a command line against a server, with a recording in the home
// folder where one is named.
func (p Program) arguments(s *Server, timeout string, args []string) ([]string, error) {
	kubeconfig, err := s.Kubeconfig(p.Home)
	if err != nil {
		return nil, err
	}
	args = append(slices.Clone(args), "--kubeconfig="+kubeconfig)
	if timeout != "" {
		args = append(args, "--request-timeout="+timeout)
	}
	for i := range args {
		if args[i] == file {
			args[i] = filepath.Join(p.Home, "recording.ttrec")
		}
	}
	return args, nil
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
