package draw

import "testing"

// MIG slices are distinguished from whole GPUs.
func TestDevices(t *testing.T) {
	for got, want := range map[string]string{
		Devices(4, 0): "4", Devices(7, 7): "7 MIG", Devices(11, 7): "4 + 7 MIG", Devices(0, 0): "0",
		DevicesOf(4, 8, 0, 0): "4/8", DevicesOf(3, 7, 3, 7): "3/7 MIG", DevicesOf(7, 15, 3, 7): "4/8 + 3/7 MIG",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
