package draw

import (
	"testing"

	"k8s.io/apimachinery/pkg/labels"
)

func TestFilterGrammar(t *testing.T) {
	of := labels.Set{"team": "nlp"}
	f := func(text, line string, want bool) {
		t.Helper()
		filter, err := ParseFilter(text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if got := filter.Match(line, of); got != want {
			t.Errorf("%q on %q: got %v, want %v", text, line, got, want)
		}
	}
	f("", "anything", true)
	f("BERT", "nlp bert-large running", true)
	f("bert.*running", "nlp bert-large running", true)
	f("gpt", "nlp bert-large running", false)
	f("!gpt", "nlp bert-large running", true)
	f("!bert", "nlp bert-large running", false)
	f("-f brtlrg", "nlp bert-large running", true)
	f("-f zzz", "nlp bert-large running", false)
	f("-l team=nlp", "", true)
	f("-l team!=nlp", "", false)
	f("-l team in (nlp,llm)", "", true)
	f("!", "half typed", true)
	f("-f", "half typed", true)
	f("-foo", "a -foo b", true)
}

func TestFilterSaysWhatIsWrong(t *testing.T) {
	for _, text := range []string{"(", "!(", "-l =x", "[a"} {
		if _, err := ParseFilter(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
