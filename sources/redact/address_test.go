package redact

import "testing"

// A name and a password of an address are hidden, whatever was forgotten of it.
func TestHideAddress(t *testing.T) {
	const hidden = "<redacted:url-password>"
	for address, want := range map[string]string{
		"ada:Kq7mPw88z@prom:9090":          hidden + "@prom:9090",
		"//ada:Kq7mPw88z@host":             "//" + hidden + "@host",
		"ada:Kq7mPw88z@host/path":          hidden + "@host/path",
		"http//ada:Kq7mPw88z@proxy":        "http//" + hidden + "@proxy",
		"http:/ada:Kq7mPw88z@proxy":        "http:/" + hidden + "@proxy",
		"https://ada:Kq7m@Pw88z@prom/x":    "https://" + hidden + "@prom/x",
		"http://ada:Kq7mPw88z":             "http://ada:" + hidden,
		"token-that-is-long@host":          hidden + "@host",
		"https://prom.example.com:9090/x":  "https://prom.example.com:9090/x",
		"prom.example.com:9090":            "prom.example.com:9090",
		"http://[::1]:9090":                "http://[::1]:9090",
		"https://prom.example.com/a:b?c=d": "https://prom.example.com/a:b?c=d",
		"@host":                            "@host",
		"":                                 "",
	} {
		if got := HideAddress(address, address); got != want {
			t.Errorf("%q: %q, want %q", address, got, want)
		}
	}
	if got, want := HideAddress(`parse "x": invalid port ":Kq7mPw88z" after host`, "http://ada:Kq7mPw88z"), `parse "x": invalid port ":`+hidden+`" after host`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
