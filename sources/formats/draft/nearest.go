package draft

import (
	"math"
	"slices"
	"strings"
)

// Nearest returns the indices of at most most lines that look like metrics, the
// best first, one of each kind: lines that are alike but for their numbers. A
// kind looks like metrics when it comes again and again with other numbers, more
// so with numbers that have a fraction.
func Nearest(lines []string, most int) []int {
	kinds := map[string]*kind{}
	var order []*kind
	for i, line := range lines {
		fields := Fields(line)
		if len(fields) == 0 {
			continue
		}
		shape := shapeOf(line, fields)
		k := kinds[shape]
		if k == nil {
			k = &kind{first: numbers(line, fields), varies: make([]bool, len(fields))}
			kinds[shape] = k
			order = append(order, k)
		}
		k.add(i, numbers(line, fields))
	}
	slices.SortStableFunc(order, func(a, b *kind) int {
		switch x, y := a.score(), b.score(); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	var best []int
	for _, k := range order[:min(len(order), most)] {
		best = append(best, k.last)
	}
	return best
}

// kind are lines that are alike but for their numbers.
type kind struct {
	count, last int
	first       []string
	varies      []bool
}

func (k *kind) add(line int, all []string) {
	k.count, k.last = k.count+1, line
	for i, text := range all {
		k.varies[i] = k.varies[i] || text != k.first[i]
	}
}

func (k *kind) score() float64 {
	score := 0.0
	for i, varies := range k.varies {
		fraction := strings.ContainsAny(k.first[i], ".eE")
		switch {
		case varies && fraction:
			score += 3
		case varies:
			score++
		case fraction && k.count == 1:
			score += 0.5
		}
	}
	return score * math.Log2(1+float64(k.count))
}

// shapeOf is the line with a mark for each number, and one blank for several.
func shapeOf(line string, fields []Field) string {
	var b strings.Builder
	end := 0
	for _, f := range fields {
		b.WriteString(instant.ReplaceAllString(line[end:f.From], "@"))
		b.WriteByte('#')
		end = f.To
	}
	b.WriteString(instant.ReplaceAllString(line[end:], "@"))
	return strings.Join(strings.Fields(b.String()), " ")
}

func numbers(line string, fields []Field) []string {
	all := make([]string, len(fields))
	for i, f := range fields {
		all[i] = line[f.From:f.To]
	}
	return all
}
