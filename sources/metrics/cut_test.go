package metrics

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

// If an answer breaks off within a number, the number is not read.
func TestABrokenAnswerEndsWithItsLastWholeLine(t *testing.T) {
	lost := errors.New("connection reset")
	text := "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\",UUID=\"GPU-1111\"} 691.2\nDCGM_FI_DEV_GPU_TEMP{gpu=\"0\",UUID=\"GPU-1111\"} 6"
	a, err := ReadAs(Exposition, io.MultiReader(strings.NewReader(text), failingReader{lost}), Origin{})
	if !errors.Is(err, lost) || len(a.Readings) != 1 || len(a.Problems) > 0 {
		t.Fatalf("%v, %+v", err, a)
	}
	if power, known := a.Readings[0].Values.Get(train.GPUPower); !known || power != 691.2 {
		t.Errorf("power is %v (%v), want 691.2", power, known)
	}
	if temperature, known := a.Readings[0].Values.Get(train.GPUTemperature); known {
		t.Errorf("the cut number was read as %v", temperature)
	}
}

type failingReader struct{ err error }

func (f failingReader) Read([]byte) (int, error) { return 0, f.err }
