package redact

import "strings"

// Tokens that are recognised by characters inside them or at their end.

// within is a token with known characters in its middle or at its end.
type within struct {
	kind  Kind
	mark  string
	set   *set
	least int
	most  int
}

// marksWithin: license keys of New Relic end with such a mark (trufflehog,
// newreliclicensekey); tokens of Terraform Cloud have it after 14 characters
// (gitleaks, hashicorp-tf-api-token); keys of Azure's AI services and of Azure
// Search contain their signature (learn.microsoft.com, sensitive information types).
func marksWithin() []within {
	return []within{
		{ServiceToken, "nral", setOf(""), 40, 40},
		{ServiceToken, ".atlasv1.", setOf("_-=."), 70, 110},
		{AzureToken, "jqqj99", setOf(""), 84, 84},
		{AzureToken, "azse", setOf(""), 52, 52},
	}
}

func (w within) look() func(f *finder, text string, at int) {
	return func(f *finder, text string, at int) {
		from, to := at, at+len(w.mark)
		for from > 0 && to-from <= w.most && w.set[text[from-1]] {
			from--
		}
		for to < len(text) && to-from <= w.most && w.set[text[to]] {
			to++
		}
		if to-from >= w.least && to-from <= w.most && mixed(text[from:to]) {
			f.add(from, to, w.kind)
		}
	}
}

// azureKeyLength is how many characters of base64 precede the two equals signs at
// the end of 64 bytes: a key of an Azure storage account, of Cosmos DB or of
// Batch.
const azureKeyLength = 86

// azureKey finds such a key by its end. Hashes and signatures of 64 bytes look
// alike; they are left out when their name precedes them.
func azureKey(f *finder, text string, at int) {
	from := at - azureKeyLength
	if from < 0 || from > 0 && (isAlnum(text[from-1]) || strings.IndexByte("+/-_:=", text[from-1]) >= 0 && hashBefore(text[:from])) {
		return
	}
	for i := from; i < at; i++ {
		if !isAlnum(text[i]) && text[i] != '+' && text[i] != '/' {
			return
		}
	}
	if hashBefore(text[:from]) || !mixed(strings.NewReplacer("+", "", "/", "").Replace(text[from:at])) {
		return
	}
	f.add(from, at+2, AzureToken)
}

// hashBefore reports whether a text ends with words that name a hash.
func hashBefore(before string) bool {
	before = before[max(0, len(before)-40):]
	for _, word := range [...]string{"sha512", "sha-512", "hash", "integrity", "digest", "checksum", "signature", "sig"} {
		if indexFold(before, word) >= 0 {
			return true
		}
	}
	return false
}

// vaultToken finds a token of Vault before 1.10: "s." and 24 letters and digits,
// after a space, a quote or a sign.
func vaultToken(f *finder, text string, at int) {
	from := at + 1
	end := from + len("s.")
	for end < len(text) && isAlnum(text[end]) {
		end++
	}
	if value := text[from+len("s.") : end]; len(value) == 24 && random(value) && text[from] == 's' {
		f.add(from, end, ServiceToken)
	}
}

// conda finds the token in the URL of a channel: /t/TOKEN/ (docs.anaconda.com).
func conda(f *finder, text string, at int) {
	begin := at
	for begin > 0 && at-begin < maxAuthority && !isSpace(text[begin-1]) && text[begin-1] != '"' {
		begin--
	}
	from := at + len("/t/")
	end := from
	for end < len(text) && (isAlnum(text[end]) || text[end] == '-' || text[end] == '_') {
		end++
	}
	value, host := text[from:end], text[begin:at]
	token := len(value) > 37 && isUUID(value[len(value)-36:]) || random(value) || mixed(value) && indexFold(host, "conda") >= 0
	if token && strings.Contains(host, "://") && (end < len(text) && text[end] == '/' || f.open) {
		f.add(from, end, RegistryToken)
	}
}

// maxJWK is how many bytes of a key in JSON are searched on each side of its type.
const maxJWK = 8 << 10

// jwk finds the private members of a key in JSON (RFC 7518, chapter 6).
func jwk(f *finder, text string, at int) {
	from, to := max(0, at-maxJWK), min(len(text), at+maxJWK)
	if brace := strings.LastIndexByte(text[from:at], '{'); brace >= 0 {
		from += brace
	}
	if brace := strings.IndexByte(text[at:to], '}'); brace >= 0 {
		to = at + brace
	}
	if !f.spend(to - from) {
		return
	}
	for i := from; i < to; i++ {
		n := quoteAt(text, i)
		if n == 0 {
			continue
		}
		start, end, _ := valueAt(text, i)
		name := text[start:end]
		if !f.spend(end - start) {
			return
		}
		behind, _ := closing(text, end)
		if blanked := blanks(text, behind); blanked >= to || text[blanked] != ':' {
			i += n - 1
			continue
		}
		if behind = blanks(text, behind); behind < to && text[behind] == ':' && oneOf(name, "d", "p", "q", "dp", "dq", "qi", "k") {
			value := blanks(text, behind+1)
			start, end, quoted := valueAt(text, value)
			if quoted && end-start >= 16 && looksRandomOf("_-=", text[start:end]) {
				f.add(start, end, PrivateKey)
			}
		}
		after, _ := closing(text, end)
		i = max(i, after-1)
	}
}
