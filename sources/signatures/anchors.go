package signatures

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
)

// anchors finds which of many literals a text contains, in one pass: Wu and Manber's
// search (1994). It reads three bytes at a time and skips ahead to the next position
// where a literal may be; of ordinary log lines it reads about one byte in five.
// docs/performance.md compares it with the Aho-Corasick libraries, which have to read
// every byte.
//
// It searches for one window of each literal, minAnchor bytes whose blocks are rare in
// ordinary lines, and compares the rest where it finds one.
type anchors struct {
	// shift is how far the window may move when its last three bytes hash to the
	// index; 0 if it may be that of a literal.
	shift [blockTable]uint8
	// heads is a set of hashes of the first four bytes of windows. It decides at
	// most positions that a window is none.
	heads [headTable / 64]uint64
	// begin maps a hash to the first of its literals in words, which are sorted
	// by hash; the next hash's begin is their end.
	begin [blockTable + 1]uint16
	words []anchor
}

// anchor is a literal and its rule.
type anchor struct {
	first uint32 // the first four bytes of the window, little-endian
	rule  uint16
	at    uint16 // where the window begins
	text  string
}

const (
	// minAnchor is the length of the shortest literal allowed: the window.
	minAnchor  = 8
	blockSize  = 3
	blockBits  = 15
	blockTable = 1 << blockBits
	headBits   = 16
	headTable  = 1 << headBits
)

// block hashes the three bytes before end (Fibonacci hashing).
func block(text []byte, end int) uint32 {
	three := uint32(text[end-3]) | uint32(text[end-2])<<8 | uint32(text[end-1])<<16
	return three * 0x9e3779b1 >> (32 - blockBits)
}

// head hashes the first four bytes of a window.
func head(first uint32) uint32 { return first * 0x9e3779b1 >> (32 - headBits) }

func newAnchors(words []anchor) *anchors {
	a := &anchors{}
	for i := range a.shift {
		a.shift[i] = minAnchor - blockSize + 1
	}
	words = slices.Clone(words)
	slices.SortStableFunc(words, func(a, b anchor) int { return cmp.Compare(len(a.text), len(b.text)) }) // the longer the freer
	common := commonBlocks()
	byHash := map[uint32][]anchor{}
	for _, w := range words {
		w.at = a.window(w.text, common)
		window := []byte(w.text[w.at:])
		for end := blockSize; end <= minAnchor; end++ {
			h := block(window, end)
			a.shift[h] = min(a.shift[h], uint8(minAnchor-end))
		}
		w.first = binary.LittleEndian.Uint32(window)
		h, of := block(window, minAnchor), head(w.first)
		byHash[h] = append(byHash[h], w)
		a.heads[of/64] |= 1 << (of % 64)
	}
	for h := range uint32(blockTable) {
		a.begin[h] = uint16(len(a.words))
		a.words = append(a.words, byHash[h]...)
	}
	a.begin[blockTable] = uint16(len(a.words))
	return a
}

// window returns where in a literal the window begins that costs least: it shortens
// few skips, and none of blocks that are common.
func (a *anchors) window(text string, common *[blockTable]uint8) uint16 {
	best, least := 0, math.MaxInt
	for at := 0; at+minAnchor <= len(text); at++ {
		window, cost := []byte(text[at:at+minAnchor]), 0
		for end := blockSize; end <= minAnchor; end++ {
			h := block(window, end)
			if lost := int(a.shift[h]) - (minAnchor - end); lost > 0 {
				cost += lost * (1 + 16*int(common[h]))
			}
		}
		if cost < least {
			best, least = at, cost
		}
	}
	return uint16(best)
}

// ordinaryLines are lines as logs mostly consist of: of trainings, loggers, launchers
// and downloads.
const ordinaryLines = `[rank0]: 2026-05-18 16:04:46,338 - root - INFO - [train.py:211] step: 1200  loss:  2.1345  grad_norm:  0.8319  memory:  9.46GiB(64.99%)  tps: 7,282  tflops: 38.10  mfu: 12.21%
 iteration     2310/  115311 | consumed samples:        36960 | elapsed time per iteration (ms): 106.1 | learning rate: 1.000E-04 | global batch size:    16 | lm loss: 2.235667E+00 | loss scale: 1.0 | grad norm: 0.205 | number of skipped iterations:   0 |
{'loss': 1.2345, 'grad_norm': 0.4567, 'learning_rate': 1.9e-05, 'epoch': 0.12}
Epoch 3:  93%|#########3| 18626/20000 [5:43:21<25:19,  0.90it/s, v_num=0, train_loss=3.400, val_loss=2.981, accuracy=0.812]
node-3:1234:5678 [0] NCCL INFO Channel 00/08 : 0[0] -> 1[1] via P2P/CUMEM/read comm 0x55d0 nRanks 08 busId 1b000
I0518 16:04:46.338000 140123 torch/distributed/run.py:793] Starting worker processes for the group, waiting for all of the workers to be ready
2026-05-18T16:04:46.338Z level=info msg="Reading data from the storage" component=loader path=/data/train/shard-00012-of-00128.parquet
INFO:root:Validation: the model has been evaluated on the test set, results are written to /outputs/run/metrics.json
Downloading shards: 100%|##########| 30/30 [00:12<00:00,  2.41it/s] Loading checkpoint shards, saving model weights to /checkpoints/step_1000
(RayTrainWorker pid=1234, ip=10.0.0.12) [default0]:Training Epoch: 0 [1280/50000] Loss: 4.6012 LR: 0.0100 time: 0.412 data: 0.003 max mem: 8123 eta: 1:02:03
warnings.warn("this function is deprecated and will be removed in a future version, please use the other one instead")
`

// commonBlocks counts the blocks of ordinary lines.
func commonBlocks() *[blockTable]uint8 {
	common := &[blockTable]uint8{}
	text := []byte(ordinaryLines)
	for end := blockSize; end <= len(text); end++ {
		if h := block(text, end); common[h] < math.MaxUint8 {
			common[h]++
		}
	}
	return common
}

// find appends the rules whose literals occur in text to found, each once.
func (a *anchors) find(text []byte, found []uint16) []uint16 {
	for end := minAnchor; end <= len(text); {
		h := block(text, end)
		if skip := a.shift[h]; skip > 0 {
			end += int(skip)
			continue
		}
		first := binary.LittleEndian.Uint32(text[end-minAnchor:])
		if of := head(first); a.heads[of/64]>>(of%64)&1 != 0 {
			found = a.here(text, end-minAnchor, h, first, found)
		}
		end++
	}
	return found
}

// here appends the rules of literals whose window is at a position of text.
func (a *anchors) here(text []byte, at int, h, first uint32, found []uint16) []uint16 {
	for i := a.begin[h]; i < a.begin[h+1]; i++ {
		w := &a.words[i]
		from := at - int(w.at)
		if w.first == first && from >= 0 && len(text)-from >= len(w.text) && string(text[from:from+len(w.text)]) == w.text && !contains(found, w.rule) {
			found = append(found, w.rule)
		}
	}
	return found
}

func contains(found []uint16, rule uint16) bool {
	for _, f := range found {
		if f == rule {
			return true
		}
	}
	return false
}
