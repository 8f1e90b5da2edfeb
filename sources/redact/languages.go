package redact

import (
	"strings"
	"unicode/utf8"
)

// phrases are how people write "password" in other languages, where a word of
// names.go cannot stand for it: with letters beyond ASCII, or with blanks.
var phrases = spellings(
	"mot de passe", "palavra-passe", "palavra passe", "kata sandi", "contraseña", "пароль", "парола", "пароля", "密码", "密碼", "口令", "パスワード", "비밀번호", "암호", "lösenord", "hasło", "şifre", "parolă",
	"jelszó", "mật khẩu", "κωδικός πρόσβασης", "סיסמה", "كلمة المرور", "कूटशब्द", "รหัสผ่าน",
)

// spellings are texts as they are written within a line, at the beginning of
// one and in capitals; letters of ASCII are small, since anchors match them in
// either case.
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

// phrase finds the value behind such a word.
func phrase(word string) func(f *finder, text string, at int) {
	return func(f *finder, text string, at int) {
		if at < f.skip {
			return
		}
		end := at + len(word)
		for end < len(text) && inName(text[end]) {
			end++
		}
		f.named(text, at, end, judged{certain, NamedPassword})
	}
}

// hasPhrase reports whether a name with letters beyond ASCII, or with blanks,
// holds such a word.
func hasPhrase(name string) bool {
	ordinary := true
	for i := range len(name) {
		ordinary = ordinary && name[i] < 0x80 && name[i] != ' '
	}
	if ordinary {
		return false
	}
	for _, p := range phrases {
		if indexFold(name, p) >= 0 {
			return true
		}
	}
	return false
}
