package actions

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/traintop/traintop/train"
)

// Debug describes a debug container: an ephemeral container in a running pod, in the
// process namespace of the inspected container, as `kubectl debug --target` makes them.
type Debug struct {
	// Container is the inspected container; it must have a name.
	Container
	// Name is that of the debug container; no container of the pod may have had it.
	Name string
	// Image is what it runs; it must have a shell.
	Image string
	// Timeout bounds the wait until it runs, including the pull of its image.
	Timeout time.Duration
}

// DebugName is a name for a debug container that is made at a given time.
func DebugName(now time.Time) string {
	return "traintop-" + strconv.FormatInt(now.UnixMilli(), 36)
}

// Debugger is what OpenDebug needs.
type Debugger interface {
	Executor
	Changer
	Awaiter
}

// Awaiter waits for containers.
type Awaiter interface {
	// AwaitRunning returns nil when a container runs, or a *Failure when it has
	// ended, cannot start or ctx ends.
	AwaitRunning(ctx context.Context, c Container) error
}

// Request adds the container. The pod keeps it until the pod ends; no request removes
// one.
func (d Debug) Request() (Request, error) {
	if d.Image == "" || d.Container.Name == "" || d.Name == "" {
		return Request{}, &Failure{Kind: Invalid, Text: "adding a debug container to pod " + d.Pod + ": an image and a container to look into must be named"}
	}
	body, err := json.Marshal(map[string]any{"spec": map[string]any{"ephemeralContainers": []any{map[string]any{
		"name": d.Name, "image": d.Image, "command": ShellCommand(), "stdin": true, "tty": true,
		"targetContainerName": d.Container.Name,
	}}}})
	if err != nil {
		return Request{}, fmt.Errorf("write down the debug container: %w", err)
	}
	return Request{
		Verb: Patch, Subresource: "ephemeralcontainers", PatchType: "application/strategic-merge-patch+json", Body: body,
		Ref: train.PodRef(d.Namespace, d.Pod, d.PodUID),
	}, nil
}

// OpenDebug adds the debug container, waits until it runs and attaches to its shell with
// the streams of e, whose own container and command are ignored. It returns the errors of
// Change, AwaitRunning and Execute.
func OpenDebug(ctx context.Context, x Debugger, d Debug, e Exec) error {
	request, err := d.Request()
	if err != nil {
		return err
	}
	if _, err := x.Change(ctx, request); err != nil {
		return err
	}
	at := d.Container
	at.Name = d.Name
	if err := d.await(ctx, x, at); err != nil {
		return err
	}
	return x.Execute(ctx, attachTo(at, e))
}

func (d Debug) await(ctx context.Context, x Awaiter, at Container) error {
	ctx, cancel := context.WithTimeout(ctx, d.Timeout)
	defer cancel()
	return x.AwaitRunning(ctx, at)
}

// attachTo sends a newline first: the shell printed its prompt before anybody was
// attached.
func attachTo(at Container, e Exec) Exec {
	e.Container, e.Command = at, nil
	if e.Stdin != nil {
		e.Stdin = io.MultiReader(strings.NewReader("\n"), e.Stdin)
	}
	return e
}
