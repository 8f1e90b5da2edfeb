package exporters

import (
	"bytes"
	"strings"
	"testing"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

func TestPage(t *testing.T) {
	page := DCGM(
		GPU{Index: "0", UUID: "GPU-a", Namespace: "ml", Pod: "bert-worker-0", Container: "pytorch", Values: map[string]float64{"DCGM_FI_DEV_GPU_UTIL": 97}},
		GPU{Index: "1", UUID: "GPU-b"},
	)
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(bytes.NewReader([]byte(page)))
	if err != nil {
		t.Fatal(err)
	}
	use := families["DCGM_FI_DEV_GPU_UTIL"].GetMetric()
	if len(use) != 2 || use[0].GetGauge().GetValue() != 97 || !strings.Contains(use[0].String(), "bert-worker-0") || strings.Contains(use[1].String(), `"pod"`) {
		t.Errorf("the page has %v", use)
	}
	if len(families) < 15 {
		t.Errorf("the page has %d metrics", len(families))
	}
}
