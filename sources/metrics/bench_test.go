package metrics

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// page returns an exporter's page: 8 GPUs with 30 fields each, labels as
// dcgm-exporter 4.8 writes them.
func page(gpus int) []byte {
	fields := []string{
		"DEV_SM_CLOCK", "DEV_MEM_CLOCK", "DEV_MEMORY_TEMP", "DEV_GPU_TEMP", "DEV_POWER_USAGE", "DEV_TOTAL_ENERGY_CONSUMPTION",
		"DEV_PCIE_REPLAY_COUNTER", "DEV_GPU_UTIL", "DEV_MEM_COPY_UTIL", "DEV_ENC_UTIL", "DEV_DEC_UTIL", "DEV_XID_ERRORS",
		"DEV_FB_FREE", "DEV_FB_USED", "DEV_FB_RESERVED", "DEV_NVLINK_BANDWIDTH_TOTAL", "DEV_VGPU_LICENSE_STATUS",
		"DEV_UNCORRECTABLE_REMAPPED_ROWS", "DEV_CORRECTABLE_REMAPPED_ROWS", "DEV_ROW_REMAP_FAILURE", "PROF_GR_ENGINE_ACTIVE",
		"PROF_PIPE_TENSOR_ACTIVE", "PROF_DRAM_ACTIVE", "PROF_PCIE_TX_BYTES", "PROF_PCIE_RX_BYTES", "PROF_SM_ACTIVE",
		"PROF_SM_OCCUPANCY", "DEV_POWER_VIOLATION", "DEV_THERMAL_VIOLATION", "DEV_ECC_DBE_VOL_TOTAL",
	}
	var text bytes.Buffer
	for i, field := range fields {
		fmt.Fprintf(&text, "# HELP DCGM_FI_%s Help of the field.\n# TYPE DCGM_FI_%s gauge\n", field, field)
		value := fmt.Sprintf("0.%d", i)
		if field == "DEV_XID_ERRORS" {
			value = "0"
		}
		for gpu := range gpus {
			fmt.Fprintf(&text, "DCGM_FI_%s{gpu=\"%d\",UUID=\"GPU-11111111-0000-4000-8000-%012d\",pci_bus_id=\"00000000:%02X:00.0\",device=\"nvidia%d\",modelName=\"NVIDIA H100 80GB HBM3\",Hostname=\"gpu-node-1\",DCGM_FI_DRIVER_VERSION=\"550.90.07\",container=\"pytorch\",namespace=\"ml-team\",pod=\"llama-8b-worker-0\"} %s\n",
				field, gpu, gpu, gpu+16, gpu, value)
		}
	}
	return text.Bytes()
}

// BenchmarkExposition compares reading a page with the library's own parsing of
// it: at most twice the time is allowed.
func BenchmarkExposition(b *testing.B) {
	text := page(8)
	b.Run("library", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			parser := expfmt.NewTextParser(model.UTF8Validation)
			if _, err := parser.TextToMetricFamilies(bytes.NewReader(text)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("readings", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			a, err := Read(bytes.NewReader(text), Origin{Node: "gpu-node-1"})
			if err != nil || len(a.Readings) != 8 {
				b.Fatal(err, len(a.Readings))
			}
		}
	})
	broken := append(bytes.Clone(text), "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\"} ERROR - FAILED TO CONVERT TO STRING\n"...)
	b.Run("a bad line", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(broken)))
		for b.Loop() {
			if a, err := Read(bytes.NewReader(broken), Origin{Node: "gpu-node-1"}); err != nil || len(a.Problems) != 1 {
				b.Fatal(err, a.Problems)
			}
		}
	})
}

// BenchmarkInLog looks through the head of a log without GPUs, as of each rank's file.
func BenchmarkInLog(b *testing.B) {
	var head strings.Builder
	for i := 0; head.Len() < 64<<10; i++ {
		fmt.Fprintf(&head, "2026-11-20T08:00:00.%06dZ INFO step=%d/50000 loss=2.7183 lr=3.0e-04 grad_norm=0.271 step_time=0.10s\n", i, i)
	}
	text := []byte(head.String())
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		InLog(text)
	}
}
