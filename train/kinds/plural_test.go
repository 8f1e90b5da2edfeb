package kinds

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Names as the API server lists them (kubectl api-resources, Kubernetes 1.36).
func TestPluralIsTheNameOfTheResource(t *testing.T) {
	for _, c := range []struct{ group, kind, want string }{
		{"", "Pod", "pods"}, {"storage.k8s.io", "StorageClass", "storageclasses"}, {"networking.k8s.io", "NetworkPolicy", "networkpolicies"},
		{"networking.k8s.io", "Ingress", "ingresses"}, {"gateway.networking.k8s.io", "Gateway", "gateways"}, {"kueue.x-k8s.io", "LocalQueue", "localqueues"},
	} {
		if got := Plural(schema.GroupKind{Group: c.group, Kind: c.kind}); got != c.want {
			t.Errorf("%s: %s, want %s", c.kind, got, c.want)
		}
	}
}
