package eventmask

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/sources/redact/declared"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train/kinds"
)

type kept struct{ events []store.Event }

func (k *kept) Apply(events ...store.Event) { k.events = append(k.events, events...) }

func quoting(name string) *corev1.Event {
	return &corev1.Event{ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: name}, Message: "no login with correct-horse"}
}

// TestMessagesBeforeTheirPodsAreMaskedOnceThePodsAreKnown: and what is gone by
// then does not come back.
func TestMessagesBeforeTheirPodsAreMaskedOnceThePodsAreKnown(t *testing.T) {
	got, secrets := &kept{}, &declared.Values{}
	late := NewLate(got, secrets)
	late.Apply(store.Listed{Kind: kinds.EventKind, Objects: []kinds.Object{quoting("old")}})
	late.Apply(store.Listed{Kind: kinds.EventKind, Objects: []kinds.Object{quoting("stays"), quoting("deleted")}})
	late.Apply(store.Deleted{Kind: kinds.EventKind, Namespace: "ml", Name: "deleted"})
	secrets.In("ml").Declare("DB_PASSWORD", "correct-horse")
	passed := len(got.events)
	late.SetKnown(true)
	if len(got.events) != passed+1 {
		t.Fatalf("%d events came again", len(got.events)-passed)
	}
	again, _ := got.events[passed].(store.Set)
	if event, _ := again.Object.(*corev1.Event); event == nil || event.Name != "stays" || event.Message != "no login with <redacted:password>" {
		t.Errorf("%v came again", again.Object)
	}
	if late.SetKnown(true); len(got.events) != passed+1 {
		t.Error("it came twice")
	}
}

// TestARecorderMasksWhatIsKnownWhenItWrites: a redactor masks by the secrets that
// are declared when it is asked.
func TestARecorderMasksWhatIsKnownWhenItWrites(t *testing.T) {
	secrets := &declared.Values{}
	secrets.In("ml").Declare("DB_PASSWORD", "correct-horse")
	r := New()
	r.Declared(secrets)
	safe := r.Redact([]store.Event{store.Set{Kind: kinds.EventKind, Object: quoting("e")}})
	if message := safe[0].(store.Set).Object.(*corev1.Event).Message; message != "no login with <redacted:password>" {
		t.Error(message)
	}
}
