package e2e

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train/kinds"
)

// The data of Secrets and ConfigMaps never reaches the store, in no form: not
// as data, and not in the annotation in which kubectl keeps the applied object.
// That they exist does.
func TestSecretDataStaysOut(t *testing.T) {
	t.Parallel()
	const namespace = "secrets"
	const password = "correct-horse-battery"
	namespaces(t, namespace)
	encoded := base64.StdEncoding.EncodeToString([]byte(password))
	_, err := cluster.Apply(t.Context(), strings.NewReplacer("PASSWORD", password, "ENCODED", encoded).Replace(`
apiVersion: v1
kind: Secret
metadata:
  name: token
  namespace: secrets
  annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"apiVersion":"v1","data":{"password":"ENCODED"},"kind":"Secret","stringData":{"password":"PASSWORD"}}'}
data: {password: ENCODED}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: secrets}
data: {password: PASSWORD}
`))
	must(t, err)
	watched := follow(t, cluster.Kubeconfig, namespace)
	snapshot := watched.until(30*time.Second, func(snapshot *store.Snapshot) error {
		return errors.Join(holds(snapshot, "Secret", namespace, "token"), holds(snapshot, "ConfigMap", namespace, "settings"))
	})
	for _, kind := range []string{"Secret", "ConfigMap"} {
		snapshot.Objects(schema.GroupKind{Kind: kind}, namespace, func(object kinds.Object) bool {
			text, err := json.Marshal(object)
			must(t, err)
			if strings.Contains(string(text), password) || strings.Contains(string(text), encoded) {
				t.Errorf("the store holds the data of %s %s: %s", kind, object.GetName(), text)
			}
			return true
		})
	}
}

func holds(snapshot *store.Snapshot, kind, namespace, name string) error {
	if object, presence := snapshot.Object(schema.GroupKind{Kind: kind}, namespace, name); object == nil {
		return fmt.Errorf("%s %s is not there (%d)", kind, name, presence)
	}
	return nil
}
