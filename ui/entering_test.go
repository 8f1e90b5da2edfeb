package ui

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/traintop/traintop/actions"
)

func TestAShellIsOpenedAndRecorded(t *testing.T) {
	actor := &fakeActor{execute: func(context.Context, actions.Exec) error { return &actions.ExitError{Code: 130} }}
	d, record := inCluster(t, actor, nil)
	d.command("jobs /bert-large").keys("enter", "s").shows("ended with exit code 130 (the last command was interrupted)")
	if len(actor.executed) != 1 || !actor.executed[0].TTY || actor.executed[0].Command[0] != "sh" || actor.executed[0].PodUID == "" {
		t.Errorf("executed %+v", actor.executed)
	}
	if text := auditText(t, record); !strings.Contains(text, `"verb":"shell"`) {
		t.Errorf("recorded %s", text)
	}
}

func TestADebugContainerIsOfferedWhereThereIsNoShell(t *testing.T) {
	actor := &fakeActor{execute: func(_ context.Context, e actions.Exec) error {
		if e.Command == nil { // attached
			return nil
		}
		return &actions.Failure{Kind: actions.NoProgram, Text: "no sh"}
	}}
	d, record := inCluster(t, actor, nil)
	d.command("jobs /bert-large").keys("enter", "s").shows("Add a debug container", "stays in the pod until the pod ends", "busybox")
	d.keys("esc")
	if len(actor.changes) != 0 {
		t.Fatal("it was added without being asked for")
	}
	d.keys("s", "ctrl+u").types("alpine").keys("enter", "enter")
	if len(actor.changes) != 1 || actor.changes[0].Subresource != "ephemeralcontainers" || !strings.Contains(string(actor.changes[0].Body), `"image":"alpine"`) {
		t.Fatalf("asked for %+v", actor.changes)
	}
	if last := actor.executed[len(actor.executed)-1]; last.Command != nil || !strings.HasPrefix(last.Name, "traintop-") {
		t.Errorf("attached to %+v", last)
	}
	if text := auditText(t, record); !strings.Contains(text, `"verb":"debug"`) {
		t.Errorf("recorded %s", text)
	}
}

// Typed keys do not end a process without a terminal: ctrl-c detaches from it,
// whether it reads its input or not.
func TestAnAttachedProcessIsLeft(t *testing.T) {
	for name, reads := range map[string]bool{"that reads": true, "that reads nothing": false} {
		t.Run(name, func(t *testing.T) {
			actor := &fakeActor{execute: func(ctx context.Context, e actions.Exec) error {
				_, _ = io.WriteString(e.Stdout, "step 7\r\n")
				if reads {
					_, _ = io.Copy(io.Discard, e.Stdin)
				}
				<-ctx.Done()
				return &actions.Failure{Kind: actions.Cancelled, Text: "it was stopped", Cause: ctx.Err()}
			}}
			p := launchOn(t, Options{Session: Session{Actor: actor}})
			p.waitFor("Jobs 14")
			p.press(":jobs /bert-large\r\r")
			p.waitFor("Ranks")
			p.press("a")
			p.waitFor("step 7")
			p.press("\x03")
			p.waitFor("left, and the process goes on")
			p.press("\x03")
			if err := p.end(); err != nil {
				t.Error(err)
			}
		})
	}
}

// A program in the container may leave the terminal in any state, and a pending
// read there must not swallow keys typed after its end.
func TestTheTerminalComesBackAfterAShell(t *testing.T) {
	before := goleak.IgnoreCurrent()
	defer func() { goleak.VerifyNone(t, before) }()
	t.Run("cut off in the middle of a picture", terminalComesBack)
}

func terminalComesBack(t *testing.T) {
	reader := make(chan struct{})
	actor := &fakeActor{execute: func(_ context.Context, e actions.Exec) error {
		_, _ = io.WriteString(e.Stdout, "\x1b[?1049h\x1b[?1000h\x1b[?25l\x1b[31mprompt$ ")
		typed := make(chan string)
		go func() { // as a connection's sender does, it reads on until the reader is closed
			defer close(reader)
			buffer := make([]byte, 64)
			for {
				n, err := e.Stdin.Read(buffer)
				if err != nil {
					close(typed)
					return
				}
				typed <- string(buffer[:n])
			}
		}()
		for text := range typed {
			if strings.Contains(text, "exit") {
				go func() {
					for range typed { // nothing may arrive any more
						panic("a key was taken after the end")
					}
				}()
				return nil
			}
		}
		return nil
	}}
	p := launchOn(t, Options{Session: Session{Actor: actor}})
	p.waitFor("Jobs 14")
	p.press("s")
	p.waitFor("prompt$")
	p.press("\x03exit\r")
	p.waitFor("ended")
	<-reader
	p.press(":nodes\r")
	p.waitFor("Nodes 14")
	p.press("\x03")
	if err := p.end(); err != nil {
		t.Error(err)
	}
}

// launchOn starts the program with a file as its input, a read of which can be
// canceled as of a terminal.
func launchOn(t *testing.T, o Options) *testTerminal {
	t.Helper()
	keys, typing, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return launchWith(t, o, keys, typing, 120, 30)
}

// A shell on a node is a pod that is asked for first and deleted afterwards.
func TestAShellOnANode(t *testing.T) {
	actor := &fakeActor{}
	d, record := inCluster(t, actor, nil)
	d.command("nodes").keys("s").shows("Open a shell on node", "files are below /host", "busybox", "default", "deleted when the shell ends")
	d.keys("esc")
	if len(actor.changes) != 0 {
		t.Fatal("a pod was made without being asked for")
	}
	d.keys("s", "enter", "enter", "enter")
	if len(actor.changes) != 2 || actor.changes[0].Verb != actions.Create || actor.changes[1].Verb != actions.Delete || actor.changes[0].Ref.Name != actor.changes[1].Ref.Name {
		t.Fatalf("asked for %+v", actor.changes)
	}
	if len(actor.executed) != 1 || actor.executed[0].Command != nil || actor.executed[0].Pod != actor.changes[0].Ref.Name {
		t.Errorf("attached to %+v", actor.executed)
	}
	d.shows("node shell in node", "ended")
	if text := auditText(t, record); !strings.Contains(text, `"verb":"node-shell"`) {
		t.Errorf("recorded %s", text)
	}
	readOnly, _ := inCluster(t, actor, func(o *Options) { o.Session.ReadOnly = true })
	readOnly.command("nodes").keys("s").hides("Open a shell on node")
	readOnly.keys("?").hides("a shell on the node")
}
