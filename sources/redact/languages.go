package redact

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// phrases are words for "password" in other languages that names.go cannot hold,
// since they have letters beyond ASCII, or spaces.
var phrases = spellings(
	"mot de passe", "palavra-passe", "palavra passe", "kata sandi", "contraseña", "пароль", "парола", "пароля", "密码", "密碼", "密钥", "密鑰", "口令", "パスワード", "비밀번호", "암호", "lösenord", "hasło", "şifre", "parolă",
	"jelszó", "mật khẩu", "κωδικός πρόσβασης", "סיסמה", "كلمة المرور", "कूटशब्द", "รหัสผ่าน",
)

// tokenPhrases are words for "token" in other languages. They also name what a
// tokenizer counts, so only a value that looks random is taken for a secret.
var tokenPhrases = spellings("令牌", "權杖", "токен", "トークン", "토큰", "رمز الوصول", "אסימון")

// spellings returns each text in lower case, with a capital first letter and in
// capitals. Its ASCII letters are in lower case, since anchors ignore their case.
func spellings(texts ...string) []string {
	var all []string
	for _, text := range texts {
		written := map[string]bool{}
		for _, s := range []string{text, capital(text), strings.ToUpper(text)} {
			if s = smallASCII(s); !written[s] {
				written[s] = true
				all = append(all, s)
			}
		}
	}
	return all
}

func capital(text string) string {
	_, first := utf8.DecodeRuneInString(text)
	return strings.ToUpper(text[:first]) + text[first:]
}

func smallASCII(text string) string {
	low := []byte(text)
	for i, c := range low {
		if isUpper(c) {
			low[i] |= 0x20
		}
	}
	return string(low)
}

// phrase returns the matcher that finds the value after such a word.
func phrase(word string, as judged) func(f *finder, text string, at int) {
	return func(f *finder, text string, at int) {
		if at < f.skip {
			return
		}
		end := at + len(word)
		for end < len(text) && inName(text[end]) {
			end++
		}
		f.named(text, at, end, as)
	}
}

// hasForeignPhrase reports whether a name with letters beyond ASCII, or with spaces,
// contains such a word.
func hasForeignPhrase(name string) bool {
	spaced, ascii := false, true
	for i := range len(name) {
		spaced = spaced || name[i] == ' '
		ascii = ascii && name[i] < 0x80
	}
	switch {
	case !ascii:
		return containsFold(name, phrases)
	case spaced:
		return containsFold(name, asciiPhrases)
	}
	return false
}

// asciiPhrases are those of phrases that ASCII can spell.
var asciiPhrases = slices.DeleteFunc(slices.Clone(phrases), func(p string) bool {
	return strings.ContainsFunc(p, func(r rune) bool { return r >= 0x80 })
})

func containsFold(name string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return indexFold(name, word) >= 0 })
}
