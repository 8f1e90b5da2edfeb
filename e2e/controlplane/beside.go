package controlplane

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// Guest is a program that runs beside a control plane until that ends.
type Guest struct {
	// Program is its path, Dir its working folder, which receives its log.
	Program, Dir string
	Args         []string
	// Variables are in its environment besides those of this process.
	Variables []string
	// Ready is the URL that answers with 200 once it is.
	Ready string
}

// RunBeside starts a guest and returns when it is ready. From then on Wait fails
// when it has ended by itself.
func (c *ControlPlane) RunBeside(ctx context.Context, guest Guest) error {
	p, err := startProcessWith(guest.Variables, guest.Dir, guest.Program, guest.Args...)
	if err != nil {
		return err
	}
	c.others = append(c.others, p)
	return p.answers(ctx, guest.Ready)
}

// ServingCertificate puts a key and a certificate for a server on loopback into a
// folder, as tls.key and tls.crt, and returns the certificate of their authority,
// for the caBundle of a webhook.
func (c *ControlPlane) ServingCertificate(name, dir string) (authority []byte, err error) {
	pair, err := c.ca.issue(name, "")
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of the certificate of %s: %w", name, err)
	}
	for file, text := range map[string][]byte{"tls.crt": pair.certificate, "tls.key": pair.key} {
		if err := os.WriteFile(filepath.Join(dir, file), text, 0o600); err != nil {
			return nil, fmt.Errorf("write the certificate of %s: %w", name, err)
		}
	}
	return c.ca.pem, nil
}
