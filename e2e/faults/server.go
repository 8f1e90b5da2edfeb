package faults

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Server is the recorded cluster on a port of its own, which misbehaves on
// command. Its methods may be called from several goroutines.
type Server struct {
	cluster http.Handler
	http    *httptest.Server
	ended   chan struct{}
	held    *os.File // the socket that refuses connections
	address string   // host and port, that of held where connections are refused
	ca      []byte

	mu    sync.Mutex
	fault Fault
	place Place
	// after so many good answers at the place it begins.
	after int
	hits  int
}

// StartServer starts a healthy one, or one that cannot be connected to.
func StartServer(c http.Handler, wire wireFault) (*Server, error) {
	s := &Server{cluster: c, ended: make(chan struct{}), place: Everything}
	certificate, ca, err := certificates(wire)
	if err != nil {
		return nil, err
	}
	s.ca = ca
	s.http = httptest.NewUnstartedServer(s)
	s.http.EnableHTTP2 = true
	s.http.Config.ErrorLog = quiet
	s.http.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	s.http.Listener = faultyListener{s.http.Listener, func() wireFault { return wire }, s.ended}
	s.http.StartTLS()
	s.address = s.http.Listener.Addr().String()
	if wire == wireRefuses {
		s.held, s.address, err = refusingSocket()
	}
	return s, err
}

// Stop ends it and all connections.
func (s *Server) Stop() {
	close(s.ended)
	if s.held != nil {
		_ = s.held.Close()
	}
	s.http.CloseClientConnections()
	_ = s.http.Config.Close()
}

// Misbehave begins a fault at a place, after so many good answers there.
func (s *Server) Misbehave(f Fault, at Place, after int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault, s.place, s.after, s.hits = f, at, after, 0
}

// Begun reports whether all good answers were given.
func (s *Server) Begun() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.after == 0
}

// Break cuts every connection, and with it watches and followed logs.
func (s *Server) Break() { s.http.CloseClientConnections() }

// Hits is how often the fault was met.
func (s *Server) Hits() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hits
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	serve := s.met(r)
	if serve == nil {
		s.holdBack(r)
		s.cluster.ServeHTTP(w, r)
		return
	}
	serve(w, r, s.cluster)
}

// holdBack lets Prometheus answer after an exporter that fails was asked: the
// program asks no exporter of a node that Prometheus measures, so that an early
// answer hides the fault.
func (s *Server) holdBack(r *http.Request) {
	if s.faultyPlace().Words != Exporter.Words || !Prometheus.holds(r, targetOf(r.URL.Path)) {
		return
	}
	ctx, stop := context.WithTimeout(r.Context(), heldBack)
	defer stop()
	when(ctx, func() bool { return s.Hits() > 0 })
}

// heldBack is how long an answer is held back where no exporter is asked.
const heldBack = 4 * time.Second

func (s *Server) faultyPlace() Place {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.place
}

// met is the fault that the request meets, nil for none.
func (s *Server) met(r *http.Request) func(http.ResponseWriter, *http.Request, http.Handler) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fault.serve == nil || !s.place.holds(r, targetOf(r.URL.Path)) {
		return nil
	}
	if s.after > 0 {
		s.after--
		return nil
	}
	s.hits++
	return s.fault.serve
}

// Kubeconfig writes one that leads to the server into a folder.
func (s *Server) Kubeconfig(folder string) (string, error) {
	ca, path := filepath.Join(folder, "ca.pem"), filepath.Join(folder, "kubeconfig")
	if err := os.WriteFile(ca, s.ca, 0o600); err != nil {
		return "", err
	}
	return path, os.WriteFile(path, fmt.Appendf(nil, `apiVersion: v1
kind: Config
current-context: recorded
clusters: [{name: recorded, cluster: {server: %q, certificate-authority: %q}}]
users: [{name: jane, user: {token: %q}}]
contexts: [{name: recorded, context: {cluster: recorded, user: jane, namespace: %q}}]
`, "https://"+s.address, ca, token, Namespace), 0o600)
}
