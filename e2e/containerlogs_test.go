package e2e

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/e2e/operator"
)

// The control plane serves container logs from a file through the real API
// server, as a kubelet would: tests of log streams depend on this.
func TestContainerLogsComeThroughTheServer(t *testing.T) {
	t.Parallel()
	const namespace = "container-logs"
	namespaces(t, namespace)
	// The format in which container runtimes keep logs (CRI).
	file := filepath.Join(t.TempDir(), "container.log")
	must(t, os.WriteFile(file, []byte("2026-11-20T08:50:00.123456789Z stdout F step 1 loss 2.31\n"), 0o600))
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("talks", runsAnywhere)+fmt.Sprintf(`
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Logs
metadata: {name: talks-worker-0}
spec: {logs: [{containers: [pytorch], logsFile: %q}]}
`, file)))
	logs := ""
	err := cluster.Wait(t.Context(), 30*time.Second, func(ctx context.Context) error {
		text, err := cluster.Clients().CoreV1().Pods(namespace).GetLogs("talks-worker-0", &corev1.PodLogOptions{}).DoRaw(ctx)
		if logs = string(text); err == nil && logs == "" {
			return errors.New("no line yet") // kwok has not seen the Logs object
		}
		return err
	})
	if err != nil || logs != "step 1 loss 2.31\n" {
		t.Errorf("the server serves %q (%v), want the line of the file", logs, err)
	}
}
