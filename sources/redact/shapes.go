package redact

import "strings"

// shape is a token that is recognised by its look, wherever it occurs.
type shape struct {
	sort Sort
	// prefix is how it begins, in any case.
	prefix string
	// least and most are how many characters of set follow.
	least, most int
	set         *set
	// loose allows a letter or digit before the prefix, since nothing else
	// looks like it.
	loose bool
	// encoded is true if it is searched for in base64 too.
	encoded bool
	// plausible, when set, checks the text after the prefix.
	plausible func(rest string) bool
}

// set is the bytes that a token may contain.
type set [256]bool

func setOf(extra string) *set {
	var s set
	for c := range 256 {
		s[c] = isAlnum(byte(c)) || strings.IndexByte(extra, byte(c)) >= 0
	}
	return &s
}

// shapes are the tokens that services issue. Prefixes and lengths are those of
// gitleaks' rules (github.com/gitleaks/gitleaks, config/gitleaks.toml, commit
// 009e025a) where it has the service; lengths are lower bounds here, since
// services lengthen their tokens. Hugging Face: hf_ and 34 letters
// (huggingface.co, 2024); NVIDIA NGC: nvapi- and 64 or more; Weights & Biases:
// wandb_v1_ (0.22).
func shapes() []shape {
	alnum, dashed, dotted, b64 := setOf(""), setOf("_-"), setOf("_-."), setOf("_-+/=")
	all := []shape{
		{HFToken, "hf_", 20, 120, alnum, true, true, nil},
		{HFToken, "api_org_", 20, 120, alnum, true, true, nil},
		{AWSAccessKey, "AKIA", 16, 16, alnum, false, true, accessKeyID},
		{AWSAccessKey, "ASIA", 16, 16, alnum, false, true, accessKeyID},
		{AWSAccessKey, "ABIA", 16, 16, alnum, false, false, accessKeyID},
		{AWSAccessKey, "ACCA", 16, 16, alnum, false, false, accessKeyID},
		{GoogleToken, "AIza", 30, 60, dashed, false, true, nil},
		{GoogleToken, "ya29.", 20, 4096, dotted, false, true, nil},
		{GoogleToken, "GOCSPX-", 20, 60, dashed, true, true, nil},
		{GoogleToken, "1//0", 30, 200, dashed, false, false, mixed},
		{CloudToken, "LTAI", 16, 30, alnum, false, false, mixed},
		{ServiceToken, "sctapi.ftqq.com/", 20, 100, alnum, true, false, mixed},
		{ServiceToken, "sc.ftqq.com/", 20, 100, alnum, true, false, mixed},
		{ServiceToken, "SCT", 20, 60, alnum, false, false, serverChan},
		{ServiceToken, "SCU", 20, 80, alnum, false, false, serverChan},
		{ServiceToken, "sctp", 20, 80, alnum, false, false, serverChan},
		{CloudToken, "dop_v1_", 40, 80, alnum, true, false, nil},
		{CloudToken, "AKID", 32, 32, alnum, false, false, mixed},
		{GitToken, "ghp_", 30, 255, alnum, true, true, nil},
		{GitToken, "gho_", 30, 255, alnum, true, true, nil},
		{GitToken, "ghu_", 30, 255, alnum, true, true, nil},
		{GitToken, "ghs_", 30, 255, alnum, true, true, nil},
		{GitToken, "ghr_", 30, 255, alnum, true, true, nil},
		{GitToken, "github_pat_", 30, 255, dashed, true, true, nil},
		{GitToken, "glpat-", 18, 300, dotted, true, true, nil},
		{GitToken, "gldt-", 18, 300, dotted, false, false, mixed},
		{GitToken, "glrt-", 18, 300, dotted, false, false, mixed},
		{GitToken, "glptt-", 18, 300, dotted, false, false, mixed},
		{GitToken, "glcbt-", 18, 300, dotted, false, false, mixed},
		{GitToken, "glsoat-", 18, 300, dotted, false, false, mixed},
		{GitToken, "glft-", 18, 300, dotted, false, false, mixed},
		{GitToken, "glagent-", 18, 300, dotted, false, false, mixed},
		{GitToken, "glimt-", 18, 300, dotted, false, false, mixed},
		{GitToken, "GR1348941", 18, 60, dashed, true, false, nil},
		{GitToken, "ATBB", 24, 60, alnum, false, false, mixed},
		{GitToken, "ATATT3", 60, 400, b64, false, false, nil},
		{SlackToken, "xoxb-", 16, 300, dashed, true, true, nil},
		{SlackToken, "xoxp-", 16, 300, dashed, true, true, nil},
		{SlackToken, "xoxa-", 16, 300, dashed, true, false, nil},
		{SlackToken, "xoxe-", 16, 300, dashed, true, false, nil},
		{SlackToken, "xoxe.", 16, 300, dotted, true, false, nil},
		{SlackToken, "xoxr-", 16, 300, dashed, true, false, nil},
		{SlackToken, "xoxs-", 16, 300, dashed, true, false, nil},
		{SlackToken, "xoxo-", 16, 300, dashed, true, false, nil},
		{SlackToken, "xapp-", 16, 300, dashed, true, true, mixed},
		{SlackToken, "hooks.slack.com/services/", 16, 200, b64, true, false, nil},
		{SlackToken, "discord.com/api/webhooks/", 30, 200, b64, true, false, nil},
		{SlackToken, "discordapp.com/api/webhooks/", 30, 200, b64, true, false, nil},
		{ServiceToken, "webhook.office.com/webhookb2/", 30, 300, setOf("_-/@"), true, false, nil},
		{ServiceToken, "open.feishu.cn/open-apis/bot/v2/hook/", 20, 100, dashed, true, false, nil},
		{ServiceToken, "open.larksuite.com/open-apis/bot/v2/hook/", 20, 100, dashed, true, false, nil},
		{ModelKey, "sk-ant-", 20, 300, dashed, true, true, drawnPiece},
		{ModelKey, "sk-proj-", 20, 300, dashed, true, true, drawnPiece},
		{ModelKey, "sk-svcacct-", 20, 300, dashed, true, true, drawnPiece},
		{ModelKey, "sk-admin-", 20, 300, dashed, true, true, drawnPiece},
		{ModelKey, "sk-or-v1-", 20, 300, dashed, true, true, drawnPiece},
		{ModelKey, "sk-lf-", 20, 300, dashed, true, true, drawnPiece},
		{ModelKey, "sk-", 20, 300, dashed, false, true, mixed},
		{ModelKey, "gsk_", 20, 300, alnum, false, true, mixed},
		{ModelKey, "xai-", 40, 300, alnum, false, false, mixed},
		{ModelKey, "pplx-", 30, 300, alnum, true, false, mixed},
		{ModelKey, "r8_", 30, 60, alnum, false, false, mixed},
		{ModelKey, "fw_", 20, 60, alnum, false, false, mixed},
		{ModelKey, "pcsk_", 30, 120, dashed, true, false, nil},
		{ModelKey, "tgp_v1_", 30, 120, dashed, true, false, nil},
		{NGCKey, "nvapi-", 30, 300, dashed, true, true, nil},
		{WandbKey, "wandb_v1_", 20, 300, dashed, true, true, nil},
		{TrackerToken, "eyJhcGlfYWRkcmVzcyI6", 20, 4096, b64, true, false, nil}, // Neptune: {"api_address":
		{TrackerToken, "eyJhcGlfdXJsIjoi", 20, 4096, b64, true, false, nil},     // Neptune 3: {"api_url":"
		{TrackerToken, "dapi", 32, 34, setOf("-"), false, true, hexToken},
		{TrackerToken, "dkea", 32, 34, setOf("-"), false, false, hexToken},
		{RegistryToken, "dckr_pat_", 20, 100, dashed, true, true, nil},
		{RegistryToken, "dckr_oat_", 20, 100, dashed, true, true, nil},
		{RegistryToken, "npm_", 30, 60, alnum, true, true, mixed},
		{RegistryToken, "pypi-AgE", 30, 400, dashed, true, true, nil},
		{RegistryToken, "AKCp", 40, 120, alnum, false, false, mixed},
		{RegistryToken, "cmVmdGtu", 40, 120, alnum, false, false, mixed},
		{ServiceToken, "sk_live_", 16, 200, alnum, true, false, nil},
		{ServiceToken, "sk_test_", 16, 200, alnum, true, false, mixed},
		{ServiceToken, "rk_live_", 16, 200, alnum, true, false, nil},
		{ServiceToken, "SG.", 60, 80, dotted, false, true, mixed},
		{ServiceToken, "hvs.", 20, 300, dashed, false, true, mixed},
		{ServiceToken, "hvb.", 20, 300, dashed, false, false, mixed},
		{ServiceToken, "glsa_", 30, 60, dashed, true, false, nil},
		{ServiceToken, "glc_eyJ", 30, 400, b64, true, false, nil},
		{ServiceToken, "tskey-", 16, 100, dashed, true, false, mixed},
		{ServiceToken, "lin_api_", 30, 60, alnum, true, false, nil},
		{ServiceToken, "dp.pt.", 36, 60, alnum, false, false, mixed},
		{ServiceToken, "shpat_", 30, 60, alnum, true, false, nil},
		{ServiceToken, "ops_eyJ", 60, 2048, b64, true, false, nil},
		{PrivateKey, "AGE-SECRET-KEY-1", 40, 80, alnum, true, true, nil},
		{JWT, "eyJ", 20, 8192, dotted, false, false, isJWT},
	}
	all = append(all, cloudShapes()...)
	all = append(all, developerShapes()...)
	all = append(all, modelShapes()...)
	return append(all, hashShapes()...)
}

// match returns where a token of this shape ends that begins at an offset; with
// open the text may be incomplete.
func (s *shape) match(text string, at int, open bool) (end int, found bool) {
	if at+len(s.prefix) > len(text) || !strings.EqualFold(text[at:at+len(s.prefix)], s.prefix) || !s.loose && !starts(text, at) {
		return 0, false
	}
	from := at + len(s.prefix)
	end = from
	for end < len(text) && end-from < s.most && s.set[text[end]] {
		end++
	}
	if s.set['.'] {
		for end > from && text[end-1] == '.' {
			end-- // ends a sentence
		}
	}
	if open && end == len(text) {
		return end, true
	}
	if end-from < s.least || s.least == s.most && end < len(text) && s.set[text[end]] {
		return 0, false
	}
	return end, s.plausible == nil || s.plausible(text[from:end])
}

// starts reports whether a word can begin at an offset: the character before it is
// neither letter nor digit, or belongs to an escape (\n, \u003d, %3D, a colour).
func starts(text string, at int) bool {
	if at == 0 || !isAlnum(text[at-1]) && text[at-1] != '_' {
		return true
	}
	if at >= 2 && text[at-2] == '\\' && strings.IndexByte("nrt", text[at-1]) >= 0 {
		return true
	}
	if at >= 3 && text[at-3] == '%' && isHex(text[at-2]) && isHex(text[at-1]) {
		return true
	}
	if at >= 6 && strings.HasPrefix(text[at-6:], `\u00`) {
		return true
	}
	return text[at-1] == 'm' && colourEnds(text[:at-1])
}

// colourEnds reports whether a text ends like the escape sequence of a colour
// without its "m", as JSON and Python escape it: \u001b[31, \x1b[0.
func colourEnds(text string) bool {
	i := len(text)
	for i > 0 && (isDigit(text[i-1]) || text[i-1] == ';') {
		i--
	}
	return i > 0 && text[i-1] == '['
}

// accessKeyID: a word of sixteen letters without digits has to be in capitals.
func accessKeyID(rest string) bool {
	return strings.ContainsAny(rest, "0123456789") || rest == strings.ToUpper(rest)
}

// mixed: one piece mixes letters and digits or alternates both cases, as random
// values do and names of runs do not.
func mixed(rest string) bool {
	if bothCases(rest) {
		return true
	}
	for piece := range strings.FieldsFuncSeq(rest, func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
		if len(piece) < 12 {
			continue
		}
		digits := strings.IndexFunc(piece, func(r rune) bool { return r >= '0' && r <= '9' }) >= 0
		letters := strings.IndexFunc(piece, func(r rune) bool { return r > '9' }) >= 0
		if digits && letters {
			return true
		}
	}
	return false
}

// drawnPiece: one piece is random, as no name of a project is:
// sk-proj-llama-train is the name of an image.
func drawnPiece(rest string) bool {
	upper, lower, digit := false, false, false
	for i := range len(rest) {
		upper, lower, digit = upper || isUpper(rest[i]), lower || isLower(rest[i]), digit || isDigit(rest[i])
	}
	if upper && lower && digit && len(rest) >= 40 {
		return true
	}
	for piece := range strings.FieldsFuncSeq(rest, func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
		if random(piece) {
			return true
		}
	}
	return false
}

// serverChan accepts the rest of a key of ServerChan: the number of a person, a T
// and the key (sct.ftqq.com, doc.sc3.ft07.com).
func serverChan(rest string) bool {
	number := 0
	for number < len(rest) && isDigit(rest[number]) {
		number++
	}
	return number > 0 && number < 10 && len(rest)-number >= 16 && rest[number]|0x20 == 't'
}

func hexToken(rest string) bool {
	for i := range min(32, len(rest)) {
		if !isHex(rest[i]) {
			return false
		}
	}
	return true
}

// isJWT: header and payload, both JSON in base64, and a signature that may be
// empty (RFC 7519); or, if it is encrypted, five parts: header, a key that may be
// empty, the initialization vector, the text and its tag (RFC 7516, section 7.1).
// rest is the text after the header's first three characters.
func isJWT(rest string) bool {
	header, more, found := strings.Cut(rest, ".")
	if parts := strings.Split(more, "."); len(parts) == 4 {
		return len(header) >= 8 && len(parts[1]) >= 8 && len(parts[2]) >= 2 && len(parts[3]) >= 16
	}
	payload, _, _ := strings.Cut(more, ".")
	return found && len(header) >= 8 && len(payload) >= 8 && (payload[0]|0x20) == 'e'
}
