package redact

import (
	"encoding/base64"
	"strings"
)

// literals returns all anchors.
func literals() []anchor {
	var all []anchor
	add := func(text string, look func(f *finder, text string, at int)) {
		text = strings.ToLower(text)
		all = append(all, anchor{text: text, three: rarest(text), look: look})
	}
	var hidden []string
	for _, s := range shapes() {
		add(s.prefix, s.look())
		if s.encoded {
			hidden = append(hidden, s.prefix)
		}
	}
	for _, word := range []string{"key", "token", "secret", "passw", "passph", "passcode", "pass", "pwd", "credential", "creds", "auth", "dsn", "cookie", "connectionstring", "connection_string", "conn_str", "psk", "_session=", "_session:", `_session"`, "_session'", "art-api",
		"kennwort", "contrasena", "motdepasse", "mot_de_passe", "mot-de-passe", "senha", "wachtwoord", "haslo", "heslo", "salasana", "parola", "losenord", "adgangskode", "sifre"} {
		add(word, name)
	}
	for _, word := range phrases {
		all = append(all, anchor{text: word, three: rarest(word), look: phrase(word, judged{certain, NamedPassword})})
	}
	for _, word := range tokenPhrases {
		all = append(all, anchor{text: word, three: rarest(word), look: phrase(word, judged{doubtful, NamedToken})})
	}
	for _, word := range stdinCommands {
		add(word, readsSecret)
	}
	for _, word := range decoders {
		add(word, decodesSecret)
	}
	for _, word := range []string{"_pat", "-pat", "pat=", "pat:", `pat"`, "pat'", "_pw", "-pw", "pw=", "pw:", `pw"`, "pw'", "_sk", "-sk", "sk=", "sk:", `sk"`, "sk'", "_sec=", "_sec:", `_sec"`, "_sec'", "keytab", "otp=", "otp:", `otp"`, "pin=", "pin:", `pin"`, "salt=", "salt:", `salt"`} {
		add(word, shortName)
	}
	for i := range commands {
		add(commands[i].words[0], commands[i].look())
	}
	add(":AA", telegram)
	for _, w := range marksWithin() {
		add(w.mark, w.look())
	}
	for _, behind := range []string{`"`, "'", `\`, " ", "\n", "\r", "\t", ";", ",", ")", "]", "}", "<", "&", "|", "`"} {
		add("=="+behind, azureKey)
	}
	for _, before := range []string{" ", `"`, "'", "=", ":"} {
		add(before+"s.", vaultToken)
	}
	for _, call := range []string{"auth(", "authentication(", "credentials(", "auth=(", "auth = (", "login(", "creds=(", "creds = (", "credentials=(", "credentials = ("} {
		add(call, callPair)
	}
	for _, port := range []string{":5432:", ":5433:", ":6432:", ":5439:", ":*:*:"} {
		add(port, pgpass)
	}
	for _, mark := range []string{"sensitive", "securestring"} {
		add(mark, marked(mark))
	}
	add("jdbc:oracle:", oracle)
	add("auth ", redisAuth)
	add("seed phrase", seedPhrase)
	add("recovery phrase", seedPhrase)
	add("mnemonic", seedPhrase)
	add("pass ", typedPass)
	add("login", typedLogin)
	add(" on >", aclUser)
	add("/t/", conda)
	add(`kty"`, jwk)
	add("kty'", jwk)
	add(`kty\`, jwk)
	add("---- begin ", pem)
	add("bearer ", bearer)
	add("basic ", basic)
	add("://", userinfo)
	add(`:\/\/`, userinfo)
	add("%3a%2f%2f", userinfo)
	add("-----begin ", pem)
	add("-----end ", keyTail)
	add("private-lines:", putty)
	add("private-mac:", puttyMAC)
	for _, sign := range []string{`sig"`, "sig'", `sig\`, "sig:"} {
		add(sign, sharedSignature)
	}
	add("sharedaccesssignature", accessSignature)
	for letter := 'a'; letter <= 'z'; letter++ {
		add("-"+string(letter)+"=", shortFlag)
	}
	for _, option := range []string{" -u ", " -u=", `"-u`, "'-u", "--auth", "--user", "login="} {
		add(option, pairAfter(option))
	}
	add(`"-p`, passwordItem)
	add("'-p", passwordItem)
	add("server", serverWithUser)
	add("%3a%2f%2f", escapedUserinfo)
	for _, field := range []string{`basic"`, `basic\`, ".dockerconfigjson", ".dockercfg"} {
		add(field, encodedValue(field))
	}
	for _, named := range []string{"api key (", "api token (", "access key (", "secret key ("} {
		add(named, inBrackets(named))
	}
	add(`key="`, entry)
	add(`key=\`, entry)
	add("webhook", webhook)
	for _, path := range []string{"/hooks/", "/webhook/", "/webhooks/", "://hook."} {
		add(path, webhookPath(path))
	}
	add("input_value=", validated)
	for _, said := range []string{"密码是", "密码为", "密碼是", "口令是"} {
		add(said, isSaid(said))
	}
	for _, head := range append(keyHeads[:], "MII") {
		all = append(all, anchor{text: head, exact: true, three: rarest(head), look: keyHead})
	}
	add("wandb", wandb)
	for _, parameter := range []string{"sig=", "x-amz-signature=", "x-goog-signature=", "sig%3d", "signature=", "signature%3d"} {
		add(parameter, signature)
	}
	for _, p := range [...][2]string{{"jwt=", ""}, {"sessionid=", ""}, {"session_id=", ""}, {"code=", "state="}, {"verify=", ""}, {"policy=", "signature="}} {
		add(p[0], queryParameter(p[0], p[1]))
	}
	add("response=", answered("response=", "digest "))
	add("mac=", answered("mac=", "hawk "))
	for _, escape := range []string{`\u001b[`, `\x1b[`, `\033[`} {
		add(escape, func(f *finder, _ string, _ int) { f.written = true })
	}
	for _, escape := range []string{`\u002`, `\u003`, `\u004`, `\u005`, `\u006`, `\u007`} {
		add(escape, func(f *finder, text string, at int) { f.letters = f.letters || escapedLetter(text, at) > 0 })
	}
	for digit := '0'; digit <= '9'; digit++ {
		add(string(digit)+"q~", azureSecret)
	}
	for _, text := range append(hidden, "-----BEGIN ", `"auths"`, `"auth"`, "password", "PASSWORD", "_token", "_TOKEN", "secret", "SECRET", "api_key", "API_KEY") {
		all = append(all, inBase64(text)...)
	}
	return all
}

// rarest returns the offset of the three bytes of a literal that are rarest in logs,
// judged by the frequency of letters in English and in code.
func rarest(text string) int {
	const common = "etaoinsrhldcumpfg_.-=wyb/v:k 0123456789xjqz~"
	best, most := 0, -1
	for i := range len(text) - 2 {
		rare := 0
		for _, c := range []byte(text[i : i+3]) {
			at := strings.IndexByte(common, c)
			if at < 0 {
				at = len(common)
			}
			rare += at
		}
		if rare > most {
			best, most = i, rare
		}
	}
	return best
}

// inBase64 returns the text in base64 for each offset in a group of three bytes at
// which it may begin: only the characters that do not depend on the text around it.
func inBase64(text string) []anchor {
	var all []anchor
	for shift := range 3 {
		coded := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("\x00", shift) + text))
		from, to := []int{0, 2, 3}[shift], (shift+len(text))*8/6
		core := coded[from:to]
		all = append(all, anchor{text: core, exact: true, three: rarest(core), look: func(f *finder, text string, at int) {
			f.encoded(text, at-from)
		}})
	}
	return all
}
