package controlplane

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"
)

// certificateLife is longer than any test run and any afternoon with the
// cluster kept up by hand.
const certificateLife = 30 * 24 * time.Hour

// authority signs every certificate of one control plane.
type authority struct {
	dir         string
	key         *ecdsa.PrivateKey
	certificate *x509.Certificate
	pem         []byte
}

// newAuthority makes a certificate authority and writes its certificate to
// ca.crt in dir.
func newAuthority(dir string) (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make the authority's key: %w", err)
	}
	template := certificateTemplate(pkix.Name{CommonName: "traintop-e2e"})
	template.IsCA, template.BasicConstraintsValid = true, true
	template.KeyUsage |= x509.KeyUsageCertSign
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("make the authority's certificate: %w", err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, fmt.Errorf("read the authority's certificate: %w", err)
	}
	ca := &authority{dir: dir, key: key, certificate: certificate, pem: pemBlock("CERTIFICATE", der)}
	return ca, os.WriteFile(ca.path("ca.crt"), ca.pem, 0o600)
}

func (ca *authority) path(file string) string { return filepath.Join(ca.dir, file) }

// keyPair is a private key and its certificate, PEM encoded.
type keyPair struct{ certificate, key []byte }

// issue signs a certificate for a server on loopback or a client; group is
// the organization, which Kubernetes reads as the user's group.
func (ca *authority) issue(name, group string) (keyPair, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return keyPair{}, fmt.Errorf("make a key for %s: %w", name, err)
	}
	subject := pkix.Name{CommonName: name}
	if group != "" {
		subject.Organization = []string{group}
	}
	template := certificateTemplate(subject)
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	template.DNSNames = []string{"localhost", "kubernetes", "kubernetes.default.svc"}
	template.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1), net.IPv4(10, 0, 0, 1)}
	der, err := x509.CreateCertificate(rand.Reader, template, ca.certificate, key.Public(), ca.key)
	if err != nil {
		return keyPair{}, fmt.Errorf("sign a certificate for %s: %w", name, err)
	}
	private, err := privatePEM(key)
	return keyPair{certificate: pemBlock("CERTIFICATE", der), key: private}, err
}

// write puts a pair into name.crt and name.key.
func (ca *authority) write(name string, pair keyPair) error {
	if err := os.WriteFile(ca.path(name+".crt"), pair.certificate, 0o600); err != nil {
		return fmt.Errorf("write the certificate of %s: %w", name, err)
	}
	if err := os.WriteFile(ca.path(name+".key"), pair.key, 0o600); err != nil {
		return fmt.Errorf("write the key of %s: %w", name, err)
	}
	return nil
}

// writeSigner writes the pair that signs and checks service account tokens.
func (ca *authority) writeSigner() error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return fmt.Errorf("make the service accounts' key: %w", err)
	}
	private, err := privatePEM(key)
	if err != nil {
		return err
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return fmt.Errorf("encode the service accounts' key: %w", err)
	}
	if err := os.WriteFile(ca.path("sa.key"), private, 0o600); err != nil {
		return fmt.Errorf("write the service accounts' key: %w", err)
	}
	return os.WriteFile(ca.path("sa.pub"), pemBlock("PUBLIC KEY", public), 0o600)
}

// certificateTemplate leaves the serial number to crypto/x509, which draws one.
func certificateTemplate(subject pkix.Name) *x509.Certificate {
	return &x509.Certificate{
		Subject:   subject,
		NotBefore: time.Now().Add(-time.Hour),
		NotAfter:  time.Now().Add(certificateLife),
		KeyUsage:  x509.KeyUsageDigitalSignature | x509.KeyUsageKeyEncipherment,
	}
}

func privatePEM(key *ecdsa.PrivateKey) ([]byte, error) {
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("encode a private key: %w", err)
	}
	return pemBlock("EC PRIVATE KEY", der), nil
}

func pemBlock(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}
