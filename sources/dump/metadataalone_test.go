package dump

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/store"
)

// A list of which somebody asked an API server for the metadata alone is no list of
// objects, and reports it.
func TestMetadataAloneIsNamed(t *testing.T) {
	const item = `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"bert","namespace":"ml","uid":"u"}}`
	for name, text := range map[string]string{
		"a list": `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{},"items":[` + item + `]}`, "one": item,
		"sorted": `{"apiVersion":"meta.k8s.io/v1","items":[` + item + `],"kind":"PartialObjectMetadataList","metadata":{}}`,
	} {
		path := filepath.Join(t.TempDir(), "jobs.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		files := New([]string{path}, Options{})
		_ = files.Run(t.Context(), store.New(time.Now)) // the summary reports it
		said := ""
		for _, p := range files.Summary().Problems {
			said += p.String()
		}
		if !strings.Contains(said, "ml/bert: only the metadata of an object is there") || !strings.Contains(said, "give whole objects") {
			t.Errorf("%s: %q, %+v", name, said, files.Summary())
		}
	}
}
