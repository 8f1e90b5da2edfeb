package act

import (
	"context"
	"fmt"
	"path"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/sources/kube/client"
)

// Execute runs a command in a container, or attaches to its process, over a
// connection of its own: WebSocket, or SPDY if that is not supported
// (kube-apiserver before 1.30, proxies). It first reads the pod, as kubectl
// does, which needs verb get on pods: to choose the container, check that it
// runs, and never enter another pod of that name.
//
// After it returns, it no longer writes to Stdout and Stderr, nor reads Stdin,
// except for a Read that was already waiting: if its source, for example a
// terminal, is used afterwards, pass one that can be ended.
//
// Its errors are those of actions.Executor. A connection may take client.OpenLimit to
// open. A broken one ends it at once, a silent dead one after a minute: that is how long
// client-go (0.36) waits for the answer to a ping of a WebSocket.
func (c *Actor) Execute(ctx context.Context, e actions.Exec) error {
	ctx = client.WithoutLogs(ctx)
	x := &execution{connection: c.connection, exec: e, now: c.now, began: c.now()}
	if failure := x.find(ctx); failure != nil {
		return failure
	}
	streams := NewCallerStreams(x.exec)
	err := x.stream(ctx, streams)
	return x.ended(ctx, err, streams.head)
}

// execution is one running command.
type execution struct {
	connection *client.Connection
	exec       actions.Exec
	now        func() time.Time
	began      time.Time
	// pod is the pod at the start of the command, container the one entered.
	pod       *corev1.Pod
	container string
}

// doing describes the attempt.
func (x *execution) doing() string {
	where := "pod " + client.JoinName(x.exec.Namespace, x.exec.Pod)
	if x.container != "" {
		where += ", container " + x.container
	}
	if x.exec.Command == nil {
		return client.Printable("attaching to " + where)
	}
	program := "nothing"
	if len(x.exec.Command) > 0 {
		program = path.Base(x.exec.Command[0])
	}
	return client.Printable(fmt.Sprintf("running %s in %s", program, where))
}

func (x *execution) failure(kind actions.FailureKind, cause error, format string, arguments ...any) *actions.Failure {
	return &actions.Failure{Kind: kind, Text: x.doing() + ": " + fmt.Sprintf(format, arguments...), Cause: cause}
}

// find reads the pod before anything runs in it.
func (x *execution) find(ctx context.Context) *actions.Failure {
	if x.exec.Command != nil && len(x.exec.Command) == 0 {
		return x.failure(actions.Invalid, nil, "there is no command")
	}
	for _, name := range []string{x.exec.Namespace, x.exec.Pod} {
		if err := client.CheckName(name); err != nil || name == "" {
			return x.failure(actions.Invalid, err, "%q is no name of a pod or a namespace", client.Printable(name))
		}
	}
	pod, failure := podFor(ctx, x.connection, x.exec.Container, x.doing())
	if failure != nil {
		return failure
	}
	x.pod = pod
	if x.container, failure = x.choose(); failure != nil {
		return failure
	}
	if why := whyNotRunning(pod, x.container); why != "" {
		return x.failure(actions.NotRunning, nil, "%s", why)
	}
	if x.exec.Command == nil && x.exec.TTY {
		x.attachAsMade()
	}
	return nil
}

// attachAsMade attaches no terminal if the container was created without one,
// and no input if it reads none: key presses then stay with whoever typed
// them.
func (x *execution) attachAsMade() {
	input, terminal := terminalOf(x.pod, x.container)
	if terminal {
		return
	}
	x.exec.TTY = false
	x.exec.Stdout = &cleanLines{to: x.exec.Stdout}
	x.exec.Stderr = x.exec.Stdout
	if !input {
		x.exec.Stdin = nil
	}
}

// choose returns the name of the intended container.
func (x *execution) choose() (string, *actions.Failure) {
	names := containersOf(x.pod)
	if x.exec.Name == "" {
		return defaultContainer(x.pod, names), nil
	}
	for _, name := range names {
		if name == x.exec.Name {
			return name, nil
		}
	}
	return x.exec.Name, x.failure(actions.Invalid, nil, "the pod has no such container; it has %s", client.Printable(client.List(names)))
}
