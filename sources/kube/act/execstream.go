package act

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	remoteprotocols "k8s.io/apimachinery/pkg/util/remotecommand"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/remotecommand"
	"k8s.io/client-go/transport/spdy"
	"k8s.io/streaming/pkg/httpstream"

	"github.com/traintop/traintop/sources/kube/client"
)

// stream runs the command and returns when it or ctx has ended.
func (x *execution) stream(ctx context.Context, streams *callerStreams) error {
	defer streams.detach()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	executor, err := remote(x.connection, x.url())
	if err != nil {
		return err
	}
	options := streams.Options(ctx)
	done := make(chan error, 1)
	// Waiting for an upgrade does not end with ctx: an API server that tries
	// to reach a dead node answers after half a minute. So do not wait for it.
	go func() { done <- executor.StreamWithContext(ctx, options) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (x *execution) url() *url.URL {
	subresource := "exec"
	if x.exec.Command == nil {
		subresource = "attach"
	}
	request := x.connection.Core.Post().AbsPath("/api/v1/namespaces", x.exec.Namespace, "pods", x.exec.Pod, subresource).
		Param("container", x.container).
		Param("stdin", strconv.FormatBool(x.exec.Stdin != nil)).
		Param("stdout", "true").
		Param("stderr", strconv.FormatBool(!x.exec.TTY)).
		Param("tty", strconv.FormatBool(x.exec.TTY))
	for _, argument := range x.exec.Command {
		request.Param("command", argument)
	}
	return request.URL()
}

// remote prepares a connection for one command.
func remote(c *client.Connection, to *url.URL) (remotecommand.Executor, error) {
	config := client.LimitOpening(c.Upgraded.Load(), c.Patience)
	overSPDY := lateSPDY(func() (remotecommand.Executor, error) { return newSPDYExecutor(config, to) })
	overWebSocket, err := remotecommand.NewWebSocketExecutor(config, http.MethodGet, to.String())
	if err != nil {
		return nil, fmt.Errorf("preparing the connection to %s: %w", client.WithoutUser(c.Address), err)
	}
	return remotecommand.NewFallbackExecutor(overWebSocket, overSPDY, WorthSPDY)
}

// WorthSPDY reports whether SPDY may succeed where WebSocket was refused. A
// right may be missing for only one of them: a WebSocket begins with a GET,
// SPDY with a POST, which RBAC calls get and create.
func WorthSPDY(err error) bool {
	if httpstream.IsHTTPSProxyError(err) {
		return true
	}
	var upgrade *httpstream.UpgradeFailureError
	if !errors.As(err, &upgrade) || upgrade.Cause == nil {
		return false
	}
	final := apierrors.IsNotFound(upgrade.Cause) || apierrors.IsUnauthorized(upgrade.Cause)
	return !final && execErrorOf(upgrade.Cause.Error()) != kubeletAway // that already took half a minute
}

// lateSPDY creates its executor on first use, which is rare: that reads the
// certificates and the key of the configuration again.
type lateSPDY func() (remotecommand.Executor, error)

// Stream implements remotecommand.Executor.
func (late lateSPDY) Stream(options remotecommand.StreamOptions) error {
	return late.StreamWithContext(context.Background(), options)
}

// StreamWithContext implements remotecommand.Executor.
func (late lateSPDY) StreamWithContext(ctx context.Context, options remotecommand.StreamOptions) error {
	executor, err := late()
	if err != nil {
		return err
	}
	return executor.StreamWithContext(ctx, options)
}

// newSPDYExecutor returns client-go's executor, but distinguishes a command
// that succeeded from a connection that ended: SPDY streams end the same way
// for both.
func newSPDYExecutor(config *rest.Config, to *url.URL) (remotecommand.Executor, error) {
	transport, upgrader, err := spdy.RoundTripperFor(config)
	if err != nil {
		return nil, err
	}
	watched := &endWatcher{Upgrader: upgrader}
	// With version 4 (Kubernetes 1.4) the other end also reports success.
	executor, err := remotecommand.NewSPDYExecutorForProtocols(transport, watched, http.MethodPost, to,
		remoteprotocols.StreamProtocolV5Name, remoteprotocols.StreamProtocolV4Name)
	return &spdyExecutor{Executor: executor, watched: watched}, err
}
