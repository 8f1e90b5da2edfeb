package kube

import (
	"regexp"
	"strconv"
	"strings"
)

// masked stands where a secret value was.
const masked = "***"

// secretWord finds the names of values that nobody should see over a
// shoulder. Whole words and endings, so that TOKENIZERS_PARALLELISM is none.
var secretWord = regexp.MustCompile(`(?i)(secret|passw|passphrase|credential|private|(^|[^a-z])pwd|auth[_-]?header|` +
	`token([^a-z]|$)|tokens$|key([^a-z]|$)|keys$|dsn$|connection[_-]?string)`)

// secretFlag is a command-line argument that carries its value itself.
var secretFlag = regexp.MustCompile(`^(-{1,2}[A-Za-z0-9._-]+|[A-Za-z_][A-Za-z0-9_.]*)=(.+)$`)

// secretName reports whether a value of this name is to be masked. Numbers
// (max_tokens=4096) and booleans are no secrets, unless a password.
func secretName(name, value string) bool {
	if value == "" || !secretWord.MatchString(name) {
		return false
	}
	if strings.Contains(strings.ToLower(name), "passw") {
		return true
	}
	_, number := strconv.ParseFloat(value, 64)
	_, boolean := strconv.ParseBool(value)
	return number != nil && boolean != nil
}

// maskSecrets masks, anywhere in an object, environment variables and other
// name/value pairs and command-line arguments whose names say that they are secret.
func maskSecrets(node any) {
	switch node := node.(type) {
	case map[string]any:
		name, _ := node["name"].(string)
		if value, ok := node["value"].(string); ok && secretName(name, value) {
			node["value"] = masked
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
			maskSecrets(child)
		}
	case []any:
		for _, child := range node {
			maskSecrets(child)
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
		if parts := secretFlag.FindStringSubmatch(text); parts != nil && secretName(parts[1], parts[2]) {
			arguments[i] = parts[1] + "=" + masked
		}
		if afterFlag != "" && !strings.HasPrefix(text, "-") && secretName(afterFlag, text) {
			arguments[i] = masked
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
		if text, ok := value.(string); ok && secretName(name, text) {
			variables[name] = masked
		}
	}
}

// yamlEntry is one "name: value" line of YAML or JSON.
var yamlEntry = regexp.MustCompile(`(?m)([A-Za-z_][A-Za-z0-9_]*)("?\s*:[ \t]*)("[^"\n]*"|'[^'\n]*'|[^\s,{}\[\]]+)`)

func maskLines(text string) string {
	return yamlEntry.ReplaceAllStringFunc(text, func(entry string) string {
		parts := yamlEntry.FindStringSubmatch(entry)
		if !secretName(parts[1], strings.Trim(parts[3], `"'`)) {
			return entry
		}
		return parts[1] + parts[2] + `"` + masked + `"`
	})
}
