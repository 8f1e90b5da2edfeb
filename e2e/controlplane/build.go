package controlplane

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Binaries is a folder that holds every program of a control plane.
type Binaries struct {
	Dir        string
	kubernetes string // the release, "1.37.2"
}

const (
	etcdProgram       = "etcd"
	apiServerProgram  = "kube-apiserver"
	controllerProgram = "kube-controller-manager"
	schedulerProgram  = "kube-scheduler"
	kwokProgram       = "kwok"

	// kwokCRDs is the file in the folder that holds kwok's own definitions.
	kwokCRDs = "kwok-crds.yaml"
)

const (
	kubernetesModule = "k8s.io/kubernetes"
	etcdModule       = "go.etcd.io/etcd/server/v3"
	kwokModule       = "sigs.k8s.io/kwok"
)

// Build makes sure that the programs of a release of Kubernetes exist and returns
// their folder. The first call on a machine compiles them, some minutes on two
// cores; each program is kept as soon as it is ready, so a build that was cut off
// continues where it stopped. progress receives what is being compiled, in
// sentences for a person.
func Build(ctx context.Context, kubernetes string, progress func(string)) (Binaries, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return Binaries{}, fmt.Errorf("find a cache folder for the control plane's programs: %w", err)
	}
	release := fmt.Sprintf("kubernetes-%s_kwok-%s_%s-%s", kubernetes, KwokVersion, runtime.GOOS, runtime.GOARCH)
	into := Binaries{Dir: filepath.Join(cache, "traintop-e2e", release), kubernetes: kubernetes}
	if into.complete() {
		return into, nil
	}
	if err := os.MkdirAll(into.Dir, 0o755); err != nil {
		return Binaries{}, fmt.Errorf("make the cache folder of the control plane's programs: %w", err)
	}
	unlock, err := lockFile(ctx, filepath.Join(into.Dir, "lock"))
	if err != nil {
		return Binaries{}, fmt.Errorf("wait for another build of the control plane in %s: %w", into.Dir, err)
	}
	defer unlock()
	return into, into.build(ctx, progress)
}

func (b Binaries) path(program string) string { return filepath.Join(b.Dir, program) }

func (b Binaries) has(file string) bool {
	_, err := os.Stat(b.path(file))
	return err == nil
}

func (b Binaries) complete() bool {
	for _, file := range []string{etcdProgram, apiServerProgram, controllerProgram, schedulerProgram, kwokProgram, kwokCRDs} {
		if !b.has(file) {
			return false
		}
	}
	return true
}

func (b Binaries) build(ctx context.Context, progress func(string)) error {
	scratch, err := os.MkdirTemp("", "traintop-e2e-build-")
	if err != nil {
		return fmt.Errorf("make a scratch folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(scratch) }()

	kubernetes, err := downloadModule(ctx, scratch, kubernetesModule, "v"+b.kubernetes)
	if err != nil {
		return err
	}
	etcdVersion, err := kubernetes.requiredVersion(ctx, "go.etcd.io/etcd/client/v3")
	if err != nil {
		return err
	}
	etcd, err := downloadModule(ctx, scratch, etcdModule, etcdVersion)
	if err != nil {
		return err
	}
	kwok, err := downloadModule(ctx, scratch, kwokModule, "v"+KwokVersion)
	if err != nil {
		return err
	}
	parts := strings.Split(b.kubernetes, ".")
	flags := "-X k8s.io/component-base/version.gitVersion=v" + b.kubernetes +
		" -X k8s.io/component-base/version.gitMajor=" + parts[0] + " -X k8s.io/component-base/version.gitMinor=" + parts[1]
	for _, p := range []struct {
		from            module
		pkg, name, link string
	}{
		{etcd, etcdModule, etcdProgram, ""},
		{kwok, kwokModule + "/cmd/kwok", kwokProgram, ""},
		{kubernetes, kubernetesModule + "/cmd/kube-apiserver", apiServerProgram, flags},
		{kubernetes, kubernetesModule + "/cmd/kube-controller-manager", controllerProgram, flags},
		{kubernetes, kubernetesModule + "/cmd/kube-scheduler", schedulerProgram, flags},
	} {
		if b.has(p.name) {
			continue
		}
		progress(fmt.Sprintf("building %s %s, once for this machine", p.name, p.from.Version))
		if err := p.from.buildProgram(ctx, p.pkg, b.path(p.name), p.link); err != nil {
			return err
		}
	}
	return b.keepKwokCRDs(kwok)
}

// keepKwokCRDs joins kwok's definitions into one file.
func (b Binaries) keepKwokCRDs(kwok module) error {
	files, err := filepath.Glob(filepath.Join(kwok.Dir, "kustomize", "crd", "bases", "*.yaml"))
	if err != nil || len(files) == 0 {
		return errors.Join(fmt.Errorf("no resource definitions in %s, has kwok moved them?", kwok.Dir), err)
	}
	var all []byte
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("read kwok's resource definitions: %w", err)
		}
		all = append(append(all, "\n---\n"...), text...)
	}
	return writeAtomically(b.path(kwokCRDs), all)
}

func writeAtomically(path string, text []byte) error {
	unfinished := path + ".unfinished"
	if err := os.WriteFile(unfinished, text, 0o644); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := os.Rename(unfinished, path); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
