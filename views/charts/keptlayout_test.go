package charts

import (
	"encoding/json"
	"testing"

	"github.com/traintop/traintop/views"
)

func TestTheLayoutOfChartsIsKept(t *testing.T) {
	v := New(views.ChartsRoute{Job: "a"})
	if got := v.Layout(); got != nil {
		t.Errorf("nothing was arranged, and the layout is %s", got)
	}
	open := true
	v.axis, v.log, v.focus, v.more, v.pane = byUTC, true, "lr", []string{"mfu"}, &open
	v.weight, v.chosen, v.y = 2, true, yFixed
	v.fixed = map[string]yRange{"loss": {low: 0.5, high: 4, above: 3}}
	text := v.Layout()
	again := New(views.ChartsRoute{Job: "a"})
	again.Arrange(text)
	if again.axis != byUTC || !again.log || again.focus != "lr" || again.weight != 2 || !again.chosen || again.y != yFixed || again.fixed["loss"] != (yRange{low: 0.5, high: 4}) || !*again.pane {
		t.Errorf("%s became %+v", text, again.settings)
	}
	for _, broken := range []string{`{"axis":99,"weight":-1,"y":7}`, `{"axis":99,"y":-1,"fixed":{"loss":[2,1]}}`, `[]`, `{"axis":"x"}`, ``} {
		other := New(views.ChartsRoute{Job: "a"})
		other.Arrange(json.RawMessage(broken))
		if other.axis != byStep || other.weight != 0 || other.y != yRobust {
			t.Errorf("%s became %+v", broken, other.settings)
		}
	}
}
