package formats

import "bytes"

var deepLearning4j = format{
	name:   `Deeplearning4j`,
	source: `deeplearning4j 0.9 and 1.0, ScoreIterationListener`,
	about:  `it calls the loss a score`,
	read:   (*Parser).readScore,
	examples: []example{
		{lines: []string{
			`INFO org.deeplearning4j.optimize.listeners.ScoreIterationListener - Score at iteration 692 is 0.15707841040572718`,
		}, want: `step=692 loss=0.15707841040572718`},
	},
}

// readScore parses "Score at iteration 692 is 0.157".
func (p *Parser) readScore(l *line) bool {
	at := bytes.Index(l.text, []byte("Score at iteration "))
	if at < 0 || len(l.text) > maxMark {
		return false
	}
	p.scratch = append(append(p.scratch[:0], "loss"...), l.text[at+len("Score"):]...)
	pt := p.pairs.read(p.scratch)
	if pt.strength < loss || !pt.hasStep {
		return false
	}
	p.accept(l, pt)
	return true
}
