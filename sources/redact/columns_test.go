package redact

import "testing"

func TestValuesBelowTheirColumn(t *testing.T) {
	for text, want := range map[string]string{
		"user     password\n----     --------\nada      hunter2x\n": "user     password\n----     --------\nada      <redacted:password>\n",
		"| key | value |\n| lr | 0.1x3 |":                           "| key | value |\n| lr | 0.1x3 |",
		"name,api_key,step\r\nada,hunter2x,3\r\n":                   "name,api_key,step\r\nada,<redacted:key>,3\r\n",
		"| step | password attempts |\n| 3 | 17 |":                  "| step | password attempts |\n| 3 | 17 |",
		"loss, password, step\nbreak, a b, 3":                       "loss, password, step\nbreak, a b, 3",
		"usage: train --password <password>\nstep 1 loss 2x":        "usage: train --password <password>\nstep 1 loss 2x",
		"  <password>\n      the password of the user":              "  <password>\n      the password of the user",
		"INFO password:\nINFO step 3 of 10":                         "INFO password:\nINFO step 3 of 10",
	} {
		if got := Text(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

// TestShortSignaturesOfURLs: an example that was shortened, or a signature cut by a
// log, is one beside what only a signed URL has.
func TestShortSignaturesOfURLs(t *testing.T) {
	for text, want := range map[string]string{
		"https://b/k?X-Amz-Signature=abc123":                                "https://b/k?X-Amz-Signature=@",
		"https://b/k?X-Amz-Date=1&X-Amz-Signature=0f3a9b ok":                "https://b/k?X-Amz-Date=1&X-Amz-Signature=@ ok",
		"https://x.blob.core.windows.net/c?sv=2022&sig=aB3%2Fx":             "https://x.blob.core.windows.net/c?sv=2022&sig=@",
		"https://g/b?GoogleAccessId=x@y.iam&Expires=1&Signature=aB3xYz":     "https://g/b?GoogleAccessId=x@y.iam&Expires=1&Signature=@",
		"https://s/b?AWSAccessKeyId=AKIAshort&Signature=abcd&Expires=1":     "https://s/b?AWSAccessKeyId=<redacted:key>&Signature=@&Expires=1",
		"https://c/p?q-ak=AKIDx&q-signature=ab12cd":                         "https://c/p?q-ak=AKIDx&q-signature=@",
		"X-Goog-Signature=0f3a":                                             "X-Goog-Signature=@",
		"https://b/k%3FX-Amz-Date%3D1%26X-Amz-Signature%3Dabc12":            "https://b/k%3FX-Amz-Date%3D1%26X-Amz-Signature%3D@",
		"signature=inspect.signature(f)":                                    "signature=inspect.signature(f)",
		"killed by sig=SIGTERM":                                             "killed by sig=SIGTERM",
		"https://docs/fn?signature=forward&page=2":                          "https://docs/fn?signature=forward&page=2",
		"https://b/k?X-Amz-Signature=<signature>&X-Amz-Expires=600&versi=x": "https://b/k?X-Amz-Signature=<signature>&X-Amz-Expires=600&versi=x",
	} {
		want = string([]byte(want))
		for i := 0; i < len(want); i++ {
			if want[i] == '@' && i > 0 && (want[i-1] == '=' || want[i-1] == 'D') {
				want = want[:i] + "<redacted:url-signature>" + want[i+1:]
			}
		}
		if got := Text(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}
