package kube

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"

	"github.com/traintop/traintop/sources/kube/client"
)

// guarded is an API server that authenticates people by certificates like
// those of kubeadm, and counts TLS sessions.
type guarded struct {
	address string
	ca      []byte
	// sessions are connections, resumed those with an earlier session.
	sessions, resumed atomic.Int64
	strangers         atomic.Int64 // requests without a known identity
}

func newGuarded(t testing.TB, pages http.Handler) *guarded {
	t.Helper()
	g := &guarded{}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TLS.PeerCertificates) == 0 || r.TLS.PeerCertificates[0].Subject.CommonName != "me" {
			g.strangers.Add(1)
		}
		pages.ServeHTTP(w, r)
	}))
	server.TLS = &tls.Config{ClientAuth: tls.RequestClientCert, VerifyConnection: func(s tls.ConnectionState) error {
		g.sessions.Add(1)
		if s.DidResume {
			g.resumed.Add(1)
		}
		return nil
	}}
	server.EnableHTTP2 = true // as kube-apiserver: all readers share one connection
	server.StartTLS()
	t.Cleanup(server.Close)
	g.address = server.URL
	g.ca = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	return g
}

// connect returns a cluster that uses the server.
func (g *guarded) connect(t testing.TB) *Cluster {
	t.Helper()
	config := api.NewConfig()
	config.Clusters["c"] = &api.Cluster{Server: g.address, CertificateAuthorityData: g.ca}
	config.AuthInfos["me"] = &api.AuthInfo{}
	config.AuthInfos["me"].ClientCertificateData, config.AuthInfos["me"].ClientKeyData = certificateOf(t, "me")
	config.Contexts["c"], config.CurrentContext = &api.Context{Cluster: "c", AuthInfo: "me"}, "c"
	path := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, path); err != nil {
		t.Fatal(err)
	}
	flags := genericclioptions.NewConfigFlags(false)
	flags.KubeConfig = &path
	c, err := New(Options{Flags: flags})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// certificateOf makes a person's certificate and key, in PEM.
func certificateOf(t testing.TB, name string) (certificate, key []byte) {
	t.Helper()
	made, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, &made.PublicKey, made)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}),
		pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(made)})
}

// manyTimes runs a short command that many times concurrently.
func manyTimes(t testing.TB, c *Cluster, count int) {
	t.Helper()
	var running sync.WaitGroup
	for range count {
		running.Go(func() {
			if out, err := execute(t, t.Context(), c, "hostname"); err != nil || out != "bert-0\n" {
				t.Errorf("%q, %v", out, err)
			}
		})
	}
	running.Wait()
}

func hostname(t testing.TB) http.HandlerFunc {
	return answering(t, func(_ *http.Request, c channels) {
		_, _ = io.WriteString(c.stdout, "bert-0\n")
		ends(c, `{"status":"Success"}`)
	})
}

// Commands resume the TLS session of an earlier connection with the same
// identity; a changed kubeconfig starts a new session.
func TestCommandsResumeTheSession(t *testing.T) {
	g := newGuarded(t, execPages(running, hostname(t)))
	c := g.connect(t)
	manyTimes(t, c, 1)
	full, resumed := g.sessions.Load(), g.resumed.Load()
	manyTimes(t, c, 8)
	if more, again := g.sessions.Load()-full, g.resumed.Load()-resumed; more != 8 || again != 8 {
		t.Errorf("%d connections for 8 commands, of which %d go on with a session", more, again)
	}
	if n := g.strangers.Load(); n > 0 {
		t.Errorf("%d requests were nobody's", n)
	}
	full = g.sessions.Load() - g.resumed.Load()
	if err := c.connection.Renew(); err != nil {
		t.Fatal(err)
	}
	manyTimes(t, c, 1)
	if g.sessions.Load()-g.resumed.Load() == full {
		t.Error("a login that was read anew goes on with a session of the one before")
	}
}

// A plugin's next certificate may have another identity.
func TestNoSessionIsKeptForPlugins(t *testing.T) {
	plugin := &rest.Config{ExecProvider: &api.ExecConfig{Command: "login"}}
	plain := &rest.Config{}
	client.Resuming(plugin)
	client.Resuming(plain)
	if plugin.WrapTransport != nil || plain.WrapTransport == nil {
		t.Errorf("sessions are kept: with a plugin %t, without %t", plugin.WrapTransport != nil, plain.WrapTransport != nil)
	}
}

// BenchmarkExecuteOne and BenchmarkExecuteMany run a short command in one
// rank, and in 32 concurrently, each over its own connection. The measurement
// includes the server.
func BenchmarkExecuteOne(b *testing.B)  { benchmarkExecute(b, 1) }
func BenchmarkExecuteMany(b *testing.B) { benchmarkExecute(b, 32) }

func benchmarkExecute(b *testing.B, ranks int) {
	c := newGuarded(b, execPages(running, hostname(b))).connect(b)
	manyTimes(b, c, 1)
	b.ReportAllocs()
	for b.Loop() {
		manyTimes(b, c, ranks)
	}
}
