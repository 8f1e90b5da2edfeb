package signatures

import (
	"regexp"
	"strings"
	"unicode"
)

func holdsAll(line string, joined map[string]bool, all [][]string) bool {
	for _, group := range all {
		if !holdsAny(line, joined, group) {
			return false
		}
	}
	return true
}

func holdsAny(line string, joined map[string]bool, group []string) bool {
	for _, word := range group {
		if holdsWord(line, joined, word) {
			return true
		}
	}
	return false
}

// holdsWord reports whether a line in lower case contains a word; joined is what nextWords
// returned of the line.
func holdsWord(line string, joined map[string]bool, word string) bool {
	word, whole := strings.CutSuffix(word, "$")
	for from := 0; ; {
		at := strings.Index(line[from:], word)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(word)
		if (at == 0 || !isWordByte(line[at-1]) || !isWordByte(word[0])) && (end == len(line) || !isWordByte(line[end]) || !whole && endsWord(word, line[end:], joined)) {
			return true
		}
		from = at + 1
	}
}

// ending matches an ending of English words, behind a consonant that is doubled before it.
var ending = regexp.MustCompile(`^[bdglmnprt]?(?:e?s|e?d|e?n|e|e?rs?|ing|ors?|ure[sd]?|ions?|ations?|ments?|ive|ent|ences?|able|ible|al|ly|y|ity|if(?:y|ied|ies)|ness|imum)$`)

// ofPrograms are names of programs and devices that begin longer names: cudart, ncclInternal,
// mpiexec.
var ofPrograms = map[string]bool{
	"cuda": true, "nccl": true, "rccl": true, "hccl": true, "hip": true, "gpu": true, "npu": true, "tpu": true, "mpi": true, "nvidia": true, "nvml": true,
	"rdma": true, "http": true, "https": true, "url": true, "docker": true, "huggingface": true, "kube": true, "net/ib": true, "pmi": true, "orte": true, "prte": true,
}

// endsWord reports whether a word may end before the letters that follow it.
func endsWord(word, following string, joined map[string]bool) bool {
	n := 0
	for n < len(following) && 'a' <= following[n] && following[n] <= 'z' {
		n++
	}
	rest := following[:n]
	return n == 0 || ofPrograms[word] || !isLetter(word[len(word)-1]) || joined[rest] || ending.MatchString(rest)
}

// nextWords returns, in lower case, what names such as FailedMount have behind a word within
// them, up to the end of their letters.
func nextWords(line string) map[string]bool {
	var joined map[string]bool
	for at := 1; at < len(line); at++ {
		if line[at] < 'A' || line[at] > 'Z' || !isLetter(line[at-1]) {
			continue
		}
		end := at
		for end < len(line) && isLetter(line[end]) {
			end++
		}
		if joined == nil {
			joined = map[string]bool{}
		}
		joined[strings.ToLower(line[at:end])] = true
	}
	return joined
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func isWordByte(c byte) bool {
	return c < 0x80 && (unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c)))
}
