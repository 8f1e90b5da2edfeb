package kinds

import (
	"fmt"
	"strings"
)

// Markdown prints both lists for the documentation.
func Markdown() string {
	var b strings.Builder
	b.WriteString("# Kinds\n\nPrinted from the lists in `train/kinds/kinds.go`; `make generate` writes it anew. Any of them may be missing from a cluster. Of the versions the first that is served is read.\n")
	b.WriteString("\n## Rows\n\nOne row for the object at the top of an ownership chain. Pods that form a gang without any of these above them make a row of kind PodGroup.\n\n")
	writeKinds(&b, jobKinds)
	b.WriteString("\n## Read for what they tell about rows\n\n")
	writeKinds(&b, relatedKinds)
	return b.String()
}

func writeKinds(b *strings.Builder, list []Kind) {
	b.WriteString("| Kind | Resource | Versions |\n| --- | --- | --- |\n")
	for _, k := range list {
		fmt.Fprintf(b, "| %s | `%s.%s` | %s |\n", k.Kind, k.Resource, k.Group, strings.Join(k.Versions, ", "))
	}
}
