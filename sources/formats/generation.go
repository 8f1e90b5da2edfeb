package formats

import "bytes"

// populationWords are statistics of a population, which is what an evolution measures. Alone they
// mean nothing.
var populationWords = map[string]bool{
	"best": true, "avg": true, "average": true, "mean": true, "max": true, "min": true, "median": true, "worst": true, "std": true, "diversity": true,
	"Best": true, "Avg": true, "Average": true, "Mean": true, "Max": true, "Min": true, "Median": true, "Worst": true, "Std": true, "Diversity": true,
}

// isGeneration reports whether a name is that of a generation.
func isGeneration(name []byte) bool {
	name = name[bytes.LastIndexByte(name, ' ')+1:]
	return len(name) == len("gen") && hasFold(name, "gen") || len(name) == len("generation") && hasFold(name, "generation")
}

// ofPopulationWord reports whether a name begins with a statistic of a population, and its value has
// decimals: "Best makespan = 12.5".
func ofPopulationWord(r *pairs, i int) bool {
	first, _, more := bytes.Cut(r.fields[i].name.of(r.text), []byte(" "))
	return more && r.fields[i].separated && measuredField(r, i) && populationWords[string(first)]
}

// measurePopulation takes the statistics beside a generation for what is measured: "Gen 12:
// best=0.3 avg=0.2".
func measurePopulation(r *pairs) {
	if r.stepAt < 0 || r.kinds[r.stepAt].prio > playPrio || !isGeneration(r.fields[r.stepAt].name.of(r.text)) {
		return
	}
	for i := range r.fields {
		if f := &r.fields[i]; i != r.stepAt && r.kinds[i].class <= classNone && !f.fraction && (populationWords[string(f.name.of(r.text))] || ofPopulationWord(r, i)) {
			r.kinds[i].class, f.class = classEvidence, classEvidence
		}
	}
}
