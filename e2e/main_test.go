package e2e

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/traintop/traintop/e2e/controlplane"
	"github.com/traintop/traintop/e2e/crds"
	"github.com/traintop/traintop/e2e/undertest"
)

// cluster is the control plane that all tests share, each in namespaces of
// its own; programs are the binaries under test. TestMain sets both.
var (
	cluster  *controlplane.ControlPlane
	programs struct{ traintop, barelist, bareexec string }
)

// testsAtOnce is how many tests run at a time: most of them wait for the control plane
// or for a deadline.
const testsAtOnce = "4"

func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", testsAtOnce); err != nil {
		panic(err) // the flag is Go's own
	}
	code, err := runAll(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		code = 1
	}
	os.Exit(code)
}

func runAll(m *testing.M) (code int, err error) {
	ctx := context.Background()
	bin, err := os.MkdirTemp("", "traintop-e2e-bin-")
	if err != nil {
		return 1, fmt.Errorf("make a folder for the programs: %w", err)
	}
	defer func() { _ = os.RemoveAll(bin) }()
	if programs.traintop, err = undertest.Traintop(ctx, "..", bin); err != nil {
		return 1, err
	}
	programs.barelist, programs.bareexec = filepath.Join(bin, "barelist"), filepath.Join(bin, "bareexec")
	for _, to := range []string{programs.barelist, programs.bareexec} {
		if err := undertest.Build(ctx, ".", "./"+filepath.Base(to), to); err != nil {
			return 1, err
		}
	}
	say := func(text string) { fmt.Fprintln(os.Stderr, "e2e:", text) }
	release := cmp.Or(os.Getenv(kubernetesVariable), controlplane.KubernetesVersion)
	if flag.Lookup("test.run").Value.String() == noTest {
		_, err = controlplane.Build(ctx, release, say)
		return 0, err
	}
	if cluster, err = controlplane.Start(ctx, controlplane.Options{Kubernetes: release, Progress: say}); err != nil {
		return 1, err
	}
	defer func() {
		if stopErr := cluster.Stop(); err == nil {
			err = stopErr
		}
	}()
	if _, err := cluster.ApplyObjects(ctx, crds.Objects(installedFromTheStart()...)...); err != nil {
		return 1, err
	}
	if err := cluster.CreateNodes(ctx, "gpu", 16, 8); err != nil {
		return 1, err
	}
	return m.Run(), nil
}

// noTest is the pattern of -run that builds the programs and runs no test.
const noTest = "^$"

// kubernetesVariable in the environment names the release of Kubernetes that the
// control plane is of, where it is not controlplane.KubernetesVersion.
const kubernetesVariable = "KUBERNETES"

// lateKind is not installed until the test of late resource definitions
// installs it.
const lateKind = "TrainingJob"

func installedFromTheStart() []crds.Definition {
	var early []crds.Definition
	for _, definition := range crds.All() {
		if definition.Kind != lateKind {
			early = append(early, definition)
		}
	}
	return early
}

func lateDefinition(t *testing.T) crds.Definition {
	t.Helper()
	for _, definition := range crds.All() {
		if definition.Kind == lateKind {
			return definition
		}
	}
	t.Fatalf("there is no definition of %s", lateKind)
	return crds.Definition{}
}

// namespaces makes namespaces for one test.
func namespaces(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := cluster.CreateNamespace(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
