package actions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/traintop/traintop/train"
)

// NodeShell describes a pod whose shell sees a node as kubectl debug node/NAME does: its
// processes, network and IPC, and its files below /host (kubectl 1.36, profile general).
type NodeShell struct {
	// Node is the node it runs on, whatever taints the node has.
	Node string
	// Namespace is where the pod is made; its rules must allow pods of the host.
	Namespace string
	// Name is that of the pod.
	Name string
	// Image is what it runs; it must have a shell.
	Image string
	// Timeout bounds the wait until it runs, including the pull of its image.
	Timeout time.Duration
}

// nodeShellContainer is the container of the pod.
const nodeShellContainer = "shell"

const (
	// removeTime bounds the requests that delete the pod after the shell; removeAgain
	// is the pause between two of them.
	removeTime  = 20 * time.Second
	removeAgain = 2 * time.Second
	// longestShell ends a shell, and what it may do on the node, whose pod was never
	// deleted.
	longestShell = 24 * time.Hour
)

// NodeShellName is a name for such a pod that is made at a given time.
func NodeShellName(now time.Time) string { return "traintop-node-" + DebugName(now)[len("traintop-"):] }

// Request makes the pod.
func (n NodeShell) Request() (Request, error) {
	if n.Node == "" || n.Namespace == "" || n.Name == "" || n.Image == "" {
		return Request{}, &Failure{Kind: Invalid, Text: "a shell on node " + n.Node + ": a node, a namespace and an image must be named"}
	}
	body, err := json.Marshal(map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{
			"namespace": n.Namespace, "name": n.Name,
			"labels": map[string]any{"app.kubernetes.io/managed-by": "traintop"},
		},
		"spec": map[string]any{
			"nodeName": n.Node, "hostPID": true, "hostNetwork": true, "hostIPC": true,
			"restartPolicy": "Never", "terminationGracePeriodSeconds": 1, "automountServiceAccountToken": false,
			"activeDeadlineSeconds": int64(longestShell / time.Second),
			"tolerations":           []any{map[string]any{"operator": "Exists"}},
			"volumes":               []any{map[string]any{"name": "host", "hostPath": map[string]any{"path": "/"}}},
			"containers": []any{map[string]any{
				"name": nodeShellContainer, "image": n.Image, "command": ShellCommand(), "stdin": true, "stdinOnce": true, "tty": true, // the shell ends when nobody is attached any more
				"volumeMounts": []any{map[string]any{"name": "host", "mountPath": "/host"}},
			}},
		},
	})
	if err != nil {
		return Request{}, fmt.Errorf("write down the pod: %w", err)
	}
	return Request{Verb: Create, Ref: train.PodRef(n.Namespace, n.Name, ""), Body: body, Strict: true}, nil
}

// OpenNodeShell makes the pod, waits until it runs, attaches to its shell with the streams
// of e, and deletes the pod again, however the shell ended. It returns the errors of
// Change, AwaitRunning and Execute; where the pod could not be deleted, that too.
func OpenNodeShell(ctx context.Context, x Debugger, n NodeShell, e Exec) error {
	request, err := n.Request()
	if err != nil {
		return err
	}
	made, err := x.Change(ctx, request)
	if err != nil {
		return err
	}
	at := Container{Namespace: n.Namespace, Pod: n.Name, PodUID: uidOf(made), Name: nodeShellContainer}
	err = Debug{Timeout: n.Timeout}.await(ctx, x, at)
	if err == nil {
		err = x.Execute(ctx, attachTo(at, e))
	}
	return errors.Join(err, n.remove(ctx, x, at))
}

// remove deletes the pod, also when ctx has ended meanwhile. An attempt that may
// succeed later is repeated for a while.
func (n NodeShell) remove(ctx context.Context, x Changer, at Container) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), removeTime)
	defer cancel()
	for {
		_, err := x.Change(ctx, Request{Verb: Delete, Ref: at.PodRef()})
		var failure *Failure
		known := errors.As(err, &failure)
		if err == nil || known && failure.Kind == Gone {
			return nil
		}
		left := &Failure{Kind: Other, Cause: err, Text: fmt.Sprintf("kubectl -n %s delete pod %s removes the pod of the shell, which is still there: %v", n.Namespace, n.Name, err)}
		if known && (failure.Kind == Forbidden || failure.Kind == Invalid) {
			return left
		}
		select {
		case <-ctx.Done():
			return left
		case <-time.After(removeAgain):
		}
	}
}

// uidOf reads the UID of an object that was made; "" where it cannot be read.
func uidOf(object []byte) string {
	var read struct {
		Metadata struct {
			UID string `json:"uid"`
		} `json:"metadata"`
	}
	if json.Unmarshal(object, &read) != nil {
		return ""
	}
	return read.Metadata.UID
}
