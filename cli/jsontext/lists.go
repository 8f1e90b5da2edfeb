package jsontext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"
)

// List are the elements of a list of an answer that are made while they are
// written, one after the other. Name is that of its field; the answer itself has it
// empty.
type List struct {
	Name     string
	Elements iter.Seq[any]
}

// ListOf makes the list of a field from elements of one type.
func ListOf[T any](name string, elements iter.Seq[T]) List {
	return List{name, func(yield func(any) bool) {
		for element := range elements {
			if !yield(element) {
				return
			}
		}
	}}
}

// writtenSize is how much text of elements is buffered before it is written.
const writtenSize = 64 << 10

// PrintLists is Print for an answer whose lists may be long: the text of all their
// elements, and what they are made of, takes many times the memory of what is
// known of the jobs. The lists are given in the order of their fields.
func PrintLists(w io.Writer, answer any, lists ...List) error {
	text, err := encode(answer)
	if err != nil {
		return err
	}
	p := printer{w: w, mask: newMasker()}
	for _, list := range lists {
		// It cannot be inside a text, where quotes are escaped, nor deeper, where
		// lines begin with more blanks.
		empty := fmt.Sprintf("\n  %q: [", list.Name)
		before, after, found := bytes.Cut(text, []byte(empty+"]"))
		if !found {
			return fmt.Errorf("writing the answer as JSON: it has no empty list %s", list.Name)
		}
		p.text.Write(before)
		p.text.WriteString(empty)
		if err := p.list(list.Elements); err != nil {
			return err
		}
		text = after
	}
	p.text.Write(text)
	return p.flush()
}

// printer writes the text of an answer in parts.
type printer struct {
	w    io.Writer
	mask *masker
	text bytes.Buffer
}

// list writes the elements and the bracket behind them.
func (p *printer) list(elements iter.Seq[any]) error {
	encoder := json.NewEncoder(&p.text)
	encoder.SetIndent("    ", "  ")
	encoder.SetEscapeHTML(false)
	between, end := "\n    ", "]"
	for element := range elements {
		p.text.WriteString(between)
		if err := encoder.Encode(element); err != nil {
			return fmt.Errorf("writing the answer as JSON: %w", err)
		}
		p.text.Truncate(p.text.Len() - 1) // the encoder ends with \n
		between, end = ",\n    ", "\n  ]"
		if p.text.Len() < writtenSize {
			continue
		}
		if err := p.flush(); err != nil {
			return err
		}
	}
	p.text.WriteString(end)
	return nil
}

func (p *printer) flush() error {
	defer p.text.Reset()
	_, err := p.w.Write(p.mask.safe(p.text.Bytes()))
	return err
}
