package kube

import (
	"context"
	"net"
	"os"
	"syscall"
	"testing"
)

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	accepted, closed := p.channels()
	client, server := net.Pipe()
	select {
	case accepted <- server:
		return client, nil
	case <-closed:
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept implements net.Listener.
func (p *pipes) Accept() (net.Conn, error) {
	accepted, closed := p.channels()
	select {
	case conn := <-accepted:
		return conn, nil
	case <-closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (p *pipes) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.closed:
	default:
		close(p.closed)
	}
	return nil
}

// Addr implements net.Listener.
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "memory", Net: "unix"} }

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
