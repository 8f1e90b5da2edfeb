package kube

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// An answer of code 200 that is not the requested list is no empty list.
func TestAnswersThatAreNotTheList(t *testing.T) {
	down := &metav1.Status{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: "Failure", Message: "etcd is down", Code: 500}
	services := &corev1.ServiceList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ServiceList"}, Items: []corev1.Service{{ObjectMeta: metav1.ObjectMeta{Name: "a"}}}}
	for _, media := range []string{client.Protobuf, "application/json"} {
		for _, list := range []*metav1.List{
			{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "List"}}, {TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "PodList"}},
		} {
			if _, err := readList(bytes.NewReader(encoded(t, list, media)), podResource, nothing); err == nil {
				t.Errorf("%s: an empty %s of %s passes for a list of pods", media, list.Kind, list.APIVersion)
			}
		}
		for says, list := range map[string]runtime.Object{"etcd is down": down, "ServiceList where PodList": services} {
			_, err := readList(bytes.NewReader(encoded(t, list, media)), podResource, nothing)
			if err == nil || !strings.Contains(client.Answer(err), says) || strings.Contains(client.Answer(err), "v1.Status") {
				t.Errorf("%s: the error is %v, want %q", media, err, says)
			}
		}
	}
}

func TestPagesThatAreNotTheList(t *testing.T) {
	of := client.DynamicResource(kinds.Kind{GroupKind: schema.GroupKind{Group: "kubeflow.org", Kind: "PyTorchJob"}, Resource: "pytorchjobs"}, "v1")
	for text, says := range map[string]string{
		`{"kind":"Status","apiVersion":"v1","status":"Failure","message":"etcd is down","code":500}`:                         "etcd is down",
		`{"kind":"TFJobList","apiVersion":"kubeflow.org/v1","items":[{"metadata":{"name":"a"}}]}`:                            "TFJobList of TFJob where PyTorchJobList",
		`{"kind":"ConfigMap","apiVersion":"v1","data":{}}`:                                                                   "is ConfigMap where",
		`{"kind":"PyTorchJobList","apiVersion":"kubeflow.org/v1","items":[{"metadata":{}}]}`:                                 "",
		`{"kind":"TorchList","apiVersion":"kubeflow.org/v1","items":[{"kind":"PyTorchJob","apiVersion":"kubeflow.org/v1"}]}`: "",
		`{"kind":"TFJobList","apiVersion":"kubeflow.org/v1","items":[]}`:                                                     "is TFJobList where PyTorchJobList",
		`{"kind":"Table","apiVersion":"meta.k8s.io/v1","rows":[]}`:                                                           "is Table where",
		`{"kind":"List","apiVersion":"v1","items":[]}`:                                                                       "is List where",
		`{"kind":"PyTorchJobList","apiVersion":"example.com/v1","items":[]}`:                                                 "PyTorchJobList of example.com/v1 where PyTorchJobList of kubeflow.org/v1",
		`{"kind":"PyTorchJobList","apiVersion":"kubeflow.org/v1","items":[]}`:                                                "",
	} {
		object, err := runtime.Decode(unstructured.UnstructuredJSONScheme, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		page, is := object.(*unstructured.UnstructuredList)
		if !is {
			page, _ = object.(*unstructured.Unstructured).ToList()
		}
		if err := checkPage(of, page); says == "" && err != nil || says != "" && (err == nil || !strings.Contains(client.Answer(err), says)) {
			t.Errorf("%s: the error is %v, want %q", text, err, says)
		}
	}
}

// A page counts as an empty list only with the field items, whose case counts.
func TestPagesWithoutItems(t *testing.T) {
	for text, state := range map[string]train.SourceState{
		`{"kind":"PyTorchJobList","apiVersion":"kubeflow.org/v1","metadata":{"resourceVersion":"7"},"items":[]}`:                                           train.SourceLive,
		`{"kind":"PyTorchJobList","apiVersion":"kubeflow.org/v1","metadata":{"resourceVersion":"7"},"items":null}`:                                         train.SourceLive,
		`{"kind":"PyTorchJobList","apiVersion":"kubeflow.org/v1","metadata":{"resourceVersion":"7"}}`:                                                      train.SourceRetrying,
		`{"kind":"PyTorchJobList","apiVersion":"kubeflow.org/v1","metadata":{"resourceVersion":"7"},"Items":[{"metadata":{"name":"a","namespace":"ml"}}]}`: train.SourceRetrying,
	} {
		inBubble(t, func(t *testing.T, s *apiServer) {
			s.serve(servePyTorch, true)
			s.intercept(at(jobsList, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Query().Get("watch") != "" {
					<-r.Context().Done()
					return
				}
				w.Header().Set("Content-Type", "application/json")
				io.WriteString(w, text)
			}))
			_, p := run(t, s, nil)
			pass(10 * time.Second)
			h := p.state("kube/pytorchjobs.kubeflow.org")
			if h.State != state || state == train.SourceRetrying && !strings.Contains(h.Text, "it has no items") {
				t.Errorf("%s: %s, %q", text, h.State, h.Text)
			}
		})
	}
}

// Of a page that has the field items twice, a decoder keeps the last: it is not read.
func TestPageWithItemsTwice(t *testing.T) {
	const bert = `[{"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","metadata":{"name":"bert","namespace":"ml","uid":"u"},"spec":{"items":1,"items":2}}]`
	for name, text := range map[string]string{"an empty one last": bert + `,"items":[]`, "an empty one first": `[],"items":` + bert, "null last": bert + `,"items":null`} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *apiServer) {
				s.serve(servePyTorch, true)
				s.intercept(at(jobsList, func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Type", "application/json")
					io.WriteString(w, `{"kind":"PyTorchJobList","apiVersion":"kubeflow.org/v1","metadata":{"resourceVersion":"7"},"items":`+text+`}`)
				}))
				_, p := run(t, s, nil)
				pass(10 * time.Second)
				h := p.state("kube/pytorchjobs.kubeflow.org")
				if h.State != train.SourceRetrying || !strings.Contains(h.Text, "items twice") {
					t.Errorf("%s: %s, %q", name, h.State, h.Text)
				}
			})
		})
	}
}
