package dump

import (
	"cmp"
	"strings"
	"testing"
)

// The state of Hugging Face's Trainer is its history; settings with a list of objects,
// and a list of Kubernetes objects, are not.
func TestHistoryOfARunIsALog(t *testing.T) {
	const state = `{"best_metric": null, "global_step": 20, "is_world_process_zero": true, "max_steps": 90, "num_train_epochs": 3,
  "log_history": [
    {"epoch": 0.33, "learning_rate": 4e-05, "loss": 1.25, "step": 10},
    {"epoch": 0.67, "eval_loss": 1.125, "step": 20}
  ], "train_batch_size": 4}`
	const want = `{"epoch":0.33,"learning_rate":0.00004,"loss":1.25,"max_steps":90,"num_train_epochs":3,"step":10}
{"epoch":0.67,"eval_loss":1.125,"max_steps":90,"num_train_epochs":3,"step":20}
`
	for name, c := range map[string]struct {
		text string
		want string // empty: as it is
	}{
		"the state of a trainer":        {state, want},
		"on one line":                   {strings.ReplaceAll(state, "\n", " "), want},
		"records of two phases":         {"[\n {\"epoch\": 1, \"train\": {\"loss\": 0.5}, \"val\": {\"loss\": 0.75}},\n {\"epoch\": 2, \"train\": {\"loss\": 0.25}, \"val\": {\"loss\": 0.5}}\n]", `{"epoch":1,"train/loss":0.5,"val/loss":0.75}` + "\n" + `{"epoch":2,"train/loss":0.25,"val/loss":0.5}` + "\n"},
		"records below another name":    {`{"steps": [{"step": 1, "loss": 0.5}, {"step": 2, "loss": 0.25}], "config": {"lr": 0.5}}`, `{"loss":0.5,"step":1}` + "\n" + `{"loss":0.25,"step":2}` + "\n"},
		"a list for each metric":        {"{\n  \"loss\": [0.5, 0.25],\n  \"val_loss\": [0.75, 0.5]\n}", `{"loss":[0.5,0.25],"val_loss":[0.75,0.5]}` + "\n"},
		"such lists below a name":       {"{\n  \"epoch\": [0, 1],\n  \"history\": {\"loss\": [0.5, 0.25], \"acc\": [0.25, 0.5]}\n}", `{"acc":[0.25,0.5],"loss":[0.5,0.25]}` + "\n"},
		"lists of settings":             {"{\n  \"loss\": [\"mse\", \"mae\"],\n  \"lr\": [0.5, 0.25]\n}", ""},
		"a list of settings":            {`{"name": "x", "metrics": [{"name": "loss", "goal": "minimize"}]}`, ""},
		"records of another thing":      {`{"records": [{"id": 1, "value": 2}]}`, ""},
		"objects of Kubernetes in logs": {`{"logs": [{"apiVersion": "v1", "kind": "Pod", "step": 1, "loss": 2}]}`, ""},
	} {
		o, err := unpack(strings.NewReader(c.text))
		if err != nil {
			t.Fatal(err)
		}
		head, _ := o.text.Peek(sniffSize)
		if want := cmp.Or(c.want, c.text); string(head) != want || c.want != "" && o.is != isLog {
			t.Errorf("%s: %v %q", name, o.is, head)
		}
	}
}
