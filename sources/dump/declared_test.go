package dump

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train/kinds"
)

// TestLogsBesideADumpHaveNoDeclaredSecrets: whichever of the two is named first.
func TestLogsBesideADumpHaveNoDeclaredSecrets(t *testing.T) {
	log := write(t, "train.log", "step 1 loss 2.5\nlogging in with correct-horse-battery\n")
	pod := write(t, "pod.yaml", `apiVersion: v1
kind: Pod
metadata: {name: bert-0, namespace: ml, uid: u}
spec:
  containers:
  - name: c
    env:
    - {name: DB_PASSWORD, value: correct-horse-battery}
status:
  containerStatuses:
  - {name: c, state: {terminated: {exitCode: 1, message: "no login with correct-horse-battery"}}}
`)
	for _, paths := range [][]string{{log, pod}, {pod, log}} {
		s := store.New(time.Now)
		if err := New(paths, Options{}).Run(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		lines := 0
		s.Snapshot().Logs(func(l *store.Log) bool {
			for i := range l.Lines.Len() {
				lines++
				if line := l.Lines.At(i); line.Number == 2 && line.Text != "logging in with <redacted:password>" {
					t.Errorf("the line is %q", line.Text)
				}
			}
			return true
		})
		if lines != 2 {
			t.Errorf("%d lines", lines)
		}
	}
}

// TestMessagesBesideADumpHaveNoDeclaredSecrets: whichever of the two is named first.
func TestMessagesBesideADumpHaveNoDeclaredSecrets(t *testing.T) {
	said := write(t, "said.yaml", `apiVersion: v1
kind: Event
metadata: {name: e, namespace: ml}
involvedObject: {kind: Pod, name: bert-0, namespace: ml}
message: no login with correct-horse-battery
---
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: bert, namespace: ml}
status:
  conditions:
  - {type: Failed, message: no login with correct-horse-battery}
`)
	pod := write(t, "pod.yaml", `apiVersion: v1
kind: Pod
metadata: {name: bert-0, namespace: ml, uid: u}
spec:
  containers:
  - name: c
    env:
    - {name: DB_PASSWORD, value: correct-horse-battery}
`)
	for _, paths := range [][]string{{said, pod}, {pod, said}} {
		s := store.New(time.Now)
		if err := New(paths, Options{}).Run(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		snapshot := s.Snapshot()
		for kind, name := range map[schema.GroupKind]string{kinds.EventKind: "e", {Group: "kubeflow.org", Kind: "PyTorchJob"}: "bert"} {
			o, _ := snapshot.Object(kind, "ml", name)
			if text := fmt.Sprint(o); strings.Contains(text, "correct-horse") || !strings.Contains(text, "no login with <redacted:password>") {
				t.Errorf("%v: the %s is %s", paths, kind.Kind, text)
			}
		}
	}
}
