package client

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/traintop/traintop/sources/proxyenv"
)

// badProxy accepts connections and misbehaves on each.
func badProxy(t *testing.T, serve func(net.Conn)) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = connection.Close() }()
				serve(connection)
			}()
		}
	}()
	return listener.Addr().String()
}

// behind connects to a server that only a proxy could reach.
func behind(t *testing.T, server, more string) (*Connection, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config")
	text := "apiVersion: v1\nkind: Config\ncurrent-context: c\ncontexts: [{name: c, context: {cluster: c, user: u}}]\nusers: [{name: u, user: {}}]\nclusters: [{name: c, cluster: {server: '" + server + "'" + more + "}}]\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	flags := genericclioptions.NewConfigFlags(false)
	timeout := "1s"
	flags.KubeConfig, flags.Timeout = &path, &timeout
	return Connect(flags, Timeouts{Once: true})
}

// A proxy that misbehaves is reported with its address, without its password, and
// with who named it, as soon as the request's time is over.
func TestAProxyThatMisbehavesIsNamed(t *testing.T) {
	closed := badProxy(t, func(net.Conn) {})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	refused := listener.Addr().String()
	_ = listener.Close()
	done := make(chan struct{})
	t.Cleanup(func() { close(done) })
	for name, c := range map[string]struct{ address, says string }{
		"refuses":      {refused, "refused"},
		"closes":       {closed, ""},
		"hangs":        {badProxy(t, func(net.Conn) { <-done }), "in 1s"},
		"garbage":      {badProxy(t, func(c net.Conn) { _, _ = c.Write([]byte("\x00\x1b[2Jnonsense\r\n\r\n")) }), "malformed HTTP response"},
		"no end":       {badProxy(t, func(c net.Conn) { endless(c) }), ""},
		"asks a login": {badProxy(t, func(c net.Conn) { _, _ = io.WriteString(c, "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n") }), "Proxy Authentication Required"},
		"no tunnel":    {badProxy(t, func(c net.Conn) { _, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\nnonsense, not TLS") }), ""},
	} {
		for variable, more := range map[string]string{"HTTPS_PROXY": "", "https_proxy": "", "proxy-url in the kubeconfig": ", proxy-url: 'http://ada:s3cr3t@" + c.address + "'"} {
			t.Run(name+" "+variable, func(t *testing.T) {
				noProxies(t)
				if more == "" {
					t.Setenv(variable, "http://ada:s3cr3t@"+c.address)
				}
				connection, err := behind(t, "https://cluster.invalid:6443", more)
				if err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				err = connection.Ask(t.Context(), func(ctx context.Context) error { return connection.Core.Get().AbsPath("/version").Do(ctx).Error() })
				if err == nil {
					t.Fatal("it answers")
				}
				text := err.Error()
				for _, want := range []string{"no answer from https://cluster.invalid:6443", "through the proxy http://" + c.address + ", which " + variable + " names", c.says} {
					if !strings.Contains(text, want) {
						t.Errorf("%s: %q is not in it", text, want)
					}
				}
				if strings.Contains(text, "s3cr3t") || strings.ContainsAny(text, "\x1b\x00") || time.Since(began) > 5*time.Second {
					t.Errorf("%s, after %s", text, time.Since(began))
				}
			})
		}
	}
}

func endless(c net.Conn) {
	for block := make([]byte, 64<<10); ; {
		if _, err := c.Write(block); err != nil {
			return
		}
	}
}

func noProxies(t *testing.T) {
	t.Helper()
	for _, name := range []string{"HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "https_proxy", "http_proxy", "no_proxy"} {
		t.Setenv(name, "")
	}
}

// A variable that is no URL of a proxy is an error, and no request without one,
// unless the server is reached without a proxy.
func TestAnInvalidProxyIsSaid(t *testing.T) {
	for _, value := range []string{"http://[bad", "http://ada:s3cr3t@%zz", "http://", "ftp://proxy:21", "://", "\x7f"} {
		t.Run(value, func(t *testing.T) {
			noProxies(t)
			t.Setenv("HTTPS_PROXY", value)
			_, err := behind(t, "https://cluster.invalid:6443", "")
			wrong := (*proxyenv.URLError)(nil)
			if !errors.As(err, &wrong) || !strings.HasPrefix(err.Error(), "HTTPS_PROXY is no URL of a proxy") || strings.Contains(err.Error(), "s3cr3t") {
				t.Errorf("%v", err)
			}
			for _, server := range []string{"https://127.0.0.1:6443", "https://localhost:6443", "http://cluster.invalid"} {
				if _, err := behind(t, server, ""); err != nil {
					t.Errorf("%s: %v", server, err)
				}
			}
			t.Setenv("NO_PROXY", "cluster.invalid")
			if _, err := behind(t, "https://cluster.invalid:6443", ""); err != nil {
				t.Errorf("a server in NO_PROXY: %v", err)
			}
		})
	}
	noProxies(t)
	t.Setenv("HTTPS_PROXY", "proxy.invalid:3128") // as net/http takes it
	if c, err := behind(t, "https://cluster.invalid:6443", ""); err != nil || c.through != "the proxy http://proxy.invalid:3128, which HTTPS_PROXY names" {
		t.Errorf("%v", err)
	}
}
