package redact

import "strings"

// name finds the value after a name that sounds secret: NAME=value,
// "name": "value", --name value, name = 'value', [{"name":"NAME","value":"…"}].
func name(f *finder, text string, at int) {
	if at < f.skip {
		return
	}
	if text[at] == 'S' && isSecretKind(text, at) && f.spend(maxSibling) {
		f.secretObject(text, at)
	}
	from, to := nameAround(text, at)
	j := judge(text[from:to])
	if j.class == innocent {
		dockerAuth(f, text, from, to)
		return
	}
	f.named(text, from, to, j)
}

// named masks the value after a name that was judged.
func (f *finder) named(text string, from, to int, j judged) {
	s := f.settingAt(text, from, to, j)
	f.valueBefore(text, from, s)
	f.headed(text, from, to, s)
	if start, end, found := f.enclosed(text, from, to); found {
		_, s.quoted = closing(text, to)
		if s.masks(text[start:end], false) && f.spend(end-start) {
			f.add(start, end, j.kind)
		}
		return
	}
	value, found := s.separator(text, to)
	if !found && s.flag {
		f.belowFlag(text, from, to, s)
	}
	if !found {
		if j.class != innocent && isMemberName(text[:from]) && (j.class == certain || s.environment()) && f.sibling(text, from, to, j.kind) {
			return
		}
		if s.set = isSet(text[:from]); from == 0 || text[from-1] != '$' {
			f.prose(text, from, to, s)
		}
		return
	}
	if !s.quoted && f.frame(text, from, value) {
		return
	}
	if f.brokenHeader(text, from, value, s) || f.scheme(text, value, s) || f.cookies(text, value, s) || f.cookieJar(text, value, s) {
		return
	}
	if f.below(text, from, value, s) || f.nested(text, value, s) {
		return
	}
	value = s.behindType(text, value)
	start, end, quoted := valueAt(text, unwrapped(text, value))
	if start >= len(text) && !f.open || !quoted && (isReport(text, s.name, start, end) || f.quotedAtEnd(text, value, s)) {
		return
	}
	f.becomes(text, end, s)
	if !f.spend(end - value) {
		f.all(text, start, j.kind)
		return
	}
	if !quoted && start < len(text) && text[start] == '[' && j.class == certain {
		start, end = insideList(text, start, end)
	}
	if s.connection {
		start, end = insideBraces(text, start, end)
	}
	if s.kind == NamedPassword && s.class == certain && !quoted {
		end = passphraseEnd(text, from, value, end)
	}
	if s.kind == NamedPassword && s.class == doubtful && besideUser(text, from, end) {
		s.class = certain
	}
	if s.class == certain && s.equals {
		end = shellEnd(text, start, end, quoted)
	}
	secret := s.masks(text[start:end], quoted)
	if !secret && !quoted && !isPlaceholder(text[start:end]) {
		if closed := closedEnd(text, start, end); closed < end {
			end, secret = closed, s.masks(text[start:closed], false)
		}
	}
	if secret || f.open && end == len(text) && !isPlaceholder(text[start:end]) && !number(text[start:end]) {
		f.add(start, end, j.kind)
		if s.pair && s.quoted {
			f.repeated(text, start, end, j.kind)
		}
	}
}

// nameAround extends a word to the name that contains it.
func nameAround(text string, at int) (from, to int) {
	from, to = at, at
	for from > 0 && at-from < maxName/2 && inName(text[from-1]) {
		from--
	}
	if from > 0 {
		from = min(at, from+escaped(text, from))
	}
	for to < len(text) && to-at < maxName/2 && inName(text[to]) {
		to++
	}
	for to > at && (text[to-1] == '.' || text[to-1] == '-') {
		to--
	}
	return from, to
}

// escaped returns how many bytes of a name belong to an escape before it: \n, \u0026, %26.
func escaped(text string, at int) int {
	switch {
	case text[at-1] == '%' && at+2 <= len(text) && isHex(text[at]) && isHex(text[at+1]):
		return 2
	case text[at-1] != '\\' || at == len(text):
		return 0
	case strings.HasPrefix(text[at:], "u00"):
		return 5
	case strings.IndexByte("nrt", text[at]) >= 0:
		return 1
	}
	return 0
}

func inName(c byte) bool { return isAlnum(c) || c == '_' || c == '-' || c == '.' }

// setting is a name in a text, and how it is written.
type setting struct {
	name string
	judged
	flag      bool // --name
	quoted    bool // "name"
	equals    bool // followed by =
	pair      bool // the name of a name/value pair
	set       bool // after the verb of a command that sets it
	query     bool // in the query of a URL
	cached    bool // the key of an entry in a cache: "hash key: 3f8a…"
	qualified bool // after a word that makes it certain: "API key: x", "user: ada pass: x"
	// connection is true for a setting of a connection string, mapped for an entry
	// of a map that Go printed.
	connection, mapped bool
}

// settingAt makes the setting of a name, from the name and the text before it.
func (f *finder) settingAt(text string, from, to int, j judged) setting {
	s := setting{name: text[from:to], judged: j, flag: text[from] == '-'}
	s.query = inQuery(text[:from])
	s.cached = j.class == doubtful && j.kind == NamedKey && ofCache(text[:from], s.name)
	s.qualified = j.class == doubtful && (isWhose(text[:from], s.name) || isBesideKey(text, from, s.name) || isAnnotation(text[:from]))
	s.connection = j.kind == NamedPassword && (!f.spend(maxConnection) || inConnection(text, from, to))
	s.mapped = j.class == doubtful && s.isBare("secret", "token", "pass") && inGoMap(text[:from])
	if s.connection && j.class == folder {
		s.class = certain
	}
	return s
}

// inQuery reports whether a text ends like the text before a parameter of a URL.
func inQuery(before string) bool {
	for _, sign := range [...]string{"?", "&", "&amp;", `\u0026`, "%26", "%3f"} {
		if hasSuffixFold(before, sign) {
			return true
		}
	}
	return false
}

// ofCache reports whether a key only identifies a cache entry: "hash key",
// "cache key", hash_key.
func ofCache(before, name string) bool {
	words := name
	if !strings.ContainsAny(name, "_-.") {
		words = before[max(0, len(before)-24):] + name
	}
	words = strings.TrimRight(words[:len(words)-min(len(words), len("key"))], " _-.")
	for _, word := range [...]string{"hash", "cache", "cached", "lookup", "partition", "shard", "dict", "experiment"} {
		if hasSuffixFold(words, word) && (len(words) == len(word) || !isAlnum(words[len(words)-len(word)-1])) {
			return true
		}
	}
	return false
}

// separator returns where the value begins.
func (s *setting) separator(text string, at int) (value int, found bool) {
	at, s.quoted = closing(text, at)
	if p := s.pairedValue(text, at); p > 0 {
		return p, true
	}
	blank := blanks(text, at)
	if blank >= len(text) {
		return 0, false
	}
	if value, found = s.printed(text, at, blank); found {
		return value, true
	}
	switch {
	case s.flag && hasPrefix(text[blank:], "\\\n"): // the shell's line goes on below
		next := blanks(text, blank+2)
		return next, next < len(text) && text[next] != '-'
	case text[blank] == '=', text[blank] == ':':
		return s.behind(text, blank)
	case hasPrefix(text[blank:], "?="): // make
		return s.behind(text, blank+1)
	case s.quoted && text[blank] == ',' && inCall(text, at):
		s.pair = true
		return blanks(text, blank+1), true
	case text[blank] == '[' && blank > at: // AWS Secret Access Key [None]: …
		close := strings.Index(text[blank:min(len(text), blank+maxName)], "]: ")
		return blanks(text, blank+close+len("]: ")), close > 0
	case isDigit(text[blank]) && blank > at && !s.flag: // Unseal Key 1: …
		for blank < len(text) && isDigit(text[blank]) {
			blank++
		}
		return blanks(text, blank+1), hasPrefix(text[blank:], ": ")
	case hasPrefix(text[blank:], "："), hasPrefix(text[blank:], "＝"):
		return blanks(text, blank+len("：")), true
	case text[blank] == '\\':
		sign := blank + len(text[blank:]) - len(strings.TrimLeft(text[blank:], `\`))
		s.equals = hasPrefixFold(text[sign:], "u003d") || hasPrefixFold(text[sign:], "u003a")
		return sign + 5, s.equals
	case hasPrefixFold(text[blank:], "%3d"), hasPrefixFold(text[blank:], "%3a"):
		s.equals = true
		return blank + 3, true
	case s.flag && text[blank] == ',': // of a list of arguments
		next := blanks(text, blank+1)
		return next, next < len(text) && text[next] != '-' && (!s.quoted || strings.IndexByte(`"'\`, text[next]) >= 0)
	case s.flag && blank > at && !s.quoted && text[blank] != '-' && text[blank] != '\n':
		return blank, true
	}
	return 0, false
}

// behind returns where the value begins after "=", ":", "=>", ":=" and "|".
func (s *setting) behind(text string, sign int) (value int, found bool) {
	s.equals = text[sign] == '='
	next := sign + 1
	if next < len(text) && (text[next] == '>' || text[next] == '=' && text[sign] == ':') {
		next, s.equals = next+1, true
	}
	if hasPrefix(text[sign:], ":: ") && s.kind == NamedPassword {
		return blanks(text, sign+2), true // LDIF, in base64
	}
	if next < len(text) && (text[next] == '=' || text[sign] == ':' && text[next] == ':') {
		return 0, false // a comparison, a C++ name
	}
	return blanks(text, next), true
}

// closing returns the offset after the quote and the bracket that close a name.
func closing(text string, at int) (int, bool) {
	n := quoteAt(text, at)
	if n == 0 {
		return at, false
	}
	end := at + n
	if end < len(text) && text[end] == text[at] && n == 1 && text[at] == '"' && end+1 < len(text) && strings.IndexByte(":=,", text[end+1]) >= 0 {
		end++ // of CSV
	}
	if end < len(text) && text[end] == ']' {
		end++ // os.environ["NAME"]
	}
	return end, true
}

func blanks(text string, at int) int {
	for n := 0; at < len(text) && n < 256; n++ {
		switch {
		case text[at] == ' ', text[at] == '\t':
			at++
		case text[at] == '%' && hasPrefix(text[at:], "%20"):
			at += 3
		default:
			return at
		}
	}
	return at
}

// pairedValue returns where the value of a name/value pair begins, 0 for none. It
// reads what Kubernetes writes of an environment in JSON, YAML and Go.
func (s *setting) pairedValue(text string, at int) int {
	i := at
	for i < len(text) && i-at < 80 && strings.IndexByte(", \t\r\n\\\"'", text[i]) >= 0 {
		if n := quoteAt(text, i); n > 1 {
			i += n
			continue
		}
		if i++; text[i-1] == '\\' && i < len(text) && strings.IndexByte("nrt", text[i]) >= 0 {
			i++ // an escaped newline
		}
	}
	if i == at || !hasPrefixFold(text[i:], "value") {
		return 0
	}
	end, _ := closing(text, i+len("value"))
	if end = blanks(text, end); end >= len(text) || text[end] != ':' && text[end] != '=' {
		return 0
	}
	s.pair = true
	return blanks(text, end+1)
}

// inCall reports whether the quoted name that ends at an offset and the quoted
// value after the comma are a pair, or the last arguments of a call:
// ('x-api-key', 'x1'), setenv("HF_TOKEN", "x1").
func inCall(text string, at int) bool {
	name, begin := at-1, max(0, at-maxName)
	for name > begin && strings.IndexByte("\"'", text[name]) >= 0 {
		name--
	}
	for name > begin && strings.IndexByte("\"'", text[name]) < 0 {
		name--
	}
	before := strings.TrimRight(text[begin:name], `b\`)
	opens := strings.HasSuffix(before, "(") && !strings.HasSuffix(before, "get(") && !strings.HasSuffix(before, "getenv(") || strings.HasSuffix(before, "[")
	if !opens {
		return false
	}
	from := blanks(text, at)
	from = blanks(text, from+1)
	start, end, quoted := valueAt(text, from)
	close, _ := closing(text, end)
	ends := close > end && text[close-1] == ']' || close < len(text) && (text[close] == ')' || text[close] == ']')
	return quoted && ends && drawnOrMixed(text[start:end]) && strings.IndexByte(text[start:end], ' ') < 0
}

func hasPrefixFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}

func hasSuffixFold(text, suffix string) bool {
	return len(text) >= len(suffix) && strings.EqualFold(text[len(text)-len(suffix):], suffix)
}

// masks decides whether a value is a secret.
func (s *setting) masks(value string, quoted bool) bool {
	switch {
	case isPlaceholder(value), isName(value), isIdentifierUnderKey(s.name, value):
		return false
	case s.class == folder:
		return !isFolder(value)
	case s.class == long:
		return isLongSecret(value)
	case s.quoted && !s.equals && !s.pair && !s.flag && !quoted && s.kind != NamedPassword:
		return looksRandomUnder(s.kind, value) // a Secret's name in a sentence: volume "x-secret" : not found
	case !quoted && s.equals && !s.environment() && isCall(value):
		return false
	case !quoted && s.equals && !s.flag && s.kind != NamedPassword && !s.environment() && isVariable(value):
		return false
	case s.class == certain:
		return !number(value) || len(value) > 8 || s.kind == NamedPassword && len(value) > 2 || s.flag || s.pair || s.environment()
	case number(value):
		return false
	case s.kind == NamedKey && isParameter(value):
		return false
	case s.flag, s.environment(), s.query && (s.kind != NamedKey || isDrawn(strings.ReplaceAll(value, ".", ""))):
		return true
	case s.isBarePass(value, quoted), s.isBareToken(value, quoted), s.mapped && !strings.ContainsAny(value, "-."):
		return true
	case s.quoted && quoted && isCapitals(s.name) && isMadeUp(value):
		return true // "TOKEN": "x1" of an environment
	}
	return !s.cached && (looksRandomUnder(s.kind, value) || s.kind == NamedCredentials && isLogin(value) || s.qualified && drawnOrMixed(value) && !isObjectFile(value))
}

// isName reports whether a value is itself the name of a secret, as in a
// program's help: "--token TOKEN", "read from HF_TOKEN".
func isName(value string) bool {
	for i := range len(value) {
		if !isUpper(value[i]) && value[i] != '_' {
			return false
		}
	}
	return Suspicious(value)
}

// isVariable reports whether a value is the name of a variable with a secret, as
// in code: token=my_token, api_key=settings.api_key.
func isVariable(value string) bool {
	return strings.ContainsAny(value, "_.") && strings.Trim(value, "abcdefghijklmnopqrstuvwxyz_.") == "" && Suspicious(value)
}

// isCall reports whether a value is the beginning of a call in code: read(),
// self.split(url).
func isCall(value string) bool {
	name, _, found := strings.Cut(value, "(")
	return found && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_.") == ""
}

// environment reports whether a name is written like an environment variable, and set.
func (s *setting) environment() bool {
	for i := range len(s.name) {
		if isLower(s.name[i]) || s.name[i] == '-' || s.name[i] == '.' {
			return false
		}
	}
	return s.equals || s.pair || strings.Contains(s.name, "_")
}

// insideList returns the range between the brackets of a list.
func insideList(text string, start, end int) (int, int) {
	if close := strings.IndexByte(text[start:min(len(text), start+maxValue)], ']'); close > 0 {
		return start + 1, start + close
	}
	return start, end
}

// scheme masks the credentials after the scheme of an Authorization header.
func (f *finder) scheme(text string, value int, s setting) bool {
	if s.class == innocent || !hasSuffixFold(s.name, "authorization") && !hasSuffixFold(s.name, "auth") && !hasSuffixFold(s.name, "header") {
		return false
	}
	at := skipQuotes(text, value)
	for _, scheme := range []string{"bearer ", "basic ", "token ", "apikey ", "api-key ", "digest ", "negotiate ", "aws4-hmac-sha256 ", "key "} {
		if !hasPrefixFold(text[at:], scheme) {
			continue
		}
		from := skipQuotes(text, at+len(scheme))
		end, kind := token68(text, from), BearerToken
		if scheme == "basic " {
			kind = BasicAuth
		}
		if scheme == "aws4-hmac-sha256 " || scheme == "digest " {
			if line := strings.IndexAny(text[from:], "\n\"'"); line >= 0 {
				end = from + line
			} else {
				end = len(text)
			}
		}
		if value := text[from:end]; len(value) >= 8 && !isPlaceholder(value) || f.open && end == len(text) {
			f.add(from, end, kind)
		}
		return true
	}
	return f.otherScheme(text, at, s)
}

// brokenHeader masks the credentials on the line below the scheme of an Authorization
// header: a shell's line that goes on, and a logger that wraps its lines, which may have
// written where it was called behind the scheme (client.py:77).
func (f *finder) brokenHeader(text string, name, value int, s setting) bool {
	if !hasSuffixFold(s.name, "authorization") {
		return false
	}
	from := skipQuotes(text, value)
	to := token68(text, from)
	if !isScheme(text[from:to]) {
		return false
	}
	end := lineEnd(text, to)
	if behind := strings.TrimSpace(text[to:end]); behind != "" && behind != `\` && !isCallSite(text[to:end]) {
		return false
	}
	newline := newlineAt(text, end)
	if newline == "" {
		return false
	}
	start := skipQuotes(text, sharedPrefix(text, name, end+len(newline)))
	end = token68(text, start)
	below := text[start:end]
	if len(below) < 12 || !drawnOrMixed(below) || isPlaceholder(below) || strings.Trim(text[end:lineEnd(text, end)], " \"'\\,)}]") != "" {
		return false
	}
	kind := BearerToken
	if strings.EqualFold(text[from:to], "basic") {
		kind = BasicAuth
	}
	f.add(start, end, kind)
	return true
}

// isScheme reports whether a word is a scheme whose credentials follow behind a blank.
func isScheme(word string) bool {
	return len(word) <= len("api-key") && oneOf(strings.ToLower(word), "bearer", "basic", "token", "apikey", "api-key", "key")
}

// isCallSite reports whether a text is a file and a line behind blanks, as rich writes
// them at the right of what it logs.
func isCallSite(text string) bool {
	place := strings.TrimSpace(text)
	file, line, found := strings.Cut(place, ":")
	return found && strings.HasPrefix(text, "  ") && number(line) && strings.Contains(file, ".") && strings.IndexByte(file, ' ') < 0
}

// sharedPrefix returns the offset behind what a line has in common, up to a blank and
// digits aside, with the line of an earlier offset.
func sharedPrefix(text string, earlier, line int) int {
	before := text[earlier-lineBefore(text, earlier) : earlier]
	shared := 0
	for i := 0; i < len(before) && line+i < len(text); i++ {
		c, was := text[line+i], before[i]
		if c != was && !(isDigit(c) && isDigit(was)) {
			break
		}
		if c == ' ' {
			shared = i + 1
		}
	}
	return line + shared
}

// otherScheme masks the credentials after any other scheme.
func (f *finder) otherScheme(text string, at int, s setting) bool {
	from := at
	for from < len(text) && from-at < 24 && (isAlnum(text[from]) || text[from] == '-') {
		from++
	}
	if from-at < 3 || !hasSuffixFold(s.name, "authorization") || from >= len(text) || text[from] != ' ' {
		return false
	}
	from, end, _ := valueAt(text, from+1)
	if value := text[from:end]; len(value) < 12 || !drawnOrMixed(value) || isPlaceholder(value) {
		return false
	}
	f.add(from, end, BearerToken)
	return true
}

// prose finds a value in a sentence: "using token 0123…", or in netrc's
// "login user password 0123…".
func (f *finder) prose(text string, name, at int, s setting) {
	if s.quoted || at >= len(text) || text[at] != ' ' {
		return
	}
	if s.kind == NamedPassword && f.stated(text, at) || f.column(text, at, s) {
		return
	}
	said, handed := false, false // "password is", "password set to"; "password provided:"
	for range 5 {
		at = blanks(text, at)
		from, end, quoted := valueAt(text, at)
		if from >= end || text[from] == '\n' {
			return
		}
		value := strings.TrimRight(text[from:end], ".,;:)!")
		last := quoted || strings.Trim(text[end:cellEnd(text, end)], " \"'})\\") == ""
		if s.refused(text, text[:name], value, end, quoted) || handed && s.isHandedOver(value) {
			f.add(from, from+len(value), s.kind)
			return
		}
		if s.announces(value, said, last) || s.kind == NamedPassword && !said && isInvented(value) && isGiven(text, end, value) {
			f.add(from, from+len(value), s.kind)
			return
		}
		if (s.set || s.kind == NamedPassword && quoted) && drawnOrMixed(value) && !isPlaceholder(value) && !isName(value) && !strings.Contains(value, "://") {
			f.add(from, end, s.kind)
			return
		}
		if s.kind == NamedPassword && afterLogin(text, from) && !isPlaceholder(value) || len(value) >= 20 && (random(value) || len(value) >= 24 && bothCases(value)) || s.isDrawnWhole(value) {
			f.add(from, from+len(value), s.kind)
			return
		}
		handed = handsOver(text[from:end])
		if at = end; oneOf(value, "for", "of", "from") {
			if at = behindWhom(text, at); at < 0 {
				return
			}
			said = true
			continue
		} else if !oneOf(value, "is", "was", "provided", "used", "found", "given", "received", "supplied", "passed", "with", "value", "to", "as", "set", "changed", "generated") {
			return
		}
		said = oneOf(value, "is", "to", "was", "as")
	}
}

// isSet reports whether a text ends with a word that sets a name and its value:
// of Dockerfiles, csh, and configuration commands (aws configure set, npm config
// set, git config).
func isSet(before string) bool {
	before = before[max(0, len(before)-80):]
	before = before[strings.LastIndexAny(before, "\n;|&")+1:]
	for _, word := range [...]string{"ENV ", "set ", "setenv ", "setx ", "set -gx ", "set -x "} {
		if strings.HasSuffix(before, word) {
			return true
		}
	}
	return strings.Contains(before, "config ") && (strings.Contains(before, " set ") || strings.Contains(before, "git ")) || strings.Contains(before, "remote modify ")
}

// afterLogin reports whether a netrc line names a user before an offset.
func afterLogin(text string, at int) bool {
	before := text[max(0, at-160):at]
	return indexFold(before, "login ") >= 0 || indexFold(before, "machine ") >= 0
}

// dockerAuth finds the entry "auth" of a registry in Docker's config.json.
func dockerAuth(f *finder, text string, from, to int) {
	if !strings.EqualFold(text[from:to], "auth") {
		return
	}
	s := setting{name: text[from:to]}
	value, found := s.separator(text, to)
	if !found {
		return
	}
	start, end, _ := valueAt(text, value)
	if !f.spend(end - start) {
		f.all(text, start, DockerAuth)
	} else if isUserAndPassword(text[start:end]) {
		f.add(start, end, DockerAuth)
	} else if user, password, both := strings.Cut(text[start:end], ":"); both && s.equals && isUserWord(user) && password != "" && !isPlaceholder(password) && !digits(password) && !strings.ContainsAny(password, "/:[({ ") {
		f.add(start, end, NamedCredentials) // auth=ada:x
	}
}

// isUserWord reports whether a text is a user's name.
func isUserWord(text string) bool {
	for i := range len(text) {
		if !inName(text[i]) {
			return false
		}
	}
	return text != "" && isLetter(rune(text[0]))
}

// shortName is name for words whose letters occur within many other words.
func shortName(f *finder, text string, at int) {
	from := at
	for from < len(text) && !isAlnum(text[from]) {
		from++
	}
	end := from
	for end < len(text) && isAlnum(text[end]) {
		end++
	}
	if oneOf(text[from:end], "pat", "pw", "sk", "sec", "keytab", "otp", "pin", "salt") || end-from > 2 && hasSuffixFold(text[from:end], "pw") {
		name(f, text, from)
	}
}
