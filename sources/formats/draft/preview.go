package draft

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Preview is what a pattern reads of a log.
type Preview struct {
	Lines, Matched int
	Values         []Values
}

// Values are the numbers of one group.
type Values struct {
	Name                   string
	Count                  int
	First, Last, Low, High float64
}

// Read applies a match to the lines of a log. A match that is no regular
// expression is an error.
func Read(match string, lines []string) (Preview, error) {
	expression, err := regexp.Compile(match)
	if err != nil {
		return Preview{}, fmt.Errorf("read the log with the pattern: %w", err)
	}
	p := Preview{Lines: len(lines)}
	for _, name := range expression.SubexpNames() {
		if name != "" {
			p.Values = append(p.Values, Values{Name: name})
		}
	}
	for _, line := range lines {
		at := expression.FindStringSubmatch(line)
		if at == nil {
			continue
		}
		p.Matched++
		for i, name := range expression.SubexpNames() {
			if name != "" {
				p.add(name, at[i])
			}
		}
	}
	return p, nil
}

func (p *Preview) add(name, text string) {
	number, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil {
		return
	}
	at := slices.IndexFunc(p.Values, func(v Values) bool { return v.Name == name })
	v := &p.Values[at]
	if v.Count == 0 {
		v.First, v.Low, v.High = number, number, number
	}
	v.Count++
	v.Last = number
	if number < v.Low || v.Low != v.Low {
		v.Low = number
	}
	if number > v.High || v.High != v.High {
		v.High = number
	}
}
