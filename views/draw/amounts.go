package draw

import (
	"math"
	"strconv"
	"strings"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
)

// Count groups a number's digits: 12,431.
func Count(n int) string {
	s := strconv.Itoa(n)
	negative := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(s, "-")
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	if negative {
		return "-" + s
	}
	return s
}

// Of is "ready/wanted".
func Of(ready, wanted int) string { return strconv.Itoa(ready) + "/" + strconv.Itoa(wanted) }

// Cores prints millicores: 1500m is 1.5.
func Cores(milli int64) string {
	return strconv.FormatFloat(math.Round(float64(milli)/100)/10, 'f', -1, 64)
}

// Bar is a bar of width cells, filled to share (0..1) in steps of an eighth.
func Bar(t *themes.Theme, share float64, width int) string {
	if math.IsNaN(share) || width <= 0 {
		return ""
	}
	eighths := int(math.Round(min(1, max(0, share)) * float64(width) * 8))
	var b strings.Builder
	for range width {
		b.WriteString(t.Glyphs.Eighths[min(8, max(0, eighths))])
		eighths -= 8
	}
	return b.String()
}

// Plural is "1 job", "2,000 jobs".
func Plural(n int, noun string) string {
	return Count(n) + " " + termtext.Plural(n, noun)
}

// More counts what is not shown: "1,200 more", or with a noun "1,200 more lines".
func More(n int, noun string) string {
	if noun == "" {
		return Count(n) + " more"
	}
	return Plural(n, "more "+noun)
}
