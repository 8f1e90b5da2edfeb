package termtext

import (
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"
)

// Duration prints a length of time as kubectl does: "40s", "12m", "3h5m", "2d4h". Times
// in the future, which clocks out of step produce, print as "0s".
func Duration(d time.Duration) string { return duration.HumanDuration(max(0, d)) }

// Bytes prints an amount of memory or storage for a sentence: "64 MiB", "71.2 GiB".
func Bytes[N int | int64 | float64](n N) string {
	digits, unit := binary(float64(n))
	return digits + " " + unit + "B"
}

// Quantity prints the same amount for a table, as Kubernetes writes it: "64Mi", "71.2Gi".
func Quantity(n int64) string {
	digits, unit := binary(float64(n))
	return digits + unit
}

// binary divides by the largest binary unit that fits, to a tenth below a hundred.
func binary(n float64) (digits, unit string) {
	units := [...]string{"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"}
	at := 0
	for n >= 1024 && at < len(units)-1 {
		n, at = n/1024, at+1
	}
	decimals := 1
	if n >= 100 {
		decimals = 0
	}
	digits = strconv.FormatFloat(n, 'f', decimals, 64)
	if len(digits) > 2 && digits[len(digits)-2:] == ".0" {
		digits = digits[:len(digits)-2]
	}
	return digits, units[at]
}
