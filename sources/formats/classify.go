package formats

import (
	"bytes"
	"hash/maphash"
	"unicode/utf8"
)

// maxWords bounds the words of a name: longer ones are sentences.
const maxWords = 8

// wordList is the words of a name in lower case, joined by "_".
type wordList struct {
	joined [maxName + maxWords]byte
	length int
	ends   [maxWords]int
	count  int
	over   bool // there are more
	spaced bool // some words are separated by spaces
}

func (w *wordList) all() []byte { return w.joined[:w.length] }

func (w *wordList) word(i int) []byte {
	lo := 0
	if i > 0 {
		lo = w.ends[i-1] + 1
	}
	return w.joined[lo:w.ends[i]]
}

// split splits a name at all characters but letters and digits, and where camel case
// begins a word: TrainAcc, CELoss.
func (w *wordList) split(name []byte) {
	w.length, w.count, w.over, w.spaced = 0, 0, false, bytes.IndexByte(name, ' ') >= 0
	open := false
	for i, c := range name {
		if !isLetter(c) && !isDigit(c) && c < 0x80 {
			if c == '\'' && open && w.elided() {
				open = false // "perte d'entraînement"
			} else if c != '.' || !open || !inAcronym(name, i) {
				w.closeWord(&open)
			}
			continue
		}
		if open && (isUpper(c) && camelBreak(name, i) || (c < 0x80) != (name[i-1] < 0x80) && !latinJoin(name, i)) {
			w.closeWord(&open)
		}
		if !open {
			if w.count == maxWords || w.length+2 >= len(w.joined) {
				w.over = true
				return
			}
			if w.count > 0 {
				w.joined[w.length] = '_'
				w.length++
			}
			open = true
		}
		if w.length == len(w.joined) {
			w.over = true
			break
		}
		w.joined[w.length] = lower(c)
		if c >= 0x80 && c < 0x9f && i > 0 && name[i-1] == latinFirst {
			w.joined[w.length] = c + 0x20 // "É"
		}
		w.length++
	}
	w.closeWord(&open)
}

// latinFirst and latinLast are the first bytes of Latin letters with accents in UTF-8, from
// "À" to "ſ".
const latinFirst, latinLast = 0xc3, 0xc5

// latinJoin reports whether a letter with an accent and one without it are in one word:
// "pérdida". Other scripts begin a word.
func latinJoin(name []byte, at int) bool {
	first := name[at]
	if first < 0x80 && at > 1 {
		first = name[at-2]
	}
	return first >= latinFirst && first <= latinLast
}

// inAcronym reports whether a full stop separates two capital letters of one word:
// "C.E. Loss".
func inAcronym(name []byte, at int) bool {
	single := func(i int) bool {
		return i < len(name) && isUpper(name[i]) && (i+1 == len(name) || !isWordByte(name[i+1]))
	}
	return single(at-1) && single(at+1) && (at < 2 || !isWordByte(name[at-2]))
}

func (w *wordList) closeWord(open *bool) {
	if *open {
		w.ends[w.count] = w.length
		w.count++
		*open = false
		w.splitGlued()
	}
}

// gluedHeads are what is measured, where they end a word that other words begin without a blank.
var gluedHeads = [...]string{"loss", "losses", "acc", "accuracy", "lr", "epoch", "step", "iter"}

// splitGlued splits the last word where it is two words of the tables without a blank: "trainloss",
// "valacc", "totalloss", "celoss".
func (w *wordList) splitGlued() {
	const shortest = len("trlr")
	word := w.word(w.count - 1)
	if len(word) < shortest || w.count == maxWords || w.length == len(w.joined) {
		return
	}
	switch word[len(word)-1] {
	case 's', 'c', 'y', 'r', 'h', 'p':
	default:
		return
	}
	for _, head := range gluedHeads {
		first, ends := bytes.CutSuffix(word, []byte(head))
		if !ends || len(first) < 2 || words[string(first)]&(hasTrain|hasEval|isFiller|isObjective|isSummary) == 0 {
			continue
		}
		if _, known := words[string(word)]; known {
			return
		}
		at := w.length - len(head)
		copy(w.joined[at+1:], w.joined[at:w.length])
		w.joined[at] = '_'
		w.ends[w.count-1] = at
		w.length++
		w.ends[w.count] = w.length
		w.count++
		return
	}
}

// elided drops the word that is open if it is an article or a preposition that lost its
// vowel.
func (w *wordList) elided() bool {
	lo := 0
	if w.count > 0 {
		lo = w.ends[w.count-1] + 1
	}
	if w.length-lo != 1 || w.joined[lo] != 'd' && w.joined[lo] != 'l' {
		return false
	}
	w.length = max(0, lo-1)
	return true
}

func camelBreak(name []byte, at int) bool {
	before := name[at-1]
	if isLetter(before) && !isUpper(before) {
		return true
	}
	return isUpper(before) && at+2 < len(name) && isLetter(name[at+1]) && !isUpper(name[at+1]) && isLetter(name[at+2])
}

// classify returns the meaning of a name.
func classify(name []byte, w *wordList) kind {
	if len(name) == 0 {
		return kind{class: classNone}
	}
	w.split(name)
	if w.count == 0 {
		return kind{class: classNone}
	}
	if k, known := names[string(w.all())]; known && !w.over {
		return k
	}
	if k, ok := phasePosition(w); ok {
		return k
	}
	if cut := thisEpoch(name, w); cut > 0 {
		return classify(name[:cut], w)
	}
	if colon := bytes.IndexByte(name, ':'); colon > 0 && measuredQualifier(name[:colon]) {
		return classifyQualified(name, colon, w)
	}
	if open := bytes.IndexByte(name, '('); open > 0 && name[len(name)-1] == ')' {
		if said := wordPhase(name[open+1 : len(name)-1]); said != phaseNone { // "Epoch(train)"
			k := classify(name[:open], w)
			k.eval, k.train = said == phaseEval, said == phaseTrain
			if k.eval {
				k.evaluate() // "Loss(val)"
			}
			return k
		}
		if isWindow(name[open+1 : len(name)-1]) {
			return classify(bytes.TrimRight(name[:open], " "), w)
		}
		if isCall(name, open) {
			return classify(bytes.TrimSuffix(name[:open], []byte(".")), w)
		}
	}
	var each [maxWords]traits
	all := traits(0)
	for i := range w.count {
		each[i] = traitsOf(w.word(i))
		all |= each[i]
	}
	if all == 0 || w.over {
		return kind{}
	}
	list := each[:w.count]
	k := classifyWords(list, all, w)
	k.eval = k.eval || all&hasEval != 0
	k.train = all&hasTrain != 0
	if all&isSummary != 0 && k.class.meter() && string(w.word(w.count-1)) != "fitness" {
		return kind{class: classUnknown, eval: k.eval}
	}
	return k
}

// kindCache keeps the meanings of the newest names, most of which come again on the next
// line: a direct-mapped table by the hash of the name.
type kindCache struct {
	seed  maphash.Seed
	slots []cachedKind
}

type cachedKind struct {
	hash uint64
	kind kind
}

// cachedNames is how many names are kept: verl's lines have some 120.
const cachedNames = 256

// classify returns the meaning of a name, as the function of that name does. The words of
// the name are in w only if it was not kept.
func (c *kindCache) classify(name []byte, w *wordList) kind {
	if len(name) == 0 {
		return kind{class: classNone}
	}
	if c.slots == nil {
		c.seed, c.slots = maphash.MakeSeed(), make([]cachedKind, cachedNames)
	}
	hash := maphash.Bytes(c.seed, name) | 1 // 0 is an empty slot
	slot := &c.slots[hash>>8%cachedNames]
	if slot.hash != hash {
		slot.hash, slot.kind = hash, classify(name, w)
	}
	return slot.kind
}

// phasePosition classifies "valid_num_updates" of fairseq's JSON: the step of the run, as
// a line of evaluation names it.
func phasePosition(w *wordList) (kind, bool) {
	const ofRun = 95
	if w.count < 2 || w.spaced || w.over {
		return kind{}, false
	}
	said := wordPhase(w.word(0))
	if said == phaseNone {
		return kind{}, false
	}
	k, known := names[string(w.joined[w.ends[0]+1:w.length])]
	if !known || k.class != classStep || k.prio < ofRun {
		return kind{}, false
	}
	k.eval, k.train = said == phaseEval, said == phaseTrain
	return k, true
}

// thisEpoch returns how much of a name is left without "in this epoch" at its end: 0 where it does
// not end so.
func thisEpoch(name []byte, w *wordList) int {
	const most = 3
	if w.count < most || w.over || !w.spaced || string(w.word(w.count-2)) != "this" || words[string(w.word(w.count-1))]&(isEpochWord|isPosition) == 0 {
		return 0
	}
	cut := bytes.LastIndexByte(name, ' ')
	cut = bytes.LastIndexByte(name[:max(cut, 0)], ' ')
	if cut <= 0 {
		return 0
	}
	if blank := bytes.LastIndexByte(name[:cut], ' '); blank > 0 && windowLinks[string(name[blank+1:cut])] {
		cut = blank
	}
	return cut
}

// isWindow reports whether the brackets behind a name state over how much its mean is
// taken: "loss(avg8)", "loss (mean 10)".
func isWindow(inside []byte) bool {
	end := 0
	for end < len(inside) && isLetter(inside[end]) {
		end++
	}
	size := bytes.TrimLeft(inside[end:], " ")
	return averageWords[string(inside[:end])] && len(size) > 0 && digits(size, 0, len(size))
}

// isCall reports whether a name is the call that gave the value: "loss(x, y) = 0.09", or
// the end of one around it, "sum(loss.(x, y)) = 9.1". With one word in its brackets it may
// be a unit: "time(s)".
func isCall(name []byte, open int) bool {
	inside := bytes.TrimRight(name[open+1:], ")")
	if bytes.IndexByte(inside, ',') < 0 || !isWordByte(name[open-1]) && (name[open-1] != '.' || open < 2) {
		return false
	}
	for _, c := range inside {
		if !isWordByte(c) && c != ',' && c != ' ' {
			return false
		}
	}
	return true
}

// classifyQualified classifies "cost:output", the loss unless another is on the line, and
// "loss:train".
func classifyQualified(name []byte, colon int, w *wordList) kind {
	k := classify(name[:colon], w)
	if said := wordPhase(name[colon+1:]); said == phaseEval && k.class == classLoss {
		k.class, k.eval = classEvalLoss, true
	} else if said == phaseNone && k.class == classLoss && k.prio > 30 {
		k.prio = 30
	}
	return k
}

// traitsOf looks up a word. An unknown word of another script is more often a particle
// than a name: "Loss는".
func traitsOf(word []byte) traits {
	t, known := words[string(word)]
	if !known && word[0] >= utf8.RuneSelf {
		return traitsOfCompound(word)
	}
	return t
}

// fillersOfCompounds describe how a loss or an accuracy was measured where they begin a
// word. Alone they are no words of a table: "总步数" is a number of steps.
var fillersOfCompounds = [...]string{"平均", "总", "整体", "当前", "當前", "全体", "総", "合計", "전체"}

// traitsOfCompound looks up a word without a space between its parts: "テスト損失" is "テスト"
// and "損失", "平均训练损失" is "平均", "训练" and "损失".
func traitsOfCompound(word []byte) traits {
	if bare := withoutParticles(word); len(bare) < len(word) {
		if t, known := words[string(bare)]; known {
			return t
		}
		word = bare
	}
	for _, filler := range fillersOfCompounds {
		rest, begins := bytes.CutPrefix(word, []byte(filler))
		if !begins || len(rest) == 0 {
			continue
		}
		t, known := words[string(rest)]
		if !known {
			t = traitsOfCompound(rest)
		}
		if t&(hasLoss|isAccuracy|isLearning) != 0 {
			if filler == fillersOfCompounds[0] {
				t |= isAverage
			}
			return t
		}
	}
	const longest = 48
	if len(word) > longest {
		return isFiller
	}
	for i := 1; i < len(word); i++ {
		if !utf8.RuneStart(word[i]) {
			continue
		}
		if first, known := words[string(word[:i])]; known {
			if second, known := words[string(word[i:])]; known {
				return first | second
			}
		}
	}
	return isFiller | traitsInside(word)
}

// withoutParticles removes what joins a Chinese name to the words around it: "的训练损失为".
func withoutParticles(word []byte) []byte {
	word = bytes.TrimPrefix(word, []byte("的"))
	return bytes.TrimSuffix(bytes.TrimSuffix(word, []byte("为")), []byte("是"))
}

// traitsInside returns what known words inside an unknown one show about where something was
// measured: "整体测试集上的" has "测试". A word that marks the best of something, or names a loss of its
// own, shows nothing.
func traitsInside(word []byte) (found traits) {
	const least, most = 6, 12 // bytes: two to four signs
	for i := 0; i+least <= len(word); {
		size := 0
		for end := min(len(word), i+most); end >= i+least; end-- {
			if t, known := words[string(word[i:end])]; known {
				if t&(hasLoss|isSummary|isLearning) != 0 {
					return 0
				}
				found |= t & (isAccuracy | hasEval | hasTrain)
				size = end - i
				break
			}
		}
		if size == 0 {
			_, size = utf8.DecodeRune(word[i:])
		}
		i += size
	}
	if hasAny(word, "最") {
		return 0
	}
	return found
}

func classifyWords(list []traits, all traits, w *wordList) kind {
	list, all = withoutShare(list, all)
	if len(list) > 1 && list[len(list)-1]&isOrdinal != 0 && list[len(list)-2]&(isPosition|isEpochWord) != 0 {
		list = list[:len(list)-1] // "train epoch_num"
	}
	if done, ok := withoutDone(list); ok && all&isPerTime == 0 {
		return classifyDone(done)
	}
	last := list[len(list)-1]
	if len(list) > 1 && string(w.word(w.count-1)) == "cost" && len(list) == w.count && onlyOf(list[:len(list)-1], hasTrain|hasEval|isAverage) {
		return classifyCost(all)
	}
	measured := all&(hasLoss|isAccuracy|isEvidence|isLearning) != 0 && (!w.spaced || onBatch(list, w)) // "train_loss_step"
	if last&(isPosition|isEpochWord) != 0 && all&isPerTime == 0 && !measured {
		return classifyPosition(list, all, w)
	}
	switch {
	case all&isNetwork != 0, all&isSetting != 0 && (last&hasLoss == 0 || all&(isObjective|isValue) == 0): // "train_eps_loss" and "value function loss" are none
		return kind{class: classSetting}
	case all&hasLoss != 0:
		return classifyLoss(list, all)
	case all&isLearning != 0:
		return classifyRate(list, all)
	case all&isGrad != 0 && all&isNorm != 0:
		return kind{class: classGradNorm, prio: 80}
	case all&isRateOf != 0 && all&isPerTime != 0:
		return kind{class: classSamples, prio: 70}
	case all&isTokenWord != 0 && all&isPerTime != 0:
		return kind{class: classTokens, prio: 70}
	case all&isAccuracy != 0:
		return classifyAccuracy(list, all)
	case all&isCross != 0 && all&isEntropy != 0 && onlyOf(list, isCross|isEntropy|hasTrain|hasEval|isFiller):
		return kind{class: classObjective, prio: 30} // the loss where no other is named
	case all&isEvidence != 0:
		return kind{class: classEvidence}
	case onlyOf(list, hasTrain) && w.count == 1:
		return kind{class: classUnknown, train: true}
	}
	return kind{}
}

// onBatch reports whether the end of a name says on which batch something was measured: "loss on training
// batch", "accuracy for a single minibatch". Without such words it is a position: "loss on batch 3".
func onBatch(list []traits, w *wordList) bool {
	const least = 4
	n := len(list)
	if n < least || n != w.count || list[0]&(hasTrain|hasEval|hasLoss|isAccuracy|isFiller) == 0 {
		return false
	}
	switch string(w.word(n - 1)) {
	case "batch", "minibatch":
	default:
		return false
	}
	switch string(w.word(n - 2)) {
	case "a", "one", "single", "that", "this":
		return true
	}
	return list[n-2]&(hasTrain|hasEval) != 0 && string(w.word(n-3)) == "on"
}

// withoutDone removes the word that marks steps as done from a name of two words:
// "steps_completed" of Determined, "completed steps", "epochs done".
func withoutDone(list []traits) (position traits, ok bool) {
	if len(list) != 2 || (list[0]|list[1])&isDone == 0 {
		return 0, false
	}
	position = list[0] | list[1]
	return position, position&(isPosition|isEpochWord) != 0
}

// classifyDone classifies a count of what is done, which is a position in the plural too.
func classifyDone(position traits) kind {
	if position&isEpochWord != 0 {
		return kind{class: classEpoch, prio: 80}
	}
	return kind{class: classStep, prio: 90}
}

// withoutShare removes "per sample" from the end of a name: "Train loss per sample" of
// CNTK is the loss.
func withoutShare(list []traits, all traits) ([]traits, traits) {
	n := len(list) - 2
	const per = isBlocker | isPerTime
	if n < 1 || list[n]&per != per || list[n+1]&(isRateOf|isTokenWord|isPosition) == 0 || all&(hasLoss|isAccuracy|isEvidence) == 0 {
		return list, all
	}
	all = 0
	for _, t := range list[:n] {
		all |= t
	}
	return list[:n], all
}

// behindWords is how much lower the priority of a position is behind other words.
const behindWords = 6

// classifyPosition classifies names that end in step or epoch. Words before these may
// make the name a setting, such as an interval.
func classifyPosition(list []traits, all traits, w *wordList) kind {
	last := list[len(list)-1]
	before := list[:len(list)-1]
	class, prio := classStep, uint8(70)
	if last&isEpochWord != 0 {
		class, prio = classEpoch, 85
	} else if k, ok := names[string(w.word(len(list)-1))]; ok && k.class == classStep {
		prio = k.prio - behindWords
	}
	for _, t := range before {
		if t&(isBlocker|isRateOf|isTokenWord|isPerTime) != 0 { // "words/batch"
			return kind{class: classSetting}
		}
	}
	plural := w.word(len(list) - 1)
	if plural[len(plural)-1] == 's' {
		return kind{} // "eval steps: 500" is a number of steps
	}
	return kind{class: class, prio: prio}
}

// classifyLoss distinguishes the loss from its components. A name is the loss if its
// other words only describe where and how it was measured.
func classifyLoss(list []traits, all traits) kind {
	class := classLoss
	if all&hasEval != 0 {
		class = classEvalLoss
	}
	if len(list) > 2 && list[0]&hasLoss != 0 && list[len(list)-1]&hasLoss != 0 && all&isObjective != 0 {
		return kind{class: classEvidence} // "Loss/classification_loss" beside "Loss/total_loss"
	}
	for i := range len(list) - 1 {
		if list[i]&isValue != 0 && list[i+1]&hasLoss != 0 {
			return kind{class: classEvidence} // the loss of a value function
		}
	}
	if all&isAverage != 0 && all&isRateOf != 0 && onlyOf(list, hasLoss|hasEval|hasTrain|isFiller|isRateOf) {
		return kind{class: class, prio: 70} // "avg sample loss"
	}
	if onlyOf(list, hasLoss|hasEval|hasTrain|isFiller) {
		prio := uint8(80)
		switch {
		case all&isSum != 0:
			prio = 55
		case all&isEpochWise != 0:
			prio = 60
		case all&isAverage != 0:
			prio = 70
		case all&hasTrain == 0 && class == classLoss:
			prio = 85
		}
		return kind{class: class, prio: prio}
	}
	allowed := hasLoss | hasEval | hasTrain | isFiller | isObjective
	if all&isCross != 0 {
		allowed |= isEntropy
	}
	if all&isSquared != 0 {
		allowed |= isError // "mean squared error loss"
	}
	if onlyOf(list, allowed) {
		if class == classEvalLoss {
			return kind{class: classEvidence}
		}
		return kind{class: classObjective, prio: 30}
	}
	return kind{class: classEvidence}
}

// classifyCost classifies "training avg cost", as the names of a cost are.
func classifyCost(all traits) kind {
	if all&hasEval != 0 {
		return kind{class: classEvalLoss, prio: costPrio - 1}
	}
	return kind{class: classLoss, prio: costPrio - 1}
}

func classifyRate(list []traits, all traits) kind {
	if onlyOf(list, isLearning|isFiller|hasTrain) {
		return kind{class: classLR, prio: 60}
	}
	if all&isBlocker != 0 {
		return kind{class: classSetting}
	}
	return kind{class: classEvidence}
}

func classifyAccuracy(list []traits, all traits) kind {
	if !onlyOf(list, isAccuracy|isFiller|hasEval|hasTrain) {
		return kind{class: classEvidence}
	}
	if all&hasEval != 0 {
		return kind{class: classEvalAccuracy, prio: 80}
	}
	return kind{class: classAccuracy, prio: 80}
}

func onlyOf(list []traits, allowed traits) bool {
	for _, t := range list {
		if t&allowed == 0 {
			return false
		}
	}
	return true
}
