package logfindings

import (
	"regexp"
	"strings"

	"github.com/traintop/traintop/sources/signatures"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// lastException returns the exception with which a pasted text ends, where no line of it
// is known: people copy the last line of a traceback alone, and any program has
// exceptions of its own.
func lastException(job *train.Job, rankLogs []rankLog, words Wording) []train.Finding {
	for i := range rankLogs {
		for _, log := range rankLogs[i].logs {
			hit, is := exceptionAtEnd(log)
			if !is {
				continue
			}
			weight, _, _ := signatures.Weigh(&hit)
			c := candidate{cause: hit.Cause, weight: weight, rank: rankLogs[i].rank, at: hit.Time, hit: hit, log: log}
			if hit.Rank >= 0 {
				c.rank = hit.Rank
			}
			c.narrow()
			return []train.Finding{c.finding(job, words(c.cause))}
		}
	}
	return nil
}

// linesOfMessage is how many lines below the name of an exception a message may have that
// is not indented.
const linesOfMessage = 3

// exceptionAtEnd reads the last line that is no continuation, which is indented, as an
// exception. A message that begins below the name and its colon is added to it.
func exceptionAtEnd(log *store.Log) (hit train.LogHit, is bool) {
	below, plain := "", 0
	for n := FewLines(log) - 1; n >= 0; n-- {
		line := log.Lines.At(n)
		text := strings.TrimRight(line.Text, " \r")
		if text == "" {
			continue
		}
		e, is := signatures.ReadBareException(text)
		if !is && plain == 0 && n > 0 {
			e, is = raisedAbove(log.Lines.At(n-1).Text, text)
		}
		if !is {
			if text[0] != ' ' && text[0] != '\t' {
				plain++
			}
			if plain > linesOfMessage {
				return hit, false
			}
			below = strings.TrimSpace(text)
			continue
		}
		if !e.Message && below != "" {
			e.Text = strings.TrimRight(e.Text, ": ") + ": " + below
		}
		if tracebackAbove(log, n) || plain > 0 && (e.Message || !e.Below && !strings.HasSuffix(text, ":")) {
			return hit, false
		}
		return train.LogHit{Signature: "python-bare", Cause: "python-exception", Line: line.Number, Time: line.Time, Text: e.Text, Rank: e.Rank}, true
	}
	return hit, false
}

// raising matches the line of code that raises an exception, with the name of its class.
var raising = regexp.MustCompile(`^\s*raise (?:\w+\.)*(\w+)\b`)

// raisedAbove reads a line as the name of an exception that the line above it raises: a
// class may have any name.
func raisedAbove(code, line string) (e signatures.BareException, is bool) {
	m := raising.FindStringSubmatch(code)
	if m == nil {
		return e, false
	}
	name, message, said := strings.Cut(line, ":")
	if at := strings.LastIndexByte(name, '.'); name[at+1:] != m[1] {
		return e, false
	}
	return signatures.BareException{Text: strings.TrimSpace(line), Message: said && strings.TrimSpace(message) != "", Rank: -1}, true
}

// raisedAt reads a line of a pasted text as an exception whose message may go on in the
// lines below it.
func raisedAt(rank int, log *store.Log, n int) (c candidate, is bool) {
	line := log.Lines.At(n)
	e, is := signatures.ReadBareException(line.Text)
	if !is || !e.Message || signatures.IsHarmless(line.Text) || tracebackAbove(log, n) {
		return c, false
	}
	hit := train.LogHit{Signature: "python-bare", Cause: "python-exception", Line: line.Number, Time: line.Time, Text: e.Text, Rank: e.Rank}
	c = candidate{cause: hit.Cause, rank: max(rank, e.Rank), at: hit.Time, hit: hit, log: log}
	c.weight, _, _ = signatures.Weigh(&hit)
	c.narrow()
	return c, !healed(log, &hit)
}

// tracebackAbove reports whether a traceback is above a line: it was read, and the
// exception below it is no failure, since Python ignored it or another one follows.
func tracebackAbove(log *store.Log, n int) bool {
	for i := range n {
		if text := log.Lines.At(i).Text; strings.Contains(text, "Traceback (most recent call last)") || strings.Contains(text, `File "`) {
			return true
		}
	}
	return false
}
