package rule

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/traintop/traintop/train"
)

func Lower(text string) string { return strings.ToLower(text) }

// Capital begins a sentence with a capital letter.
func Capital(text string) string {
	if text == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// Age formats a duration as people write it: "40s", "12m", "3h5m", "2d".
func Age(d time.Duration) string {
	switch {
	case d < 2*time.Minute:
		return fmt.Sprintf("%ds", max(0, int(d.Seconds())))
	case d < 2*time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh%dm", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%dd", int(d.Hours()/24))
}

// Amount writes a quantity of a resource as RequestsOf counts it: processors
// from millicores, memory and storage in binary units, devices as numbers.
func Amount(name string, n int64) string {
	switch {
	case name == "cpu":
		return resource.NewMilliQuantity(n, resource.DecimalSI).String() + " CPU"
	case name == "memory" || name == "ephemeral-storage" || strings.HasPrefix(name, "hugepages-"):
		return Bytes(n)
	}
	return strconv.FormatInt(n, 10)
}

// Bytes rounds to a tenth of the largest binary unit that fits.
func Bytes(n int64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB"}
	value, unit := float64(n), 0
	for value >= 1024 && unit < len(units)-1 {
		value, unit = value/1024, unit+1
	}
	return strings.TrimSuffix(strconv.FormatFloat(value, 'f', 1, 64), ".0") + " " + units[unit]
}

// RankNames returns ranks as people name them: worker-0, worker-1.
func RankNames(pods []*Pod) string {
	var list []string
	for _, p := range pods {
		list = append(list, RankName(p.Rank))
	}
	return Names(list)
}

// RankName is the short name of a rank, safe for a terminal.
func RankName(r *train.Rank) string { return Plain(r.ShortName()) }

// Number formats a step or an epoch, with few decimals and no useless ones.
func Number(v float64) string {
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
}
