package kinds

import (
	"cmp"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// ManagerOf names the controller that manages a job in place of its operator,
// which may run its pods in another cluster; "" for none.
func ManagerOf(top *unstructured.Unstructured) string {
	spec := fieldsOf(top).in("spec")
	managed := cmp.Or(spec.text("managedBy"), spec.in("runPolicy").text("managedBy"))
	if strings.HasPrefix(managed, "kubeflow.org/") || managed == "workload.codeflare.dev/appwrapper-controller" || strings.Contains(managed, "job-controller") {
		return ""
	}
	return managed
}
