package redact

import (
	"strings"
	"testing"
)

// TestWordsThatAShellJoins checks values of which only a part is in quotes, and
// values that a name announces in other ways.
func TestWordsThatAShellJoins(t *testing.T) {
	const secret = "Zx9Kq2Lm7Tp4Rv8n"
	for _, text := range []string{
		`secret={"value": "` + secret + `"}`,
		`password={"value": "` + secret + `"}`,
		`export DB_PASSWORD='abc'\''` + secret + `'`,
		`export DB_PASSWORD=abc\ ` + secret,
		`export DB_PASSWORD="abc"` + secret,
		`export DB_PASSWORD="abc"'` + secret + `'`,
		"api_key=\n" + secret + "\n",
		"api_key:\n" + secret + "\n",
		"coscmd config -a AKIDz8krbsJ5yKBZQpn74WFkmLPx3gnPhESA -s " + secret,
		"redis auth: AUTH " + secret,
		"otp: " + secret,
		"docker login --username bob --password \\\n  " + secret + "\n",
	} {
		if got := Text(text); strings.Contains(got, secret) {
			t.Errorf("%q became %q", text, got)
		}
	}
	const phrase = "abandon ability able about above absent absorb abstract absurd abuse access accident"
	for _, before := range []string{"seed phrase: ", "recovery phrase = ", "mnemonic: "} {
		if got := Text(before + phrase); strings.Contains(got, "absurd") {
			t.Errorf("%q", got)
		}
	}
	for _, text := range []string{
		`secret={"value": "train-config"}`,
		"the seed phrase: it is a word that we use for all of the runs of our team now",
		`export NAME="abc"def`,
		"api_key=\nepoch 3\n",
		"server: AUTH required",
		"otp: enabled",
	} {
		if got := Text(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}
