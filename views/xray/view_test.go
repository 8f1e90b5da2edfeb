package xray

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/screentest"
)

// torn is a job of three ranks, of which one has no pod: a Secret that all name, an own
// claim of one rank, and the service of their host names are missing.
const torn = `
apiVersion: v1
kind: List
items:
- apiVersion: kubeflow.org/v1
  kind: PyTorchJob
  metadata: {namespace: ml, name: bert, uid: j1, creationTimestamp: "2026-11-20T08:00:00Z"}
  spec: {pytorchReplicaSpecs: {Worker: {replicas: 3, template: {spec: {containers: [{name: pytorch, resources: {limits: {nvidia.com/gpu: 1}}}]}}}}}
  status: {conditions: [{type: Running, status: "True"}]}
- apiVersion: v1
  kind: Pod
  metadata: {namespace: ml, name: bert-worker-0, uid: p0, labels: {training.kubeflow.org/job-name: bert, training.kubeflow.org/replica-type: worker, training.kubeflow.org/replica-index: "0"}, ownerReferences: [{apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: bert, uid: j1, controller: true}]}
  spec:
    nodeName: gpu-1
    subdomain: bert-hosts
    volumes: [{name: data, persistentVolumeClaim: {claimName: imagenet}}, {name: conf, configMap: {name: settings}}, {name: extra, configMap: {name: extras, optional: true}}]
    containers: [{name: pytorch, env: [{name: HF_TOKEN, valueFrom: {secretKeyRef: {name: hf, key: token}}}]}]
  status: {phase: Running, containerStatuses: [{name: pytorch, ready: true, state: {running: {}}}]}
- apiVersion: v1
  kind: Pod
  metadata: {namespace: ml, name: bert-worker-1, uid: p1, labels: {training.kubeflow.org/job-name: bert, training.kubeflow.org/replica-type: worker, training.kubeflow.org/replica-index: "1"}, ownerReferences: [{apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: bert, uid: j1, controller: true}]}
  spec:
    subdomain: bert-hosts
    volumes: [{name: data, persistentVolumeClaim: {claimName: imagenet}}, {name: conf, configMap: {name: settings}}, {name: own, ephemeral: {volumeClaimTemplate: {spec: {}}}}]
    containers: [{name: pytorch, env: [{name: HF_TOKEN, valueFrom: {secretKeyRef: {name: hf, key: token}}}]}]
  status: {phase: Pending}
- {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {namespace: ml, name: imagenet, uid: c1}, spec: {storageClassName: nfs, volumeName: pv-1}, status: {phase: Bound}}
- {apiVersion: v1, kind: PersistentVolume, metadata: {name: pv-1, uid: v1}, status: {phase: Bound}}
- {apiVersion: v1, kind: ConfigMap, metadata: {namespace: ml, name: settings, uid: m1}}
- {apiVersion: v1, kind: Service, metadata: {namespace: ml, name: bert-metrics, uid: s1}, spec: {selector: {training.kubeflow.org/job-name: bert}}}
- {apiVersion: v1, kind: Service, metadata: {namespace: ml, name: stranger, uid: s2}, spec: {selector: {app: other}}}
`

// torn is as a live cluster has it: each kind is listed, so that what is not there is
// known to be missing. unread kinds are not listed.
func snapshot(t *testing.T, unread ...string) *store.Snapshot {
	t.Helper()
	path := filepath.Join(t.TempDir(), "objects.yaml")
	if err := os.WriteFile(path, []byte(torn), 0o600); err != nil {
		t.Fatal(err)
	}
	s := store.New(nil)
	if err := dump.New([]string{path}, dump.Options{}).Run(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	now := s.Snapshot()
	for _, kind := range []string{"Secret", "ConfigMap", "Service", "PersistentVolumeClaim", "PersistentVolume"} {
		if !strings.Contains(strings.Join(unread, " "), kind) {
			list := store.Listed{Kind: schema.GroupKind{Kind: kind}}
			now.Objects(list.Kind, "", func(o kinds.Object) bool {
				list.Objects = append(list.Objects, o)
				return true
			})
			s.Apply(list)
		}
	}
	return s.Snapshot()
}

func open(t *testing.T, s *store.Snapshot) *View {
	t.Helper()
	if len(s.Jobs()) != 1 {
		t.Fatalf("%d jobs are read", len(s.Jobs()))
	}
	return New(views.XrayRoute{Job: s.Jobs()[0].ID})
}

func TestScreens(t *testing.T) {
	s := snapshot(t)
	for _, size := range []struct{ width, height int }{{80, 20}, {160, 39}, {20, 5}} {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), func(t *testing.T) {
			golden.RequireEqual(t, screentest.Plain(open(t, s), screentest.Frame(t, s, size.width, size.height, themes.Options{})))
		})
	}
	t.Run("ascii", func(t *testing.T) {
		text := screentest.Screen(open(t, s), screentest.Frame(t, s, 120, 30, themes.Options{ASCII: true, NoColor: true}))
		screentest.CheckASCII(t, text)
		golden.RequireEqual(t, text)
	})
}

// TestUnknownIsNotMissing: what may not be read is reported to be not known.
func TestUnknownIsNotMissing(t *testing.T) {
	s := snapshot(t, "Secret")
	text := screentest.Plain(open(t, s), screentest.Frame(t, s, 160, 39, themes.Options{}))
	for _, line := range strings.Split(text, "\n") {
		if strings.Contains(line, "Secret hf") && (strings.Contains(line, "missing") || !strings.Contains(line, "not known")) {
			t.Errorf("a Secret that may not be read is %q", line)
		}
	}
}

func TestEnterLeadsOn(t *testing.T) {
	s := snapshot(t)
	v, f := open(t, s), screentest.Frame(t, s, 160, 39, themes.Options{})
	v.Render(f)
	for _, want := range []string{"views.JobRoute", "views.LogsRoute", "views.DescribeRoute"} {
		effect, _ := v.Do(keymap.Open, f)
		opens, is := effect.(views.OpenScreen)
		if !is || fmt.Sprintf("%T", opens.Route) != want {
			t.Errorf("enter gives %+v, want %s", effect, want)
		}
		v.Do(keymap.Down, f)
	}
	v.Do(keymap.Bottom, f)
	if refs := v.Selected(f); len(refs) != 1 || refs[0].Kind == "" {
		t.Errorf("selected is %+v", refs)
	}
}
