package signatures

import (
	"bytes"
	"regexp"
)

// A person who asks for help writes sentences around what a program printed.
// A cause that such a sentence names is a guess, a memory or what was ruled out: it
// is no evidence. A status word of Kubernetes counts where a component puts it: in
// a field, in a column, or as the whole of a message.

// statusWord matches one word that Kubernetes composes for a status or a reason.
var statusWord = regexp.MustCompile(`^(?:[A-Z][A-Za-z]*[a-z][A-Z]\w*|OOMKilled|Evicted)$`)

// beforeInSentence matches the words of a sentence in front of a word that it
// names.
var beforeInSentence = regexp.MustCompile(`(?i)(?:^|[\s(])(?:is|are|was|were|be|been|being|gets?|got|getting|no|not|never|without|out|the|an?|any|of|for|from|by|to|like|as|or|and|than|after|before|about|sees?|saw|seen|shows?|showed|had|have|has|still|just|always|also|sometimes|actually|really|probably|maybe|perhaps) $`)

// afterInSentence matches how a sentence goes on after a word that it names.
var afterInSentence = regexp.MustCompile(`(?i)^,? (?:in|on|at|since|because|before|after|and|or|but|so|again|when|while|until|if|any ?more|either|yesterday|today|last|every|all|is|was|I|we)\b`)

// asField matches the name of a field in front of its value.
var asField = regexp.MustCompile(`(?i)\b(?:reason|status|state|phase|code|because of) $`)

// aboutOneThing matches a whole message of a component about how one thing
// ended, up to the word for it.
var aboutOneThing = regexp.MustCompile(`(?i)^[^\s:]*:? ?(?:(?:the|a) )?(?:main )?(?:container|pod|worker|rank|job|replica|node|process|task|instance|service|step)(?: [\w./"'-]+){0,2} (?:is|was|were|got|has been|been) $`)

// ofPerson matches what only a person writes: the first person, a time that is
// remembered, a supposition.
var ofPerson = regexp.MustCompile(`(?:^|[\s("'])(?:I|I'm|I've|I'd|[Ww]e|[Ww]e're|[Ww]e've|[Mm]y|[Oo]ur|[Uu]s|[Yy]esterday|[Mm]aybe|[Pp]erhaps|[Pp]robably|[Ss]omebody|[Ss]omeone|[Cc]olleagues?|[Ll]ast (?:week|night|month|time|year)|[Rr]uled? out|[Rr]uling out|[Ee]xcluded|[Cc]ould (?:it|this|that) be|[Ii]s (?:it|this|that)|[Ww]as (?:it|this|that))(?:$|[\s,.;!?'])`)

// denied matches a negation right in front of what it denies.
var denied = regexp.MustCompile(`(?i)(?:^|[\s(])(?:no|not|never|without(?: any)?|nor|neither|ruled? out|ruling out|excluded?|no (?:sign|signs|trace|hint) of|(?:is|was|were|are|did|does|do)(?: not|n't)(?: (?:be|been|see|get|show|a|an|the|due to|because of))*)(?: (?:a|an|any|the|more|further))? $`)

// asked matches the end of a sentence that asks.
var asked = regexp.MustCompile(`^[^.!?]*\?(?:\s|$)`)

// firstWords matches a line that begins like a sentence: words without a time,
// a level, a name or a field in front.
var firstWords = regexp.MustCompile(`^[\s>*-]*[A-Za-z][a-z']*,?(?: [\w"'` + "`" + `./()-]+,?){2,}`)

// isQuoted reports whether a rule's match in a line is what a person says of
// it, in a file that may contain more than what programs print.
func (r *rule) isQuoted(text []byte) bool {
	at := r.span(text)
	if at == nil {
		return false
	}
	before, word, after := text[:at[0]], bytes.TrimSpace(text[at[0]:at[1]]), text[at[1]:]
	questioned := asked.Match(text[at[0]:])
	if spoken := ofPerson.Match(text) && firstWords.Match(text); statusWord.Match(word) {
		return spoken || denied.Match(before) || questioned || inSentence(before, after)
	} else if !spoken && !firstWords.Match(before) {
		return false
	}
	return denied.Match(before) || questioned && ofPerson.Match(text)
}

// isSupposed reports whether a line is a person's question, or states what was
// ruled out.
func isSupposed(line []byte) bool {
	return ofPerson.Match(line) && firstWords.Match(line) && (asked.Match(line) || ruledOut.Match(line))
}

// ruledOut matches how a person names what is not the reason.
var ruledOut = regexp.MustCompile(`(?i)\b(?:rul(?:ed?|ing) out|excluded|no sign of)\b`)

// inSentence reports whether a word is named within a sentence.
func inSentence(before, after []byte) bool {
	if asField.Match(before) {
		return false
	}
	if aboutOneThing.Match(before) && len(bytes.Trim(after, " \t\r.!")) == 0 {
		return false
	}
	return beforeInSentence.Match(before) || afterInSentence.Match(after) && endsInWord(before)
}

// endsInWord reports whether a text ends in a plain word and one space.
func endsInWord(text []byte) bool {
	n := len(text)
	return n > 1 && text[n-1] == ' ' && letter(text[n-2])
}

// span returns where a rule matches a text that contains one of its anchors.
func (r *rule) span(text []byte) []int {
	if r.compiled != nil {
		return r.compiled().FindIndex(text)
	}
	for _, word := range r.anchors {
		if at := bytes.Index(text, []byte(word)); at >= 0 {
			return []int{at, at + len(word)}
		}
	}
	return nil
}
