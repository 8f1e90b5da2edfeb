package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/cli-runtime/pkg/genericclioptions"
)

// The flags that choose a cluster are those of its commands, and what signs in is
// not among them.
func TestReachOfTypedFlags(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(path, []byte("{apiVersion: v1, kind: Config, clusters: [{name: c, cluster: {server: 'http://127.0.0.1:9'}}], contexts: [{name: prod, context: {cluster: c}}]}"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := &opening{cluster: genericclioptions.NewConfigFlags(true)}
	*o.cluster.KubeConfig, *o.cluster.Context, *o.cluster.BearerToken, *o.cluster.Impersonate = path, "prod", "t0ken-of-mine", "ci"
	got := o.reach().String()
	if want := "--kubeconfig " + path + " --context prod --as ci"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if len((&opening{cluster: genericclioptions.NewConfigFlags(true)}).reach()) > 0 {
		t.Error("flags are there though none was typed")
	}
}

// A notice of a recording names it, and the time of the notice.
func TestNoticesOfARecordingNameIt(t *testing.T) {
	out, messages, code := command(t, "", "watch", "-A", "--state", "none", "--from", filepath.Join("..", "testdata", "story", "demo.ttrec"))
	if code != exitDone || !strings.Contains(out, "here: traintop diagnose --from "+filepath.Join("..", "testdata", "story", "demo.ttrec")+" --at 20") {
		t.Errorf("exit %d: %s\n%s", code, messages, out)
	}
}
