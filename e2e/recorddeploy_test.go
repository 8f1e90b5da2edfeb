package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"

	"github.com/traintop/traintop/e2e/controlplane"
	"github.com/traintop/traintop/e2e/operator"
)

// The server accepts deploy/recorder.yaml and deploy/rbac.yaml as they are, and
// the rights of the recorder's service account are enough to record: it is
// refused nothing but what the files leave out on purpose.
func TestRecorderRunsWithTheRightsOfItsFile(t *testing.T) {
	t.Parallel()
	const namespace, of = "traintop", "recorded-by-deployment"
	namespaces(t, namespace, of)
	plays := operator.Operator{Cluster: cluster, Namespace: of}
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("deployed", runsAnywhere)))
	log := newContainerLog(t, "deployed")
	serveLogs(t, plays, "deployed-worker-0", log, nil)
	applyRecorder(t)

	path := filepath.Join(t.TempDir(), "a.ttrec")
	command := startRecorderOf(t, serviceAccountKubeconfig(t, namespace, "traintop-recorder"), path)
	log.print("step: 1/2000 loss: 9.5 lr: 0.001")
	untilRecorded(t, path, "deployed", "step: 1/2000")
	must(t, command.Process.Signal(syscall.SIGTERM))
	if err := command.Wait(); err != nil {
		t.Errorf("%v\n%s", err, command.Stderr)
	}
	rows := replayed(t, path)
	row, err := rows.job("deployed")
	if err != nil || row.Phase != "Running" {
		t.Errorf("%+v (%v)", row, err)
	}
	for _, problem := range rows.Problems {
		if !strings.HasPrefix(problem.Source, "kube/secrets") && !strings.Contains(problem.Text, "proxy") {
			t.Errorf("the recorder is refused what it needs: %s: %s", problem.Source, problem.Text)
		}
	}
}

// applyRecorder applies both files; the Deployment and its volume only in a dry
// run, since nothing could run them.
func applyRecorder(t *testing.T) {
	t.Helper()
	for _, name := range []string{"rbac.yaml", "recorder.yaml"} {
		text, err := os.ReadFile(filepath.Join("..", "deploy", name))
		must(t, err)
		objects, err := controlplane.Objects(string(text))
		must(t, err)
		for _, object := range objects {
			options := metav1.ApplyOptions{FieldManager: "kubectl", Force: true}
			switch object.GetKind() {
			case "Deployment", "PersistentVolumeClaim":
				options.DryRun = []string{metav1.DryRunAll}
			}
			resource, err := cluster.Resource(object)
			must(t, err)
			if _, err := resource.Apply(t.Context(), object.GetName(), object, options); err != nil {
				t.Errorf("deploy/%s: %s %s: %v", name, object.GetKind(), object.GetName(), err)
			}
		}
	}
}

// serviceAccountKubeconfig is the kubeconfig of a pod of a service account.
func serviceAccountKubeconfig(t *testing.T, namespace, name string) string {
	t.Helper()
	token, err := cluster.Clients().CoreV1().ServiceAccounts(namespace).CreateToken(t.Context(), name, &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	must(t, err)
	config, err := clientcmd.LoadFromFile(cluster.Kubeconfig)
	must(t, err)
	config.AuthInfos = map[string]*api.AuthInfo{name: {Token: token.Status.Token}}
	for _, context := range config.Contexts {
		context.AuthInfo = name
	}
	path := filepath.Join(t.TempDir(), "kubeconfig")
	must(t, clientcmd.WriteToFile(*config, path))
	return path
}
