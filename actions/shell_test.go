package actions

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/traintop/traintop/train"
)

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
}

// The real sh runs the script, with and without bash in its PATH.
func TestShellBecomesBashOrSh(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("this machine has no sh")
	}
	for shell, programs := range map[string][]string{"bash": {"bash", "sh"}, "sh": {"sh"}} {
		path := t.TempDir()
		for _, name := range programs {
			write(t, filepath.Join(path, name), "#!"+sh+"\necho this is "+name+"\n")
		}
		command := exec.Command(sh, ShellCommand()[1:]...)
		command.Env = []string{"PATH=" + path}
		said, err := command.CombinedOutput()
		if err != nil || string(said) != "this is "+shell+"\n" {
			t.Errorf("with %v: %q, %v", programs, said, err)
		}
	}
}

func TestOpenShellWithoutShell(t *testing.T) {
	err := OpenShell(t.Context(), container(), Exec{Container: Container{Pod: "bert-0", Name: "app"}})
	var failure *Failure
	if !errors.As(err, &failure) || failure.Kind != NoProgram || !strings.Contains(failure.Text, "debug container") {
		t.Errorf("it says %v", err)
	}
	if err := OpenShell(t.Context(), executor{"sh": func(context.Context, Exec) error { return &ExitError{Code: 2} }}, Exec{}); ShellEnd(err) != "exit code 2" {
		t.Errorf("it ended with %q", ShellEnd(err))
	}
}

func TestShellEnd(t *testing.T) {
	for want, err := range map[string]error{
		"":                       nil,
		"exit code 3":            &ExitError{Code: 3},
		"exit code 137 (killed)": &ExitError{Code: 137},
		"exit code 130 (the last command was interrupted)": &ExitError{Code: 130},
		"the connection broke":                             &Failure{Kind: Lost, Text: "the connection broke"},
		"odd":                                              errors.New("odd"),
	} {
		if have := ShellEnd(err); have != want {
			t.Errorf("%v: %q, want %q", err, have, want)
		}
	}
}

// pod is a fake cluster of one pod, to which debug containers are added.
type pod struct {
	asked   []Request
	awaited []Container
	entered []Exec
	typed   string
	starts  error
}

func (p *pod) Allowed(context.Context, []Access) []Verdict { return nil }

func (p *pod) Change(_ context.Context, r Request) ([]byte, error) {
	p.asked = append(p.asked, r)
	if r.Verb == Create {
		return []byte(`{"metadata":{"uid":"made-1"}}`), nil
	}
	return nil, nil
}

func (p *pod) AwaitRunning(_ context.Context, c Container) error {
	p.awaited = append(p.awaited, c)
	return p.starts
}

func (p *pod) Execute(_ context.Context, e Exec) error {
	typed, err := io.ReadAll(e.Stdin)
	p.entered, p.typed = append(p.entered, e), string(typed)
	return err
}

func TestOpenDebug(t *testing.T) {
	var p pod
	d := Debug{
		Container: Container{Namespace: "ml", Pod: "bert-0", PodUID: "u1", Name: "pytorch"},
		Name:      DebugName(time.UnixMilli(1763629200000)), Image: "busybox", Timeout: time.Minute,
	}
	if err := OpenDebug(t.Context(), &p, d, Exec{Stdin: strings.NewReader("ls"), TTY: true}); err != nil {
		t.Fatal(err)
	}
	var body struct {
		Spec struct{ EphemeralContainers []map[string]any }
	}
	if err := json.Unmarshal(p.asked[0].Body, &body); err != nil {
		t.Fatal(err)
	}
	if c := body.Spec.EphemeralContainers[0]; c["targetContainerName"] != "pytorch" || c["image"] != "busybox" || c["name"] != d.Name || c["tty"] != true {
		t.Errorf("the container is %v", c)
	}
	if r := p.asked[0]; r.Subresource != "ephemeralcontainers" || r.Ref.UID != "u1" || r.Access().Verb != Patch {
		t.Errorf("the request is %+v", r)
	}
	want := d.Container
	want.Name = d.Name
	if p.awaited[0] != want || p.entered[0].Container != want || p.entered[0].Command != nil || !p.entered[0].TTY || p.typed != "\nls" {
		t.Errorf("%+v was awaited, %+v entered, %q typed", p.awaited, p.entered, p.typed)
	}
}

func TestOpenDebugThatDoesNotStart(t *testing.T) {
	p := pod{starts: &Failure{Kind: NotRunning, Text: "ImagePullBackOff"}}
	d := Debug{Container: Container{Pod: "bert-0", Name: "pytorch"}, Name: "d", Image: "nowhere/x", Timeout: time.Minute}
	if err := OpenDebug(t.Context(), &p, d, Exec{}); !errors.Is(err, p.starts) || len(p.entered) > 0 {
		t.Errorf("%v, %d entered", err, len(p.entered))
	}
	d.Image = ""
	var failure *Failure
	if err := OpenDebug(t.Context(), &p, d, Exec{}); !errors.As(err, &failure) || failure.Kind != Invalid || len(p.asked) != 1 {
		t.Errorf("without an image: %v", err)
	}
}

func TestOpenNodeShell(t *testing.T) {
	n := NodeShell{Node: "gpu-1", Namespace: "ml", Name: NodeShellName(time.UnixMilli(1763629200000)), Image: "busybox", Timeout: time.Minute}
	for name, p := range map[string]*pod{"entered": {}, "that does not start": {starts: &Failure{Kind: NotRunning, Text: "ImagePullBackOff"}}} {
		err := OpenNodeShell(t.Context(), p, n, Exec{Stdin: strings.NewReader("ls"), TTY: true})
		if p.starts == nil && err != nil || p.starts != nil && !errors.Is(err, p.starts) {
			t.Errorf("%s: %v", name, err)
		}
		if len(p.asked) != 2 || p.asked[0].Verb != Create || p.asked[1].Verb != Delete || p.asked[1].Ref != train.PodRef("ml", n.Name, "made-1") {
			t.Errorf("%s: asked for %+v", name, p.asked)
		}
		if entered := len(p.entered) == 1; entered == (p.starts != nil) {
			t.Errorf("%s: entered %+v", name, p.entered)
		}
	}
	var p pod
	if err := OpenNodeShell(t.Context(), &p, n, Exec{Stdin: strings.NewReader("")}); err != nil {
		t.Fatal(err)
	}
	var body struct {
		Spec struct {
			NodeName   string
			HostPID    bool
			Containers []struct {
				Image     string
				StdinOnce bool
			}
			Tolerations   []struct{ Operator string }
			Volumes       []struct{ HostPath struct{ Path string } }
			RestartPolicy string
			Deadline      int64 `json:"activeDeadlineSeconds"`
		}
	}
	if err := json.Unmarshal(p.asked[0].Body, &body); err != nil {
		t.Fatal(err)
	}
	if s := body.Spec; s.NodeName != "gpu-1" || !s.HostPID || s.Containers[0].Image != "busybox" || s.Tolerations[0].Operator != "Exists" || s.Volumes[0].HostPath.Path != "/" || s.RestartPolicy != "Never" || s.Deadline != 86400 || !s.Containers[0].StdinOnce {
		t.Errorf("the pod is %s", p.asked[0].Body)
	}
}

// The pod is deleted although the person, or the end of the program, broke the shell off;
// where that fails its name is reported.
func TestANodeShellLeavesNoPodUnsaid(t *testing.T) {
	n := NodeShell{Node: "gpu-1", Namespace: "ml", Name: "traintop-node-1", Image: "busybox", Timeout: time.Minute}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	refuses := stuckPod{}
	err := OpenNodeShell(ctx, &refuses, n, Exec{Stdin: strings.NewReader("")})
	if err == nil || !strings.Contains(err.Error(), "kubectl -n ml delete pod traintop-node-1") || refuses.ended {
		t.Errorf("%v, deleted with a context that had ended: %t", err, refuses.ended)
	}
}

// A server that fails once deletes the pod at the next try.
func TestThePodOfANodeShellIsDeletedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := NodeShell{Node: "gpu-1", Namespace: "ml", Name: "traintop-node-1", Image: "busybox", Timeout: time.Minute}
		for failures, left := range map[int]bool{1: false, 3: false, 100: true} {
			p := failingPod{failures: failures}
			err := OpenNodeShell(t.Context(), &p, n, Exec{Stdin: strings.NewReader("")})
			if (err != nil) != left || left && !strings.HasPrefix(err.Error(), "kubectl -n ml delete pod traintop-node-1 ") {
				t.Errorf("after %d failures: %v", failures, err)
			}
		}
	})
}

// failingPod is a fake cluster whose first deletions fail.
type failingPod struct {
	pod
	failures int
}

func (p *failingPod) Change(ctx context.Context, r Request) ([]byte, error) {
	if r.Verb == Delete && p.failures > 0 {
		p.failures--
		return nil, &Failure{Kind: Other, Text: "internal error"}
	}
	return p.pod.Change(ctx, r)
}

// stuckPod is a fake cluster that deletes no pod.
type stuckPod struct {
	pod
	ended bool // the context of the deletion had ended
}

func (p *stuckPod) Change(ctx context.Context, r Request) ([]byte, error) {
	if r.Verb == Delete {
		p.ended = ctx.Err() != nil
		return nil, &Failure{Kind: Forbidden, Text: "not allowed"}
	}
	return p.pod.Change(ctx, r)
}
