package kube

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"
)

// checkName refuses what would be another path when put into a URL.
func checkName(name string) error {
	if bad := content.IsPathSegmentName(name); len(bad) > 0 {
		return fmt.Errorf("%q is no name of a namespace or an object: %s", printable(name), strings.Join(bad, ", "))
	}
	return nil
}

func joinName(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "/" + name
}

func joined(text, more string) string {
	if more == "" {
		return text
	}
	return text + " " + more
}

func kubeletOf(node string) string {
	if node == "" {
		return "the kubelet"
	}
	return "the kubelet of node " + node
}
