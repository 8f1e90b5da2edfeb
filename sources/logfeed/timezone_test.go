package logfeed

import (
	"testing"
	"time"
)

// A zone counts however programs write it; of a name with several meanings the time
// is not known.
func TestZonesOfPrintedTimes(t *testing.T) {
	shanghai := time.FixedZone("", 8*3600)
	for _, c := range []struct{ line, want string }{
		{"2026-11-01 10:03:00+08:00 INFO step 6", "02:03:00"},
		{"2026-11-01 10:03:00+0800 INFO step 6", "02:03:00"},
		{"2026-11-01 10:03:00 +08:00 INFO step 6", "02:03:00"},
		{"2026-11-01 10:03:00.123456789 +08:00 INFO step 6", "02:03:00.123456789"},
		{"[2026-11-01 10:03:00 +0800] [7] [INFO] step 6", "02:03:00"},
		{"2026-11-01 10:03:00+08 INFO step 6", "02:03:00"},
		{"2026-11-01 10:03:00,123+0800 INFO step 6", "02:03:00.123"},
		{"2026-11-01T10:03:00-0330 INFO step 6", "13:33:00"},
		{"2026-11-01 10:03:00 EST INFO step 6", "15:03:00"},
		{"2026-11-01 10:03:00 GMT step 6", "10:03:00"},
		{"2026-11-01 10:03:00 UTC step 6", "10:03:00"},
		{"2026-11-01 10:03:00 CST step 6", ""},
		{"2026-11-01 10:03:00 INFO step 6", "02:03:00"}, // that of the log
		{"2026-11-01 10:03:00 -12.5 loss", "02:03:00"},
		{"2026-11-01 10:03:00 WARN step 6", "02:03:00"},
		{"2026-11-01 10:03:00 - step 6", "02:03:00"},
		{"12: 2026-11-01T10:03:00Z step 6", "10:03:00"}, // behind the number of srun's task
		{" 2: [2026-11-01 10:03:00] step 6", "02:03:00"},
		{"12:2026-11-01T10:03:00Z step 6", ""},
		{"2026-02-30T00:00:00Z step 6", ""},
		{"2026-11-31 00:00:00 step 6", ""},
		{"2026-02-30 23:59:59 step 6", ""},
		{"2024-02-29T00:00:00Z step 6", "00:00:00"},
		{"2026-12-31T23:59:60Z a leap second", "00:00:00"},
		{"9999-12-31T23:59:59Z step 6", ""},
		{"1000-01-01T00:00:00Z step 6", ""},
	} {
		got := ""
		if at := TimeOf([]byte(c.line), shanghai); !at.IsZero() {
			got = at.UTC().Format("15:04:05.999999999")
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.line, got, c.want)
		}
	}
}
