package tools

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// guess infers the columns of a --query-gpu answer without a heading. Identities
// and units identify themselves; plain numbers are inferred from their sizes and
// their order. Ambiguous columns stay unnamed, so their quantities stay unknown.
type guess struct {
	rows   [][]string
	fields []string // the field of each column; "" while unknown
}

// rowsOf returns the rows that have as many columns as the first.
func rowsOf(text string) [][]string {
	const enough = 64
	var rows [][]string
	for line := range strings.Lines(text) {
		row := splitCSV(line)
		if strings.TrimSpace(line) != "" && (len(rows) == 0 || len(row) == len(rows[0])) {
			if rows = append(rows, row); len(rows) == enough {
				break
			}
		}
	}
	return rows
}

// guessColumns returns nil if it cannot infer even the GPU or its memory.
func guessColumns(rows [][]string) []csvColumn {
	if len(rows) == 0 || len(rows[0]) < 3 {
		return nil
	}
	g := &guess{rows: rows, fields: make([]string, len(rows[0]))}
	for column := range g.fields {
		g.fields[column] = g.byForm(column)
	}
	if g.processes() {
		return []csvColumn{{field: "pid"}}
	}
	g.index()
	g.memory()
	g.decimals()
	g.clocks()
	g.small()
	if !slices.Contains(g.fields, "uuid") && !slices.Contains(g.fields, "name") && !slices.Contains(g.fields, "bus") && !slices.Contains(g.fields, "index") {
		return nil
	}
	columns := make([]csvColumn, len(g.fields))
	for i, field := range g.fields {
		if field == "bus" {
			field = "pci.bus_id"
		}
		columns[i] = csvColumn{field: field}
	}
	return columns
}

// processes reports whether the rows are of --query-compute-apps: one amount of
// memory and no other number with a unit, beside a process id. Where there are other
// numbers, such as a serial number, a path of a program decides.
func (g *guess) processes() bool {
	numbers := g.columns("number")
	if len(g.columns("MiB")) != 1 || len(g.columns("%", "W", "MHz", "decimal")) > 0 || len(numbers) == 0 {
		return false
	}
	return len(numbers) == 1 && g.greatest(numbers[0]) > 130 || len(g.columns("program")) > 0
}

// other marks columns that are recognised and not needed.
const other = "-"

var forms = []struct {
	field string
	form  *regexp.Regexp
}{
	{"uuid", regexp.MustCompile(`^(?:(?:GPU|MIG)-\S+|[0-9A-Z]{4}(?:-[0-9A-Z]+){4,})$`)}, // the second of Habana
	{"bus", regexp.MustCompile(`^[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9A-Fa-f]$`)},
	{other, regexp.MustCompile(`^\d{4}/\d\d/\d\d `)}, // timestamp
	{other, regexp.MustCompile(`^P\d+$`)},            // pstate
	{"clocks_event_reasons.active", regexp.MustCompile(`^0x[0-9A-Fa-f]{16}$`)},
	{other, regexp.MustCompile(`^\d+\.\d+(\.\d+)+(?:-[0-9a-f]+)?$`)}, // driver version
	{other, regexp.MustCompile(`^(Enabled|Disabled|Default|Yes|No|Active|Not Active|Exclusive_Process|Prohibited)$`)},
	{"%", regexp.MustCompile(`^\d+ %$`)},
	{"MiB", regexp.MustCompile(`^\d+ MiB$`)},
	{"W", regexp.MustCompile(`^[\d.]+ W$`)},
	{"temperature.gpu", regexp.MustCompile(`^\d+ C$`)},
	{"MHz", regexp.MustCompile(`^\d+ MHz$`)},
	{"decimal", regexp.MustCompile(`^\d+\.\d+$`)},
	{"number", regexp.MustCompile(`^\d+$`)},
	{"program", regexp.MustCompile(`^\.{0,2}/\S`)},
	{"name", regexp.MustCompile(`[A-Za-z].*\d|\d.*[A-Za-z]|^[A-Za-z][A-Za-z ]+$`)},
}

// byForm infers a column from the form of its values, ignoring those that are not
// known.
func (g *guess) byForm(column int) string {
	for _, f := range forms {
		fits, known := true, false
		for _, row := range g.rows {
			if unknownText(row[column]) {
				continue
			}
			known = true
			fits = fits && f.form.MatchString(row[column])
		}
		if known && fits {
			return f.field
		}
	}
	return ""
}

// index finds the column with the index of the GPUs: it comes first, or right before
// the column that names the GPU.
func (g *guess) index() {
	for column, field := range g.fields {
		if field != "number" {
			if field == "uuid" || field == "name" || field == "bus" {
				continue
			}
			if field != other {
				return
			}
			continue
		}
		named := column+1 < len(g.fields) && slices.Contains([]string{"uuid", "name", "bus"}, g.fields[column+1])
		if named || g.counts(column) {
			g.fields[column] = "index"
		}
		return
	}
}

// counts reports whether a column counts up over several rows.
func (g *guess) counts(column int) bool {
	if len(g.rows) < 2 {
		return g.rows[0][column] == "0" && len(g.columns("uuid", "name", "bus")) > 0
	}
	for i := 1; i < len(g.rows); i++ {
		if g.number(i, column) <= g.number(i-1, column) {
			return false
		}
	}
	return true
}

func (g *guess) number(row, column int) float64 {
	text, _, _ := strings.Cut(g.rows[row][column], " ")
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return -1
	}
	return value
}

func (g *guess) columns(fields ...string) []int {
	var found []int
	for column, field := range g.fields {
		if slices.Contains(fields, field) {
			found = append(found, column)
		}
	}
	return found
}

// greatest returns the greatest number of a column.
func (g *guess) greatest(column int) float64 {
	most := -1.0
	for row := range g.rows {
		most = max(most, g.number(row, column))
	}
	return most
}

// all reports whether a condition holds for a column in every row.
func (g *guess) all(column int, fits func(row int, value float64) bool) bool {
	for row := range g.rows {
		if value := g.number(row, column); value >= 0 && !fits(row, value) {
			return false
		}
	}
	return true
}

// memory finds the total, the greatest number of all, and the used memory beside it.
func (g *guess) memory() {
	candidates := g.columns("MiB")
	if len(candidates) == 0 {
		candidates = g.columns("number")
	}
	total := -1
	for _, column := range candidates {
		if g.greatest(column) >= 1024 && (total < 0 || g.greatest(column) > g.greatest(total)) {
			total = column
		}
	}
	if total < 0 {
		return
	}
	part := func(column int) bool {
		return slices.Contains(candidates, column) && g.all(column, func(row int, value float64) bool { return value <= g.number(row, total) })
	}
	used := -1
	switch {
	case part(total-1) && part(total-2) && g.greatest(total-2) > 100 && g.sum(total-2, total-1, total):
		used = total - 2 // used, free, total
		g.fields[total-1] = other
	case part(total - 1):
		used = total - 1
	case part(total+1) && part(total+2) && g.sum(total+1, total+2, total):
		g.fields[total+1], g.fields[total+2] = other, other // free and used, whose order cannot be inferred
	case part(total + 1):
		used = total + 1
	default:
		return
	}
	g.fields[total] = "memory.total"
	if used >= 0 {
		g.fields[used] = "memory.used"
	}
}

// sum reports whether two columns add up to a third, except for reserved memory.
func (g *guess) sum(a, b, whole int) bool {
	return g.all(whole, func(row int, value float64) bool {
		sum := g.number(row, a) + g.number(row, b)
		return sum <= value && sum >= 0.97*value
	})
}

// decimals finds the power draw and, beside it, its limit.
func (g *guess) decimals() {
	for i, column := range g.columns("W", "decimal") {
		g.fields[column] = [...]string{"power.draw", "power.limit", other}[min(i, 2)]
	}
}

// clocks finds numbers that are greater than any percentage or temperature.
func (g *guess) clocks() {
	found := g.columns("MHz")
	for _, column := range g.columns("number") {
		if g.greatest(column) > 130 {
			found = append(found, column)
		}
	}
	for i, column := range found {
		g.fields[column] = [...]string{"clocks.sm", "clocks.max.sm", other}[min(i, 2)]
	}
	if len(found) > 1 && !g.all(found[1], func(row int, value float64) bool { return value >= g.number(row, found[0]) }) {
		g.fields[found[1]] = other
	}
}

// small finds utilizations and temperatures among small numbers. A percent sign
// identifies a utilization; otherwise the order does: columns before the memory are
// utilizations, the one after it is the temperature.
func (g *guess) small() {
	for i, column := range g.columns("%") {
		g.fields[column] = [...]string{"utilization.gpu", "utilization.memory", other}[min(i, 2)]
	}
	numbers := g.columns("number")
	if len(g.columns("utilization.gpu")) > 0 {
		if len(numbers) == 1 {
			g.fields[numbers[0]] = "temperature.gpu"
		}
		return
	}
	memory := slices.Index(g.fields, "memory.used")
	if memory < 0 {
		return
	}
	var before, behind []int
	for _, column := range numbers {
		if column < memory {
			before = append(before, column)
		} else {
			behind = append(behind, column)
		}
	}
	switch {
	case len(before) == 1 && len(behind) <= 1:
		g.fields[before[0]] = "utilization.gpu"
		if len(behind) == 1 {
			g.fields[behind[0]] = "temperature.gpu"
		}
	case len(before) == 2 && len(behind) == 1: // both utilizations, then the temperature
		g.fields[before[0]], g.fields[before[1]], g.fields[behind[0]] = "utilization.gpu", "utilization.memory", "temperature.gpu"
	case len(before) == 2 && len(behind) == 0:
		g.twoSmall(before[0], before[1])
	case len(before) == 0 && len(behind) == 2:
		g.twoSmall(behind[0], behind[1])
	}
}

// twoSmall distinguishes a utilization from a temperature: no working GPU is colder
// than 15 °C, and no temperature is 100 or more.
func (g *guess) twoSmall(a, b int) {
	warm := func(column int) bool {
		return g.all(column, func(_ int, value float64) bool { return value >= 15 && value < 100 })
	}
	switch {
	case warm(a) && !warm(b):
		g.fields[a], g.fields[b] = "temperature.gpu", "utilization.gpu"
	case warm(b) && !warm(a):
		g.fields[a], g.fields[b] = "utilization.gpu", "temperature.gpu"
	}
}
