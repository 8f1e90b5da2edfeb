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
	b.WriteString("\n## Owners of rows, shown as tables\n\nThey have no row of their own: their jobs have, and name them. In a table (`:cronjobs`) enter opens the jobs of one; schedules are triggered with `t`, suspended and resumed with `s`. What an operator serves besides, `:sources` names.\n\n| Kind | Makes |\n| --- | --- |\n")
	for _, s := range schedules {
		fmt.Fprintf(&b, "| %s | %s, at the times of its schedule |\n", s.GroupKind, s.Makes)
	}
	fmt.Fprintf(&b, "| %s | %s, one after the other |\n", JobFlowKind, volcanoJobKind)
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
