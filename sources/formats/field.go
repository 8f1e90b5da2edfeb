package formats

import (
	"bytes"
	"unicode/utf8"
)

// maxFields bounds the fields of one line. The longest known lines, of verl's trainer,
// have some 120.
const maxFields = 512

// field is a number on a line and its name.
type field struct {
	value
	name   span // empty without a name
	lo, hi int  // of the value with its unit
	label  span // the text before the name, back to the previous field
	// separated: ':', '=' or similar is between name and value.
	separated bool
	// bracket is the opening bracket right before the value, 0 for none.
	bracket byte
	quoted  bool // the name is in quotes
	evalOf  bool // it is the value of evaluation of what the field before is of training
	index   bool // it is in brackets behind the name of a loss, which is that of the next field
	null    bool // it is null or None, and number is NaN
	class   class
}

// span is a part of a line.
type span struct{ lo, hi int }

func (s span) of(text []byte) []byte { return text[s.lo:s.hi] }
func (s span) empty() bool           { return s.lo >= s.hi }

// readFields finds the numbers of a line and their names. It appends to out. nulls: it finds
// null and None behind a name too, as NaN.
func readFields(text []byte, out []field, nulls bool) []field {
	last := 0 // end of the previous field
	ascii := isASCII(text)
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case separates[c]:
			i++
			continue
		case isDigit(c):
			if n := dayFirst(text, i); n > 0 {
				i += n
				last = i
				continue
			}
			if ascii { // countedOrdinal parses signs of Chinese and Korean
				break
			}
			if f, ok := countedOrdinal(text, i, last); ok && len(out) < maxFields {
				out = append(out, f)
				last, i = f.hi, f.hi
				continue
			}
		case (c == '-' || c == '+' || c == '.') && i+1 < len(text) && startsNumber(text, i):
		case isWordByte(c):
			if isUpper(c) {
				if n := monthFirst(text, i); n > 0 {
					i += n
					last = i
					continue
				}
			}
			end := wordEnd(text, i)
			if end < len(text) && text[end] == ':' && bytes.HasPrefix(text[end:], []byte("://")) {
				i = urlEnd(text, end)
				last = i
				continue
			}
			if isDigit(text[end-1]) {
				f, ok := numberedWord(text, i, end, last)
				if !ok {
					f, ok = joinedLoss(text, i, end, last)
				}
				if ok && len(out) < maxFields {
					out = append(out, f)
					last, i = f.hi, f.hi
					continue
				}
			}
			if !wordIsNumber(text, i, end) {
				if nulls {
					out, last = appendNull(out, text, i, end, last)
				}
				i = end
				continue
			}
		default:
			i++
			continue
		}
		v, end, ok := readValue(text, i)
		if !ok && len(out) < maxFields {
			f, found := numberBefore(text, i, last)
			if !found {
				f, found = batchRange(text, i, last)
			}
			if !found {
				f, found = rangeOfSteps(text, i, last)
			}
			if !found {
				f, found = numberOfPhase(text, i, last)
			}
			if !found {
				f, found = gluedPositionOf(text, i, last)
			}
			if found {
				out = append(out, f)
				last, i = f.hi, f.hi
				continue
			}
		}
		if !ok || len(out) >= maxFields {
			word := i
			i = skipWord(text, max(end, i+1))
			if !ok && isUnreadValue(text, last, word, i) {
				last = i
			}
			continue
		}
		if i > 1 && text[i-1] == 0xB1 && text[i-2] == 0xC2 && len(out) > 0 { // "0.5±0.1"
			last, i = end, end
			continue
		}
		out = append(out, field{value: v, lo: i, hi: end})
		f := &out[len(out)-1]
		nameField(text, last, f)
		if !f.separated && isLetter(c) && namesWhatFollows(text, i, end) {
			out = out[:len(out)-1]
			i = end
			continue
		}
		if end+3 < len(text) && text[end] == ' ' && isDigit(text[end+1]) && groupFollows(text, end) && readSpacedGroups(text, f) {
			end = f.hi
		}
		if f.unit == unitCount && !namesSize(f.name.of(text)) {
			f.number *= countScale(text, end)
		} else if scale, after := spacedScale(text, end, f.name.of(text)); scale > 0 && f.unit == unitNone && !f.fraction {
			f.number *= scale
			f.unit, f.hi, end = unitCount, after, after
		}
		last, i = end, end
	}
	return out
}

// separates are the bytes that begin neither a number nor a word.
var separates = func() (is [256]bool) {
	for c := range is {
		is[c] = !isLetter(byte(c)) && !isDigit(byte(c)) && c != '_' && c != '-' && c != '+' && c != '.'
	}
	return is
}()

// isUnreadValue reports whether a word that begins with a digit and is no number is the value of a
// name, and so no part of the next name: "step=0x13 loss=2.8", "Step: 12.3.4 loss: 2.8". Other words
// with digits begin names, "eval: 5-shot accuracy: 0.7".
func isUnreadValue(text []byte, last, at, end int) bool {
	digit := at
	if !isDigit(text[digit]) && digit+1 < end {
		digit++ // behind a sign
	}
	if end == len(text) || text[end] == '=' || text[end] == ':' {
		return false
	}
	if text[digit] == '0' && digit+2 < end && text[digit+1]|0x20 == 'x' && isHexDigit(text[digit+2]) {
		return true
	}
	if letters := digitsEnd(text, digit); letters+1 < end && isUpper(text[letters]) && isLetter(text[letters+1]) {
		return false // "Iteration:2000Average loss"
	}
	floor := max(last, at-maxName-32)
	name, separated := skipSeparator(text, floor, max(floor, len(bytes.TrimRight(text[:at], " "))))
	return separated && (text[at-1] == '=' || namesCount(nameBefore(text, floor, name).of(text)))
}

func isHexDigit(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

// startsNumber distinguishes the sign of a number from a dash.
func startsNumber(text []byte, at int) bool {
	if at > 0 && (isWordByte(text[at-1]) || text[at-1] == ')' || text[at-1] == '.') {
		return false
	}
	next := text[at+1]
	if isDigit(next) || next == '.' && text[at] != '.' && at+2 < len(text) && isDigit(text[at+2]) {
		return true
	}
	_, _, ok := readWordNumber(text, at)
	return ok && (text[at] != '.' || behindSeparator(text, at))
}

// namesWhatFollows reports whether a word that may be a number is part of the
// name of the next one: "number of nan iterations: 0" of Megatron-LM.
func namesWhatFollows(text []byte, at, end int) bool {
	if !bytes.HasSuffix(bytes.TrimRight(text[:at], " "), []byte(" of")) {
		return false
	}
	i := skipBlanks(text, end)
	if i == end || i >= len(text) || !isLetter(text[i]) {
		return false
	}
	for i < len(text) && i-end <= maxName && (isWordByte(text[i]) || isBlank(text[i])) {
		i++
	}
	if i+1 < len(text) && (text[i] == '"' || text[i] == '\'') { // a key of JSON
		i++
	}
	return i < len(text) && (text[i] == ':' || text[i] == '=')
}

// wordIsNumber reports whether a word is nan or inf where a number may be.
func wordIsNumber(text []byte, at, end int) bool {
	c := text[at] | 0x20
	if c != 'n' && c != 'i' || end-at > 8 && !bytes.ContainsRune(text[at:end], '/') {
		return false
	}
	_, _, ok := readWordNumber(text, at)
	return ok
}

// wordEnd returns the end of a word that begins with a letter: names with digits,
// paths, hosts, versions after a dash.
func wordEnd(text []byte, at int) int {
	i := at
	for i < len(text) {
		c := text[i]
		if isWordByte(c) || c >= 0x80 && c != 0xE2 && c != 0xEF {
			i++
			continue
		}
		if (c == '-' || c == '.' || c == '/' || c == '@' || c == '+' || c == '\'' || c == '&') && i+1 < len(text) && isWordByte(text[i+1]) {
			i += 2
			continue
		}
		break
	}
	return max(i, at+1)
}

// urlEnd returns the end of a URL. Nothing in it is a metric: the text before
// its port is a host, and may be a password.
func urlEnd(text []byte, at int) int {
	for at < len(text) && !isBlank(text[at]) && bytes.IndexByte([]byte("\"'`<>|)]}"), text[at]) < 0 {
		at++
	}
	return at
}

// skipWord returns the end of a word that only began like a number.
func skipWord(text []byte, at int) int {
	for at < len(text) && (isWordByte(text[at]) || (text[at] == '.' || text[at] == '-' || text[at] == ':' || text[at] == '/' || text[at] == '\'') && at+1 < len(text) && isWordByte(text[at+1])) {
		at++
	}
	return at
}

// numberedWord parses a number right after its name in a word that ends in a digit: E104, epoch3, step100, "epoch_3", and
// the parts of "ep3/it10" and "epoch3-step20".
func numberedWord(text []byte, at, end, last int) (field, bool) {
	if end-at > 24 || at > 0 && !gluedStart(text[at-1]) && (text[at-1] != '/' || last != at-1) && last != at {
		return field{}, false
	}
	letters := at
	for letters < end && isLetter(text[letters]) {
		letters++
	}
	word := text[at:letters]
	if letters+1 < end && text[letters] == '.' && gluedPosition[string(word)] { // "---Epoch.0 Train ..."
		return dottedPosition(text, at, letters, end, last)
	}
	if !gluedPosition[string(word)] && !(hasFold(word, "batch") && len(word) == len("batch") && bytes.Contains(text[:at], []byte("poch"))) && !batchLetter(text, at, letters, last) && !startsCounter(text, at, digitsEnd(text, letters), end) && !startsSpacedCounter(text, at, letters) {
		return field{}, false // "batch32" alone is a setting, beside an epoch it is its batch
	}
	digit := letters
	if digit+1 < end && len(word) > 1 && (text[digit] == '_' || text[digit] == '-') && isDigit(text[digit+1]) {
		digit++
	}
	whole := digitsEnd(text, digit)
	f := field{name: span{at, letters}, lo: digit, hi: whole, label: span{last, at}, separated: true}
	if whole < end {
		f.number = float64(atoi(text[digit:whole]))
		if startsGlued(text, whole, end) || startsCounter(text, at, whole, end) {
			return f, whole > digit
		}
		if text[whole] != '/' || !digits(text, whole+1, end-whole-1) { // "Epoch1/300|" of NanoDet
			return field{}, false
		}
	}
	v, hi, ok := readValue(text, digit)
	if (!ok || v.clock) && whole == end && last > 0 && last == at-1 { // "epoch3-batch-11:2.3" is no time of day
		v, hi, ok = value{number: float64(atoi(text[digit:whole]))}, whole, true
	}
	if !ok {
		return field{}, false
	}
	f.value, f.hi = v, hi
	return f, true
}

// joinedLoss parses a loss that is one word with its name, which ends in a digit.
func joinedLoss(text []byte, at, end, last int) (f field, ok bool) {
	if f, ok = dashedLoss(text, at, end, last); !ok && lower(text[at]) == 'l' {
		f, ok = gluedLoss(text, at, end, last)
	}
	return f, ok
}

// dashedLoss parses a loss that a dash joins to its name: "Valid_loss-9.307".
func dashedLoss(text []byte, at, end, last int) (field, bool) {
	const loss = "loss-"
	dash := bytes.LastIndexByte(text[at:end], '-')
	if dash < len(loss)-1 || !hasFold(text[at+dash-len(loss)+1:], loss) {
		return field{}, false
	}
	v, hi, ok := readValue(text, at+dash+1)
	if !ok || v.fraction || v.clock || bytes.IndexByte(text[at+dash:hi], '.') < 0 {
		return field{}, false
	}
	return field{value: v, name: span{at, at + dash}, lo: at + dash + 1, hi: hi, label: span{last, at}, separated: true}, true
}

// gluedLoss parses a loss or a rate right behind its name: "EPOCH[3/1000] loss0.546-|Sample:9.19|" of
// LightGCN, "(lrate0.008)" of Kaldi's nnet1.
func gluedLoss(text []byte, at, end, last int) (field, bool) {
	digit := at
	for digit < end && isLetter(text[digit]) {
		digit++
	}
	if name := text[at:digit]; digit == end || !isDigit(text[digit]) || string(name) != "lrate" && (len(name) != len("loss") || !hasFold(name, "loss")) || at > 0 && !gluedStart(text[at-1]) {
		return field{}, false
	}
	v, hi, ok := readValue(text, digit)
	if !ok || hi < end || v.fraction || v.clock || bytes.IndexByte(text[at:hi], '.') < 0 {
		return field{}, false
	}
	return field{value: v, name: span{at, digit}, lo: digit, hi: hi, label: span{last, at}, separated: true}, true
}

// startsGlued reports whether another name with its number follows the one that ends at at:
// "ep3/it10".
func startsGlued(text []byte, at, end int) bool {
	if text[at] != '/' && text[at] != '-' && text[at] != '_' {
		return false
	}
	letters := at + 1
	for letters < end && isLetter(text[letters]) {
		letters++
	}
	word := text[at+1 : letters]
	if letters+1 < end && text[letters] == '-' { // "epoch7-batch-50"
		letters++
	}
	return letters < end && isDigit(text[letters]) && (gluedPosition[string(word)] || hasFold(word, "batch") && len(word) == len("batch"))
}

// digitsEnd returns the end of the digits at an offset.
func digitsEnd(text []byte, at int) int {
	for at < len(text) && isDigit(text[at]) {
		at++
	}
	return at
}

// startsCounter reports whether the counter of the batch follows that of the epoch without a
// sign between them: "e1b100", "ep3it500". One letter may be of a hash, so the line has to
// begin with it and to measure something.
func startsCounter(text []byte, at, whole, end int) bool {
	letters := whole
	for letters < end && isLetter(text[letters]) {
		letters++
	}
	word := text[whole:letters]
	if letters == whole || !digits(text, letters, end-letters) || !epochLetters[string(bytes.TrimRight(text[at:whole], "0123456789"))] {
		return false
	}
	if len(word) > 1 {
		return gluedPosition[string(word)] || hasFold(word, "batch") && len(word) == len("batch")
	}
	return at <= 1 && batchLetter(text, whole, letters, whole) && (containsFold(text[end:], "loss") || containsFold(text[end:], "accuracy") || containsFold(text[end:], " acc "))
}

// startsSpacedCounter reports whether the counter of the batch follows that of the epoch behind a sign or
// a blank, at the beginning of a line with a loss: "e1 i100 loss 0.5", "e1 | i100 | loss: 0.5".
func startsSpacedCounter(text []byte, at, letters int) bool {
	if at > 1 || !epochLetters[string(text[at:letters])] || !digits(text, letters, digitsEnd(text, letters)-letters) {
		return false
	}
	next := digitsEnd(text, letters)
	for next < len(text) && bytes.IndexByte([]byte(" |,:/-"), text[next]) >= 0 {
		next++
	}
	if next+1 >= len(text) || next == digitsEnd(text, letters) || !isDigit(text[next+1]) {
		return false
	}
	switch lower(text[next]) {
	case 'b', 'i', 's':
	default:
		return false
	}
	behind := digitsEnd(text, next+1)
	return (behind == len(text) || !isWordByte(text[behind])) && containsFold(text[behind:], "loss")
}

// batchLetter reports whether a letter names the batch behind a glued epoch: "E03 B0010",
// "[E3|I10]".
func batchLetter(text []byte, at, letters, last int) bool {
	if letters != at+1 || last == 0 || len(bytes.Trim(text[last:at], " |,:/-[]")) > 0 {
		return false
	}
	switch text[at] {
	case 'B', 'b', 'I', 'i', 'S', 's':
	default:
		return false
	}
	name := last
	for name > 0 && isDigit(text[name-1]) {
		name--
	}
	end := name
	for name > 0 && isLetter(text[name-1]) {
		name--
	}
	return end < last && (name == 0 || gluedStart(text[name-1])) && epochLetters[string(text[name:end])]
}

// epochLetters are short names of the epoch.
var epochLetters = map[string]bool{"E": true, "e": true, "Ep": true, "ep": true, "EP": true}

// dottedPosition parses a number that a full stop joins to its name: "Epoch.0".
func dottedPosition(text []byte, at, letters, end, last int) (field, bool) {
	const longest = 9
	digit := letters + 1
	if end-digit > longest || !digits(text, digit, end-digit) {
		return field{}, false
	}
	return field{value: value{number: float64(atoi(text[digit:end]))}, name: span{at, letters}, lo: digit, hi: end, label: span{last, at}, separated: true}, true
}

// numberBefore parses a number before its name: ESPnet's "8epoch:train", "1st epoch".
func numberBefore(text []byte, at, last int) (field, bool) {
	end := at
	for end < len(text) && end-at < 9 && isDigit(text[end]) {
		end++
	}
	if end == at {
		return field{}, false
	}
	if to, name := rangeOfBatches(text, end); name > 0 {
		return field{value: value{number: float64(to)}, name: span{name, name + len("batch")}, lo: at, hi: name + len("batch"), label: span{last, at}, separated: true}, true
	}
	name := end
	if hasOrdinal(text[end:]) {
		name = skipBlanks(text, end+2)
	}
	for _, counted := range [...]string{"epoch", "iteration", "step", "round", "pass"} {
		if hi := name + len(counted); hasFold(text[name:], counted) && (hi == len(text) || !isWordByte(text[hi])) {
			return field{value: value{number: float64(atoi(text[at:end]))}, name: span{name, hi}, lo: at, hi: hi, label: span{last, at}, separated: true}, true
		}
		if name == end { // without an ordinal only ESPnet's
			break
		}
	}
	return field{}, false
}

// countedOrdinal parses "第 3 步", "第2轮", "第 5 个 epoch" and "3번째 스텝": an ordinal of what the
// word behind it counts.
func countedOrdinal(text []byte, at, last int) (field, bool) {
	const chinese, korean = "第", "번째"
	before := at
	if before > 0 && text[before-1] == ' ' {
		before--
	}
	end := digitsEnd(text, at)
	name := skipBlanks(text, end)
	of := 0
	if name < len(text) && text[name] == '/' { // "第3/10轮"
		total := skipBlanks(text, name+1)
		if stop := digitsEnd(text, total); stop > total && stop-total < 9 {
			of, name = atoi(text[total:stop]), skipBlanks(text, stop)
		}
	}
	if name >= len(text) || end-at > 9 || text[name] < 0x80 && (before == 0 || text[before-1] != chinese[2]) {
		return field{}, false
	}
	switch {
	case before >= len(chinese) && text[before-1] == chinese[2] && string(text[before-len(chinese):before]) == chinese:
		name = skipBlanks(text, name+len(text[name:])-len(bytes.TrimPrefix(bytes.TrimPrefix(text[name:], []byte("个")), []byte("次"))))
	case text[name] == korean[0] && bytes.HasPrefix(text[name:], []byte(korean)):
		name = skipBlanks(text, name+len(korean))
	default:
		return field{}, false
	}
	for _, word := range [...]string{"轮", "轮次", "步", "迭代", "스텝", "반복", "에폭", "에포크", "epoch", "Epoch", "step", "iteration"} {
		if hi := name + len(word); bytes.HasPrefix(text[name:], []byte(word)) && (hi == len(text) || !isWordByte(text[hi])) {
			return field{value: value{number: float64(atoi(text[at:end])), fraction: of > 0, of: float64(of)}, name: span{name, hi}, lo: at, hi: hi, label: span{last, at}, separated: true}, true
		}
	}
	return field{}, false
}

// rangeOfBatches parses the rest of "683-1364batch:" of ESPnet 2 behind the first number, the
// batches that a line sums up: the last one is the position. name is where the word begins, 0
// for none.
func rangeOfBatches(text []byte, at int) (to, name int) {
	const counted = "batch"
	if at >= len(text) || text[at] != '-' {
		return 0, 0
	}
	end := digitsEnd(text, at+1)
	if hi := end + len(counted); end == at+1 || end-at > 9 || !bytes.HasPrefix(text[end:], []byte(counted+":")) || !bytes.Contains(text[:at], []byte("epoch:")) || hi > len(text) {
		return 0, 0
	}
	return atoi(text[at+1 : end]), end
}

// rangeOfSteps parses what a mean is taken over, "Average loss over steps 100-200: 2.29". The last one is
// the position.
func rangeOfSteps(text []byte, at, last int) (field, bool) {
	const most = 12
	dash := digitsEnd(text, at)
	if dash+1 >= len(text) || text[dash] != '-' || at < 2 || text[at-1] != ' ' || text[at-2] != 's' {
		return field{}, false
	}
	end := digitsEnd(text, dash+1)
	word := at - 1
	for word > last && isLetter(text[word-1]) {
		word--
	}
	if end == dash+1 || end-at > most || end < len(text) && isWordByte(text[end]) || !countedWords[string(text[word:at-1])] {
		return field{}, false
	}
	f := field{value: value{number: float64(atoi(text[dash+1 : end]))}, lo: at, hi: end}
	if nameField(text, last, &f); f.name.empty() || f.name.hi != at-1 {
		return field{}, false
	}
	if f.name.hi--; bytes.HasSuffix(f.name.of(text), []byte("batche")) {
		f.name.hi--
	}
	return f, true
}

// numberOfPhase parses a number that a dash joins to the phase of its line: "[Epoch 0-TRAIN]".
func numberOfPhase(text []byte, at, last int) (field, bool) {
	const most = 9
	end := digitsEnd(text, at)
	if end == at || end-at > most || end+1 >= len(text) || text[end] != '-' || at == 0 || !isBlank(text[at-1]) {
		return field{}, false
	}
	word := end + 1
	for word < len(text) && isLetter(text[word]) {
		word++
	}
	if wordPhase(text[end+1:word]) == phaseNone || word < len(text) && isWordByte(text[word]) {
		return field{}, false
	}
	f := field{value: value{number: float64(atoi(text[at:end]))}, lo: at, hi: end}
	nameField(text, last, &f)
	return f, !f.name.empty()
}

// gluedPositionOf parses the number in front of a value that only a colon joins to it: "accuracy
// epoch 0:0.66". A time of day has two digits behind the colon.
func gluedPositionOf(text []byte, at, last int) (field, bool) {
	const most = 9
	end := digitsEnd(text, at)
	if end == at || end-at > most || end+3 >= len(text) || text[end] != ':' || !isDigit(text[end+1]) || text[end+2] != '.' || !isDigit(text[end+3]) {
		return field{}, false
	}
	if after := digitsEnd(text, end+3); after < len(text) && (text[after] == '.' || text[after] == ':') {
		return field{}, false
	}
	f := field{value: value{number: float64(atoi(text[at:end]))}, lo: at, hi: end}
	nameField(text, last, &f)
	return f, !f.separated && !f.name.empty()
}

// hasOrdinal reports whether text begins with the ending of 1st, 2nd, 3rd and 4th, and a
// blank.
func hasOrdinal(text []byte) bool {
	if len(text) < 4 || !isBlank(text[2]) {
		return false
	}
	switch string(text[:2]) {
	case "st", "nd", "rd", "th":
		return true
	}
	return false
}

// batchRange parses "Batch [660-680]" of the Speedometer of MXNet 1.5: the batches that
// a line summarizes. The last one is the position.
func batchRange(text []byte, at, last int) (field, bool) {
	before := bytes.TrimRight(text[last:at], " [")
	if at == 0 || text[at-1] != '[' || len(before) < len("batch") || !hasFold(before[len(before)-len("batch"):], "batch") {
		return field{}, false
	}
	inside, _, closed := bytes.Cut(text[at:min(len(text), at+24)], []byte("]"))
	from, to, ranged := bytes.Cut(inside, []byte("-"))
	if !closed || !ranged || len(from) == 0 || len(to) == 0 || len(to) > 12 || !digits(from, 0, len(from)) || !digits(to, 0, len(to)) {
		return field{}, false
	}
	f := field{value: value{number: float64(atoi(to))}, lo: at, hi: at + len(inside)}
	nameField(text, last, &f)
	return f, true
}

func gluedStart(c byte) bool {
	return isBlank(c) || c == '[' || c == '|' || c == '(' || c == ',' || c == '-'
}

var gluedPosition = map[string]bool{
	"E": true, "Ep": true, "ep": true, "EP": true, "epoch": true, "Epoch": true, "EPOCH": true,
	"step": true, "Step": true, "STEP": true, "iter": true, "Iter": true, "ITER": true, "it": true,
}

// maxName bounds a name: longer ones are sentences.
const maxName = 72

// nameField searches the text before a value for its name.
func nameField(text []byte, last int, f *field) {
	floor := max(last, f.lo-maxName-32)
	i := f.openers(text, floor)
	i, f.separated = skipSeparator(text, floor, i)
	for i > floor && (isBlank(text[i-1]) || f.separated && text[i-1] == '#') { // "step#: 22954" of dlib
		i--
	}
	if i > floor && (text[i-1] == '"' || text[i-1] == '\'' || text[i-1] == '`') {
		f.quoted = f.separated
		i--
		if open := bytes.LastIndexByte(text[floor:i], text[i]); open >= 0 && floor+open > 0 && text[floor+open-1] == ' ' { // "metric 'epoch_loss'=5.1"
			f.name = trimName(text, span{floor + open + 1, i})
			f.label = span{last, floor + open}
			return
		}
	}
	if i > floor && text[i-1] == ']' {
		if open := bytes.LastIndexByte(text[floor:i], '['); open >= 0 { // "[Loss] nan"
			f.name = bracketedName(text, floor, floor+open, i)
			f.label = span{last, f.name.lo}
			return
		}
	}
	if f.separated && i > 1 && text[i-1] == '}' {
		i, floor = bracesBefore(text, floor, i)
	}
	f.name = behindLead(text, behindEnd(text, gluedName(text, nameBefore(text, floor, i))))
	if !f.separated {
		f.name = qualifiedName(text, floor, f.name)
	}
	if f.name.empty() && !f.fraction && i > floor && text[i-1] == '|' { // "CrossEntropyLoss |  0.69"
		for i--; i > floor && isBlank(text[i-1]); i-- {
		}
		f.name, f.separated = nameBefore(text, floor, i), true
	}
	f.label = span{last, max(last, f.name.lo)}
}

// bracketedName returns the name in brackets from open to end: "[Loss] nan". A phase belongs
// to the name in front of it, "loss [val]: 0.5".
func bracketedName(text []byte, floor, open, end int) span {
	inside := trimName(text, span{open + 1, end - 1})
	if wordPhase(inside.of(text)) == phaseNone {
		return inside
	}
	at := open
	if at > floor && text[at-1] == ' ' {
		at--
	}
	if at == floor || !isLetter(text[at-1]) {
		return inside
	}
	return span{nameBefore(text, floor, at).lo, end}
}

// bracesBefore skips arguments in braces behind a name: "Huber Loss {alpha: 1}: 0.37".
// It returns the end of the name and how far back it may begin.
func bracesBefore(text []byte, floor, end int) (at, low int) {
	const longest = 64
	low = max(0, end-longest)
	open := bytes.LastIndexByte(text[low:end], '{')
	if open < 1 || text[low+open-1] != ' ' || bytes.IndexByte(text[low+open:end], '\n') >= 0 {
		return end, floor
	}
	at = low + open - 1
	if at < 1 || !isWordByte(text[at-1]) {
		return end, floor
	}
	return at, max(0, at-maxName)
}

// gluedName cuts the number off a name that follows it without a blank: "Iteration:2000Average
// loss at step 2000".
func gluedName(text []byte, name span) span {
	if name.lo == 0 || name.empty() || !isDigit(text[name.lo]) || text[name.lo-1] != ':' && text[name.lo-1] != '=' {
		return name
	}
	at := name.lo
	for at < name.hi && isDigit(text[at]) {
		at++
	}
	if at+1 < name.hi && isUpper(text[at]) && isLetter(text[at+1]) {
		name.lo = at
	}
	return name
}

// behindEnd cuts the sentence off a name that reports that something has ended: "Epoch
// 10 complete. Average loss: 0.5".
func behindEnd(text []byte, name span) span {
	stop := bytes.IndexByte(name.of(text), '.')
	if stop < len("done") || stop > len("completed") || name.lo+stop+2 >= name.hi || text[name.lo+stop+1] != ' ' {
		return name
	}
	switch said := text[name.lo : name.lo+stop]; string(said) {
	case "complete", "completed", "finished", "done", "ended", "Complete", "Completed", "Finished", "Done":
		name.lo += stop + 2
	}
	return name
}

// behindLead cuts the word off a name that leads to it: "loss 0.5 and acc 0.9", "Epoch 3
// results loss: 0.5".
func behindLead(text []byte, name span) span {
	const longest = len("completed ")
	if name.empty() {
		return name
	}
	word := text[name.lo:min(name.hi, name.lo+longest)]
	blank := bytes.IndexByte(word, ' ')
	if blank < 0 {
		return name
	}
	switch string(word[:blank]) {
	case "and", "got", "with", "results", "summary", "done", "finished", "completed":
		name.lo += blank + 1
	case "ended":
		return behindLead(text, span{name.lo + blank + 1, name.hi})
	}
	return name
}

// qualifiedName adds what is measured to the name of the part that it is measured of:
// "cost:output 19.24", "error:decision 0.0" of RETURNN.
func qualifiedName(text []byte, floor int, name span) span {
	if name.empty() || name.lo-2 < floor || text[name.lo-1] != ':' || !isLetter(text[name.lo]) || bytes.IndexByte(name.of(text), ' ') >= 0 {
		return name
	}
	i := name.lo - 1
	for i > floor && isWordByte(text[i-1]) {
		i--
	}
	if measuredQualifier(text[i : name.lo-1]) {
		name.lo = i
	}
	return name
}

// measuredQualifier reports whether a word before a colon states what is measured.
func measuredQualifier(word []byte) bool {
	switch string(word) {
	case "cost", "loss", "error", "score":
		return true
	}
	return false
}

// openers skips spaces, brackets and quotes before a value, backwards.
func (f *field) openers(text []byte, floor int) int {
	i := f.lo
	if tag := emphasis(text[:i]); i-tag >= floor {
		i -= tag
	}
	for i > floor && (isOpener(text[i-1]) || text[i-1] == '*' && bold(text, i)) {
		if c := text[i-1]; f.bracket == 0 && (c == '[' || c == '(' || c == '{') {
			f.bracket = c
		}
		i--
	}
	return i
}

// emphasis returns the length of the tag of HTML that a text ends in and that makes bold or
// slanted what follows: "loss: <b>0.44</b>". It is 0 for none.
func emphasis(text []byte) int {
	if len(text) == 0 || text[len(text)-1] != '>' {
		return 0
	}
	for _, tag := range [...]string{"<b>", "<i>", "<em>", "<strong>"} {
		if bytes.HasSuffix(text, []byte(tag)) {
			return len(tag)
		}
	}
	return 0
}

// bold reports whether text[:at] ends in the mark of bold text of Markdown, or in the first
// half of it.
func bold(text []byte, at int) bool {
	return at > 1 && text[at-2] == '*' || at < len(text) && text[at] == '*'
}

// nameBefore returns the name that ends at end. A bracket at its end belongs to it:
// "time per iteration (ms)".
func nameBefore(text []byte, floor, end int) span {
	i := end
	if end > floor && text[end-1] == ')' {
		if open := bytes.LastIndexByte(text[floor:end], '('); open >= 0 && end-open-floor < 26 {
			i = floor + open
		}
	}
	return trimName(text, span{nameStart(text, floor, i), end})
}

func isOpener(c byte) bool {
	switch c {
	case ' ', '\t', '[', '(', '{', '"', '\'', '#', '~', '<', '`', '$':
		return true
	}
	return false
}

// skipSeparator skips ':', '=', '->', "is", "equals" and full-width forms, backwards. A
// comparison is no separator.
func skipSeparator(text []byte, floor, i int) (int, bool) {
	if i <= floor {
		return i, false
	}
	switch c := text[i-1]; {
	case c == ':' || c == '=':
		i--
		for i > floor && (text[i-1] == ':' || text[i-1] == '>') {
			i--
		}
		if i > floor && (text[i-1] == '=' || text[i-1] == '!' || text[i-1] == '<') {
			return i, false
		}
		return i, true
	case c == ',' && quotedInTuple(text[floor:i-1]): // "('loss', 25.741)", "('epoch', 3, 'loss', 0.5)"
		return i - 1, true
	case c == '>' && i-2 >= floor && (text[i-2] == '-' || text[i-2] == '=' || text[i-2] == '>' && i-3 >= floor && text[i-3] == ' '):
		return i - 2, true
	case i-3 >= floor && c == 0x9A && text[i-2] == 0xBC && text[i-3] == 0xEF, // U+FF1A
		i-3 >= floor && c == 0x9D && text[i-2] == 0xBC && text[i-3] == 0xEF: // U+FF1D
		return i - 3, true
	case c == 'o' && bytes.HasSuffix(text[floor:i], []byte(" equal to")):
		i -= len(" equal to")
		if at, is := skipSeparator(text, floor, i); is { // "is equal to"
			return at, true
		}
		return i, true
	case c == 's' && bytes.HasSuffix(text[floor:i], []byte(" equals")):
		return i - len(" equals"), true
	case c == 's' && i-3 >= floor && text[i-2] == 'i' && isBlank(text[i-3]):
		return i - 3, true
	case c == 's' && i-4 > floor && text[i-2] == 'a' && text[i-3] == 'w' && isBlank(text[i-4]):
		return i - 4, true
	case i-3 > floor && text[i-3] == 0xE2 && (text[i-2] == 0x86 && c == 0x92 || text[i-2] == 0x89 && c == 0x88): // U+2192, U+2248
		return i - 3, true
	}
	return i, false
}

// quotedInTuple reports whether text ends in "('name'", or is ", 'name'" behind the item
// before.
func quotedInTuple(text []byte) bool {
	if len(text) < 4 || text[len(text)-1] != '\'' && text[len(text)-1] != '"' {
		return false
	}
	open := bytes.LastIndexByte(text[:len(text)-1], text[len(text)-1])
	if open > 0 && text[open-1] == '(' {
		return true
	}
	before := bytes.TrimLeft(text[:max(open, 0)], "'\"")
	return string(before) == ", "
}

// nameStart returns where the words before a value begin.
func nameStart(text []byte, floor, end int) int {
	i := end
	for i > floor {
		c := text[i-1]
		switch {
		case isWordByte(c), c == '.', c == '/', c == '@', c == '\'', c == '&', c == '%', c == '*', c == '+', c == '^':
			i--
		case c == '-':
			if i-2 >= floor && isBlank(text[i-2]) || i < end && isBlank(text[i]) {
				return i // " - " separates fields
			}
			i--
		case c == ' ':
			if i-2 < floor || i < end && isBlank(text[i]) || isBlank(text[i-2]) || end-i > maxName {
				return i
			}
			i--
		case c >= 0x80:
			r, size := utf8.DecodeLastRune(text[floor:i])
			if r >= 0x2000 && r < 0x2E80 || r >= 0xFF00 || r == utf8.RuneError {
				return i // characters of bars, punctuation
			}
			i -= size
		default:
			return i
		}
	}
	return i
}

// trimName removes characters that belong to no name.
func trimName(text []byte, s span) span {
	for s.lo < s.hi && !isWordByte(text[s.lo]) && text[s.lo] < 0x80 && !(text[s.lo] == '.' && s.lo+1 < s.hi && isDigit(text[s.lo+1])) {
		s.lo++
	}
	for s.lo < s.hi && (isBlank(text[s.hi-1]) || text[s.hi-1] == '.' || text[s.hi-1] == '-' || text[s.hi-1] == '/' || text[s.hi-1] == '*' || text[s.hi-1] == ',') {
		s.hi--
	}
	return s
}
