package e2e

import (
	"context"
	"crypto/sha256"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/e2e/controlplane"
	"github.com/traintop/traintop/e2e/operator"
)

// podToCopy makes a running pod and returns where its files lie here.
func podToCopy(t *testing.T, namespace string, annotations ...string) (at actions.Container, root string) {
	t.Helper()
	namespaces(t, namespace)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("bert", runsAnywhere, annotations...)))
	at = actions.Container{Namespace: namespace, Pod: "bert-worker-0"}
	at.PodUID = running(t, namespace, at.Pod)
	sandbox, err := cluster.Sandbox(t.Context(), namespace, at.Pod)
	must(t, err)
	return at, sandbox.Root
}

func sumOf(t *testing.T, name string) (sum [sha256.Size]byte) {
	t.Helper()
	file, err := os.Open(name)
	must(t, err)
	defer file.Close()
	hash := sha256.New()
	_, err = io.Copy(hash, file)
	must(t, err)
	return [sha256.Size]byte(hash.Sum(nil))
}

// 100 MB go both ways through the API server, and their sums match; memory does
// not grow with them.
func TestHundredMegabytesAreCopiedBothWays(t *testing.T) {
	at, root := podToCopy(t, "copy-large")
	const size = 100 << 20
	checkpoint := filepath.Join(root, "step-100", "model.pt")
	must(t, os.MkdirAll(filepath.Dir(checkpoint), 0o755))
	file, err := os.Create(checkpoint)
	must(t, err)
	_, err = io.Copy(file, io.LimitReader(rand.New(rand.NewSource(1)), size))
	must(t, err)
	must(t, file.Close())
	want := sumOf(t, checkpoint)

	from, here := acting(t, cluster.Kubeconfig), t.TempDir()
	var most, progress int64
	before := heap()
	watch := func(done, _ int64) {
		if progress = done; done%(8<<20) < 64<<10 {
			most = max(most, heap()-before)
		}
	}
	began := time.Now()
	done, err := from.Copy(t.Context(), actions.Transfer{Container: at, Remote: "step-100", Local: here, Progress: watch})
	must(t, err)
	t.Logf("down: %.1f s, heap grew by %d KiB at most", time.Since(began).Seconds(), most>>10)
	if done.Files != 1 || done.Bytes != size || progress != size || done.Verified != "sha256" || len(done.Skipped) > 0 {
		t.Errorf("down: %+v, told %d", done, progress)
	}
	if sumOf(t, filepath.Join(here, "step-100", "model.pt")) != want {
		t.Error("down: the sums differ")
	}

	began = time.Now()
	done, err = from.Copy(t.Context(), actions.Transfer{Container: at, Up: true, Local: filepath.Join(here, "step-100"), Remote: "back", Progress: watch})
	must(t, err)
	t.Logf("up: %.1f s, heap grew by %d KiB at most", time.Since(began).Seconds(), most>>10)
	if done.Files != 1 || done.Bytes != size || progress != size || done.Verified != "sha256" || done.Path != "back" {
		t.Errorf("up: %+v, told %d", done, progress)
	}
	if sumOf(t, filepath.Join(root, "back", "model.pt")) != want {
		t.Error("up: the sums differ")
	}
	if most > 64<<20 {
		t.Errorf("the heap grew by %d MiB", most>>20)
	}
}

func heap() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// Names that a shell would split, and a container without tar.
func TestFilesAreCopiedAsTheyAreCalled(t *testing.T) {
	t.Parallel()
	at, root := podToCopy(t, "copy-names", `e2e/programs: "tar sha256sum test rm"`)
	name := "core; rm -rf $(HOME) 'x' -v"
	must(t, os.WriteFile(filepath.Join(root, name), []byte("dumped"), 0o600))
	from, here := acting(t, cluster.Kubeconfig), t.TempDir()
	done, err := from.Copy(t.Context(), actions.Transfer{Container: at, Remote: name, Local: here})
	must(t, err)
	if text, _ := os.ReadFile(filepath.Join(here, name)); string(text) != "dumped" || done.Verified != "sha256" {
		t.Errorf("down: %q, %+v", text, done)
	}
	done, err = from.Copy(t.Context(), actions.Transfer{Container: at, Up: true, Local: filepath.Join(here, name), Remote: "-" + name})
	must(t, err)
	if text, _ := os.ReadFile(filepath.Join(root, "-"+name)); string(text) != "dumped" || done.Verified != "sha256" {
		t.Errorf("up: %q, %+v", text, done)
	}
	bare, _ := podToCopy(t, "copy-bare", `e2e/programs: "cat dd sha256sum test rm"`)
	_, err = from.Copy(t.Context(), actions.Transfer{Container: bare, Remote: "a", Local: here})
	if failed := failure(t, err); failed.Kind != actions.NoProgram || !strings.Contains(failed.Text, "has no tar") {
		t.Errorf("without tar: %s: %s", failed.Kind, failed.Text)
	}
}

// The connection breaks in the middle: the reason is reported, and no
// incomplete file stays, here or there.
func TestACopyThatIsCutLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	at, root := podToCopy(t, "copy-cut")
	must(t, os.WriteFile(filepath.Join(root, "big"), make([]byte, 64<<20), 0o600))
	here := t.TempDir()
	wire, kubeconfig := newWire(t)
	cut := make(chan bool, 1)
	_, err := acting(t, kubeconfig).Copy(t.Context(), actions.Transfer{Container: at, Remote: "big", Local: here, Progress: func(done, _ int64) {
		if done > 1<<20 && len(cut) == 0 {
			cut <- true
			go wire.cut()
		}
	}})
	if failed := failure(t, err); failed.Kind != actions.Lost {
		t.Errorf("down: %s: %s", failed.Kind, failed.Text)
	}
	if left, _ := os.ReadDir(here); len(left) > 0 {
		t.Errorf("left here: %v", left)
	}
}

func TestCopiesThatAreRefusedSayWhy(t *testing.T) {
	t.Parallel()
	at, root := podToCopy(t, "copy-refused")
	must(t, os.WriteFile(filepath.Join(root, "file"), []byte("x"), 0o600))
	here := t.TempDir()
	reader := user(t, "copy-reader", controlplane.Grant{Namespace: at.Namespace, Rules: []rbacv1.PolicyRule{may("", "pods")}})
	_, err := acting(t, reader).Copy(t.Context(), actions.Transfer{Container: at, Remote: "file", Local: here})
	if failed := failure(t, err); failed.Kind != actions.Forbidden || !strings.Contains(failed.Text, "pods/exec") {
		t.Errorf("no right: %s: %s", failed.Kind, failed.Text)
	}
	from := acting(t, cluster.Kubeconfig)
	_, err = from.Copy(t.Context(), actions.Transfer{Container: at, Remote: "none", Local: here})
	if failed := failure(t, err); !strings.Contains(failed.Text, "No such file") {
		t.Errorf("no file: %s: %s", failed.Kind, failed.Text)
	}
	must(t, cluster.Clients().CoreV1().Pods(at.Namespace).Delete(t.Context(), at.Pod, metav1.DeleteOptions{}))
	must(t, cluster.Wait(t.Context(), 20*time.Second, func(ctx context.Context) error {
		_, err = from.Copy(ctx, actions.Transfer{Container: at, Remote: "file", Local: here})
		if failed := failure(t, err); failed.Kind != actions.Gone {
			return err
		}
		return nil
	}))
}
