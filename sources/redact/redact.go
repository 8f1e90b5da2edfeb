// Package redact takes out of objects what nobody should see over a shoulder
// or find in a file that was sent to a colleague: values of environment
// variables, flags and name/value pairs whose names say that they are secret.
package redact

import (
	"regexp"
	"strconv"
	"strings"
)

// Masked stands where a secret value was.
const Masked = "***"

// secretWord finds the names of values that nobody should see over a
// shoulder. Whole words and endings, so that TOKENIZERS_PARALLELISM is none.
var secretWord = regexp.MustCompile(`(?i)(secret|passw|passphrase|credential|private|(^|[^a-z])pwd|auth[_-]?header|` +
	`token([^a-z]|$)|tokens$|key([^a-z]|$)|keys$|dsn$|connection[_-]?string)`)

// secretFlag is a command-line argument that carries its value itself.
var secretFlag = regexp.MustCompile(`^(-{1,2}[A-Za-z0-9._-]+|[A-Za-z_][A-Za-z0-9_.]*)=(.+)$`)

// Suspicious reports whether a name sounds as if a secret stood behind it,
// whatever the value.
func Suspicious(name string) bool { return secretWord.MatchString(name) }

// Secret reports whether a value of this name is to be masked. A boolean is
// no secret, and a number is none where the name counts tokens (max_tokens).
func Secret(name, value string) bool {
	if value == "" || !Suspicious(name) {
		return false
	}
	if _, err := strconv.ParseBool(value); err == nil && len(value) > 1 {
		return false
	}
	_, err := strconv.ParseFloat(value, 64)
	return err != nil || !countsTokens.MatchString(name)
}

// countsTokens finds names of numbers of tokens, the text kind.
var countsTokens = regexp.MustCompile(`(?i)tokens|token[^a-z]*(count|id|len|limit|num)|(max|num|min)[^a-z]*token`)

// Object masks in place, anywhere in an object, environment variables and other
// name/value pairs and command-line arguments whose names say that they are secret.
func Object(node any) {
	switch node := node.(type) {
	case map[string]any:
		name, _ := node["name"].(string)
		if value, ok := node["value"].(string); ok && Secret(name, value) {
			node["value"] = Masked
		}
		for key, child := range node {
			switch key {
			case "args", "command":
				maskArguments(child)
			case "env", "envVars", "env_vars":
				maskVariables(child)
			case "runtimeEnvYAML": // RayJob: YAML inside a string, env_vars in it
				if text, ok := child.(string); ok {
					node[key] = maskLines(text)
				}
			}
			Object(child)
		}
	case []any:
		for _, child := range node {
			Object(child)
		}
	}
}

func maskArguments(node any) {
	arguments, _ := node.([]any)
	afterFlag := "" // the secret's name when the value is the next argument
	for i, argument := range arguments {
		text, ok := argument.(string)
		if !ok {
			continue
		}
		if parts := secretFlag.FindStringSubmatch(text); parts != nil && Secret(parts[1], parts[2]) {
			arguments[i] = parts[1] + "=" + Masked
		}
		if afterFlag != "" && !strings.HasPrefix(text, "-") && Secret(afterFlag, text) {
			arguments[i] = Masked
		}
		afterFlag = ""
		if strings.HasPrefix(text, "-") && !strings.Contains(text, "=") {
			afterFlag = text
		}
	}
}

// maskVariables masks an environment that is written as a map.
func maskVariables(node any) {
	variables, _ := node.(map[string]any)
	for name, value := range variables {
		if text, ok := value.(string); ok && Secret(name, text) {
			variables[name] = Masked
		}
	}
}

// yamlEntry is one "name: value" line of YAML or JSON.
var yamlEntry = regexp.MustCompile(`(?m)([A-Za-z_][A-Za-z0-9_]*)("?\s*:[ \t]*)("[^"\n]*"|'[^'\n]*'|[^\s,{}\[\]]+)`)

func maskLines(text string) string {
	return yamlEntry.ReplaceAllStringFunc(text, func(entry string) string {
		parts := yamlEntry.FindStringSubmatch(entry)
		if !Secret(parts[1], strings.Trim(parts[3], `"'`)) {
			return entry
		}
		return parts[1] + parts[2] + `"` + Masked + `"`
	})
}
