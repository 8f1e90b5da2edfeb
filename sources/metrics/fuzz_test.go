package metrics

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/sources/metrics/tools"
	"github.com/traintop/traintop/train"
)

// FuzzRead: for any text, reading ends, respects its limits and returns only
// numbers that are possible for a GPU.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*.*")
	captures, captureErr := filepath.Glob("testdata/captures/*")
	if err != nil || captureErr != nil {
		f.Fatal(err, captureErr)
	}
	files = append(files, captures...)
	for _, file := range files {
		if strings.HasSuffix(file, ".expect.json") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("000000000\n{}\nDCGM_FI_{A=\"0")) // the library for the text format panics
	f.Fuzz(func(t *testing.T, text []byte) {
		a, _ := Read(bytes.NewReader(text), Origin{Node: "n"}) // a bad text may return an error
		checkAnswer(t, &a)
		for _, format := range append(tools.Formats(), PrometheusAPI) {
			a, _ := ReadAs(format, bytes.NewReader(text), Origin{})
			checkAnswer(t, &a)
		}
	})
}

func checkAnswer(t *testing.T, a *Answer) {
	t.Helper()
	if len(a.Problems) > readings.MaxProblems || len(a.Readings) > MaxGPUs {
		t.Errorf("%d problems, %d readings", len(a.Problems), len(a.Readings))
	}
	for i := range a.Readings {
		values := &a.Readings[i].Values
		for q := train.Quantity(0); q < train.Quantities; q++ {
			if number, known := values.Get(q); known && (math.IsNaN(number) || math.IsInf(number, 0) || !readings.Plausible(q, number) && q != train.GPUMemoryTotal && q != train.GPUUtilization) {
				t.Errorf("%s: quantity %d is %v", a.Format, q, number)
			}
		}
	}
}
