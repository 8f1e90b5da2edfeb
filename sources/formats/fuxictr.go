package formats

import "bytes"

var fuxiCTR = format{
	name:   `FuxiCTR`,
	source: `reczoo/FuxiCTR 1.x and 2.x, fuxictr/pytorch/models/rank_model.py`,
	about:  `only the end of an epoch is named: what follows belongs to the next one`,
	read:   readFuxiCTR,
	examples: []example{
		{lines: []string{
			`2024-06-11 15:40:01,389 P169311 INFO ************ Epoch=1 start ************`,
			`2024-06-11 15:44:00,526 P169311 INFO Train loss: 0.428714`,
			`2024-06-11 15:44:00,526 P169311 INFO ************ Epoch=1 end ************`,
			`2024-06-11 15:47:59,240 P169311 INFO Train loss: 0.428697`,
		}, want: `epoch=2 loss=0.428697`},
	},
}

// readFuxiCTR parses "************ Epoch=1 end ************". FuxiCTR names the start of
// the first epoch alone, and writes the losses of an epoch above its end.
func readFuxiCTR(p *Parser, l *line) bool {
	rest, starred := bytes.CutPrefix(l.text, []byte("************ Epoch="))
	if !starred {
		return false
	}
	epoch, end, ok := readFloat(rest, 0)
	if !ok || !bytes.HasPrefix(rest[end:], []byte(" end *")) {
		return false
	}
	pt := &p.pairs.point
	pt.reset()
	pt.hasEpoch, pt.epoch = true, epoch+1
	s := l.stream
	s.locate(pt)
	p.kinds.releaseAll(p)
	s.hasStep, s.header, s.proven, s.pending, s.evaluating = false, l.number, false, s.pending[:0], false
	return true
}
