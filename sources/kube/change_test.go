package kube

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/sources/kube/act"
	"github.com/traintop/traintop/train"
)

// sent is one request that the server received.
type sent struct {
	Method, Path, Query, Type string
	Body                      map[string]any
}

// changing is a cluster whose server records changes and answers with status
// and body.
func changing(t *testing.T, status int, body string) (*Cluster, *[]sent) {
	t.Helper()
	server := newAPIServer(t)
	server.serve("batch/v1/Job/jobs", true)
	server.serve("jobset.x-k8s.io/v1alpha2/JobSet/jobsets", true)
	var all []sent
	server.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodGet {
			return false
		}
		text, _ := io.ReadAll(r.Body)
		one := sent{Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Type: r.Header.Get("Content-Type")}
		if json.Unmarshal(text, &one.Body) != nil {
			one.Body = map[string]any{"list": string(text)}
		}
		all = append(all, one)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		io.WriteString(w, body)
		return true
	})
	cluster, err := New(Options{Flags: server.flags()})
	if err != nil {
		t.Fatal(err)
	}
	return cluster, &all
}

func batchJob(name string) train.Ref {
	return train.Ref{Group: "batch", Kind: "Job", Namespace: "ml", Name: name, UID: "u-1"}
}

func TestChangesAreSentWithTheirPreconditions(t *testing.T) {
	pod := train.PodRef("ml", "w-0", "u-2")
	zero := int64(0)
	for name, one := range map[string]struct {
		request actions.Request
		want    sent
	}{
		"delete": {
			actions.Request{Verb: actions.Delete, Ref: batchJob("bert"), Propagation: actions.Foreground, Grace: &zero, DryRun: true},
			sent{"DELETE", "/apis/batch/v1/namespaces/ml/jobs/bert", "", "application/json", map[string]any{
				"apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": "Foreground",
				"preconditions": map[string]any{"uid": "u-1"}, "gracePeriodSeconds": 0.0, "dryRun": []any{"All"},
			}},
		},
		"delete, as preset": {
			actions.Request{Verb: actions.Delete, Ref: train.Ref{Kind: "Node", Name: "gpu-0"}},
			sent{"DELETE", "/api/v1/nodes/gpu-0", "", "application/json", map[string]any{
				"apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": "Background",
			}},
		},
		"merge patch": {
			actions.Request{Verb: actions.Patch, Ref: batchJob("bert"), PatchType: "application/merge-patch+json", Body: []byte(`{"spec":{"suspend":true}}`), DryRun: true},
			sent{"PATCH", "/apis/batch/v1/namespaces/ml/jobs/bert", "dryRun=All&fieldManager=traintop", "application/merge-patch+json", map[string]any{
				"spec": map[string]any{"suspend": true}, "metadata": map[string]any{"uid": "u-1"},
			}},
		},
		"JSON patch": {
			actions.Request{Verb: actions.Patch, Ref: batchJob("bert"), PatchType: "application/json-patch+json", Body: []byte(`[{"op":"add","path":"/spec/suspend","value":true}]`)},
			sent{"PATCH", "/apis/batch/v1/namespaces/ml/jobs/bert", "fieldManager=traintop", "application/json-patch+json", map[string]any{
				"list": `[{"op":"test","path":"/metadata/uid","value":"u-1"},{"op":"add","path":"/spec/suspend","value":true}]`,
			}},
		},
		"eviction": {
			actions.Request{Verb: actions.Create, Subresource: "eviction", Ref: pod, Body: []byte(`{"apiVersion":"policy/v1","kind":"Eviction"}`)},
			sent{"POST", "/api/v1/namespaces/ml/pods/w-0/eviction", "", "application/json", map[string]any{
				"apiVersion": "policy/v1", "kind": "Eviction", "deleteOptions": map[string]any{"preconditions": map[string]any{"uid": "u-2"}},
			}},
		},
		"debug container": {
			actions.Request{Verb: actions.Patch, Subresource: "ephemeralcontainers", Ref: pod, PatchType: "application/strategic-merge-patch+json", Body: []byte(`{"spec":{"ephemeralContainers":[]}}`)},
			sent{"PATCH", "/api/v1/namespaces/ml/pods/w-0/ephemeralcontainers", "", "application/strategic-merge-patch+json", map[string]any{
				"spec": map[string]any{"ephemeralContainers": []any{}}, "metadata": map[string]any{"uid": "u-2"},
			}},
		},
		"an object goes to the version that it is written in": {
			actions.Request{Verb: actions.Create, Ref: train.Ref{Group: "jobset.x-k8s.io", Kind: "JobSet", Namespace: "ml", Name: "new"}, Body: []byte(`{"apiVersion":"jobset.x-k8s.io/v1","kind":"JobSet"}`)},
			sent{"POST", "/apis/jobset.x-k8s.io/v1/namespaces/ml/jobsets", "fieldManager=traintop", "application/json", map[string]any{
				"apiVersion": "jobset.x-k8s.io/v1", "kind": "JobSet",
			}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			cluster, all := changing(t, 200, `{"kind":"Job","metadata":{"name":"bert"}}`)
			object, err := cluster.Change(t.Context(), one.request)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]sent{one.want}, *all); diff != "" {
				t.Errorf("-want +sent:\n%s", diff)
			}
			if wantNone := one.request.Verb == actions.Delete; wantNone != (object == nil) {
				t.Errorf("the object after it is %q", object)
			}
		})
	}
}

func TestNothingIsSentThatNamesNoObject(t *testing.T) {
	cluster, all := changing(t, 200, `{}`)
	for name, request := range map[string]actions.Request{
		"no name":       {Verb: actions.Delete, Ref: train.Ref{Group: "batch", Kind: "Job", Namespace: "ml"}},
		"no namespace":  {Verb: actions.Delete, Ref: train.Ref{Group: "batch", Kind: "Job", Name: "bert"}},
		"another path":  {Verb: actions.Delete, Ref: train.Ref{Group: "batch", Kind: "Job", Namespace: "ml", Name: "a/../../nodes/b"}},
		"a Secret":      {Verb: actions.Patch, Ref: train.Ref{Kind: "Secret", Namespace: "ml", Name: "token"}, PatchType: "application/merge-patch+json", Body: []byte("{}")},
		"no JSON":       {Verb: actions.Patch, Ref: batchJob("bert"), PatchType: "application/merge-patch+json", Body: []byte("spec: {}")},
		"no list":       {Verb: actions.Patch, Ref: batchJob("bert"), PatchType: "application/json-patch+json", Body: []byte("{}")},
		"no object":     {Verb: actions.Patch, Ref: batchJob("bert"), PatchType: "application/merge-patch+json", Body: []byte("null")},
		"no known verb": {Verb: "get", Ref: batchJob("bert"), Body: []byte("{}")},
	} {
		_, err := cluster.Change(t.Context(), request)
		var failure *actions.Failure
		if !errors.As(err, &failure) || failure.Kind != actions.Invalid {
			t.Errorf("%s: %v, want that it is invalid", name, err)
		}
	}
	if len(*all) > 0 {
		t.Errorf("sent all the same: %v", *all)
	}
}

// The answers are those of kube-apiserver 1.36, from its source; e2e checks
// the most common ones against a real server.
func TestRefusalsNameTheReason(t *testing.T) {
	status := func(code int, reason, message, details string) (int, string) {
		if details == "" {
			details = "{}"
		}
		text, _ := json.Marshal(message)
		return code, fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","status":"Failure","message":%s,"reason":%q,"code":%d,"details":%s}`, text, reason, code, details)
	}
	for _, one := range []struct {
		code                     int
		reason, message, details string
		kind                     actions.FailureKind
		want                     string
	}{
		{
			403, "Forbidden", `jobs.batch "bert" is forbidden: User "eve" cannot patch resource "jobs" in API group "batch" in the namespace "ml"`, `{"name":"bert","group":"batch","kind":"jobs"}`,
			actions.Forbidden, "changing Job ml/bert: you may not; it needs a Role with verb patch on jobs of API group batch in namespace ml (check with `kubectl auth can-i patch jobs.batch -n ml`)",
		},
		{
			403, "Forbidden", `jobs.batch "bert" is forbidden: exceeded quota: gpus, requested: requests.nvidia.com/gpu=8, used: requests.nvidia.com/gpu=8, limited: requests.nvidia.com/gpu=8`, "",
			actions.Invalid, "changing Job ml/bert: a ResourceQuota has no room: gpus, requested: requests.nvidia.com/gpu=8, used: requests.nvidia.com/gpu=8, limited: requests.nvidia.com/gpu=8",
		},
		{
			403, "Forbidden", `jobs.batch "bert" is forbidden: unable to create new content in namespace ml because it is being terminated`, "",
			actions.Invalid, "changing Job ml/bert: the API server refuses it: unable to create new content in namespace ml because it is being terminated",
		},
		{
			403, "Forbidden", "admission webhook \"vjob.kb.io\" denied the request: spec.suspend: Forbidden: not by hand\x1b[31m", "",
			actions.Invalid, "changing Job ml/bert: the admission webhook vjob.kb.io denies it: spec.suspend: Forbidden: not by hand",
		},
		{
			500, "InternalError", `Internal error occurred: failed calling webhook "mjob.kb.io": failed to call webhook: Post "https://kueue-webhook-service.kueue-system.svc:443/mutate?timeout=10s": dial tcp 10.0.0.1:443: connect: connection refused`, "",
			actions.Other, `changing Job ml/bert: the admission webhook mjob.kb.io does not answer, and nothing is changed without it: Post "https://kueue-webhook-service.kueue-system.svc:443/mutate?timeout=10s": dial tcp 10.0.0.1:443: connect: connection refused`,
		},
		{
			422, "Invalid", `jobs.batch "bert" is forbidden: ValidatingAdmissionPolicy 'no-suspend' with binding 'all' denied request: keep it running`, "",
			actions.Invalid, "changing Job ml/bert: the ValidatingAdmissionPolicy no-suspend denies it: keep it running",
		},
		{
			422, "Invalid", `Job.batch "bert" is invalid: spec.template: Invalid value: {"spec":{"containers":[{"env":[{"name":"HF_TOKEN","value":"hf_1"}]}]}}: field is immutable`,
			`{"name":"bert","group":"batch","kind":"Job","causes":[{"reason":"FieldValueInvalid","message":"Invalid value: {\"spec\":{\"containers\":[{\"env\":[{\"name\":\"HF_TOKEN\",\"value\":\"hf_1\"}]}]}}: field is immutable","field":"spec.template"}]}`,
			actions.Invalid, "changing Job ml/bert: the API server does not accept it: spec.template: field is immutable",
		},
		{
			422, "Invalid", `Job.batch "bert" is invalid: spec.parallelism: Invalid value: -1: must be greater than or equal to 0`,
			`{"causes":[{"reason":"FieldValueInvalid","message":"Invalid value: -1: must be greater than or equal to 0","field":"spec.parallelism"}]}`,
			actions.Invalid, "changing Job ml/bert: the API server does not accept it: spec.parallelism: Invalid value: -1: must be greater than or equal to 0",
		},
		{
			409, "Conflict", `Operation cannot be fulfilled on jobs.batch "bert": the object has been modified; please apply your changes to the latest version and try again`, "",
			actions.Conflict, "it was changed by somebody else meanwhile",
		},
		{
			409, "Conflict", `Operation cannot be fulfilled on jobs.batch "bert": Precondition failed: UID in precondition: u-1, UID in object meta: u-9`, "",
			actions.Gone, "changing Job ml/bert: " + act.AnotherOne,
		},
		{
			409, "Conflict", `Operation cannot be fulfilled on Job.batch "bert": the UID in the precondition (u-1) does not match the UID in record (u-9). The object might have been deleted and then recreated`, "",
			actions.Gone, act.AnotherOne,
		},
		{
			422, "Invalid", `Job.batch "bert" is invalid: metadata.uid: Invalid value: "u-1": field is immutable`,
			`{"causes":[{"reason":"FieldValueInvalid","message":"Invalid value: \"u-1\": field is immutable","field":"metadata.uid"}]}`,
			actions.Gone, act.AnotherOne,
		},
		{404, "NotFound", `jobs.batch "bert" not found`, `{"name":"bert","group":"batch","kind":"jobs"}`, actions.Gone, "changing Job ml/bert: it is gone already"},
		{404, "NotFound", `the server could not find the requested resource`, "", actions.Invalid, "does not serve this request"},
		{400, "BadRequest", `strict decoding error: unknown field "spec.suspnd"`, "", actions.Invalid, `does not accept it: strict decoding error: unknown field "spec.suspnd"`},
		{401, "Unauthorized", "Unauthorized", "", actions.Other, "log in again"},
		{504, "Timeout", "request did not complete within requested timeout", "", actions.TooLate, "look before trying again"},
	} {
		code, body := status(one.code, one.reason, one.message, one.details)
		cluster, _ := changing(t, code, body)
		_, err := cluster.Change(t.Context(), actions.Request{Verb: actions.Patch, Ref: batchJob("bert"), PatchType: "application/merge-patch+json", Body: []byte("{}")})
		var failure *actions.Failure
		if !errors.As(err, &failure) {
			t.Errorf("%s: the error is %v", one.message, err)
			continue
		}
		if failure.Kind != one.kind || !strings.Contains(failure.Text, one.want) {
			t.Errorf("%s:\n got %s: %s\nwant %s: %s", one.message, failure.Kind, failure.Text, one.kind, one.want)
		}
		if strings.ContainsAny(failure.Text, "\x1b\n") || strings.Contains(failure.Text, "hf_1") {
			t.Errorf("%q is not fit for a screen", failure.Text)
		}
	}
}

// A refusal by a disruption budget has the status code of overload; it is not
// retried.
func TestARefusedEvictionIsAskedOnce(t *testing.T) {
	cluster, all := changing(t, 429, `{"kind":"Status","status":"Failure","reason":"TooManyRequests","code":429,"message":"Cannot evict pod as it would violate the pod's disruption budget.",
		"details":{"retryAfterSeconds":10,"causes":[{"reason":"DisruptionBudget","message":"The disruption budget bert needs 4 healthy pods and has 4 currently"}]}}`)
	_, err := cluster.Change(t.Context(), actions.Request{
		Verb: actions.Create, Subresource: "eviction", Ref: train.PodRef("ml", "w-0", ""), Body: []byte(`{}`),
	})
	if err == nil || !strings.Contains(err.Error(), "The disruption budget bert needs 4 healthy pods and has 4 currently") {
		t.Errorf("the error is %v", err)
	}
	if len(*all) != 1 {
		t.Errorf("asked %d times", len(*all))
	}
}

func TestWhatIsScaledIsTheObjectThatWasMeant(t *testing.T) {
	cluster, all := changing(t, 200, `{}`)
	_, err := cluster.Change(t.Context(), actions.Request{
		Verb: actions.Patch, Subresource: "scale", Ref: batchJob("bert"), PatchType: "application/merge-patch+json", Body: []byte(`{"spec":{"replicas":2}}`),
	})
	var failure *actions.Failure
	if !errors.As(err, &failure) || failure.Kind != actions.Gone || len(*all) > 0 {
		t.Errorf("scaling what is not there: %v, sent %v", err, *all)
	}
}

func TestACancelledChangeSaysSo(t *testing.T) {
	cluster, _ := changing(t, 200, `{}`)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := cluster.Change(ctx, actions.Request{Verb: actions.Delete, Ref: batchJob("bert")})
	var failure *actions.Failure
	if !errors.As(err, &failure) || failure.Kind != actions.Cancelled || !strings.Contains(failure.Text, "look before trying again") {
		t.Errorf("the error is %v", err)
	}
}
