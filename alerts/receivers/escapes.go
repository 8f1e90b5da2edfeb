package receivers

import "strings"

// wordJoiner has no width and no look. Behind an @ it keeps a chat from reading
// the word as a person.
const wordJoiner = "\u2060"

// htmlEscape is for Telegram's HTML, in which @name is a mention without any
// markup.
func htmlEscape(r rune) string {
	if r == '@' {
		return "@" + wordJoiner
	}
	return entityEscape(r)
}

// entityEscape writes the three control characters of HTML and of Slack's
// mrkdwn as entities.
func entityEscape(r rune) string {
	switch r {
	case '&':
		return "&amp;"
	case '<':
		return "&lt;"
	case '>':
		return "&gt;"
	}
	return string(r)
}

// slackCode is for text between backticks in Slack's mrkdwn.
func slackCode(r rune) string {
	if r == '`' {
		return "ˋ"
	}
	return entityEscape(r)
}

// backslashEscape is for Markdown in which a backslash before punctuation makes
// it text (CommonMark 2.4), as in Discord.
func backslashEscape(r rune) string {
	if strings.ContainsRune("\\`*_~|#[]()<>@:!", r) {
		return `\` + string(r)
	}
	return string(r)
}

// codeEscape is for text between backticks, which cannot be escaped there.
func codeEscape(r rune) string {
	if r == '`' {
		return "ˋ"
	}
	return string(r)
}

// wideEscape writes markup characters in their full width, as Chinese text
// does. It is for Markdown whose documentation knows no escape: DingTalk, WeCom.
func wideEscape(r rune) string {
	if strings.ContainsRune("\\`*_~|#[]<>@!", r) {
		return string(r - '!' + '！') // the full-width forms are in the order of ASCII
	}
	return string(r)
}
