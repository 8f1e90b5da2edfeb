package jsontext

import (
	"encoding/json"
	"math"
)

// Number is a number that JSON cannot always hold.
type Number float64

// MarshalJSON gives "NaN", "Infinity" and "-Infinity" as strings.
func (n Number) MarshalJSON() ([]byte, error) {
	if v := float64(n); math.IsNaN(v) || math.IsInf(v, 0) {
		return json.Marshal(NotFinite(v))
	}
	return json.Marshal(float64(n))
}

// NotFinite names NaN and infinities as JSON and tables do.
func NotFinite(v float64) string {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case v > 0:
		return "Infinity"
	}
	return "-Infinity"
}

// Given is a pointer to a number, nil for NaN.
func Given(v float64) *Number {
	if math.IsNaN(v) {
		return nil
	}
	n := Number(v)
	return &n
}
