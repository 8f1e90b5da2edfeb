package receivers

import (
	_ "embed"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

//go:embed document.md
var documentText string

// Markdown is docs/receivers.md.
func Markdown() string {
	return strings.NewReplacer("TABLE\n", kindsTable()+"\n", "KINDS\n", kindsText()+"\n").Replace(documentText)
}

// kindsTable has a row for each kind.
func kindsTable() string {
	var b strings.Builder
	b.WriteString("| type | service | at most | length of a message | its format |\n| --- | --- | --- | --- | --- |\n")
	for _, k := range Kinds() {
		rates := ratesText(k.Rates)
		if rates == "" {
			rates = "no limit"
		}
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s | %s | %s | %s |\n", k.Type, k.Type, k.Title, rates, k.Length, k.Format)
	}
	return b.String()
}

// kindsText has an example and the settings of each kind.
func kindsText() string {
	var b strings.Builder
	for _, k := range Kinds() {
		fmt.Fprintf(&b, "\n## %s\n\n```yaml\nreceivers:\n  my-%s:\n    %s\n```\n\n", k.Type, k.Type, strings.ReplaceAll(k.Example, "\n", "\n    "))
		own, trust := settingsOf(k.New())
		writeSettings(&b, own, missing(k))
		if len(trust) > 0 {
			b.WriteString("\nAnd the settings of [certificates](#certificates).\n")
		}
	}
	_, trust := settingsOf(&Webhook{})
	b.WriteString("\n## Certificates\n\n")
	writeSettings(&b, trust, nil)
	return b.String()
}

// missing are the settings that a kind cannot do without.
func missing(k Kind) (names []string) {
	for _, problem := range k.New().Check() {
		names = append(names, problem.Setting)
	}
	return names
}

func writeSettings(b *strings.Builder, fields []reflect.StructField, needed []string) {
	b.WriteString("| setting | value | needed | meaning |\n| --- | --- | --- | --- |\n")
	for _, field := range fields {
		name, need := field.Tag.Get("json"), "no"
		if slices.Contains(needed, name) {
			need = "yes"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", name, valueWords(field.Type), need, field.Tag.Get("means"))
	}
}

// settingsOf are the fields of a service that are settings: its own, and those
// of TLS within it.
func settingsOf(service Service) (own, trust []reflect.StructField) {
	for _, field := range reflect.VisibleFields(reflect.TypeOf(service).Elem()) {
		switch {
		case field.Tag.Get("json") == "":
		case len(field.Index) > 1:
			trust = append(trust, field)
		default:
			own = append(own, field)
		}
	}
	return own, trust
}

func valueWords(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[Secret]():
		return "secret"
	case reflect.TypeFor[Address]():
		return "URL, or secret"
	case reflect.TypeFor[Duration]():
		return "duration"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return valueWords(t.Elem())
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "number"
	case reflect.Slice:
		return "list of texts"
	case reflect.Map:
		return "map of texts"
	}
	return "text"
}
