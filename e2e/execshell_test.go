package e2e

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/actions"
)

// A shell over a terminal: its size is there from the start and follows
// changes, ctrl-c reaches the process in front, and the exit code is returned.
func TestExecShell(t *testing.T) {
	t.Parallel()
	_, at := runningJob(t, "exec-shell", "typed")
	c := actor(t, cluster.Kubeconfig)
	shell := func(ctx context.Context, e actions.Exec) error { return actions.OpenShell(ctx, c, e) }
	term := openTerminal(t, shell, actions.Exec{Container: at})
	term.sizes <- actions.Size{Width: 91, Height: 33}
	term.types("PS1='> '; printf 'a%s\\n' t-work\n")
	term.shows("at-work")
	term.types("stty size\n")
	term.shows("33 91")
	term.sizes <- actions.Size{Width: 132, Height: 50}
	for range 20 { // a size is not acknowledged
		term.types("stty size\n")
		if time.Sleep(100 * time.Millisecond); strings.Contains(term.text(), "50 132") {
			break
		}
	}
	term.shows("50 132")

	term.types(`sh -c 'trap "printf c%s\\\\n aught; exit 9" INT; printf r%s\\n eady; sleep 60 & wait'` + "\n")
	term.shows("ready")
	term.types("\x03")
	term.shows("caught")
	term.types("exit 5\n")
	err := term.ends(soon)
	var exit *actions.ExitError
	if !errors.As(err, &exit) || exit.Code != 5 {
		t.Errorf("the shell ended with %v, want exit code 5", err)
	}
}

// A container without a shell reports that, and a debug container brings one.
func TestExecNoShell(t *testing.T) {
	t.Parallel()
	plays, at := runningJob(t, "exec-noshell", "bare", "e2e/programs: none")
	c := actor(t, cluster.Kubeconfig)
	shell := func(ctx context.Context, e actions.Exec) error { return actions.OpenShell(ctx, c, e) }
	failed(t, openTerminal(t, shell, actions.Exec{Container: at}).ends(soon), actions.NoProgram, "has no shell", "debug container")

	debug := func(name string) func(context.Context, actions.Exec) error {
		return func(ctx context.Context, e actions.Exec) error {
			return actions.OpenDebug(ctx, c, actions.Debug{Container: at, Name: name, Image: "busybox:1.37", Timeout: soon}, e)
		}
	}
	term := openTerminal(t, debug("debug-1"), actions.Exec{})
	term.types("printf 'in%s\\n' side; exit 3\n")
	term.shows("inside")
	if err := term.ends(soon); err != nil { // the exit code of an attached process is not reported
		t.Errorf("the debug container ended with %v", err)
	}

	must(t, plays.Annotate(t.Context(), at.Pod, "e2e/debug-waiting", "ImagePullBackOff"))
	failed(t, openTerminal(t, debug("debug-2"), actions.Exec{}).ends(soon), actions.NotRunning, "debug-2", "ImagePullBackOff")
}

// Attaching shows the output of the container's own process. One without a
// terminal is attached to without one, gets keys only where it reads any, and
// its output controls nothing.
func TestExecAttach(t *testing.T) {
	t.Parallel()
	plays, reads := runningJob(t, "exec-read", "reads")
	reads.Pod = "answers-worker-0"
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("answers", `{containers: [{name: pytorch, image: registry.example/train, stdin: true}]}`)))
	podRuns(t, reads)
	c := actor(t, cluster.Kubeconfig)
	term := openTerminal(t, c.Execute, actions.Exec{Container: reads})
	term.types("echo hello from $HOSTNAME; exit\n")
	term.shows("hello from answers-worker-0\r\n")
	if err := term.ends(soon); err != nil {
		t.Errorf("it ended with %v", err)
	}

	prints := reads
	prints.Pod = "prints-worker-0"
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("prints", `{containers: [{name: pytorch, image: registry.example/train, command: [sh, -c, "printf '\\033[31mstep 7\\033[0m\\n'; sleep 600"]}]}`)))
	podRuns(t, prints)
	ctx, leave := context.WithCancel(t.Context())
	term = openTerminal(t, func(_ context.Context, e actions.Exec) error { return c.Execute(ctx, e) }, actions.Exec{Container: prints})
	term.shows("step 7\r\n")
	if text := term.text(); strings.Contains(text, "\x1b") {
		t.Errorf("it printed %q", text)
	}
	leave()
	failed(t, term.ends(soon), actions.Cancelled)
}
