package declared

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func TestDeclaredSecretsAreMasked(t *testing.T) {
	for _, declared := range [][3]string{
		{"DB_PASSWORD", "correct-horse-battery", "password"}, {"WANDB_API_KEY", "0123456789abcdef0123456789abcdef01234567", "key"}, {"HF_TOKEN", "hf_example1", "token"},
		{"MY_SERVICE_CREDENTIAL", `q"7/X pa&ss\w`, "credentials"}, {"TOKEN", "a1b2c3d4e5f6", "token"}, {"PASSPHRASE", "erdbeerkuchenrezept", "password"}, {"ROOT_PASSWORD", "300219488251", "password"},
	} {
		name, value := declared[0], declared[1]
		secrets := (&Values{}).In("ml")
		secrets.Declare(name, value)
		quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value)
		for _, form := range []string{value, quoted, url.QueryEscape(value), url.PathEscape(value), base64.StdEncoding.EncodeToString([]byte(value))} {
			for _, line := range []string{"%s", "connecting with %s now", "'%s'", "x=%s;", "\x1b[31m%s\x1b[0m", "first %[1]s then %[1]s", `{"m":"a\n%s\t"}`} {
				text := fmt.Sprintf(line, form)
				got := string(secrets.Mask([]byte(text), false))
				want := strings.ReplaceAll(text, strings.TrimRight(form, "="), "<redacted:"+declared[2]+">")
				if got != want {
					t.Errorf("%s: %q became %q, want %q", name, text, got, want)
				}
			}
		}
	}
}

// TestEncodedDeclaredSecrets: what Python's quote and json.dumps, and Go's
// encoding/json, write by default.
func TestEncodedDeclaredSecrets(t *testing.T) {
	for value, forms := range map[string][]string{
		"P@ss w0rd/Horse-1!":   {"P%40ss%20w0rd/Horse-1%21", "P%40ss%20w0rd%2FHorse-1%21", "P%40ss+w0rd%2FHorse-1%21"},
		"corp/horse+77x":       {"corp/horse%2B77x"},
		"K\u00e4se&Brot<77>x9": {`K\u00e4se&Brot<77>x9`, "K\u00e4se" + `\u0026Brot\u003c77\u003ex9`, "K\u00e4se&Brot<77>x9"},
		"\U0001f511-horse-77":  {`\ud83d\udd11-horse-77`},
	} {
		secrets := (&Values{}).In("ml")
		secrets.Declare("DB_PASSWORD", value)
		for _, form := range forms {
			if got := string(secrets.Mask([]byte("x="+form+" y"), false)); got != "x=<redacted:password> y" {
				t.Errorf("%q: %s became %s", value, form, got)
			}
		}
	}
}

// TestOrdinaryValuesStay: what may be written for other reasons is not masked.
func TestOrdinaryValuesStay(t *testing.T) {
	secrets := (&Values{}).In("ml")
	for name, value := range map[string]string{
		"DB_PASSWORD": "training", "HF_TOKEN": "/var/run/secrets/token", "API_KEY": "short", "ROOT_PASSWORD": "20260101", "LR": "0.00001234567",
		"KEY": "layer3.weight", "CACHE_KEY": "bert-base-v2", "TOKENIZERS_PARALLELISM": "false-positive-1", "MODEL": "llama-3.1-8b-instruct",
		"ACCESS_TOKEN": "$(HF_TOKEN)", "USE_AUTH_TOKEN": "true", "ADMIN_PASSWORD": "aaaaaaaaaaaaaaaa1",
	} {
		secrets.Declare(name, value)
		text := "step 1 " + value + " loss 2"
		if got := string(secrets.Mask([]byte(text), false)); got != text {
			t.Errorf("%s=%s: %q became %q", name, value, text, got)
		}
	}
	secrets.Declare("DB_PASSWORD", "training-1")
	for _, text := range []string{"training-10 begins", "pretraining-1 begins"} {
		if got := string(secrets.Mask([]byte(text), false)); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestOtherNamespacesAndTheFirstAreApart(t *testing.T) {
	var values Values
	values.In("ml").Declare("DB_PASSWORD", "correct-horse")
	if got := values.In("web").Text("correct-horse"); got != "correct-horse" {
		t.Errorf("%q in another namespace", got)
	}
	if got := (*Set)(nil).Text("correct-horse"); got != "correct-horse" {
		t.Errorf("%q without secrets", got)
	}
}

// TestPartsOfDeclaredSecrets: a line that goes on may end within a secret, and a
// secret of many lines is masked by its lines.
func TestPartsOfDeclaredSecrets(t *testing.T) {
	secrets := (&Values{}).In("ml")
	secrets.Declare("DB_PASSWORD", "correct-horse")
	if got := string(secrets.Mask([]byte("password is corre"), true)); got != "password is <redacted:password>" {
		t.Errorf("%q at the end of a line that goes on", got)
	}
	if got := string(secrets.Mask([]byte("password is corre"), false)); got != "password is corre" {
		t.Errorf("%q at the end of a line", got)
	}
	line := "MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQDepRmfZMt54WpX"
	secrets.Declare("TLS_PRIVATE_KEY", "-----BEGIN PRIVATE KEY-----\n"+line+"\nlast line\n-----END PRIVATE KEY-----\n")
	for text, want := range map[string]string{line: "<redacted:key>", "last line": "last line"} {
		if got := secrets.Text(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

// TestDeclaredSecretsAreBounded: what was declared first is dropped.
func TestDeclaredSecretsAreBounded(t *testing.T) {
	secrets := (&Values{}).In("ml")
	for i := range 2 * mostWritten {
		secrets.Declare("DB_PASSWORD", fmt.Sprintf("value-%d-x", i))
	}
	if n := len(secrets.order); n > mostWritten {
		t.Errorf("%d are kept", n)
	}
	newest := fmt.Sprintf("value-%d-x", 2*mostWritten-1)
	if got := secrets.Text(newest); got != "<redacted:password>" {
		t.Errorf("the newest became %q", got)
	}
}

// TestObjectsLoseDeclaredSecrets: in copies, since others share the objects.
func TestObjectsLoseDeclaredSecrets(t *testing.T) {
	values := &Values{}
	values.In("ml").Declare("DB_PASSWORD", "correct-horse")
	at := metav1.ObjectMeta{Namespace: "ml", Name: "correct-horse"}
	text := "no login with correct-horse"
	pod := &corev1.Pod{ObjectMeta: at, Status: corev1.PodStatus{Conditions: []corev1.PodCondition{{Message: text}}}}
	job := &unstructured.Unstructured{Object: map[string]any{
		"metadata": map[string]any{"namespace": "ml", "name": "correct-horse"},
		"status":   map[string]any{"conditions": []any{map[string]any{"message": text}, map[string]any{"message": "fine"}}},
	}}
	for _, o := range []metav1.Object{&corev1.Event{ObjectMeta: at, Message: text}, pod, job} {
		before := fmt.Sprint(o)
		masked := Masked(values, o)
		got := fmt.Sprint(masked)
		if strings.Contains(got, text) || !strings.Contains(got, "no login with <redacted:password>") || masked.GetName() != "correct-horse" {
			t.Errorf("%T became %s", o, got)
		}
		if fmt.Sprint(o) != before {
			t.Errorf("the %T itself was changed", o)
		}
		if again := Masked(values, masked); again != masked {
			t.Errorf("a %T without secrets was copied", o)
		}
	}
	elsewhere := &corev1.Event{ObjectMeta: metav1.ObjectMeta{Namespace: "web"}, Message: text}
	if Masked(values, elsewhere) != elsewhere {
		t.Error("an event of another namespace was changed")
	}
}

func BenchmarkMask(b *testing.B) {
	secrets := (&Values{}).In("ml")
	for i := range 100 {
		secrets.Declare("DB_PASSWORD", fmt.Sprintf("p4ssw0rd-%d-abcdef", i))
	}
	line := []byte(strings.Repeat("step 100 loss 2.31 lr 1e-4 tokens/s 12345 ", 4))
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		secrets.Mask(line, false)
	}
}
