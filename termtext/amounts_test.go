package termtext

import (
	"testing"
	"time"
)

func TestDurationIsKubectls(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		-time.Hour: "0s", 0: "0s", 40*time.Second + 999*time.Millisecond: "40s",
		3*time.Minute + 5*time.Second: "3m5s", 12*time.Minute + 9*time.Second: "12m",
		3*time.Hour + 5*time.Minute: "3h5m", 52 * time.Hour: "2d4h",
	} {
		if got := Duration(d); got != want {
			t.Errorf("%v prints as %q, not %q", d, got, want)
		}
	}
}

func TestBytesAndQuantityAgree(t *testing.T) {
	t.Parallel()
	const mebi, gibi = 1 << 20, 1 << 30
	for _, c := range []struct {
		n               int64
		bytes, quantity string
	}{
		{0, "0 B", "0"},
		{1023, "1023 B", "1023"},
		{1536, "1.5 KiB", "1.5Ki"},
		{64 * mebi, "64 MiB", "64Mi"},
		{712 * gibi / 10, "71.2 GiB", "71.2Gi"},
		{755*gibi + 700*mebi, "756 GiB", "756Gi"},
		{2 << 60, "2 EiB", "2Ei"},
		{9 << 59, "4.5 EiB", "4.5Ei"},
	} {
		if got := Bytes(c.n); got != c.bytes {
			t.Errorf("%d bytes print as %q, not %q", c.n, got, c.bytes)
		}
		if got := Quantity(c.n); got != c.quantity {
			t.Errorf("%d bytes print in a table as %q, not %q", c.n, got, c.quantity)
		}
	}
}
