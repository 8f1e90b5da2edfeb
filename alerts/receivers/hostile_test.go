package receivers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/termtext/corpus"
	"github.com/traintop/traintop/train"
)

// noticeOf is a notice with a text in each of its fields.
func noticeOf(text string) alerts.Notice {
	n := opened()
	n.ID, n.Cluster = n.ID+text, text
	i := &n.Incident
	i.ID, i.Rule, i.Cause, i.Title, i.Shared = i.ID+alerts.IncidentID(text), text, train.Cause(text), text, ""
	i.Evidence, i.Next, i.NextCommand, i.Outcome = text, text, text, text
	i.Jobs = []alerts.AffectedJob{{Namespace: text, Group: text, Kind: text, Name: text, Queue: text, Owner: text, GPUHours: 1}, {Name: text}}
	return n
}

// markup are texts that try to act in one of the services.
var markup = []string{
	"<!here> <!channel> <@U012AB3CD> <#C012AB3CD> <https://evil.example|click> &lt;!here&gt;",
	"@here @channel @everyone @all <@&123> <@!42> <@everyone> @name_of_a_person",
	"*bold* _italic_ ~gone~ **b** __u__ ~~s~~ ||spoiler|| `code` ```block``` > quote",
	"[click](https://evil.example) ![pixel](https://evil.example/p.png) <font color=\"warning\">x</font>",
	"<b>b</b><a href=\"https://evil.example\">x</a><script>alert(1)</script><at id=all></at><at>x</at>",
	"``` end of code <!here> ``` @everyone `x` </code></pre> <b>",
	"\\*not\\* \\`x\\` \\\\", "{{ template }} ${HOME} $(id) %s %n", "# heading\n## two\n- item\n1. one\n> quote",
	"\r\nBcc: evil@example.com\r\n\r\nbody", "\"quotes\" 'and' \\ back\\nslash", "&amp;amp; &#64;here &commat;",
}

// hostileTexts are those of the corpus, of markup, and floods of what is escaped.
func hostileTexts() []string {
	texts := markup
	for _, c := range corpus.Hostile() {
		texts = append(texts, c.Text)
	}
	for _, flood := range []string{"<", "&", "@", "*", "`", "\"", "\\", "漢", "😀", "a", "]", "\x00", "é"} {
		texts = append(texts, strings.Repeat(flood, 2_500))
	}
	texts = append(texts, strings.Repeat("漢<", 10_000))
	return texts
}

// TestHostileTextThroughEachKind: whatever an incident contains, what is sent
// is valid, has the length that the service allows, controls no terminal, and
// has no effect as markup.
func TestHostileTextThroughEachKind(t *testing.T) {
	for _, c := range httpCases() {
		s := newSink(t, says(c.status, c.ok))
		r := c.receiver(t, s)
		for _, text := range hostileTexts() {
			where := fmt.Sprintf("%s: %.60q", c.kind.Type, text)
			if err := send(t, r, noticeOf(text)); err != nil {
				t.Errorf("%s: %v", where, err)
				continue
			}
			g := s.last(t)
			for _, one := range jsonTexts(t, g.body) {
				if err := corpus.Check(strings.ReplaceAll(one, "@"+wordJoiner, "@")); err != nil {
					t.Errorf("%s: %v", where, err)
				}
			}
			if check := bodyChecks[c.kind.Type]; check != nil {
				if err := check(g); err != nil {
					t.Errorf("%s: %v", where, err)
				}
			}
			for name, values := range g.header {
				if strings.ContainsAny(strings.Join(values, ""), "\r\n\x00") {
					t.Errorf("%s: the header %s is %q", where, name, values)
				}
			}
		}
	}
}

// jsonTexts are all texts of a document.
func jsonTexts(t *testing.T, body []byte) (texts []string) {
	t.Helper()
	var document any
	if err := json.Unmarshal(body, &document); err != nil {
		t.Fatalf("no JSON: %v: %.200s", err, body)
	}
	var walk func(any)
	walk = func(value any) {
		switch value := value.(type) {
		case string:
			texts = append(texts, value)
		case []any:
			for _, one := range value {
				walk(one)
			}
		case map[string]any:
			for _, one := range value {
				walk(one)
			}
		}
	}
	walk(document)
	return texts
}

// bodyChecks hold the rules of each service.
var bodyChecks = map[string]func(got) error{
	"slack": checkSlack, "msteams": checkTeams, "discord": checkDiscord, "telegram": checkTelegram,
	"feishu": checkFeishu, "dingtalk": checkDingTalk, "wecom": checkWeCom, "ntfy": checkNtfy, "pagerduty": checkPagerDuty,
}

func decode(g got, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(g.body))
	decoder.DisallowUnknownFields()
	return decoder.Decode(into)
}

func longer(what string, length, most int) error {
	if length > most {
		return fmt.Errorf("%s has %d, and %d are allowed", what, length, most)
	}
	return nil
}

// entity matches what the three control characters of Slack have to be.
var entity = regexp.MustCompile(`&(amp|lt|gt);`)

func checkSlack(g got) error {
	var m slackMessage
	if err := decode(g, &m); err != nil {
		return err
	}
	if m.Markdown || len(m.Blocks) > 50 || len(m.Blocks) < 3 {
		return fmt.Errorf("mrkdwn %t, %d blocks", m.Markdown, len(m.Blocks))
	}
	for _, b := range m.Blocks {
		most := slackSection
		if b.Type == "header" {
			most = slackHeader
		}
		if err := longer("a block "+b.Type, utf8.RuneCountInString(b.Text.Text), most); err != nil || b.Text.Text == "" {
			return fmt.Errorf("%w, %q", err, b.Text.Text)
		}
		if rest := entity.ReplaceAllString(b.Text.Text, ""); strings.ContainsAny(rest, "<>&") {
			return fmt.Errorf("control characters in %q", rest)
		}
		if b.Text.Type != "plain_text" {
			name, code, found := strings.Cut(b.Text.Text, ": `")
			code = strings.TrimPrefix(code, "``")
			if fence := strings.TrimRight(code, "`"); !found || strings.Contains(fence, "`") || name != evidenceName && name != openName {
				return fmt.Errorf("text is outside of code: %q", b.Text.Text)
			}
		}
	}
	return nil
}

func checkTeams(g got) error {
	var m teamsMessage
	if err := decode(g, &m); err != nil {
		return err
	}
	for _, text := range m.Attachments[0].Content.Body {
		if text.Type != "RichTextBlock" {
			return fmt.Errorf("%s has markup", text.Type)
		}
		for _, run := range text.Inlines {
			if run.Type != "TextRun" {
				return fmt.Errorf("%s has markup", run.Type)
			}
		}
	}
	return longer("the card", len(g.body), 28<<10)
}

// unescaped removes escapes and code, and finds what could act.
func unescaped(text string) error {
	text = regexp.MustCompile("(?m)^("+evidenceName+"|"+openName+"): `[^`]*`$").ReplaceAllString(text, "")
	text = regexp.MustCompile(`\\[!-/:-@\[-`+"`"+`{-~]`).ReplaceAllString(text, "")
	text = regexp.MustCompile(`(?m)^[a-z ]+: `).ReplaceAllString(text, "") // our own names
	if at := strings.IndexAny(text, "*_`~|[]<>@#:\\"); at >= 0 {
		return fmt.Errorf("%q can act", text[at:min(len(text), at+40)])
	}
	return nil
}

func checkDiscord(g got) error {
	var m discordMessage
	if err := decode(g, &m); err != nil {
		return err
	}
	if m.AllowedMentions.Parse == nil || len(m.AllowedMentions.Parse) > 0 || !strings.Contains(string(g.body), `"allowed_mentions":{"parse":[]}`) {
		return fmt.Errorf("mentions are allowed")
	}
	if err := longer("the content", inUTF16(m.Content), discordContent); err != nil {
		return err
	}
	total := 0
	for _, e := range m.Embeds {
		total += inUTF16(e.Description)
		if err := unescaped(e.Description); err != nil {
			return err
		}
	}
	if err := longer("the embed", total, discordEmbed); err != nil {
		return err
	}
	return unescaped(m.Content)
}

// telegramTag matches the tags that we write.
var telegramTag = regexp.MustCompile(`</?(b|code)>`)

func checkTelegram(g got) error {
	var m telegramMessage
	if err := decode(g, &m); err != nil {
		return err
	}
	if m.ParseMode != "HTML" || !m.Preview.Disabled {
		return fmt.Errorf("parse mode %q", m.ParseMode)
	}
	if open, closed := strings.Count(m.Text, "<"), strings.Count(m.Text, "</"); open != 2*closed {
		return fmt.Errorf("%d tags are opened, %d closed", open-closed, closed)
	}
	rest := telegramTag.ReplaceAllString(m.Text, "")
	if strings.ContainsAny(rest, "<>") || strings.ContainsAny(entity.ReplaceAllString(rest, ""), "&") {
		return fmt.Errorf("control characters in %.200q", rest)
	}
	outside := regexp.MustCompile(`<code>[^<]*</code>`).ReplaceAllString(m.Text, "")
	if strings.Contains(strings.ReplaceAll(outside, "@"+wordJoiner, ""), "@") {
		return fmt.Errorf("a mention in %.200q", outside)
	}
	return longer("the text", inUTF16(html.UnescapeString(rest)), 4096)
}

func checkFeishu(g got) error {
	var m feishuMessage
	if err := decode(g, &m); err != nil {
		return err
	}
	if strings.Contains(string(g.body), "lark_md") || m.Card.Header.Title.Tag != "plain_text" {
		return fmt.Errorf("there is markup")
	}
	for _, e := range m.Card.Elements {
		if e.Tag != "div" || e.Text.Tag != "plain_text" {
			return fmt.Errorf("%+v has markup", e)
		}
	}
	return longer("the body", len(g.body), 20<<10)
}

// wideOnly finds markup other than that of our heading.
func wideOnly(text string) error {
	text = regexp.MustCompile(`\A\*\*([^*]*)\*\*`).ReplaceAllString(text, "$1")
	if at := strings.IndexAny(text, "\\`*_~|#[]<>@!"); at >= 0 {
		return fmt.Errorf("%q can act", text[at:min(len(text), at+40)])
	}
	return nil
}

func checkDingTalk(g got) error {
	var m dingtalkMessage
	if err := decode(g, &m); err != nil {
		return err
	}
	if m.At.All {
		return fmt.Errorf("everybody is called")
	}
	if err := longer("the body", len(g.body), 20<<10); err != nil {
		return err
	}
	if err := wideOnly(m.Markdown.Title); err != nil {
		return err
	}
	return wideOnly(m.Markdown.Text)
}

func checkWeCom(g got) error {
	var m wecomMessage
	if err := decode(g, &m); err != nil {
		return err
	}
	if err := longer("the content", len(m.Markdown.Content), 4096); err != nil {
		return err
	}
	return wideOnly(m.Markdown.Content)
}

func checkNtfy(g got) error {
	var m ntfyMessage
	if err := decode(g, &m); err != nil {
		return err
	}
	if m.Topic != "secret-training-topic" || m.Message == "" || g.path != "/" {
		return fmt.Errorf("topic %q at %s", m.Topic, g.path)
	}
	return longer("the message", len(m.Message), 4096)
}

func checkPagerDuty(g got) error {
	var m pagerdutyEvent
	if err := decode(g, &m); err != nil {
		return err
	}
	if err := longer("the summary", utf8.RuneCountInString(m.Payload.Summary), 1024); err != nil {
		return err
	}
	return longer("the event", len(g.body), 512<<10)
}

// planted is a secret in the texts of a cluster.
const planted = "hunter2Planted77"

// plantedNotices have a secret in each of their texts, in each form.
func plantedNotices() (all []alerts.Notice) {
	for _, form := range corpus.SecretForms() {
		n, text := opened(), fmt.Sprintf(form, planted)
		i := &n.Incident
		i.Title, i.Evidence, i.Next, i.NextCommand, i.Outcome = text, text, text, text, text
		all = append(all, n)
	}
	return all
}

// TestPlantedSecretsThroughEachKind: a secret in a text of a cluster is sent to
// nobody.
func TestPlantedSecretsThroughEachKind(t *testing.T) {
	for _, c := range httpCases() {
		s := newSink(t, says(c.status, c.ok))
		r := c.receiver(t, s)
		for _, n := range plantedNotices() {
			if err := send(t, r, n); err != nil {
				t.Errorf("%s: %v", c.kind.Type, err)
			}
			if g := s.last(t); strings.Contains(string(g.body)+fmt.Sprint(g.header), planted) {
				t.Errorf("%s sends the secret of %q: %.300s", c.kind.Type, n.Incident.Title, g.body)
			}
		}
	}
}
