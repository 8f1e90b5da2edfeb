package client

import (
	"strings"
	"testing"
)

// A list of files without a name in it (KUBECONFIG=:) names no file.
func TestAnEmptyListOfKubeconfigsIsNamed(t *testing.T) {
	for tried, want := range map[string]string{
		"|":   "no kubeconfig: KUBECONFIG names no file; mend KUBECONFIG",
		"|/a": "no kubeconfig: /a, named by KUBECONFIG, does not exist",
	} {
		e := &NoKubeconfigError{Tried: strings.Split(tried, "|"), NamedBy: "KUBECONFIG"}
		if !strings.HasPrefix(e.Error(), want) {
			t.Errorf("%q: %s", tried, e)
		}
	}
}
