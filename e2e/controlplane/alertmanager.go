package controlplane

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// AlertmanagerVersion is the release of Alertmanager.
const AlertmanagerVersion = "0.34.2"

const alertmanagerModule = "github.com/prometheus/alertmanager"

// compileAlertmanager builds in a copy of the module, with its own go.mod, and
// without its web pages, which only its own build can make. The first build on
// a machine takes some two minutes on two cores.
func compileAlertmanager(ctx context.Context, program string) error {
	scratch, err := os.MkdirTemp("", "traintop-e2e-alertmanager-")
	if err != nil {
		return fmt.Errorf("make a scratch folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	m, err := downloadModule(ctx, scratch, alertmanagerModule, "v"+AlertmanagerVersion)
	if err != nil {
		return err
	}
	source := filepath.Join(scratch, "source")
	if err := os.CopyFS(source, os.DirFS(m.Dir)); err != nil {
		return fmt.Errorf("copy the source of Alertmanager: %w", err)
	}
	pages := filepath.Join(source, "ui", "app", "dist") // ui/web.go embeds it
	if err := os.MkdirAll(pages, 0o755); err != nil {
		return fmt.Errorf("leave the pages of Alertmanager out: %w", err)
	}
	if err := os.WriteFile(filepath.Join(pages, "index.html"), nil, 0o600); err != nil {
		return fmt.Errorf("leave the pages of Alertmanager out: %w", err)
	}
	m.work = source
	return m.buildProgram(ctx, "./cmd/alertmanager", program, "-X github.com/prometheus/common/version.Version="+AlertmanagerVersion)
}

// Alertmanager is a running server.
type Alertmanager struct {
	port    int
	process *process
}

// URL is the root of its API.
func (a *Alertmanager) URL() string { return "http://" + loopback(a.port) }

// StartAlertmanager builds the server if it is missing, starts it alone with a
// configuration in a folder, and returns when it answers.
func StartAlertmanager(ctx context.Context, dir, configuration string, progress func(string)) (*Alertmanager, error) {
	program, err := builtOnce(ctx, "alertmanager", AlertmanagerVersion, progress, compileAlertmanager)
	if err != nil {
		return nil, fmt.Errorf("build Alertmanager: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "alertmanager.yml"), []byte(strings.TrimSpace(configuration)+"\n"), 0o600); err != nil {
		return nil, fmt.Errorf("write the configuration of Alertmanager: %w", err)
	}
	free, err := FreePorts(1)
	if err != nil {
		return nil, err
	}
	a := &Alertmanager{port: free[0]}
	a.process, err = startProcess(dir, program, "--config.file=alertmanager.yml", "--storage.path=data",
		"--web.listen-address="+loopback(a.port), "--cluster.listen-address=")
	if err != nil {
		return nil, err
	}
	return a, a.process.answers(ctx, a.URL()+"/-/ready")
}

// Stop kills it.
func (a *Alertmanager) Stop() { a.process.kill() }
