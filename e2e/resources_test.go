package e2e

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// anyResources are a workload with what its pods name.
const anyResources = `
apiVersion: v1
kind: ConfigMap
metadata: {name: board-config, namespace: NAMESPACE}
data: {reload: "30"}
---
apiVersion: v1
kind: Secret
metadata: {name: board-db, namespace: NAMESPACE}
stringData: {user: correct-horse}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: board, namespace: NAMESPACE}
spec:
  replicas: 1
  selector: {matchLabels: {app: board}}
  template:
    metadata: {labels: {app: board}}
    spec:
      volumes: [{name: conf, configMap: {name: board-config}}]
      containers: [{name: board, image: "board:1"}]
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly, namespace: NAMESPACE}
spec:
  schedule: "0 3 1 1 *"
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: eval, image: "eval:1"}]}}}}
`

// Tables of any resource are the server's, follow it, and lead to descriptions, users
// and changes.
func TestAnyResourceOnAScreen(t *testing.T) {
	t.Parallel()
	const namespace = "anything"
	namespaces(t, namespace)
	_, err := cluster.Apply(t.Context(), strings.ReplaceAll(anyResources, "NAMESPACE", namespace))
	must(t, err)
	e := openEmulated(t, homeWith(t, ""), cluster.Kubeconfig, nil, "-n", namespace)
	e.goes("deploy", "Deployments.apps 1")
	e.shows("UP-TO-DATE", "board")

	deployments := schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	second, err := cluster.Objects().Resource(deployments).Namespace(namespace).Get(t.Context(), "board", metav1.GetOptions{})
	must(t, err)
	second.Object["metadata"] = map[string]any{"name": "second", "namespace": namespace}
	_, err = cluster.Objects().Resource(deployments).Namespace(namespace).Create(t.Context(), second, metav1.CreateOptions{})
	must(t, err)
	e.shows("Deployments.apps 2", "second")
	must(t, cluster.Objects().Resource(deployments).Namespace(namespace).Delete(t.Context(), "second", metav1.DeleteOptions{}))
	e.shows("Deployments.apps 1")

	e.press("d")
	e.shows("Deployment (apps/v1)", "Conditions:")
	e.pressedAll("\x1b", "s")
	e.shows("Scale Deployment anything/board?")
	e.pressedAll("\x7f", "2", "\t", "\t", "\r")
	e.shows("2/2")

	e.goes("cm /board", "Configmaps 1")
	e.press("u")
	e.shows("ConfigMap anything/board-config is used by", "spec.volumes[conf]")
	e.goes("secrets", "Secrets 1")
	e.press("y")
	e.shows("user: '*** (13 bytes)'")
	e.hides("correct-horse")
	e.press("x")
	e.shows("Show the values of Secret anything/board-db?")
	e.pressedAll("\t", "\r")
	e.shows("user: correct-horse")

	e.goes("cronjobs", "Cronjobs.batch 1")
	e.press("t")
	e.shows("Trigger CronJob anything/nightly?")
	e.pressedAll("\t", "\r")
	e.goes("jobs.batch", "Jobs.batch 1")
	e.shows("nightly-manual-")
	e.goes("nosuchthing", "is no command and no resource of this cluster")
}
