package kube

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/sources/kube/client"
)

// A Lease that cannot be used is reported once for each reason, with missing rights
// apart, and never because the program ends.
func TestWhyALeaseCannotBeUsed(t *testing.T) {
	var failed []string
	w := &watchedLease{namespace: "ml", name: "watch", failed: func(e *LeaseError) {
		if e == nil {
			failed = append(failed, "again")
			return
		}
		failed = append(failed, fmt.Sprintf("%s, %t", e.Text, e.Refused))
	}}
	for _, err := range []error{
		nil, errors.New("stream ID 7 ended"), errors.New("stream ID 95 ended"), context.Canceled, &client.LateError{After: 5e9},
		apierrors.NewForbidden(schema.GroupResource{Resource: "leases"}, "watch", errors.New("no \x1b[2J")), nil, nil,
	} {
		w.note("reading", nil, err)
	}
	want := []string{
		"reading the Lease ml/watch: stream ID 7 ended, false", "reading the Lease ml/watch: no answer in 5s, false",
		`reading the Lease ml/watch: leases "watch" is forbidden: no, true`, "again",
	}
	if !slices.Equal(failed, want) {
		t.Errorf("told is %q", failed)
	}
}
