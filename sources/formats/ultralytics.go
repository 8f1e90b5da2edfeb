package formats

import (
	"bytes"

	"github.com/traintop/traintop/train"
)

var ultralytics = format{
	name:   `Ultralytics YOLO`,
	source: `ultralytics 8.x engine/trainer.py and utils/tqdm.py, YOLOv5 train.py`,
	about:  `columns below a head, in front of a bar`,
	read:   (*Parser).readUltralytics,
	examples: []example{
		{lines: []string{
			`      Epoch    GPU_mem   box_loss   cls_loss   dfl_loss  Instances       Size`,
			`       6/20      13.2G     0.8453     0.5445       1.05        101        640: 100%|██████████| 15/15 [00:15<00:00,  1.02s/it]`,
		}, want: `step=15 epoch=6 box_loss=0.8453`},
		{lines: []string{
			`      Epoch    GPU_mem   box_loss   cls_loss   dfl_loss  Instances       Size`,
			`      1/100      2.13G      1.596      2.455      1.443          1        640: 100% ━━━━━━━━━━━━ 409/409 1.5it/s 4:25`,
		}, want: `step=409 epoch=1 box_loss=1.596 it_per_second=1.5`},
	},
}

// readUltralytics parses the row in the description of a bar (ultralytics 8.x,
// engine/trainer.py, and YOLOv5's train.py):
//
//	6/20      13.2G     0.8453     0.5445       1.05        101        640: 100%|███| 15/15 [...]
//
// The names are in a header above it. Without the header only the position and the
// memory are known.
func (p *Parser) readUltralytics(l *line) bool {
	if text := trimBlanks(l.text); len(text) == 0 || !isDigit(text[0]) {
		return false
	}
	b, ok := readBar(l.text)
	if !ok || b.transfer {
		return false
	}
	cells := bytes.Fields(b.description)
	if len(cells) < 4 {
		return false
	}
	epoch, end, ok := readValue(cells[0], 0)
	if !ok || !epoch.fraction || end != len(cells[0]) || !allNumbers(cells[1:]) {
		return false
	}
	pt := &p.pairs.point
	if p.table.row(bytes.TrimSpace(b.description), &p.scratch) {
		p.table.missed = 0
		pt = p.pairs.read(p.scratch)
	} else {
		pt.reset()
		if v, _, _ := readValue(cells[1], 0); v.unit == unitBytes {
			pt.add("GPU_mem", v.number)
		}
	}
	pt.hasEpoch, pt.epoch, pt.epochOf = true, epoch.number, epoch.of
	pt.hasStep, pt.step, pt.stepOf, pt.stepFraction = true, b.n, b.of, true
	pt.scope, pt.scopeKnown = train.ScopeEpoch, true
	if b.hasRate {
		pt.add(train.MetricItsSecond, b.rate)
	}
	p.accept(l, pt)
	return true
}

func allNumbers(cells [][]byte) bool {
	for _, cell := range cells {
		if _, end, ok := readValue(cell, 0); !ok || end != len(cell) {
			return false
		}
	}
	return true
}
