package kubelet

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"sync"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/cri-streaming/pkg/streaming/portforward"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
)

// Real kubelets give up on a silent stream after four hours and wait half a
// minute for all streams of a request (kubelet 1.36).
const (
	idleTimeout     = 4 * time.Hour
	creationTimeout = 30 * time.Second
)

// Options configure a Kubelet.
type Options struct {
	// Address is where it listens, CertFile and KeyFile its certificate.
	Address, CertFile, KeyFile string
	// Behind is the server that answers everything else: kwok's address.
	Behind string
	// Dir receives the pods' folders.
	Dir     string
	Clients kubernetes.Interface
}

// Kubelet is one server that plays the kubelets of all nodes.
type Kubelet struct {
	dir     string
	clients kubernetes.Interface
	server  *http.Server

	context context.Context // ends the commands that run
	cancel  context.CancelFunc
	running sync.WaitGroup
}

// Start begins to serve.
func Start(o Options) (*Kubelet, error) {
	certificate, err := tls.LoadX509KeyPair(o.CertFile, o.KeyFile)
	if err != nil {
		return nil, fmt.Errorf("read the certificate of the kubelets: %w", err)
	}
	listener, err := net.Listen("tcp", o.Address)
	if err != nil {
		return nil, fmt.Errorf("listen for the kubelets: %w", err)
	}
	k := &Kubelet{dir: filepath.Join(o.Dir, "pods"), clients: o.Clients}
	k.context, k.cancel = context.WithCancel(context.Background())
	// Connections that are upgraded to SPDY speak HTTP/1.1.
	k.server = &http.Server{Handler: k.handler(o.Behind), ReadHeaderTimeout: time.Minute}
	secure := tls.NewListener(listener, &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12})
	k.running.Go(func() { _ = k.server.Serve(secure) }) // ends with Close
	return k, nil
}

// Close ends every command, connection and the server.
func (k *Kubelet) Close() {
	k.cancel()
	_ = k.server.Close()
	k.running.Wait()
}

// The paths are those at which the API server calls kubelets; the UID is only
// there for pods of static manifests.
func (k *Kubelet) handler(behind string) http.Handler {
	routes := http.NewServeMux()
	routes.HandleFunc("/exec/{namespace}/{pod}/{container}", k.exec)
	routes.HandleFunc("/exec/{namespace}/{pod}/{uid}/{container}", k.exec)
	routes.HandleFunc("/attach/{namespace}/{pod}/{container}", k.attach)
	routes.HandleFunc("/attach/{namespace}/{pod}/{uid}/{container}", k.attach)
	routes.HandleFunc("/portForward/{namespace}/{pod}", k.portForward)
	routes.HandleFunc("/portForward/{namespace}/{pod}/{uid}", k.portForward)
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "https", Host: behind})
	proxy.FlushInterval = -1 // logs are followed
	proxy.Transport = &http.Transport{
		TLSClientConfig:     &tls.Config{InsecureSkipVerify: true}, // kwok on loopback
		MaxIdleConnsPerHost: 64,
	}
	routes.Handle("/", proxy)
	return routes
}

func (k *Kubelet) exec(w http.ResponseWriter, r *http.Request) {
	c, ok := k.container(w, r)
	if !ok {
		return
	}
	options, err := remotecommand.NewOptions(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	remotecommand.ServeExec(w, r, executor{k, c}, "", "", "", r.URL.Query()["command"], options,
		idleTimeout, creationTimeout, remotecommand.SupportedStreamingProtocols)
}

func (k *Kubelet) attach(w http.ResponseWriter, r *http.Request) {
	c, ok := k.container(w, r)
	if !ok {
		return
	}
	options, err := remotecommand.NewOptions(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	remotecommand.ServeAttach(w, r, executor{k, c}, "", "", "", options,
		idleTimeout, creationTimeout, remotecommand.SupportedStreamingProtocols)
}

func (k *Kubelet) portForward(w http.ResponseWriter, r *http.Request) {
	pod, ok := k.pod(w, r)
	if !ok {
		return
	}
	options, err := portforward.NewV4Options(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	portforward.ServePortForward(w, r, forwarder{k, pod}, "", "", options,
		idleTimeout, creationTimeout, portforward.SupportedProtocols)
}
