package recording

import "testing"

func TestAddressNameHoldsNoCredentials(t *testing.T) {
	for address, want := range map[string]string{
		"https://10.0.0.1:6443":                              "https://10.0.0.1:6443",
		"http://ada:pw@127.0.0.1:18101":                      "http://127.0.0.1:18101",
		"https://ada:p@ss@[::1]:6443/k8s/clusters/c-1?a=b#c": "https://[::1]:6443/k8s/clusters/c-1",
		"https://api.example.org/?token=abc":                 "https://api.example.org/",
		"https://api.example.org/a@b":                        "https://api.example.org/a@b",
		"dump.yaml, a@b?.log":                                "dump.yaml, a@b?.log",
		"":                                                   "",
	} {
		if got := AddressName(address); got != want {
			t.Errorf("AddressName(%q) = %q, want %q", address, got, want)
		}
	}
}

func TestSourcesAreComparedWithoutCredentials(t *testing.T) {
	before, now := About{Source: "https://ada:old@c:6443?token=a"}, About{Source: "https://c:6443"}
	if before.isOther(&now) || now.isOther(&before) {
		t.Error("the address without its password counts as another source")
	}
	if other := (About{Source: "https://d:6443"}); !now.isOther(&other) {
		t.Error("another host counts as the same source")
	}
}
