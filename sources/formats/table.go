package formats

import (
	"bytes"
	"slices"
	"strconv"
)

var tables = format{
	name:   `Tables`,
	source: `fastai, Chainer, spaCy 3, scikit-learn, CSV loggers, pandas, AllenNLP, Vowpal Wabbit 8, DeePMD-kit 2, CmdStan`,
	about:  `a head names the columns`,
	read:   (*Parser).readTable,
	examples: []example{
		{lines: []string{
			`epoch     train_loss  valid_loss  accuracy  time    `,
			`0         0.612345    0.412345    0.812000  00:12    `,
		}, want: `epoch=0 loss=0.612345 eval_loss=0.412345`},
		{lines: []string{
			`E    #       LOSS TOK2VEC  LOSS NER  ENTS_F  SCORE `,
			`---  ------  ------------  --------  ------  ------`,
			`  0     200         98.52   1800.39   12.44    0.12`,
		}, want: `step=200 epoch=0`},
		{lines: []string{
			`2021-12-08 14:12:48,777 - INFO - allennlp.training.callbacks.console_logger -                        Training |  Validation`,
			`2021-12-08 14:12:48,777 - INFO - allennlp.training.callbacks.console_logger - loss               |     0.627  |     0.627`,
		}, want: `loss=0.627 eval_loss=0.627`},
		{lines: []string{
			`       loss  accuracy  val_loss`,
			`0  0.693100      0.51    0.6820`,
			`1  0.612300      0.63    0.6010`,
		}, want: `step=1 loss=0.6123 eval_loss=0.601`},
	},
}

// maxColumns bounds the columns of a table.
const maxColumns = 64

// tableReach is after how many lines without a row a table ends.
const tableReach = 200

// table is a table with a header: its rows have values without names.
type table struct {
	columns  []string // of the newest header
	single   []string // the same header split at every space
	phases   bool     // the columns are training and validation, the rows are metrics
	byPhase  bool     // the columns are metrics, the rows are training and validation
	between  byte     // the separator of columns that are losses, and none a position; else 0
	indexed  bool     // rows have one cell more, their index: a data frame
	index    float64  // of the newest row of a data frame
	held     []byte   // the first row of a data frame, as names and values
	heldLine line
	missed   int
	fresh    bool // no line was seen since the head
	tabs     bool // tabs separate the columns
	// starts are the offsets of columns that blanks separate.
	starts []int
	// above is the line before, if it has words only; spare is room for it.
	above, spare []byte
}

// head recognises a table's header: names without numbers, a step or an epoch among the
// first, and something that is measured.
func (t *table) head(text []byte, words *wordList) bool {
	if len(text) < 1000 && bytes.HasPrefix(text, []byte("│")) && metricColumns(splitCells(text), words) {
		*t = table{columns: cellNames(splitCells(text)), byPhase: true}
		return true
	}
	if between := lossColumns(text, words); between != 0 {
		*t = table{columns: cellNames(bytes.Split(bytes.TrimSpace(text), []byte{between})), between: between}
		return true
	}
	if names := frameColumns(text, words); names != nil {
		*t = table{columns: names, indexed: true, index: -1}
		return true
	}
	if len(text) > 1000 || len(text) < 7 || bytes.IndexByte(text, '=') >= 0 || bytes.IndexByte(text, ':') >= 0 && bytes.IndexByte(text, '|') < 0 || !hasAny(text, "poch", "POCH", "tep", "ter", "#", "raining", "Round", "에폭", "轮", "エポック", "поха", "poca") && !beginsWithPosition(text) {
		return false
	}
	text = uncommented(text)
	cells := splitCells(text)
	if phaseColumns(cells) {
		*t = table{columns: cellNames(cells), phases: true}
		return true
	}
	if isHead(cells, words) {
		above := t.above
		*t = table{columns: cellNames(cells), single: cellNames(bytes.Fields(text)), fresh: true, tabs: len(tabCells(text)) == len(cells), starts: columnStarts(text, cells)}
		namePhases(t.columns, above)
		namePhases(t.single, above)
		nameTotal(t.columns, words)
		nameTotal(t.single, words)
		return true
	}
	if commas := commaCells(text); isHead(commas, words) {
		*t = table{columns: cellNames(commas)}
		nameTotal(t.columns, words)
		return true
	}
	if single := bytes.Fields(text); bytes.IndexByte(text, '|') < 0 && isHead(single, words) {
		*t = table{columns: cellNames(single)}
		nameTotal(t.columns, words)
		return true
	}
	return false
}

// namePhases names the columns of a head that names each measure twice, where the line above it names
// their phases: "Train    Valid" above "Epoch  Loss  Acc  Loss  Acc".
func namePhases(columns []string, above []byte) {
	groups := bytes.Fields(above)
	if len(groups) != 2 || wordPhase(groups[0]) != phaseTrain || wordPhase(groups[1]) != phaseEval {
		return
	}
	for i, name := range columns {
		if twin := slices.Index(columns[:i], name); twin >= 0 {
			columns[i] = string(groups[1]) + " " + name
		}
	}
}

// beginsWithPosition reports whether the first word of a line is a short name of a step or an
// epoch: "ep,loss", "| it | loss |".
func beginsWithPosition(text []byte) bool {
	at := 0
	for at < len(text) && (text[at] == ' ' || text[at] == '|' || text[at] == '"') {
		at++
	}
	if at == len(text) || bytes.IndexByte([]byte("eibugEIBUG"), text[at]) < 0 {
		return false
	}
	for _, name := range [...]string{"ep", "it", "itr", "batch", "update", "gen"} {
		if hasFold(text[at:], name) && at+len(name) < len(text) && !isWordByte(text[at+len(name)]) {
			return true
		}
	}
	return false
}

// frameColumns returns the names of a data frame's columns, nil for other lines: pandas and R
// print no name above the index, "       loss  accuracy", and write ",loss,accuracy". One
// column is the loss, and none a position.
func frameColumns(text []byte, words *wordList) []string {
	const longest = 400
	if len(text) > longest || !bytes.Contains(text, []byte("oss")) || bytes.ContainsAny(text, ":=|()[]{}#\"'") {
		return nil
	}
	var cells [][]byte
	if rest, found := bytes.CutPrefix(text, []byte(",")); found {
		cells = bytes.Split(rest, []byte(","))
	} else {
		cells = bytes.Fields(text)
	}
	const least = 2
	if len(cells) < least || len(cells) > maxColumns {
		return nil
	}
	measured := false
	for _, cell := range cells {
		k := classify(cell, words)
		if k.class < classLoss && k.class != classLR {
			return nil
		}
		measured = measured || k.class == classLoss || k.class == classEvalLoss
	}
	if !measured {
		return nil
	}
	return cellNames(cells)
}

// readFrame parses a row of a data frame: its index is the step. The first row waits for
// another one with a greater index.
func (p *Parser) readFrame(l *line) bool {
	t := &p.table
	cells := bytes.Fields(l.text)
	if len(cells) == 1 {
		cells = bytes.Split(l.text, []byte(","))
	}
	if len(cells) != len(t.columns)+1 || !numericCells(cells) || !digits(cells[0], 0, len(cells[0])) {
		return false
	}
	index, _, _ := readValue(cells[0], 0)
	if index.number <= t.index {
		t.columns, t.held = nil, nil
		return false
	}
	t.missed, t.index = 0, index.number
	p.scratch = append(append(append(p.scratch[:0], "step = "...), cells[0]...), " | "...)
	for i, cell := range cells[1:] {
		p.scratch = append(append(append(append(p.scratch, t.columns[i]...), " = "...), cell...), " | "...)
	}
	if t.heldLine.number == 0 {
		t.held, t.heldLine = bytes.Clone(p.scratch), *l
		t.heldLine.text, t.heldLine.whole = nil, nil // they change with the next line
		return true
	}
	if t.held != nil {
		p.accept(&t.heldLine, p.pairs.read(t.held))
		t.held = nil
	}
	p.accept(l, p.pairs.read(p.scratch))
	return true
}

// secondHead recognises the second line of a head whose names are below each
// other, as Vowpal Wabbit's do: "example" above "counter".
func (t *table) secondHead(text []byte, words *wordList) bool {
	const least, longest = 4, 200
	above := t.above
	t.above, t.spare = append(t.spare[:0], text[:min(len(text), longest)]...), above
	if gap := []byte("  "); !bytes.Contains(text, gap) || !bytes.Contains(above, gap) {
		return false
	}
	if n := countWords(above); n < least || n > maxColumns || n != countWords(text) {
		return false
	}
	cells, below := bytes.Fields(above), bytes.Fields(text)
	for i := range cells {
		cells[i] = bytes.Join([][]byte{cells[i], below[i]}, []byte(" "))
	}
	if !isHead(cells, words) {
		return false
	}
	*t = table{columns: cellNames(cells)}
	return true
}

// extendHead joins the second line of a head between bars to the first:
// "Mini-batch" above "Loss", nothing below "Epoch" (MATLAB's trainNetwork).
func (t *table) extendHead(text []byte) bool {
	inner := bytes.Trim(text, " |")
	if len(inner) == len(text) || len(inner) == 0 || !bytes.HasPrefix(text, []byte("|")) || !bytes.HasSuffix(text, []byte("|")) {
		return false
	}
	cells := bytes.Split(text[1:len(text)-1], []byte("|"))
	if len(cells) != len(t.columns) {
		return false
	}
	for _, cell := range cells {
		if cell = bytes.TrimSpace(cell); len(cell) > 0 && (len(cell) > 40 || bytes.ContainsAny(cell, "0123456789") || len(bytes.Trim(cell, "-+=: ")) == 0) {
			return false
		}
	}
	for i, cell := range cells {
		if cell = bytes.TrimSpace(cell); len(cell) > 0 {
			t.columns[i] += " " + string(cell)
		}
	}
	t.single = nil
	return true
}

func countWords(text []byte) int {
	n := 0
	for range bytes.FieldsSeq(text) {
		n++
	}
	return n
}

// uncommented removes the sign in front of a head that is a comment to its program:
// "#  step      rmse_trn". A "#" between the columns is one of them.
func uncommented(text []byte) []byte {
	if len(text) > 2 && text[0] == '#' && !bytes.Contains(text[1:], []byte("#")) {
		if rest := bytes.TrimLeft(text[1:], " \t"); len(rest) > 0 && isLetter(rest[0]) {
			return rest
		}
	}
	return text
}

func isHead(cells [][]byte, words *wordList) bool {
	if len(cells) < 2 || len(cells) > maxColumns {
		return false
	}
	positioned, measured := false, false
	for i, cell := range cells {
		if len(cell) == 0 || len(cell) > 40 || bytes.Count(cell, []byte(" ")) > 3 {
			return false
		}
		k := classify(cell, words)
		positioned = positioned || i < 6 && (k.class == classStep || k.class == classEpoch)
		measured = measured || k.class >= classLoss || isGPUMemory(cell)
	}
	return positioned && (measured || totalOfBatches(cells, words) || ofPopulation(cells))
}

// ofPopulation recognises the head that DEAP's logbook prints for each generation of a population:
// "gen nevals avg std min max".
func ofPopulation(cells [][]byte) bool {
	statistics := 0
	for _, cell := range cells {
		if populationWords[string(cell)] {
			statistics++
		}
	}
	return statistics > 1 && isGeneration(cells[0])
}

// isGPUMemory recognises the column of YOLO's tables that only training has.
func isGPUMemory(cell []byte) bool { return len(cell) == len("gpu_mem") && hasFold(cell, "gpu_mem") }

// totalOfBatches recognises a head that begins with the epoch and the batch, and has a
// total: "Epoch Batch box conf id total time" of JDE, and of the YOLOv3 before it.
func totalOfBatches(cells [][]byte, words *wordList) bool {
	const least = 5
	if len(cells) < least || classify(cells[0], words).class != classEpoch || classify(cells[1], words).class != classStep {
		return false
	}
	return slices.ContainsFunc(cells, func(cell []byte) bool { return string(cell) == "total" })
}

// nameTotal renames the column "total" of a table of losses: "box obj cls total" of YOLOv7.
func nameTotal(names []string, words *wordList) {
	total, memory := -1, false
	if len(names) > 1 {
		memory = classify([]byte(names[0]), words).class == classEpoch && classify([]byte(names[1]), words).class == classStep
	}
	for i, name := range names {
		memory = memory || isGPUMemory([]byte(name))
		if classify([]byte(name), words).class == classLoss {
			return
		}
		if name == "total" {
			total = i
		}
	}
	if total >= 0 && memory {
		names[total] = "total_loss"
	}
}

// phaseColumns recognises "Training | Validation" (AllenNLP).
func phaseColumns(cells [][]byte) bool {
	if len(cells) < 2 || len(cells) > 3 {
		return false
	}
	for _, cell := range cells {
		if wordPhase(cell) == phaseNone {
			return false
		}
	}
	return true
}

// metricColumns recognises "│ rating │ loss │ accuracy │" (Ludwig): the predicted
// value, then its metrics.
func metricColumns(cells [][]byte, words *wordList) bool {
	if len(cells) < 2 || len(cells) > maxColumns {
		return false
	}
	if class := classify(cells[0], words).class; class == classStep || class == classEpoch {
		return false
	}
	measured := false
	for _, cell := range cells[1:] {
		class := classify(cell, words).class
		if class == classStep || class == classEpoch {
			return false
		}
		measured = measured || class == classLoss
	}
	return measured
}

// lossColumns returns the separator of a head whose columns are all measured, one of
// them the loss, 0 for other lines: "total loss	score loss	ctc loss", or "loss,cer" in a
// file of comma-separated values.
func lossColumns(text []byte, words *wordList) (between byte) {
	const longest = 400
	least := 3
	between = '\t'
	if bytes.IndexByte(text, '\t') < 0 && bytes.IndexByte(text, ' ') < 0 {
		between, least = ',', 2
	}
	if len(text) > longest || bytes.IndexByte(text, between) < 0 {
		return 0
	}
	measured, count := false, 0
	for cell := range bytes.SplitSeq(bytes.TrimSpace(text), []byte{between}) {
		k := classify(cell, words)
		if k.class < classLoss || between == '\t' && !containsFold(cell, "loss") && k.class != classLR {
			return 0
		}
		measured = measured || k.class == classLoss || k.class == classEvalLoss
		count++
	}
	if !measured || count < least || count > maxColumns {
		return 0
	}
	return between
}

func cellNames(cells [][]byte) []string {
	names := make([]string, len(cells))
	for i, cell := range cells {
		names[i] = string(cell)
		if names[i] == "#" { // spaCy's steps
			names[i] = "step"
		}
	}
	return names
}

// splitCells splits a row at the separators that it has: bars, commas, or two spaces.
func splitCells(text []byte) [][]byte {
	var cells [][]byte
	bar := bytes.IndexByte(text, '|') >= 0 || bytes.Contains(text, []byte("│")) || bytes.Contains(text, []byte("┃"))
	comma := !bar && bytes.Count(text, []byte(",")) >= 2 && bytes.IndexByte(text, ';') < 0 && (bytes.IndexByte(text, ' ') < 0 || paddedCommas(text))
	start := 0
	cut := func(end, next int) {
		if cell := bytes.TrimSpace(text[start:end]); len(cell) > 0 && len(cells) <= maxColumns {
			cells = append(cells, cell)
		}
		start = next
	}
	for i := 0; i < len(text); i++ {
		switch {
		case bar && text[i] == '|':
			cut(i, i+1)
		case bar && (bytes.HasPrefix(text[i:], []byte("│")) || bytes.HasPrefix(text[i:], []byte("┃"))):
			cut(i, i+3)
		case comma && text[i] == ',':
			cut(i, i+1)
		case !bar && !comma && (text[i] == '\t' || text[i] == ' ' && i+1 < len(text) && text[i+1] == ' '):
			cut(i, i+1)
		}
	}
	cut(len(text), len(text))
	return cells
}

// paddedCommas reports whether a comma ends each cell of a row but the last, and no cell has a
// space within: "     epoch,   train/box_loss,   lr/pg0" of Ultralytics' results.csv.
func paddedCommas(text []byte) bool {
	for cell := range bytes.SplitSeq(text, []byte{','}) {
		if cell = bytes.TrimSpace(cell); len(cell) == 0 || bytes.IndexByte(cell, ' ') >= 0 {
			return false
		}
	}
	return true
}

// commaCells splits a row at commas or semicolons, whatever spaces surround them, and removes
// the quotes around cells.
func commaCells(text []byte) [][]byte {
	between := []byte(",")
	if bytes.IndexByte(text, ';') >= 0 {
		between = []byte(";")
	}
	const shortest = 48 // of a line that is more likely a sentence than a head of two columns
	if count := bytes.Count(text, between); count < 1 || count >= maxColumns || count == 1 && len(text) > shortest {
		return nil
	}
	cells := bytes.Split(text, between)
	for i := range cells {
		cell := bytes.TrimSpace(cells[i])
		if n := len(cell); n > 1 && cell[0] == '"' && cell[n-1] == '"' {
			cell = cell[1 : n-1]
		}
		cells[i] = cell
	}
	return cells
}

// readTable parses a row of the table above it, if there is one.
func (p *Parser) readTable(l *line) bool {
	t := &p.table
	if len(t.columns) == 0 || len(l.text) > 2000 {
		return false
	}
	if t.missed++; t.missed > tableReach {
		t.columns = nil
		return false
	}
	if t.indexed {
		return p.readFrame(l)
	}
	if fresh := t.fresh; fresh {
		t.fresh = false
		if t.extendHead(l.text) {
			return true
		}
	}
	if t.between != 0 && bytes.IndexByte(l.text, t.between) < 0 || !t.rowOrRemarked(t.withTime(l), &p.scratch) {
		return false
	}
	t.missed = 0
	pt := p.pairs.read(p.scratch)
	switch {
	case pt.strength >= rateOnly && (pt.positioned() || t.phases || t.byPhase || t.between != 0):
		p.accept(l, pt)
	case pt.positioned():
		l.stream.locate(pt)
	}
	return true
}

// withTime returns a row with the date that begins it, where that is a column and the comma
// behind it looks like that of its milliseconds.
func (t *table) withTime(l *line) []byte {
	const least = 3
	if !l.prefix.timed || t.phases || len(t.columns) < least || len(l.whole) > 2000 || bytes.IndexByte(l.whole, '|') >= 0 {
		return l.text
	}
	comma := []byte(",")
	if commas := bytes.Count(l.whole, comma); commas == len(t.columns)-1 && bytes.Count(l.text, comma) < commas {
		return l.whole
	}
	return l.text
}

// rowOrRemarked rewrites a row, without the remark in brackets behind its last column where it
// is none otherwise: "1  0.71  0.08  (00:14)" of fastai 1, "5000  0.84  0.93  (converged)".
func (t *table) rowOrRemarked(text []byte, out *[]byte) bool {
	if t.row(text, out) {
		return true
	}
	row := bytes.TrimRight(text, " ")
	n := len(row)
	if n == 0 || row[n-1] != ')' || t.phases || t.byPhase || t.between != 0 {
		return false
	}
	open := bytes.LastIndexByte(row, '(')
	return open > 1 && isBlank(row[open-1]) && t.row(bytes.TrimRight(row[:open], " \t"), out)
}

// row rewrites a row as names and values: "epoch = 1 | train_loss = 0.5".
func (t *table) row(text []byte, out *[]byte) bool {
	cells := splitCells(text)
	columns := t.columns
	if t.between != 0 {
		cells = bytes.Split(bytes.TrimSpace(text), []byte{t.between})
	}
	if t.phases {
		return phaseRow(cells, columns, out)
	}
	if t.byPhase {
		return rowOfPhase(cells, columns, out)
	}
	if tabs := tabCells(text); t.tabs && len(tabs) <= len(columns) && (len(tabs) == len(columns) || len(tabs) > 2) { // the last ones may be empty
		cells, columns = tabs, columns[:len(tabs)]
	} else if len(cells) != len(columns) || bytes.IndexByte(text, '"') >= 0 {
		if commas := commaCells(text); len(commas) == len(columns) {
			cells = commas
		}
	}
	if aligned := t.alignedCells(text); aligned != nil {
		cells = aligned
	}
	if len(cells) != len(columns) {
		cells = bytes.Fields(text)
		if len(cells) == len(columns)-1 && len(cells) > 2 && numericCells(cells) { // the last column is of remarks
			columns = columns[:len(cells)]
		} else if len(cells) != len(columns) && len(cells) != len(t.single) {
			return false
		}
		if len(cells) != len(columns) {
			columns = t.single
		}
	}
	*out = (*out)[:0]
	numbers, empty := 0, 0
	for i, cell := range cells {
		if len(cell) == 0 { // nothing between two commas
			empty++
			continue
		}
		if len(cell) > 2 && cell[0] == '[' && cell[len(cell)-1] == ']' { // a list with one learning rate
			cell = cell[1 : len(cell)-1]
		}
		if said := wordPhase([]byte(columns[i])); said != phaseNone && isFlag(cell) { // fastai's descendants
			if (said == phaseTrain) == (cell[0] == 'F' || cell[0] == 'f') {
				*out = append([]byte("validation: "), *out...)
			}
			continue
		}
		cell = withPoint(cell)
		if sum, isVector := vectorSum(cell); isVector { // DeepXDE: the terms of the loss
			numbers++
			*out = append(append(*out, columns[i]...), " = "...)
			*out = append(strconv.AppendFloat(*out, sum, 'g', -1, 64), " | "...)
			continue
		}
		v, end, ok := readValue(cell, 0)
		if !ok || end != len(cell) {
			if !isWord(cell) {
				return false
			}
			continue
		}
		if v.clock {
			continue
		}
		numbers++
		*out = append(append(append(append(*out, columns[i]...), " = "...), cell...), " | "...)
	}
	return numbers >= 2 && numbers*2 > len(cells)-empty
}

// columnStarts returns where the columns of a head begin that only blanks separate, nil for others.
func columnStarts(text []byte, cells [][]byte) []int {
	if bytes.ContainsAny(text, "|\t,") {
		return nil
	}
	starts := make([]int, len(cells))
	at := 0
	for i, cell := range cells {
		starts[i] = at + bytes.Index(text[at:], cell)
		at = starts[i] + len(cell)
	}
	return starts
}

// alignedCells splits a row that has nothing in some of the columns, where each of its numbers begins
// right below the name of its column: Chainer writes what was evaluated only at the end of an epoch.
// It is nil for other rows.
func (t *table) alignedCells(text []byte) [][]byte {
	const least = 3
	if len(t.starts) != len(t.columns) || countWords(text) >= len(t.columns) {
		return nil
	}
	cells, found, at := make([][]byte, len(t.columns)), 0, 0
	for i, start := range t.starts {
		if len(bytes.TrimLeft(text[min(at, len(text)):min(start, len(text))], " ")) > 0 {
			return nil // something is between the columns
		}
		at = start
		for at < len(text) && !isBlank(text[at]) {
			at++
		}
		if start < len(text) && at > start {
			cells[i] = text[start:at]
			if _, end, ok := readValue(cells[i], 0); !ok || end != len(cells[i]) {
				return nil
			}
			found++
		}
	}
	if found < least || len(bytes.TrimLeft(text[min(at, len(text)):], " ")) > 0 {
		return nil
	}
	return cells
}

// tabCells splits a row at its tabs, nil for one without: a cell may be empty.
func tabCells(text []byte) [][]byte {
	if bytes.IndexByte(text, '\t') < 0 || bytes.IndexByte(text, '|') >= 0 {
		return nil
	}
	cells := bytes.Split(text, []byte{'\t'})
	for i := range cells {
		cells[i] = bytes.TrimSpace(cells[i])
	}
	return cells
}

// withPoint replaces the comma in front of the decimals of a cell that is one number: "2,4822".
// One that may separate thousands stays.
func withPoint(cell []byte) []byte {
	comma := bytes.IndexByte(cell, ',')
	if comma <= 0 || !isDecimalComma(cell, comma) || groupFollows(cell, comma) || bytes.IndexByte(cell[comma+1:], ',') >= 0 {
		return cell
	}
	return append(append(append(make([]byte, 0, len(cell)), cell[:comma]...), '.'), cell[comma+1:]...)
}

func isFlag(cell []byte) bool {
	switch string(cell) {
	case "True", "False", "true", "false":
		return true
	}
	return false
}

// vectorSum adds up "1.3e-02, 4.1e-03".
func vectorSum(cell []byte) (sum float64, ok bool) {
	if bytes.IndexByte(cell, ',') < 0 {
		return 0, false
	}
	for part := range bytes.SplitSeq(cell, []byte(",")) {
		part = bytes.TrimSpace(part)
		v, end, numeric := readValue(part, 0)
		if !numeric || end != len(part) || v.fraction || v.clock {
			return 0, false
		}
		sum += v.number
	}
	return sum, true
}

func numericCells(cells [][]byte) bool {
	for _, cell := range cells {
		if _, end, ok := readValue(cell, 0); !ok || end != len(cell) {
			return false
		}
	}
	return true
}

// isWord reports whether a cell is not a number: n/a, "No log", a trial's name.
func isWord(cell []byte) bool { return len(cell) > 0 && len(cell) < 64 }

// phaseRow rewrites "loss | 0.627 | 0.627" below "Training | Validation".
func phaseRow(cells [][]byte, columns []string, out *[]byte) bool {
	if len(cells) != len(columns)+1 || !isLetter(cells[0][0]) {
		return false
	}
	*out = (*out)[:0]
	numbers := 0
	for i, cell := range cells[1:] {
		if _, end, ok := readValue(cell, 0); !ok || end != len(cell) {
			continue
		}
		numbers++
		*out = append(append(append(append(append(append(*out, columns[i]...), ' '), cells[0]...), " = "...), cell...), " | "...)
	}
	return numbers > 0
}

// rowOfPhase rewrites "vali │ 1.2190 │ 0.2708" below "rating │ loss │ accuracy".
func rowOfPhase(cells [][]byte, columns []string, out *[]byte) bool {
	if len(cells) != len(columns) || len(cells) == 0 || wordPhase(cells[0]) == phaseNone {
		return false
	}
	*out = (*out)[:0]
	numbers := 0
	for i, cell := range cells[1:] {
		if _, end, ok := readValue(cell, 0); !ok || end != len(cell) {
			continue
		}
		numbers++
		*out = append(append(append(append(append(append(*out, cells[0]...), ' '), columns[i+1]...), " = "...), cell...), " | "...)
	}
	return numbers > 0
}
