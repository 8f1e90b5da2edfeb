package formats

import "strings"

// maxNames bounds how many metric names of one log are kept.
const maxNames = 2048

// nameBook keeps one copy of each metric name.
type nameBook struct{ known map[string]string }

func newNameBook() *nameBook { return &nameBook{known: make(map[string]string, 32)} }

// keep returns the copy of a name, "" if there are too many already.
func (b *nameBook) keep(name []byte) string {
	if kept, ok := b.known[string(name)]; ok {
		return kept
	}
	if len(b.known) >= maxNames || len(name) == 0 {
		return ""
	}
	kept := strings.ToValidUTF8(strings.Join(strings.Fields(string(name)), " "), "\uFFFD")
	b.known[string(name)] = kept
	return kept
}
