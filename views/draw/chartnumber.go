package draw

import (
	"math"
	"strconv"
	"strings"
)

// Value prints a measured number in few cells and always to four digits, so
// that a column keeps its width while the number changes: 1.842, 0.0913,
// 2.90e-5, 12.43k, 1.210M.
func Value(v float64) string {
	a := math.Abs(v)
	switch {
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	case v == 0:
		return "0"
	case a < 0.001 || a >= 1e15:
		return exponent(strconv.FormatFloat(v, 'e', 2, 64))
	case a < 0.01:
		return strconv.FormatFloat(v, 'f', 5, 64)
	case a < 0.1:
		return strconv.FormatFloat(v, 'f', 4, 64)
	case a < 10:
		return strconv.FormatFloat(v, 'f', 3, 64)
	}
	scaled, unit := thousands(v)
	digits := 3 - int(math.Floor(math.Log10(math.Abs(scaled)*1.00005)))
	return strconv.FormatFloat(scaled, 'f', min(3, max(0, digits)), 64) + unit
}

// Short is Value without the zeros at the end: 2, 1.5, 3e-4, 12.4k.
func Short(v float64) string {
	text := Value(v)
	number := strings.TrimRight(text, "kMGT")
	unit := text[len(number):]
	power := ""
	if at := strings.IndexByte(number, 'e'); at > 0 {
		number, power = number[:at], number[at:]
	}
	if strings.Contains(number, ".") {
		number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
	}
	return number + power + unit
}

// rounding is the share of a value below which a difference is an error of float64
// arithmetic: far above its 1.1e-16, for sums of many, and far below what a log prints.
const rounding = 1e-12

// Delta is the difference from a value with its sign: +0.120, -0.031, and +0 where it is
// an error of rounding.
func Delta(difference, value float64) string {
	switch {
	case math.Abs(difference) < rounding*math.Abs(value):
		return "+" + Value(0)
	case difference > 0:
		return "+" + Value(difference)
	}
	return Value(difference)
}

// Step prints a step: 12,431, with decimals where it has them.
func Step(v float64) string {
	if finite(v) && v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return Count(int(v))
	}
	return Short(v)
}

// StepShort prints a step in few cells: 880, 12.4k, 1.2M.
func StepShort(v float64) string {
	if math.Abs(v) < 10_000 {
		return Step(v)
	}
	scaled, unit := thousands(v)
	if unit == "" {
		return Short(v)
	}
	return strings.TrimSuffix(strconv.FormatFloat(scaled, 'f', 1, 64), ".0") + unit
}

// thousands scales a number that is above 10,000 by the letter for its power.
func thousands(v float64) (scaled float64, unit string) {
	if math.Abs(v) < 9999.5 {
		return v, ""
	}
	for _, unit = range []string{"k", "M", "G", "T"} {
		if v /= 1000; math.Abs(v) < 999.95 {
			break
		}
	}
	return v, unit
}

// exponent writes a power of ten without a leading zero: 2.90e-05 is 2.90e-5.
func exponent(text string) string {
	number, power, _ := strings.Cut(text, "e")
	sign := strings.TrimSuffix(power[:1], "+")
	return number + "e" + sign + strings.TrimLeft(power[1:], "0")
}
