package kube

import (
	corev1 "k8s.io/api/core/v1"

	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/traintop/traintop/sources/redact"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func TestManifest(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.serve("ray.io/v1/RayJob/rayjobs", true)
		s.put("/apis/ray.io/v1/namespaces/ml/rayjobs/tune", map[string]any{
			"kind": "RayJob", "apiVersion": "ray.io/v1",
			"metadata": map[string]any{
				"annotations":   map[string]any{corev1.LastAppliedConfigAnnotation: `{"token":"visible"}`, "team": "nlp"},
				"managedFields": []any{map[string]any{"manager": "kubectl"}},
			},
			"spec": map[string]any{
				"runtimeEnvYAML": "env_vars:\n  WANDB_API_KEY: visible\n  NCCL_DEBUG: \"INFO\"\n",
				"template": map[string]any{"containers": []any{map[string]any{
					"env": []any{
						map[string]any{"name": "HF_TOKEN", "value": "visible"},
						map[string]any{"name": "TOKENIZERS_PARALLELISM", "value": "false"},
					},
					"args": []any{"--api-key=visible", "--password", "visible", "--max-tokens=4096", "--lr", "0.1"},
				}}},
			},
		})
		c, err := New(Options{Flags: s.flags()})
		if err != nil {
			t.Fatal(err)
		}
		defer s.stop()
		kind := schema.GroupKind{Group: "ray.io", Kind: "RayJob"}
		text, err := c.Manifest(context.Background(), kind, "ml", "tune")
		if err != nil {
			t.Fatal(err)
		}
		for _, unwanted := range []string{"visible", "managedFields", corev1.LastAppliedConfigAnnotation} {
			if strings.Contains(string(text), unwanted) {
				t.Errorf("%q is in the manifest:\n%s", unwanted, text)
			}
		}
		for _, wanted := range []string{"kind: RayJob", "team: nlp", "HF_TOKEN", `value: "false"`, "--max-tokens=4096", "NCCL_DEBUG: \"INFO\"", "- \"0.1\""} {
			if !strings.Contains(string(text), wanted) {
				t.Errorf("%q is not in the manifest:\n%s", wanted, text)
			}
		}
		if text, err = c.FullManifest(context.Background(), kind, "ml", "tune"); err != nil || !strings.Contains(string(text), "manager: kubectl") {
			t.Errorf("the full manifest is %s (%v)", text, err)
		}

		asked := len(s.seen())
		for _, refused := range []struct {
			kind schema.GroupKind
			name string
		}{
			{kind, "../../../../../api/v1/namespaces/ml/secrets/hf"},
			{kind, ".."},
		} {
			if text, err := c.Manifest(context.Background(), refused.kind, "ml", refused.name); err == nil {
				t.Errorf("%v gave %s", refused, text)
			}
		}
		if len(s.seen()) != asked {
			t.Error("a refused manifest was asked for")
		}
	})
}

func TestManifestsOfSecretsHaveNoValues(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.serve("v1/Secret/secrets", true)
		s.put("/api/v1/namespaces/ml/secrets/hf", map[string]any{
			"kind": "Secret", "apiVersion": "v1",
			"metadata": map[string]any{"annotations": map[string]any{corev1.LastAppliedConfigAnnotation: `{"stringData":{"innocent":"visible"}}`}},
			"data":     map[string]any{"innocent": "dmlzaWJsZQ==", "password": "dmlzaWJsZQ=="},
		})
		s.put("/api/v1/namespaces/ml/configmaps/cfg", map[string]any{
			"kind": "ConfigMap", "apiVersion": "v1", "data": map[string]any{"epochs": "30", "DB_PASSWORD": "visible"},
		})
		c, err := New(Options{Flags: s.flags()})
		if err != nil {
			t.Fatal(err)
		}
		defer s.stop()
		for kind, wanted := range map[string]string{"Secret/hf": "innocent: '*** (7 bytes)'\n  password: '*** (7 bytes)'", "ConfigMap/cfg": "epochs: \"30\""} {
			kind, name, _ := strings.Cut(kind, "/")
			text, err := c.Manifest(context.Background(), schema.GroupKind{Kind: kind}, "ml", name)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(text), "visible") || strings.Contains(string(text), "dmlz") || !strings.Contains(string(text), wanted) {
				t.Errorf("the manifest is\n%s", text)
			}
			fields, err := c.Object(context.Background(), schema.GroupKind{Kind: kind}, "ml", name)
			if shown := fmt.Sprint(fields); err != nil || strings.Contains(shown, "visible") || strings.Contains(shown, "dmlz") {
				t.Errorf("the object is %s (%v)", shown, err)
			}
		}
		if values, err := c.SecretValues(context.Background(), "ml", "hf"); err != nil || values["innocent"] != "visible" {
			t.Errorf("the values are %q (%v)", values, err)
		}
	})
}

func TestSecretNames(t *testing.T) {
	for name, want := range map[string]bool{
		"HF_TOKEN": true, "AWS_SECRET_ACCESS_KEY": true, "WANDB_API_KEY": true, "apiKey": true, "DB_PASSWORD": true,
		"MYTOKEN": true, "--auth-token": true, "GOOGLE_APPLICATION_CREDENTIALS": true,
		"TOKENIZERS_PARALLELISM": false, "NCCL_DEBUG": false, "MONKEYPATCH": false, "RANK": false, "KEYCLOAK_URL": false,
	} {
		if got := redact.Secret(name, "value"); got != want {
			t.Errorf("redact.Secret(%q) is %v", name, got)
		}
	}
	if redact.Secret("MAX_TOKENS", "4096") || !redact.Secret("PASSWORD", "4096") {
		t.Error("a number is no token, and may be a password")
	}
}
