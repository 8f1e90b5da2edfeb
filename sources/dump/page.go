package dump

import (
	"errors"
	"fmt"
	"strings"

	"github.com/traintop/traintop/termtext"
)

// continued returns an error that names the objects on later pages of a list;
// nil for the last page and for a whole list.
func continued(list map[string]any) error {
	metadata, _ := list["metadata"].(map[string]any)
	token, _ := metadata["continue"].(string)
	left := whole64(metadata["remainingItemCount"])
	switch {
	case token == "" && left <= 0:
		return nil
	case left > 0:
		return fmt.Errorf("the list goes on: %s not in it; ask for it without limit", moreItems(left, metaOf(list).itemKind()))
	}
	return errors.New("the list goes on, and what follows is not in it; ask for it without limit")
}

func moreItems(n int64, kind string) string {
	what := "item"
	if kind != "" {
		what = strings.ToLower(kind)
	}
	return termtext.More(int(n), what) + termtext.Agree(int(n), " is", " are")
}

// whole64 returns an integer as parsed from JSON or YAML, 0 for anything else.
func whole64(value any) int64 {
	switch value := value.(type) {
	case int64:
		return value
	case float64:
		return int64(value)
	}
	return 0
}
