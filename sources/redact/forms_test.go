package redact

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
)

// Forms are texts as programs write them, one per line, with newlines escaped.
// Secrets in them are between «», literally or generated: @h40 are forty
// hexadecimal digits, @a letters and digits, @A capitals and digits, @C base32,
// @b base64, @- with dashes, @d digits, @l lower-case letters and digits, @u a
// UUID. So no secret scanner finds them in this file.

var formAlphabets = map[byte]string{
	'h': hexa, 'a': alphanum, 'A': "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", 'C': caps, 'b': base64s, '-': dashes, 'd': "0123456789", 'l': small,
}

// planForm returns the text of a form and its secrets.
func planForm(form string, seed uint32) (text string, secrets []string) {
	parts := strings.Split(strings.ReplaceAll(form, `\n`, "\n"), "«")
	text = parts[0]
	for i, part := range parts[1:] {
		spec, rest, _ := strings.Cut(part, "»")
		secret := drawnForm(spec, seed+uint32(i)*7919)
		secrets = append(secrets, secret)
		text += secret + rest
	}
	return text, secrets
}

func drawnForm(spec string, seed uint32) string {
	switch {
	case spec == "@u":
		h := looksRandom(32, hexa, seed)
		return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
	case !strings.HasPrefix(spec, "@"):
		return spec
	}
	n, err := strconv.Atoi(spec[2:])
	if err != nil {
		panic(spec)
	}
	return looksRandom(n, formAlphabets[spec[1]], seed)
}

// surfaces returns the ways in which a text may reach a log.
func surfaces(text string, secrets []string) map[string]string {
	coloured := text
	for _, secret := range secrets {
		coloured = strings.Replace(coloured, secret, "\x1b[31m"+secret+"\x1b[0m", 1)
	}
	all := map[string]string{
		"plain": text, "CRLF": strings.ReplaceAll(text, "\n", "\r\n") + "\r\n", "coloured": coloured,
		"JSON": inJSON(text, true), "JSON with marks": inJSON(text, false), "JSON twice": inJSON(inJSON(text, false), false),
	}
	if !strings.Contains(text, "\n") {
		all["table"] = "│ x │ " + text + " │"
	}
	return all
}

func inJSON(text string, escape bool) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(escape)
	if err := encoder.Encode(map[string]string{"msg": text}); err != nil {
		panic(err)
	}
	return strings.TrimSpace(b.String())
}

func testForms(t *testing.T, forms string) {
	t.Helper()
	n := uint32(0)
	for form := range strings.Lines(forms) {
		if form = strings.TrimSuffix(form, "\n"); form == "" {
			continue
		}
		n++
		text, secrets := planForm(form, n*104729)
		for surface, text := range surfaces(text, secrets) {
			got := Text(text)
			for _, secret := range secrets {
				if strings.Contains(got, secret) || len(secret) > 15 && (strings.Contains(got, secret[:len(secret)*2/3]) || strings.Contains(got, secret[len(secret)/3:])) {
					t.Errorf("%s, %s: %q became %q", form, surface, text, got)
				}
			}
			if again := Text(got); again != got {
				t.Errorf("%s, %s: %q becomes %q a second time", form, surface, got, again)
			}
		}
	}
}
