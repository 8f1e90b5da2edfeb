package kube

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
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

// A Lease is held from the instant at which it was asked for, and not when it is given
// back or is another one's.
func TestWhenALeaseWasRenewed(t *testing.T) {
	var at []time.Time
	w := &watchedLease{self: "me", renewedBySelf: func(asked time.Time) { at = append(at, asked) }}
	of := func(holder string) *coordinationv1.Lease {
		return &coordinationv1.Lease{Spec: coordinationv1.LeaseSpec{HolderIdentity: &holder}}
	}
	asked := time.Now()
	w.taken(asked, of("me"), nil)
	w.taken(asked.Add(1), of("other"), nil)
	w.taken(asked.Add(2), of(""), nil)
	w.taken(asked.Add(3), &coordinationv1.Lease{}, nil)
	w.taken(asked.Add(4), of("me"), errors.New("conflict"))
	if !slices.Equal(at, []time.Time{asked}) {
		t.Errorf("it was renewed at %v", at)
	}
}
