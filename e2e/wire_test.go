package e2e

import (
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"k8s.io/client-go/tools/clientcmd"
)

// wire is a network path to the API server that can be cut and mended. While
// it is cut, connections break and new ones are refused.
type wire struct {
	t       *testing.T
	address string // where clients connect
	server  string

	listener net.Listener

	mu          sync.Mutex
	isCut       bool
	connections map[net.Conn]bool
	running     sync.WaitGroup
}

// newWire makes a whole wire, and an administrator's kubeconfig that uses it.
func newWire(t *testing.T) (*wire, string) {
	t.Helper()
	w := &wire{t: t, address: "127.0.0.1:0", server: strings.TrimPrefix(cluster.URL(), "https://"), connections: map[net.Conn]bool{}}
	w.mend()
	t.Cleanup(w.cut)
	config, err := clientcmd.LoadFromFile(cluster.Kubeconfig)
	must(t, err)
	for _, server := range config.Clusters {
		server.Server = "https://" + w.address
	}
	path := filepath.Join(t.TempDir(), "kubeconfig")
	must(t, clientcmd.WriteToFile(*config, path))
	return w, path
}

func (w *wire) mend() {
	w.t.Helper()
	listener, err := net.Listen("tcp", w.address)
	must(w.t, err)
	w.address = listener.Addr().String()
	w.listener = listener
	w.mu.Lock()
	w.isCut = false
	w.mu.Unlock()
	w.running.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			w.running.Go(func() { w.carry(client) })
		}
	})
}

func (w *wire) cut() {
	_ = w.listener.Close()
	w.mu.Lock()
	w.isCut = true
	for connection := range w.connections {
		_ = connection.Close()
	}
	w.mu.Unlock()
	w.running.Wait()
}

func (w *wire) carry(client net.Conn) {
	server, err := net.Dial("tcp", w.server)
	if err != nil {
		_ = client.Close()
		return
	}
	w.hold(client, server)
	var directions sync.WaitGroup
	directions.Go(func() { _, _ = io.Copy(server, client); _ = server.Close() })
	directions.Go(func() { _, _ = io.Copy(client, server); _ = client.Close() })
	directions.Wait()
	w.release(client, server)
}

func (w *wire) hold(connections ...net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, connection := range connections {
		w.connections[connection] = true
		if w.isCut {
			_ = connection.Close()
		}
	}
}

func (w *wire) release(connections ...net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, connection := range connections {
		delete(w.connections, connection)
	}
}
