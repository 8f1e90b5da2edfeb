package client

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"
)

// CheckName refuses names that would change the path of a URL.
func CheckName(name string) error {
	if bad := content.IsPathSegmentName(name); len(bad) > 0 {
		return fmt.Errorf("%q is no name of a namespace or an object: %s", Printable(name), strings.Join(bad, ", "))
	}
	return nil
}

func JoinName(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "/" + name
}

func Joined(text, more string) string {
	if more == "" {
		return text
	}
	return text + " " + more
}

func KubeletOf(node string) string {
	if node == "" {
		return "the kubelet"
	}
	return "the kubelet of node " + node
}
