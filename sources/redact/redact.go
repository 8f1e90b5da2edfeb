// Package redact takes out of texts and objects what nobody should see over a
// shoulder or find in a file that was sent to a colleague: tokens that can be
// told by their shape, and values of variables, flags and fields whose names
// say that they are secret.
//
// It looks at what is written, not at what is true: a secret without a known
// shape under an innocent name stays, and docs/redaction.md says what else
// does. What it puts in a secret's place names its sort, is the same each
// time, and is found to be no secret.
package redact

import (
	"maps"
	"strings"
)

// Masked stands where a secret value was in an object that a person looks at
// or edits.
const Masked = "***"

// Text is a text of one line or many with placeholders in place of secrets;
// the text itself when there is none.
func Text(text string) string {
	f := newFinder()
	spans := f.find(text, false)
	if len(spans) == 0 {
		return text
	}
	return render(text, spans, Sort.Placeholder)
}

// Mask is a text for the screen, with Masked in place of secrets.
func Mask(text string) string {
	spans := newFinder().find(text, false)
	if len(spans) == 0 {
		return text
	}
	return render(text, spans, func(Sort) string { return Masked })
}

// Redactor redacts many texts and counts what it finds. It belongs to one
// goroutine.
type Redactor struct {
	finder *finder
	mask   func(Sort) string
	counts map[string]int
	names  map[string]judged
}

// New makes a redactor that writes Sort.Placeholder.
func New() *Redactor { return newRedactor(Sort.Placeholder) }

func newRedactor(mask func(Sort) string) *Redactor {
	return &Redactor{finder: newFinder(), mask: mask, counts: map[string]int{}, names: map[string]judged{}}
}

// Counts is how many secrets of each sort were found until now.
func (r *Redactor) Counts() map[string]int { return maps.Clone(r.counts) }

// Text is a text with placeholders in place of secrets. It allocates nothing
// when there is none.
func (r *Redactor) Text(text string) string { return r.write(text, r.finder.find(text, false)) }

// OpenText is Text for a text that was cut: what may be the beginning of a
// secret at its end is one.
func (r *Redactor) OpenText(text string) string { return r.write(text, r.finder.find(text, true)) }

// Secrets is Text together with the secrets that were in it.
func (r *Redactor) Secrets(text string, open bool) (redacted string, secrets []string) {
	spans := r.finder.find(text, open)
	for _, s := range spans {
		secrets = append(secrets, strings.Clone(text[s.from:s.to]))
	}
	return r.write(text, spans), secrets
}

// Part is Text of what quotes another text: a secret that was found there is
// one here too, where nothing beside it tells of it.
func (r *Redactor) Part(text string, secrets []string) string {
	for _, secret := range secrets {
		if len(secret) >= leastPart {
			text = strings.ReplaceAll(text, secret, partOfSecret)
		}
	}
	return r.Text(text)
}

const (
	// leastPart is the length from which a part of a secret tells of it.
	leastPart = 4
	// partOfSecret stands where a text quotes a secret of another.
	partOfSecret = "<redacted>"
)

func (r *Redactor) write(text string, spans []span) string {
	if len(spans) == 0 {
		return text
	}
	for _, s := range spans {
		r.counts[string(s.sort)]++
	}
	return render(text, spans, r.mask)
}

// count notes a secret that was found by its name, and is its mask.
func (r *Redactor) count(sort Sort) string {
	r.counts[string(sort)]++
	return r.mask(sort)
}

// KeyLine is the placeholder for one line of a private key that was printed
// on many; the key is counted with its first line.
func (r *Redactor) KeyLine(line string) string {
	body := strings.TrimLeft(line, " \t")
	return line[:len(line)-len(body)] + r.mask(PrivateKey)
}
