// Package redact removes from texts and objects what nobody should see over a
// shoulder or in a file that was sent to a colleague: tokens with a known shape,
// and values of variables, flags and fields whose names are secret.
//
// It knows only how a text looks: a secret without a known shape under an ordinary
// name stays; docs/redaction.md lists what else stays. A placeholder names the
// kind of the secret, is the same each time, and is itself no secret.
package redact

import (
	"maps"
	"strings"
)

// Masked replaces a secret value in an object that a person looks at or edits.
const Masked = "***"

// Text returns a text of one or many lines with placeholders instead of secrets;
// the same text if there is none. A message may quote what was cut: before an
// ellipsis, what may begin a secret is one.
func Text(text string) string {
	if strings.Contains(text, ellipsis) {
		return New().Part(text, nil)
	}
	f := newFinder()
	spans := f.find(text, false)
	if len(spans) == 0 {
		return text
	}
	return render(text, spans, Kind.Placeholder)
}

// Mask returns a text for the screen, with Masked instead of secrets.
func Mask(text string) string {
	spans := newFinder().find(text, false)
	if len(spans) == 0 {
		return text
	}
	return render(text, spans, func(Kind) string { return Masked })
}

// Redactor redacts many texts and counts what it finds. Only one goroutine may use
// it.
type Redactor struct {
	finder *finder
	mask   func(Kind) string
	counts map[string]int
	names  map[string]judged
}

// New makes a redactor that writes Kind.Placeholder.
func New() *Redactor { return newRedactor(Kind.Placeholder) }

func newRedactor(mask func(Kind) string) *Redactor {
	return &Redactor{finder: newFinder(), mask: mask, counts: map[string]int{}, names: map[string]judged{}}
}

// Counts is how many secrets of each kind were found so far.
func (r *Redactor) Counts() map[string]int { return maps.Clone(r.counts) }

// Text returns a text with placeholders instead of secrets. It allocates nothing
// if there is none.
func (r *Redactor) Text(text string) string { return r.write(text, r.finder.find(text, false)) }

// OpenText is Text for a text that was cut: what may be the beginning of a secret
// at its end counts as one.
func (r *Redactor) OpenText(text string) string { return r.write(text, r.finder.find(text, true)) }

// Secrets is Text, and also returns the secrets that were in the text.
func (r *Redactor) Secrets(text string, open bool) (redacted string, secrets []string) {
	spans := r.finder.find(text, open)
	for _, s := range spans {
		secrets = append(secrets, strings.Clone(text[s.from:s.to]))
	}
	return r.write(text, spans), secrets
}

// Part is Text for a text that quotes another: secrets of the other text are
// masked here too, although nothing beside them identifies them, and so is the
// beginning of one before an ellipsis, at which what is quoted was cut.
func (r *Redactor) Part(text string, secrets []string) string {
	for _, secret := range secrets {
		if len(secret) >= leastPart {
			text = strings.ReplaceAll(text, secret, partOfSecret)
		}
	}
	if text = r.Text(text); !strings.Contains(text, ellipsis) {
		return text
	}
	pieces := strings.Split(text, ellipsis)
	for i, piece := range pieces[:len(pieces)-1] {
		body := strings.TrimRight(piece, `"'\`) // of what is quoted once more
		pieces[i] = r.OpenText(withoutBeginning(body, secrets)) + piece[len(body):]
	}
	return strings.Join(pieces, ellipsis)
}

// ellipsis is where termtext.Short cuts a text.
const ellipsis = "…"

// withoutBeginning masks the beginning of a secret at the end of a text.
func withoutBeginning(text string, secrets []string) string {
	for _, secret := range secrets {
		for n := min(len(secret), len(text)); n >= leastPart; n-- {
			if strings.HasSuffix(text, secret[:n]) {
				return text[:len(text)-n] + partOfSecret
			}
		}
	}
	return text
}

const (
	// leastPart is how long a part of a secret has to be to reveal it.
	leastPart = 4
	// partOfSecret replaces a secret that a text quotes from another.
	partOfSecret = "<redacted>"
)

func (r *Redactor) write(text string, spans []span) string {
	if len(spans) == 0 {
		return text
	}
	for _, s := range spans {
		r.counts[string(s.kind)]++
	}
	return render(text, spans, r.mask)
}

// count counts a secret that was found by its name, and returns its mask.
func (r *Redactor) count(kind Kind) string {
	r.counts[string(kind)]++
	return r.mask(kind)
}

// KeyLine returns the placeholder for one line of a private key that was printed
// on many lines; the first line counts the key.
func (r *Redactor) KeyLine(line string) string {
	body := strings.TrimLeft(line, " \t")
	return line[:len(line)-len(body)] + r.mask(PrivateKey)
}
