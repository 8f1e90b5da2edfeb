package redact

import "strings"

// HideAddress replaces in a text, mostly a message that refuses an address, what may
// be a name and a password of the address. It need not be one that can be parsed: the
// scheme or the host may have been forgotten.
func HideAddress(text, address string) string {
	for _, secret := range AddressSecrets(address) {
		text = strings.ReplaceAll(text, secret, URLPassword.Placeholder())
	}
	return text
}

// leastAddressSecret is the shortest part of an address that is hidden by itself: the
// letters of a shorter one are in other words too.
const leastAddressSecret = 4

// AddressSecrets are the parts of an address that may be secret, the longest first:
// the text before its last @, the password in that, and, where there is no @, a
// port that is no number: of https://name:password the host is missing.
func AddressSecrets(address string) []string {
	rest := withoutScheme(address)
	before, _, signed := cutLast(rest, '@')
	if !signed {
		if end := strings.IndexAny(rest, "/?#"); end >= 0 {
			rest = rest[:end]
		}
		if _, port, is := cutLast(rest, ':'); is && len(port) >= leastAddressSecret && !digits(port) {
			return []string{port}
		}
		return nil
	}
	before = strings.TrimLeft(before, "/")
	if before == "" {
		return nil
	}
	secrets := []string{before}
	if _, password, is := strings.Cut(before, ":"); is && len(password) >= leastAddressSecret {
		secrets = append(secrets, password)
	}
	return secrets
}

// withoutScheme returns what follows the scheme of an address, whole or with its
// colon or a slash forgotten: https://, https:/, https//.
func withoutScheme(address string) string {
	end := 0
	for end < len(address) && isAlnum(address[end]) {
		end++
	}
	switch rest := address[end:]; {
	case end == 0:
		return address
	case strings.HasPrefix(rest, ":/"), strings.HasPrefix(rest, "//"):
		return strings.TrimLeft(rest, ":/")
	}
	return address
}

func cutLast(text string, sign byte) (before, after string, found bool) {
	at := strings.LastIndexByte(text, sign)
	if at < 0 {
		return text, "", false
	}
	return text[:at], text[at+1:], true
}
