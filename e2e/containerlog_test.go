package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/e2e/operator"
)

// containerLog is the log of one container instance: a file as container
// runtimes keep it (CRI), which kwok serves as a kubelet does.
type containerLog struct {
	t    *testing.T
	path string

	mu    sync.Mutex
	lines []string // all printed lines
}

func newContainerLog(t *testing.T, name string) *containerLog {
	t.Helper()
	l := &containerLog{t: t, path: filepath.Join(t.TempDir(), name+".log")}
	must(t, os.WriteFile(l.path, nil, 0o600))
	return l
}

// print appends lines, each with the time of now.
func (l *containerLog) print(lines ...string) {
	l.t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	text := ""
	for _, line := range lines {
		text += criLine(time.Now(), line)
		l.lines = append(l.lines, line)
	}
	file, err := os.OpenFile(l.path, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	must(l.t, err)
	_, err = file.WriteString(text)
	must(l.t, err)
	must(l.t, file.Close())
}

func (l *containerLog) printed() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string{}, l.lines...)
}

// rotate does what the kubelet does at 10 MiB: the file gets another name, and
// the runtime continues in a new one.
func (l *containerLog) rotate() {
	l.t.Helper()
	must(l.t, os.Rename(l.path, l.path+".20261120-085000"))
	must(l.t, os.WriteFile(l.path, nil, 0o600))
}

// chatter prints a line every few milliseconds until the test calls stop.
func (l *containerLog) chatter(every time.Duration) (stop func()) {
	quit := make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() {
		for i := 0; ; i++ {
			l.print(fmt.Sprintf("step %d loss %.4f", i, 9/float64(i+1)))
			select {
			case <-quit:
				return
			case <-time.After(every):
			}
		}
	})
	return func() { close(quit); running.Wait() }
}

func criLine(at time.Time, text string) string {
	return at.UTC().Format("2006-01-02T15:04:05.000000000Z07:00") + " stdout F " + text + "\n"
}

// serveLogs configures which files kwok serves as the log of a pod's container,
// now and before its last restart.
func serveLogs(t *testing.T, plays operator.Operator, pod string, now, before *containerLog) {
	t.Helper()
	previous := ""
	if before != nil {
		previous = fmt.Sprintf(", previousLogsFile: %q", before.path)
	}
	must(t, plays.ApplyOwned(t.Context(), fmt.Sprintf(`
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Logs
metadata: {name: %s}
spec: {logs: [{containers: [pytorch], logsFile: %q%s}]}
`, pod, now.path, previous)))
	// kwok learns of it a little later, and reports until then that there is no log
	pods := cluster.Clients().CoreV1().Pods(plays.Namespace)
	must(t, cluster.Wait(t.Context(), time.Minute, func(ctx context.Context) error {
		found, err := pods.Get(ctx, pod, metav1.GetOptions{})
		if apierrors.IsNotFound(err) || err == nil && found.Status.Phase != corev1.PodRunning {
			return nil // it is not served yet
		}
		if err == nil {
			_, err = pods.GetLogs(pod, &corev1.PodLogOptions{LimitBytes: new(int64(1))}).DoRaw(ctx)
		}
		return err
	}))
}
