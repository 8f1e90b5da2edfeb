package kube

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/sources/kube/client"
)

var (
	podResource    = client.Core("Pod", "pods", client.TypedForm)
	secretResource = client.Core("Secret", "secrets", client.MetadataForm)
)

func nothing(runtime.Object) {}

// encoded returns a list in the API server's encoding for a media type.
func encoded(t testing.TB, list runtime.Object, media string) []byte {
	t.Helper()
	for _, info := range client.Codecs.SupportedMediaTypes() {
		if info.MediaType == media {
			var out bytes.Buffer
			if err := info.Serializer.Encode(list, &out); err != nil {
				t.Fatal(err)
			}
			return out.Bytes()
		}
	}
	t.Fatalf("no encoder for %s", media)
	return nil
}

func podList(pods int) *corev1.PodList {
	list := &corev1.PodList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "PodList"}, ListMeta: metav1.ListMeta{ResourceVersion: "42"}}
	for i := range pods {
		list.Items = append(list.Items, corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: fmt.Sprintf("bert-worker-%d", i), UID: types.UID(fmt.Sprint(i)), Labels: map[string]string{"replica-index": fmt.Sprint(i)}},
			Spec:       corev1.PodSpec{NodeName: "gpu-0", Containers: []corev1.Container{{Name: "pytorch", Image: "pytorch/pytorch:2.7.1"}}},
			Status:     corev1.PodStatus{Phase: corev1.PodRunning, Message: strings.Repeat("x", 200*i)},
		})
	}
	return list
}

func TestListsAreDecodedAsTheLibraryDoes(t *testing.T) {
	want := podList(20)
	for _, media := range []string{client.Protobuf, "application/json"} {
		slimmed := 0
		list, err := readList(bytes.NewReader(encoded(t, want, media)), podResource, func(runtime.Object) { slimmed++ })
		if err != nil {
			t.Fatalf("%s: %v", media, err)
		}
		if list.ResourceVersion != "42" || len(list.Items) != 20 || slimmed != 20 {
			t.Errorf("%s: version %q, %d items, %d slimmed", media, list.ResourceVersion, len(list.Items), slimmed)
		}
		for i := range list.Items {
			got := list.Items[i].Object.(*corev1.Pod)
			got.TypeMeta = metav1.TypeMeta{} // JSON includes it
			if diff := cmp.Diff(&want.Items[i], got); diff != "" {
				t.Fatalf("%s: pod %d (-want +got):\n%s", media, i, diff)
			}
		}
	}
}

func TestAnEmptyListIsNoError(t *testing.T) {
	list, err := readList(bytes.NewReader(encoded(t, podList(0), client.Protobuf)), podResource, nothing)
	if err != nil || len(list.Items) != 0 || list.ResourceVersion != "42" {
		t.Errorf("%v, %d items, version %q", err, len(list.Items), list.ResourceVersion)
	}
}

// A truncated list must never pass for a shorter one: the missing objects
// would look deleted.
func TestAListCutAnywhereIsAnError(t *testing.T) {
	whole := encoded(t, podList(3), client.Protobuf)
	envelopeEnd := bytes.LastIndex(whole, []byte("xx")) + 2
	for at := range envelopeEnd {
		if _, err := readList(bytes.NewReader(whole[:at]), podResource, nothing); err == nil {
			t.Fatalf("cut at byte %d of %d: no error", at, len(whole))
		}
	}
}

func TestWholeSecretsAreThrownAway(t *testing.T) {
	secrets := &corev1.SecretList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "SecretList"}, Items: []corev1.Secret{{
		ObjectMeta: metav1.ObjectMeta{Name: "hf"}, Data: map[string][]byte{"token": []byte("hf_123")},
	}}}
	for _, media := range []string{client.Protobuf, "application/json"} {
		list, err := readList(bytes.NewReader(encoded(t, secrets, media)), secretResource, nothing)
		if !errors.Is(err, errWhole) || list != nil && len(list.Items) > 0 {
			t.Errorf("%s: %v", media, err)
		}
	}
}

func TestAnAbsurdSizeIsRefused(t *testing.T) {
	text := append([]byte("k8s\x00"), 0x12, 0xff, 0xff, 0xff, 0xff, 0x7f, 0x12, 0xff, 0xff, 0xff, 0xff, 0x0f)
	if _, err := readList(bytes.NewReader(text), podResource, nothing); err == nil || !strings.Contains(err.Error(), "bytes") {
		t.Errorf("the error is %v", err)
	}
}

func FuzzReadList(f *testing.F) {
	f.Add(encoded(f, podList(2), client.Protobuf))
	f.Add([]byte("k8s\x00"))
	f.Add([]byte(`{"kind":"PodList","apiVersion":"v1","items":[{}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		_, _ = readList(bytes.NewReader(text), podResource, nothing)
		_, _ = readList(bytes.NewReader(text), secretResource, nothing)
	})
}

// Compares decoding object by object with the library, which holds the whole
// answer and the whole list: time is the same, memory is not.
func BenchmarkReadList(b *testing.B) {
	text := encoded(b, podList(1000), client.Protobuf)
	b.Run("by object", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := readList(bytes.NewReader(text), podResource, nothing); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("library", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := runtime.Decode(client.Codecs.UniversalDeserializer(), text); err != nil {
				b.Fatal(err)
			}
		}
	})
}
