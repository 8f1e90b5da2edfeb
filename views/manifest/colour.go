package manifest

import (
	"strconv"
	"strings"

	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views/draw"
)

// maxLines bounds the shown text; an object in etcd has 1.5 MiB at most.
const maxLines = 100_000

// colour sets the roles of the parts of YAML lines. It reads each line alone:
// enough for keys, numbers and comments, and wrong at worst about the colour of
// a line within a block of text.
func colour(text string) []draw.TextLine {
	written := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(written) > maxLines {
		written = append(written[:maxLines:maxLines], "# cut here: "+draw.More(len(written)-maxLines, "line"))
	}
	lines := make([]draw.TextLine, len(written))
	for i, line := range written {
		lines[i] = colourLine(strings.TrimRight(line, "\r"))
	}
	return lines
}

func colourLine(line string) draw.TextLine {
	body := strings.TrimLeft(line, " -")
	if strings.HasPrefix(body, "#") {
		return draw.TextLine{{Text: line, Role: themes.Dim}}
	}
	indent := line[:len(line)-len(body)]
	key, value, found := cutKey(body)
	if !found {
		return draw.TextLine{{Text: indent, Role: themes.Dim}, {Text: body, Role: valueRole(body)}}
	}
	return draw.TextLine{
		{Text: indent, Role: themes.Dim}, {Text: key, Role: themes.YAMLKey}, {Text: ":", Role: themes.Dim},
		{Text: value, Role: valueRole(strings.TrimSpace(value))},
	}
}

// cutKey splits "key: value" and "key:"; a colon inside a word is no end of a key.
func cutKey(body string) (key, value string, found bool) {
	for i := range len(body) {
		if body[i] != ':' || i+1 < len(body) && body[i+1] != ' ' {
			continue
		}
		return body[:i], body[i+1:], !strings.ContainsAny(body[:i], " \"'{[") || strings.HasPrefix(body, `"`)
	}
	return "", "", false
}

func valueRole(value string) themes.Role {
	switch value {
	case "true", "false", "null", "{}", "[]":
		return themes.YAMLNumber
	case redact.Masked:
		return themes.Dim
	}
	if _, err := strconv.ParseFloat(value, 64); err == nil {
		return themes.YAMLNumber
	}
	return themes.YAMLString
}
