package dump

import (
	"testing"
	"time"

	"github.com/traintop/traintop/store"
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
