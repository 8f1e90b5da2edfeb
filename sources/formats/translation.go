package formats

import "bytes"

var translation = format{
	name:   `Translation toolkits`,
	source: `OpenNMT, Marian, XLM`,
	about:  `Marian names what it validated between colons`,
	read:   (*Parser).readMarianValid,
	examples: []example{
		{lines: []string{
			`[2018-09-20 15:18:39,264 INFO] Step 380000/1000000; acc:  42.02; ppl: 55.22; xent: 4.01; lr: 0.00000; 2214/2168 tok/s;    950 sec`,
		}, want: `step=380000 lr=0 ppl=55.22`},
		{lines: []string{
			`[2019-08-17 13:16:58] Ep. 2 : Up. 497000 : Sen. 32,243,206 : Cost 2.77209687 : Time 337.44s : 28806.18 words/s : L.r. 5.3827e-05`,
		}, want: `step=497000 epoch=2 loss=2.77209687 lr=5.3827e-05`},
		{lines: []string{
			`INFO - 03/11/25 12:39:50 - 0:01:07 -     400 -  314.97 equations/s -  5620.24 words/s - ARITHMETIC:  0.3646 - LR: 1.0000e-04`,
		}, want: `step=400 lr=0.0001 ARITHMETIC=0.3646`},
		{lines: []string{
			`[2019-08-17 13:34:11] [valid] Ep. 2 : Up. 500000 : ce-mean-words : 1.56508 : stalled 2 times (last best: 1.56489)`,
		}, want: `step=500000 epoch=2 valid_ce-mean-words=1.56508`},
	},
}

// readMarianValid parses "[valid] Ep. 2 : Up. 500000 : translation : 32.09 : stalled 7
// times (last best: 32.13)".
func (p *Parser) readMarianValid(l *line) bool {
	const mark = "[valid] Ep. "
	at := bytes.Index(l.text, []byte(mark))
	if at < 0 || len(l.text) > maxMark {
		return false
	}
	parts := bytes.Split(l.text[at+len("[valid] "):], []byte(" : "))
	if len(parts) < 4 {
		return false
	}
	p.scratch = append(append(append(p.scratch[:0], parts[0]...), " : "...), parts[1]...)
	p.scratch = append(append(append(append(p.scratch, " : valid_"...), parts[2]...), " = "...), parts[3]...)
	pt := p.pairs.read(p.scratch)
	if !pt.positioned() {
		return false
	}
	p.accept(l, pt)
	return true
}
