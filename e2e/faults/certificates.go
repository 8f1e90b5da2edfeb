package faults

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"time"
)

// quiet drops net/http's messages about handshakes that are meant to fail.
var quiet = log.New(io.Discard, "", 0)

// certificates are the server's own and the authority that the kubeconfig
// names; the fault makes them invalid.
func certificates(wire wireFault) (server tls.Certificate, ca []byte, err error) {
	until := time.Now().Add(time.Hour)
	if wire == wireExpired {
		until = time.Now().Add(-time.Hour)
	}
	if server, ca, err = selfSigned(until); err != nil || wire != wireStranger {
		return server, ca, err
	}
	_, ca, err = selfSigned(until)
	return server, ca, err
}

// selfSigned is a certificate for this machine's loopback, which is its own
// authority.
func selfSigned(until time.Time) (tls.Certificate, []byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, nil, fmt.Errorf("make a key: %w", err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "recorded cluster"},
		NotBefore: until.Add(-2 * time.Hour), NotAfter: until, IsCA: true, BasicConstraintsValid: true,
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return tls.Certificate{}, nil, fmt.Errorf("make a certificate: %w", err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, text, nil
}
