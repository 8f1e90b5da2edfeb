package controlplane

import (
	"crypto/tls"
	"crypto/x509"
	"testing"
)

func TestCertificatesServeLoopbackAndClients(t *testing.T) {
	ca, err := newAuthority(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	pair, err := ca.issue("someone", "a-group")
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := tls.X509KeyPair(pair.certificate, pair.key)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(ca.pem)
	for _, host := range []string{"127.0.0.1", "localhost", "kubernetes.default.svc"} {
		if _, err := loaded.Leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: host}); err != nil {
			t.Errorf("as a server at %s: %v", host, err)
		}
	}
	client := x509.VerifyOptions{Roots: roots, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}
	if _, err := loaded.Leaf.Verify(client); err != nil {
		t.Errorf("as a client: %v", err)
	}
	if subject := loaded.Leaf.Subject; subject.CommonName != "someone" || len(subject.Organization) != 1 || subject.Organization[0] != "a-group" {
		t.Errorf("the subject is %s, want user someone in a-group", subject)
	}
}
