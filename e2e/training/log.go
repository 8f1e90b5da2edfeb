package training

import (
	"context"
	"fmt"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/e2e/controlplane"
)

// Log is the log of one container instance, as runtimes keep it (CRI).
type Log struct{ file *os.File }

// Open makes the file of a log and has kwok serve it as the log of the pod.
// previous is the file of the instance before, "" for a first one.
func Open(ctx context.Context, cluster *controlplane.ControlPlane, pod *corev1.Pod, path, previous string) (*Log, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("make the log of %s: %w", pod.Name, err)
	}
	before := ""
	if previous != "" {
		before = fmt.Sprintf(", previousLogsFile: %q", previous)
	}
	_, err = cluster.Apply(ctx, fmt.Sprintf(`
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Logs
metadata: {name: %q, namespace: %q}
spec: {logs: [{logsFile: %q%s}]}
`, pod.Name, pod.Namespace, path, before))
	if err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("have kwok serve the log of %s: %w", pod.Name, err)
	}
	return &Log{file: file}, nil
}

// LogsOf is the object by which kwok serves the log of a pod.
func LogsOf(pod metav1.Object) *unstructured.Unstructured {
	logs := &unstructured.Unstructured{}
	logs.SetAPIVersion("kwok.x-k8s.io/v1alpha1")
	logs.SetKind("Logs")
	logs.SetNamespace(pod.GetNamespace())
	logs.SetName(pod.GetName())
	return logs
}

// Print prints whole lines.
func (l *Log) Print(lines ...string) {
	for _, line := range lines {
		l.write("F", line)
	}
}

// Draw prints a part of an unfinished line: a progress bar.
func (l *Log) Draw(state string) { l.write("P", "\r"+state) }

func (l *Log) write(tag, text string) {
	stamp := time.Now().UTC().Format("2006-01-02T15:04:05.000000000Z07:00")
	_, _ = fmt.Fprintf(l.file, "%s stdout %s %s\n", stamp, tag, text) // a full disk shows in the logs themselves
}

// Close ends the log; what was printed stays readable.
func (l *Log) Close() { _ = l.file.Close() }
