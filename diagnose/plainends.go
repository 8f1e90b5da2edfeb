package diagnose

import (
	"regexp"
	"strings"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/store"
)

// work names what programs report has failed or was stopped.
const work = `(?:(?:pre|fine-?)?train(?:ing|er)?|fine-?tuning|fitting|job|run|task|experiment|workflow|pipeline|script|program|process|command|launch(?:er)?|execution|evaluation|stage|attempt|trial|session|container|pod|worker|main)`

// failsInPlainWords matches last lines that report a failure in the words of
// everyday, in fields of a record and in other languages. Each line is one
// source of texts.
var failsInPlainWords = regexp.MustCompile(strings.Join([]string{
	`(?i)\b` + work + `(?: \S{1,24})? (?:has |have |had |was |were |is |got |did )?(?:been )?(?:failed|crashed|interrupted|aborted|cancell?ed|killed|unsuccessful|diverged)\b`,
	`[a-z)'"] (?:has |have )?failed\W*$`,
	`\bunsuccessful(?:ly)?\b|\b(?:did|could|was|were|has|have) ?not (?:be )?(?:succeed(?:ed)?|successful|complete[d]?|finish(?:ed)?)\b|\bwithout success\b|\b(?:finished|completed|ended|exited|exiting|terminated|stopped|stopping|done) with (?:an? |\d+ )?(?:errors?|failures?|exceptions?)\b`,
	`\b(?:(?:return(?:ed)?|exit|exited)[ _-]?(?:code|status)|exit|exited)["']?\s*[:= ]\s*["']?-?[1-9][0-9]{0,2}\b["']?\s*[,.}\])]*\s*$|\b(?:return|exit)[ _-]?(?:code|status)["']?\s*[:=]\s*["']?-?[1-9]|^rc\s*[:=]\s*-?[1-9]`,
	`(?:^|[\s,{"'])(?:status|state|result|outcome|conclusion|phase)["']?\s*[:=]\s*["']?(?:fail(?:ed|ure)?|error(?:ed)?|crashed|aborted|killed|interrupted|cancell?ed|timed[ _-]?out)\b`,
	`\binterrupted (?:at|by|during|after|in)\b|\b(?:received|got|caught|detected|handling) (?:an? |the )?(?:\w+ )?(?:pre-?emption|interruption|eviction|termination)\b|\bpre-?empt(?:ed|ion|ing)\b.*\b(?:exit|stopp|shut|abort)`,
	`失败|失敗|异常退出|异常终止|异常中断|異常終了|崩溃|被中断|已中止|中断されました|강제 종료|실패`,
	`не удал(?:ось|ся|ась)|ошибк|прерван|fehlgeschlagen|abgebrochen|abgestürzt|gescheitert|a échoué|ont échoué|échec d|interrompu|falló|fallado|fallid[oa]|falhou|fallit[oa]\b|non riuscit|mislukt|nie powiod`,
}, "|"))

// failsNothing matches what makes such words harmless: a count of 0, a
// negation, and a program that goes on.
var failsNothing = regexp.MustCompile(`(?i)(?:fail\w*|失败\S{0,2}|失敗\S{0,2}|실패)["']?\s*[:=(]?\s*0\b|\b0 (?:\w+ )?(?:failed|failures|interrupted)|\b(?:no|none|never|nothing|without any|if|whether|unless) (?:\S+ ){0,3}(?:failed|failure|interrupted|crashed|unsuccessful)|(?:没有|无|未)失败|失敗(?:なし|はありません)|\b(?:retry|retrying|restarting|resum\w+|will restart)\b`)

// endsBadly reports whether a last line reports an end after a failure.
func endsBadly(line string) bool {
	message := messageOf(line)
	switch {
	case speaksOfAnEnd.MatchString(line), speaksOfAnEnd.MatchString(message):
		return true
	}
	return !failsNothing.MatchString(line) && (failsInPlainWords.MatchString(message) || failsInPlainWords.MatchString(line))
}

// exceptionName matches an exception by the full name of its class, which
// neither Error nor Exception needs to end, in front of its text.
var exceptionName = regexp.MustCompile(`^((?:[a-z_]\w*\.)+[A-Z]\w*): \S`)

// wellMeant matches texts of loggers whose name looks like that of a class.
var wellMeant = regexp.MustCompile(`(?i)\b(?:finish|done|complet|sav|success|stopped|reached|best|took|ended|clos|clean|exit|loss|step|epoch|upload|wrote|written|info|debug)`)

// exceptionLines is how many lines before the last one show whether a name is
// that of a logger.
const exceptionLines = 200

// bareException matches an exception without a text, as the last line of the traceback of
// an assert has it, behind what ts, journald and loggers put before a line. The name of a
// class of one's own is the second group.
var bareException = regexp.MustCompile(`^(?:(?:\[[^\]]{1,80}\]:?|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +\d{1,2}|\d{4}[-/.]\d\d[-/.]\d\d(?:T\S+)?|\d\d:\d\d:\d\d\S*|(?:\S+ )?[\w./-]+\[\d+\]:) +)*(?:((?:[\w.$]+\.)?[A-Z]\w*(?:Error|Exception|Interrupt))|((?:[a-z_]\w*\.)+[A-Z]\w*))$`)

// calmName matches names of classes that are no failures: a callback, a logger.
var calmName = regexp.MustCompile(`(?i)finish|done|complet|success|saved|stopp|ended|start|begin|ready|callback|logger|hook|trainer$|metric`)

// namesException reports whether a last line is an exception without its
// traceback. The name of a logger is in front of other lines as well.
func namesException(log *store.Log, line string) bool {
	if bare := bareException.FindStringSubmatch(strings.TrimRight(line, " ")); bare != nil {
		return bare[1] != "" || !calmName.MatchString(bare[2])
	}
	m := exceptionName.FindStringSubmatch(line)
	if m == nil || wellMeant.MatchString(line[len(m[1]):]) {
		return false
	}
	last := lastLineOf(log)
	for i := max(0, last-exceptionLines); i < last; i++ {
		if strings.HasPrefix(rule.Plain(log.Lines.Plain(i)), m[1]+":") {
			return false
		}
	}
	return true
}
