package tools

import "testing"

// Numbers of tools are read in the unit of the quantity: MiB, W, MHz.
func TestNumbersOfTools(t *testing.T) {
	for text, want := range map[string]float64{
		"81559 MiB": 81559, "1 GiB": 1024, "2048 KiB": 2, "1048576 bytes": 1, "196608 MB": 196608,
		"97 %": 97, "631.95 W": 631.95, "1500 mW": 1.5, "1980 MHz": 1980, "1.5 GHz": 1500, "0x10": 16, "Not Active": 0, "Yes": 1,
	} {
		if got, ok := toolNumber(text); !ok || got != want {
			t.Errorf("%q is %v, %t, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"N/A", "[Not Supported]", "ERR!", "-", "", "12 furlongs"} {
		if got, ok := toolNumber(text); ok {
			t.Errorf("%q is %v, want none", text, got)
		}
	}
}
