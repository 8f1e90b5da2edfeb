package tools

import "regexp"

// learning matches the name of what a program measures that trains. A table, a record or a
// line with such a name is of its log, which may have the GPU of the rank beside the loss:
// what it prints at each step is no report of a tool.
var learning = regexp.MustCompile(`(?i)(?:^|[^a-z])(?:loss|losses|steps?|iters?|iterations?|lr|learning[_ ]rate|ppl|perplexity|acc|accuracy|reward|grad[_ ]norm)(?:$|[^a-z])`)
