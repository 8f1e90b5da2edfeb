package rule

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/traintop/traintop/termtext"
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

// Amount writes a quantity of a resource as RequestsOf counts it: processors
// from millicores, memory and storage in binary units, devices as numbers.
func Amount(name string, n int64) string {
	switch {
	case name == "cpu":
		return resource.NewMilliQuantity(n, resource.DecimalSI).String() + " CPU"
	case name == "memory" || name == "ephemeral-storage" || strings.HasPrefix(name, "hugepages-"):
		return termtext.Bytes(n)
	}
	return strconv.FormatInt(n, 10)
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
