package tools

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// column is what a word of a heading names.
type column uint8

const (
	columnOther column = iota
	columnDevice
	columnName
	columnBus
	columnFan
	columnTemp
	columnPower
	columnMemory
	columnSize // memory that a device has
	columnUse
	columnPID
	columnTile // a part of a device, which has a row of its own
)

// deviceWords begin a heading of devices.
var deviceWords = map[string]bool{
	"gpu": true, "card": true, "dev": true, "device": true, "index": true, "ppu": true, "xpu": true, "npu": true, "dcu": true, "hcu": true,
	"mlu": true, "aip": true, "spu": true, "gcu": true, "tpu": true, "pgpu": true, "neuron device": true,
}

var columnWords = map[string]column{
	"name": columnName, "model": columnName, "gpu-name": columnName, "pci-bdf-addr": columnBus, "tile": columnTile, "bus-id": columnBus, "busid": columnBus, "bdf": columnBus, "pci-bdf": columnBus, "pci bdf": columnBus, "pci bus id": columnBus,
	"fan": columnFan, "temp": columnTemp, "temperature": columnTemp, "pwr": columnPower, "power": columnPower,
	"pwr:usage/cap": columnPower, "pwr(usage/cap)": columnPower, "pwr:usg/cap": columnPower,
	"memory-usage": columnMemory, "memory(used/total)": columnMemory, "mem-usage": columnMemory, "memory": columnSize, "mem": columnSize, "neuron memory": columnSize,
	"util": columnUse, "util%": columnUse, "utilization": columnUse, "dused": columnUse, "pid": columnPID,
}

// columnOf returns what a word of a heading names. Makers write their own name
// before -Util.
func columnOf(word string) column {
	word = strings.ToLower(strings.TrimRight(word, ".:"))
	if deviceWords[word] {
		return columnDevice
	}
	if c, known := columnWords[word]; known {
		return c
	}
	if strings.HasSuffix(word, "-util") {
		return columnUse
	}
	return columnOfField(readings.ParseField(word))
}

// namesColumn reports whether several words are the name of one column.
func namesColumn(name string) bool {
	name = strings.ToLower(strings.TrimRight(name, ".:"))
	return deviceWords[name] || columnWords[name] != columnOther
}

// columnOfField returns the column of a name by its words.
func columnOfField(f readings.Field) column {
	switch f.Role {
	case readings.ModelOf:
		return columnName
	case readings.MemoryPair:
		return columnMemory
	case readings.Measured:
		switch f.Quantity {
		case train.GPUTemperature:
			return columnTemp
		case train.GPUPower:
			return columnPower
		case train.GPUUtilization:
			if f.GPU { // a usage may be one of memory
				return columnUse
			}
		}
	}
	return columnOther
}

// headingWord is a word of a heading and where it is in its cell, in characters.
type headingWord struct {
	column
	start, end int
}

// tableHeading is the heading of a table: the words of its cells, row by row.
type tableHeading [][][]headingWord

var cellWord = regexp.MustCompile(`\S+`)

func wordsOf(cell string) []headingWord {
	var words []headingWord
	for _, at := range cellWord.FindAllStringIndex(cell, -1) {
		start := utf8.RuneCountInString(cell[:at[0]])
		words = append(words, headingWord{columnOf(cell[at[0]:at[1]]), start, start + utf8.RuneCountInString(cell[at[0]:at[1]])})
	}
	return words
}

// headingOf returns the heading that the rows of a block are, nil for rows of another
// kind. Rows of one word in each cell are one name below another: NEURON, DEVICE.
func headingOf(rows [][]string) tableHeading {
	if len(rows) == 0 || len(rows) > 3 {
		return nil
	}
	rows = stacked(rows)
	h := make(tableHeading, len(rows))
	found := map[column]int{}
	for i, cells := range rows {
		h[i] = make([][]headingWord, len(cells))
		for j, cell := range cells {
			words := wordsOf(cell)
			if name := strings.Join(strings.Fields(cell), " "); len(words) > 1 && namesColumn(name) {
				words = []headingWord{{columnOf(name), words[0].start, words[len(words)-1].end}}
			}
			for _, w := range words {
				found[w.column]++
			}
			h[i][j] = words
		}
	}
	measured := 0
	for _, c := range []column{columnTemp, columnPower, columnMemory, columnSize, columnUse} {
		measured += min(1, found[c])
	}
	if found[columnDevice] == 0 || found[columnPID] > 0 && measured < 2 && found[columnBus] == 0 || measured == 0 || measured+min(1, found[columnName])+min(1, found[columnBus]) < 2 {
		return nil
	}
	return h
}

// stacked joins the rows of a heading with one word in each cell to one row.
func stacked(rows [][]string) [][]string {
	if len(rows) == 1 || len(rows[0]) < 4 {
		return rows
	}
	joined := make([]string, len(rows[0]))
	for _, cells := range rows {
		if len(cells) != len(joined) {
			return rows
		}
		for i, cell := range cells {
			words := strings.Fields(cell)
			if len(words) > 1 {
				return rows
			}
			joined[i] = strings.TrimSpace(joined[i] + " " + strings.Join(words, ""))
		}
	}
	return [][]string{joined}
}
