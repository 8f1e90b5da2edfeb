package redact

import "strings"

// maxAuthority is how many bytes of a URL are searched for the @.
const maxAuthority = 1024

// leastLoneToken is how long a user's name without a password has to be to count as
// a token: package indexes take the token as the user.
const leastLoneToken = 8

// userinfo finds the password in scheme://name:password@host (RFC 3986), and a
// token there without a name.
func userinfo(f *finder, text string, at int) {
	from := at + 1
	for from < len(text) && strings.IndexByte(`/\`, text[from]) >= 0 {
		from++
	}
	if text[at] == '%' {
		from = at + len("%3a%2f%2f")
	}
	if from == len(text) || text[from] == '[' || text[from] == '{' {
		return
	}
	end, sign := authority(text, from)
	if sign < 0 {
		end, sign = awkward(text, from, end)
	}
	if sign < 0 {
		f.cutOff(text, from, end)
		return
	}
	if oneOf(text[sign+1:min(len(text), sign+8)], "sha256:") {
		return // an image with its digest
	}
	if colon := strings.IndexByte(text[from:sign], ':'); colon >= 0 {
		if user := text[from : from+colon]; len(user) >= 32 && random(user) {
			f.add(from, from+colon, URLPassword) // https://token:x-oauth-basic@host
		}
		if value := text[from+colon+1 : sign]; !isPlaceholder(value) {
			f.add(from+colon+1, sign, URLPassword)
		} else if value == "" && colon >= leastLoneToken && !isPlaceholder(text[from:from+colon]) {
			f.add(from, from+colon, URLPassword) // https://token:@host
		}
	} else if value := text[from:sign]; len(value) >= 16 && (mixed(value) || random(value)) {
		f.add(from, sign, URLPassword)
	}
}

// authority returns where the host part of a URL ends, and the offset of its last
// @, -1 for none. A password may contain a "/"; the part then goes on, unless a
// port may be meant.
func authority(text string, from int) (end, sign int) {
	most := min(len(text), from+maxAuthority)
	sign, colon, beyond := -1, -1, false
	for end = from; end < most; end++ {
		switch text[end] {
		case '@':
			sign = end
		case ':':
			if colon < 0 {
				colon = end
			}
		case '/', '?', '#', '\\':
			if sign >= 0 || colon < 0 || digits(text[colon+1:end]) {
				return end, sign
			}
			beyond = true
		case ' ', '\t', '\n', '\r', '"', '\'', '`', '<', '>', ')', '}', ',':
			return end, sign
		}
		if beyond && sign >= 0 {
			return end, sign
		}
	}
	return end, sign
}

// cutOff masks the end of an open text, which may be the beginning of a password.
func (f *finder) cutOff(text string, from, end int) {
	colon := strings.IndexByte(text[from:end], ':')
	if !f.open || end < len(text) || colon < 0 || digits(text[from+colon+1:end]) {
		return
	}
	f.add(from+colon+1, end, URLPassword)
}

// sharedSignature finds the signature of Azure's SAS as a field of its own: 32 bytes
// in base64. Signatures of other things are longer.
func sharedSignature(f *finder, text string, at int) {
	if at > 0 && inName(text[at-1]) {
		return
	}
	end, _ := closing(text, at+len("sig"))
	if end = blanks(text, end); end >= len(text) || text[end] != ':' && text[end] != '=' {
		return
	}
	from, to, _ := valueAt(text, blanks(text, end+1))
	value := text[from:to]
	if len(value) > 3 && hasSuffixFold(value, "%3d") {
		value = value[:len(value)-3] + "="
	}
	if len(value) == 44 && value[43] == '=' && random(value) {
		f.add(from, to, URLSignature)
	}
}

// accessSignature finds a SAS that has no parameters of its own to be known by, under
// its name in a connection string.
func accessSignature(f *finder, text string, at int) {
	end, _ := closing(text, at+len("sharedaccesssignature"))
	if end = blanks(text, end); end >= len(text) || text[end] != '=' && text[end] != ':' {
		return
	}
	from, to, _ := valueAt(text, blanks(text, end+1))
	value := text[from:to]
	if len(value) >= 16 && drawnOrMixed(value) && indexFold(value, "sig=") < 0 && indexFold(value, "sig%3d") < 0 && !isPlaceholder(value) && !isName(value) && f.spend(len(value)) {
		f.add(from, to, URLSignature)
	}
}

// signature finds the signature that gives access to a URL: Azure's SAS, and URLs
// signed by AWS and Google.
func signature(f *finder, text string, at int) {
	if !starts(text, at) {
		return
	}
	from := at
	for text[from] != '=' && text[from] != '%' {
		from++
	}
	if from++; text[from-1] == '%' {
		from += 2
	}
	end := from
	for end < len(text) && (isAlnum(text[end]) || strings.IndexByte("%+/=_-~", text[end]) >= 0) {
		end++
	}
	if end-from >= 20 || f.open && end == len(text) || isShortSignature(text, at, from, end) {
		f.add(from, end, URLSignature)
	}
}

// ofSignedURL are parameters beside the signature of a URL: of Azure's SAS (Service
// SAS, REST API 2025-05-05), of AWS V2 and V4, Google's V2 and V4, Alibaba's OSS and
// Tencent's COS, which other URLs with a "signature" do not have.
var ofSignedURL = [...]string{"expires", "accesskeyid=", "googleaccessid=", "-credential=", "-algorithm=", "-date=", "q-ak=", "se=", "sp=", "sv=", "sr="}

// isShortSignature reports whether a parameter of a URL is its signature whatever it
// looks like: its name is a service's, or a parameter beside it shows it. An example
// that was shortened, and a signature that was cut, reveal a part of one.
func isShortSignature(text string, at, from, end int) bool {
	value := text[from:end]
	if len(value) < 3 || isPlaceholder(value) || isName(value) || !inQuery(text[:at]) && !signedBy(text[:from]) {
		return false
	}
	if signedBy(text[:from]) {
		return true
	}
	for _, parameter := range ofSignedURL {
		if hasBeside(text, at, end, parameter) {
			return true
		}
	}
	return false
}

// signedBy reports whether a text ends with the name of a service's signature.
func signedBy(before string) bool {
	name := strings.TrimRight(before, "=")
	name = strings.TrimSuffix(strings.TrimSuffix(name, "%3D"), "%3d")
	for _, suffix := range [...]string{"x-amz-signature", "x-goog-signature", "x-oss-signature", "q-signature"} {
		if hasSuffixFold(name, suffix) {
			return true
		}
	}
	return false
}
