package exported

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
)

// lacksOf returns what answers of a log store state about records that they do not have,
// "" where they state nothing. records is how many they have, together.
func lacksOf(documents []any, records int) string {
	total := 0.0
	for i, document := range documents {
		answer, _ := document.(map[string]any)
		if what := trouble(answer); what != "" {
			return what
		}
		if i == len(documents)-1 {
			if what := furtherPages(answer); what != "" {
				return what
			}
		}
		total = max(total, totalOf(answer))
	}
	if int(total) > records && records > 0 {
		return fmt.Sprintf("it has %d of %.0f records", records, total)
	}
	return ""
}

// trouble returns what an answer states about its own making: Elasticsearch's and
// OpenSearch's timed_out, terminated_early and _shards, Loki's warnings and status,
// Splunk's preview and messages, Azure's error, Datadog's meta and CloudWatch's
// searchedLogStreams.
func trouble(answer map[string]any) string {
	for name, bad := range map[string]any{"timed_out": true, "terminated_early": true, "preview": true, "searchedCompletely": false} {
		if answer[name] == bad {
			return fmt.Sprintf("it states %q: %v", name, bad)
		}
	}
	if status, _ := answer["status"].(string); status == "error" || status == "timeout" || status == "Timeout" || status == "Running" || status == "Failed" || status == "Cancelled" {
		return fmt.Sprintf("it states %q: %q", "status", status)
	}
	if shards, is := answer["_shards"].(map[string]any); is {
		if failed, _ := shards["failed"].(float64); failed > 0 {
			return fmt.Sprintf("%.0f of %.0f shards failed", failed, numberOf(shards["total"]))
		}
	}
	if warnings, _ := answer["warnings"].([]any); len(warnings) > 0 {
		return "it warns: " + textOf(warnings[0])
	}
	if failure, is := answer["error"].(map[string]any); is {
		return "it states an error: " + cmp.Or(textOf(failure["message"]), textOf(failure["code"]), textOf(failure["type"]))
	}
	messages, _ := answer["messages"].([]any)
	for _, message := range messages {
		if fields, is := message.(map[string]any); is && (strings.Contains(textOf(fields["text"]), "incomplete") || strings.Contains(textOf(fields["text"]), "truncated")) {
			return "it states: " + textOf(fields["text"])
		}
	}
	streams, _ := answer["searchedLogStreams"].([]any)
	for _, stream := range streams {
		if fields, is := stream.(map[string]any); is && trouble(fields) != "" {
			return trouble(fields)
		}
	}
	if meta, is := answer["meta"].(map[string]any); is {
		return trouble(meta)
	}
	return ""
}

// furtherPages returns what an answer states about pages after it: the tokens of
// CloudWatch (that of get-log-events, nextForwardToken, is there at the end too), Cloud
// Logging and Datadog.
func furtherPages(answer map[string]any) string {
	for _, name := range []string{"nextToken", "nextPageToken"} {
		if token, _ := answer[name].(string); token != "" {
			return fmt.Sprintf("it has a %q, so there are further pages", name)
		}
	}
	meta, _ := answer["meta"].(map[string]any)
	page, _ := meta["page"].(map[string]any)
	if after, _ := page["after"].(string); after != "" {
		return "it names a page after it"
	}
	return ""
}

// totalOf returns how many records an answer states that there are, 0 where it does not.
func totalOf(answer map[string]any) float64 {
	hits, _ := answer["hits"].(map[string]any)
	if total, is := hits["total"].(map[string]any); is {
		return numberOf(total["value"])
	}
	if answer["datarows"] != nil {
		return numberOf(answer["total"])
	}
	return numberOf(hits["total"])
}

func numberOf(value any) float64 {
	number, _ := value.(float64)
	return number
}

// textOf returns a text as it is, and another value as JSON; "" for none.
func textOf(value any) string {
	if text, is := value.(string); is || value == nil {
		return text
	}
	text, _ := json.Marshal(value) // it was read from JSON
	return string(text)
}
