package controlplane

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// PrometheusVersion is the release of Prometheus, as its module counts: 0.307.3
// is 3.7.3.
const PrometheusVersion = "0.307.3"

const prometheusModule = "github.com/prometheus/prometheus"

// The programs of the module that are built.
const (
	prometheusProgram = "prometheus"
	promtoolProgram   = "promtool"
)

// Promtool makes sure that Prometheus' own checker of rules and pages exists,
// and returns its path.
func Promtool(ctx context.Context, progress func(string)) (string, error) {
	return buildPrometheus(ctx, promtoolProgram, progress)
}

// buildPrometheus makes sure that a program of the real Prometheus exists and
// returns its path. The first call on a machine compiles it, some two minutes on
// two cores. It is built without the discovery of targets in clouds, which is
// half of it, and without its web pages, which only its own build can make.
func buildPrometheus(ctx context.Context, name string, progress func(string)) (string, error) {
	return builtOnce(ctx, name, PrometheusVersion, progress, func(ctx context.Context, program string) error {
		return compilePrometheus(ctx, "./cmd/"+name, program)
	})
}

// compilePrometheus builds in a copy of the module, with its own go.mod.
func compilePrometheus(ctx context.Context, pkg, program string) error {
	scratch, err := os.MkdirTemp("", "traintop-e2e-prometheus-")
	if err != nil {
		return fmt.Errorf("make a scratch folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	m, err := downloadModule(ctx, scratch, prometheusModule, "v"+PrometheusVersion)
	if err != nil {
		return err
	}
	source := filepath.Join(scratch, "source")
	if err := os.CopyFS(source, os.DirFS(m.Dir)); err != nil {
		return fmt.Errorf("copy the source of Prometheus: %w", err)
	}
	plugins := filepath.Join(source, "plugins", "plugins.go")
	if err := os.Remove(plugins); err != nil { // minimum.go keeps files and HTTP
		return fmt.Errorf("leave the plugins of Prometheus out: %w", err)
	}
	m.work = source
	return m.buildProgram(ctx, pkg, program, "-X github.com/prometheus/common/version.Version=3."+strings.TrimPrefix(PrometheusVersion, "0.30"))
}

// Prometheus is a running server.
type Prometheus struct {
	// Address and Port are where it listens. The API server does not proxy to
	// loopback.
	Address string
	Port    int
	// Dir holds its configuration, its data and its log.
	Dir     string
	program string
	flags   []string
	process *process
}

// URL is the base of the API.
func (p *Prometheus) URL() string {
	return "http://" + net.JoinHostPort(p.Address, strconv.Itoa(p.Port))
}

// StartPrometheus builds the server if it is missing and starts it with a
// configuration, and further flags, in a folder. It listens at an address of
// this machine, and returns when it answers.
func StartPrometheus(ctx context.Context, address, dir, configuration string, progress func(string), flags ...string) (*Prometheus, error) {
	program, err := buildPrometheus(ctx, prometheusProgram, progress)
	if err != nil {
		return nil, fmt.Errorf("build Prometheus: %w", err)
	}
	p := &Prometheus{Address: address, Dir: dir, program: program, flags: flags}
	if err := os.WriteFile(filepath.Join(dir, "prometheus.yml"), []byte(configuration), 0o600); err != nil {
		return nil, fmt.Errorf("write the configuration of Prometheus: %w", err)
	}
	free, err := FreePorts(1)
	if err != nil {
		return nil, err
	}
	p.Port = free[0]
	return p, p.Start(ctx)
}

// Start starts it at its old port, with its old data when it ran before.
func (p *Prometheus) Start(ctx context.Context) (err error) {
	flags := append([]string{
		"--config.file=prometheus.yml", "--storage.tsdb.path=data",
		"--web.listen-address=" + net.JoinHostPort(p.Address, strconv.Itoa(p.Port)),
	}, p.flags...)
	p.process, err = startProcess(p.Dir, p.program, flags...)
	if err != nil {
		return err
	}
	return p.process.answers(ctx, p.URL()+"/-/ready", http.StatusUnauthorized)
}

// Stop kills it, as a crash would.
func (p *Prometheus) Stop() { p.process.kill() }
