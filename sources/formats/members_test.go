package formats

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Members of one name in different objects of a record are values of their own, and what is in
// an object of evaluation is of evaluation.
func TestMembersOfOneName(t *testing.T) {
	for _, c := range []struct{ about, log, want string }{
		{"two networks", `{"step":1,"generator":{"loss":1.5,"lr":0.1},"discriminator":{"loss":0.5,"lr":0.2}}`, "1 discriminator.loss=0.5 discriminator.lr=0.2 generator.loss=1.5 lr=0.1"},
		{"a dict", `{'step': 1, 'actor': {'loss': 1.5}, 'critic': {'loss': nan}}`, "1 actor.loss=1.5 critic.loss=NaN"},
		{"names without quotes", `actor: {loss: 1.5}, critic: {loss: 0.5}, step: 1`, "1 actor.loss=1.5 critic.loss=0.5"},
		{"behind a text", `INFO epoch 3: {"a": {"loss": 1.5}, "b": {"loss": 0.5}}`, "1 a.loss=1.5 b.loss=0.5"},
		{"one is missing later", `{"step":1,"a":{"loss":1.5},"b":{"loss":0.5}}` + "\n" + `{"step":2,"b":{"loss":0.5}}`, "1 a.loss=1.5 b.loss=0.5\n2 b.loss=0.5"},
		{"one alone keeps its name", `{"step":1,"a":{"loss":1.5}}`, "1 loss=1.5"},
		{"beside one of the record", `{"step":1,"loss":1.5,"second":{"loss":0.5}}`, "1 loss=1.5 second.loss=0.5"},
		{"the best so far", `{"step":1,"metrics":{"loss":1.5},"best":{"loss":1.25}}`, "1 best.loss=1.25 loss=1.5"},
		{"training and evaluation", `{"step":1,"train":{"loss":1.5,"f1":0.5},"val":{"loss":2.5,"f1":0.25}}`, "1 eval_loss=2.5 loss=1.5 train.f1=0.5 val.f1=0.25"},
		{"two evaluations", `{"step":1,"eval":{"wiki":{"loss":2.5},"code":{"loss":9.5}}}`, "1 eval.code.loss=9.5 eval.wiki.loss=2.5"},
		{"two evaluations before training", `{"step":1,"eval":{"loss":0.5},"test":{"loss":0.75},"train":{"loss":2.5}}`, "1 eval_loss=0.5 loss=2.5 test.loss=0.75"},
		{"evaluation before what is of training", `{"step":1,"eval":{"acc":0.5},"loss":2.5}`, "1 eval_accuracy=0.5 loss=2.5"},
		{"evaluation behind a time of day", `{"step":1,"eval":{"ts":"2026-01-05T06:00:00Z","code":{"loss":9.5}}}`, "1 eval_loss=9.5"},
		{"an object named for evaluation", `{"step":1,"val_metrics":{"loss":2.5}}`, "1 eval_loss=2.5"},
		{"the objects of a list", `{"step":1,"loss":1.5,"groups":[{"lr":0.1},{"lr":0.2}]}`, "1 loss=1.5 lr=0.1"},
		{"layers", `{"step":1,"loss":1.5,"layer0.grad_norm":0.5,"layer1.grad_norm":NaN}`, "1 grad_norm=0.5 layer1.grad_norm=NaN loss=1.5"},
		{"braces in a text", `{"step":1,"loss":1.5,"text":"}{\"a\": {"}`, "1 loss=1.5"},
		{"an object that was cut", `{"step":1,"a":{"loss":1.5},"b":{"loss":0.5`, "1 a.loss=1.5 b.loss=0.5"},
	} {
		var points []string
		p := New(Options{})
		for i, line := range strings.Split(c.log, "\n") {
			points = append(points, spell(p.Line(int64(i+1), time.Time{}, []byte(line)).Samples)...)
		}
		points = append(points, spell(p.End().Samples)...)
		if got := strings.Join(points, "\n"); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.about, got, c.want)
		}
	}
}

// Values that are not read, since a line or a log has too many, are counted.
func TestValuesLeftOut(t *testing.T) {
	wide := func(metrics int) string {
		var b strings.Builder
		b.WriteString("step 1 loss 2.5")
		for i := range metrics {
			fmt.Fprintf(&b, " m_%d=1.5", i)
		}
		return b.String()
	}
	var many []string
	for i := range 600 {
		many = append(many, fmt.Sprintf("step %d loss 2.5 a_%d=1 b_%d=1 c_%d=1 d_%d=1", i, i, i, i, i))
	}
	for _, c := range []struct {
		about, log   string
		read, unread int
	}{
		{"a line with few", wide(80), 81, 0},
		{"a line with many", wide(2000), maxFields - 1, 2001 - (maxFields - 1)},
		{"a log with many names", strings.Join(many, "\n"), maxNames + 600, 4*600 - maxNames},
	} {
		read, unread := 0, 0
		p := New(Options{})
		for i, line := range strings.Split(c.log, "\n") {
			for _, s := range p.Line(int64(i+1), time.Time{}, []byte(line)).Samples {
				read, unread = read+len(s.Metrics), unread+int(s.LeftOut)
			}
		}
		if read != c.read || unread != c.unread {
			t.Errorf("%s: read %d and left out %d, want %d and %d", c.about, read, unread, c.read, c.unread)
		}
	}
}
