//go:build unix

package client

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericclioptions"
)

// TestCredentialsInAPipeThatNobodyWrites: connecting ends with an error and does
// not wait for a writer.
func TestCredentialsInAPipeThatNobodyWrites(t *testing.T) {
	folder := t.TempDir()
	pipe := filepath.Join(folder, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		cluster, user string
		flag          func(*genericclioptions.ConfigFlags)
	}{
		"token":                   {"", "tokenFile: pipe", nil},
		"certificate":             {"", "client-certificate: pipe, client-key: pipe", nil},
		"authority":               {", certificate-authority: pipe", "", nil},
		"--certificate-authority": {"", "", func(f *genericclioptions.ConfigFlags) { f.CAFile = &pipe }},
		"--client-key":            {"", "", func(f *genericclioptions.ConfigFlags) { f.CertFile, f.KeyFile = &pipe, &pipe }},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(folder, "config")
			text := fmt.Sprintf("apiVersion: v1\nkind: Config\ncurrent-context: c\ncontexts: [{name: c, context: {cluster: k, user: u}}]\n"+
				"clusters: [{name: k, cluster: {server: https://127.0.0.1:1%s}}]\nusers: [{name: u, user: {%s}}]\n", c.cluster, c.user)
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			flags := genericclioptions.NewConfigFlags(false)
			flags.KubeConfig = &path
			if c.flag != nil {
				c.flag(flags)
			}
			ended := make(chan error, 1)
			go func() { _, err := Connect(flags, Timeouts{}); ended <- err }()
			select {
			case err := <-ended:
				if err == nil || !strings.Contains(err.Error(), "named pipe") {
					t.Errorf("the error is %v", err)
				}
			case <-time.After(5 * time.Second):
				t.Error("it waits")
			}
		})
	}
}
