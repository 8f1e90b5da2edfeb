package views

import (
	"strings"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/draw"
)

// Trouble is the fault of a node, with how long it has not been ready; "" when
// it is well.
func Trouble(n *train.Node, ages *draw.Ages) string {
	rest, notReady := strings.CutPrefix(n.Trouble, "NotReady")
	if since := ages.Since(n.NotReadySince); notReady && since != "" {
		return "not ready for " + since + rest
	}
	return n.Trouble
}
