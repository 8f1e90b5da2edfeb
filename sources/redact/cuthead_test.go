package redact

import (
	"strings"
	"testing"
)

// JSON whose beginning is cut off, within a name, within a value or between the two,
// gives its secrets away no more than the whole.
func TestJSONWithoutItsBeginning(t *testing.T) {
	const coded = "aHVudGVyMmh1bnRlcjI="
	for _, text := range []string{
		`ASSWORD","value":"hunter2"},{"name":"LR","value":"3"}]`,
		`me":"DB_PASSWORD","value":"hunter2"},{"name":"LR","value":"3"}]`,
		`word":"hunter2","user":"ada"}`, `oken": "hunter2horse7", "user": "ada"}`, `ET_KEY":"hunter2","user":"ada"}`,
		`hunter2","name":"DB_PASSWORD"}`, `lue":"hunter2","name":"DB_PASSWORD"}`,
		`"hunter2","name":"DB_PASSWORD"}`, `":"hunter2","name":"DB_PASSWORD"}`, `:"hunter2","name":"DB_PASSWORD"}`,
		`ind":"Secret","data":{"a":"` + coded + `"}}`, `"Secret","data":{"a":"` + coded + `"}}`, `ret","data":{"a":"` + coded + `"}}`,
		`a":"` + coded + `"},"kind":"Secret","metadata":{}}`,
	} {
		if got := Text(text); strings.Contains(got, "hunter2") || strings.Contains(got, coded) {
			t.Errorf("%s became %s", text, got)
		}
	}
	for _, text := range []string{
		`record":"train-0001","user":"ada"}`, `loss":2.31,"step":12}`, `key":"layer3.weight","step":3}`, `"loss","step","lr"`,
		`adam","name":"optimizer","value":"adamw"}`, `"Deployment","data":{"a":"b"}}`, `say "hello", then "bye"`, `ing": "reading shard 3"}`,
	} {
		if got := Text(text); got != text {
			t.Errorf("%s became %s", text, got)
		}
	}
}

// Characters that show nothing hide no name.
func TestNamesWithInvisibleCharacters(t *testing.T) {
	for _, c := range []string{"\u2800", "\u00a0", "\u200b", "\u00ad", "\u034f", "\u3164", "\u115f", "\u3000", "\u2003", "\ufeff", "\ufe0f", "\U000e0020"} {
		for _, text := range []string{"pass" + c + "word: hunter2", "password" + c + ": hunter2", c + "password=" + c + "hunter2", `{"pass` + c + `word":"hunter2"}`} {
			got := Text("é step 1 " + text + " step 2")
			if strings.Contains(got, "hunter2") || !strings.HasPrefix(got, "é step 1 ") || !strings.HasSuffix(got, " step 2") && !strings.Contains(text, "=") {
				t.Errorf("%+q became %+q", text, got)
			}
		}
		safe, _ := New().Tree(map[string]any{"pass" + c + "word": "hunter2"})
		for _, value := range safe.(map[string]any) {
			if value == "hunter2" {
				t.Errorf("a field with %+q in its name stays", c)
			}
		}
	}
	for _, text := range []string{"loss:\u00a02.31", "100%|\u2588\u2588\u2800| 3/4", "étape 12\u202f000", "tokens\u00a0: 12\u00a0345"} {
		if got := Text(text); got != text {
			t.Errorf("%+q became %+q", text, got)
		}
	}
}

// Readers of JSON differ in which of two equal names counts: all values are masked.
func TestRepeatedKeys(t *testing.T) {
	for _, text := range []string{
		`{"password":"hunter2","password":"hunter3"}`, `{"name":"DB_PASSWORD","value":"hunter2","value":"hunter3"}`,
		`{"name":"x","value":"hunter2","value":"hunter3","name":"DB_PASSWORD"}`, `{"name":"DB_PASSWORD","name":"x","value":"hunter2"}`,
		`{"kind":"Secret","kind":"Pod","data":{"a":"aHVudGVyMg=="},"data":{"b":"aHVudGVyMg=="}}`,
		`{"sensitive":true,"sensitive":false,"value":"hunter2"}`, `{"api_key":"hunter2","api_key":null}`,
	} {
		safe, _ := New().Tree(map[string]any{"a": text})
		for _, got := range []string{Text(text), safe.(map[string]any)["a"].(string)} {
			if strings.Contains(got, "hunter") || strings.Contains(got, "aHVu") {
				t.Errorf("%s became %s", text, got)
			}
		}
	}
}
