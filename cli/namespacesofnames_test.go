package cli

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/cli-runtime/pkg/genericclioptions"
)

// The namespace of a name is read.
func TestNamespacesOfNamesAreRead(t *testing.T) {
	for _, test := range []struct {
		given, names, want string
		all, fails         bool
	}{
		{"", "x", "", false, false}, {"", "ml/job/x", "ml", false, false}, {"", "ml/job/x ml/job/y", "ml", false, false},
		{"", "ml/job/x lab/job/y", "", true, false}, {"", "ml/job/x y", "", true, false}, {"ml", "ml/job/x y", "ml", false, false},
		{"ml", "lab/job/x", "ml", false, true}, {"", "", "", false, false},
		{"", "ads/x", "ads", false, false}, {"", "vcjob/x", "", false, false},
	} {
		o := &opening{cluster: genericclioptions.NewConfigFlags(true)}
		*o.cluster.Namespace = test.given
		err := o.readNamespacesOf(strings.Fields(test.names))
		if *o.cluster.Namespace != test.want || o.all != test.all || (err != nil) != test.fails {
			t.Errorf("%+v: namespace %q, all %v, %v", test, *o.cluster.Namespace, o.all, err)
		}
	}
}

// A namespace in a job's name is read beside others where not all may be read.
func TestNamespacesOfNamesAreKnown(t *testing.T) {
	o := &opening{cluster: genericclioptions.NewConfigFlags(true), all: true}
	if err := o.readNamespacesOf([]string{"x", "ml/job/x", "lab/job/y", "ml/job/z"}); err != nil || !slices.Equal(o.named, []string{"ml", "lab"}) {
		t.Errorf("they are %q, %v", o.named, err)
	}
}
