package dump

import (
	"encoding/json"
	"strings"
	"testing"
)

// A log whose records are JSON over several lines is a log; settings, results and
// objects in JSON are none.
func TestPrettyJSONIsALog(t *testing.T) {
	pretty := func(records ...map[string]any) string {
		text := ""
		for _, record := range records {
			one, err := json.MarshalIndent(record, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			text += string(one) + "\n"
		}
		return text
	}
	type fields = map[string]any
	measures := []fields{{"step": 1, "loss": 2.5, "lr": 0.1}, {"step": 2, "loss": 2.25, "lr": 0.1}}
	array, _ := json.MarshalIndent(measures, "", "  ") // numbers and text can be written
	for name, f := range map[string]struct {
		text string
		want content
	}{
		"measurements":                     {pretty(measures...), isLog},
		"measurements in an array":         {string(array), isLog},
		"messages":                         {pretty(fields{"level": "info", "msg": "loading"}, fields{"level": "info", "msg": "ready"}), isLog},
		"one message":                      {pretty(fields{"level": "error", "message": "RuntimeError: CUDA error: out of memory"}), isLog},
		"a message and what belongs to it": {pretty(fields{"levelname": "INFO", "message": "loading", "data": fields{"files": 3}}), isLog},
		"measurements of phases":           {pretty(fields{"step": 1, "metrics": fields{"val": fields{"loss": 2.5}}}), isLog},
		"settings":                         {pretty(fields{"model": fields{"layers": 12}, "lr": 0.001}), isJSON},
		"settings that bound steps":        {pretty(fields{"epochs": 3, "loss": "mse"}), isJSON},
		"settings that name a loss":        {pretty(fields{"step": 3, "train": fields{"loss": "mse"}}), isJSON},
		"an object":                        {pretty(fields{"apiVersion": "v1", "kind": "Event", "message": "x", "type": "Warning"}), isJSON},
		"an object after something else":   {pretty(fields{"level": "info", "msg": "x"}, fields{"kind": "Pod", "apiVersion": "v1"}), isJSON},
		"an API server's refusal":          {pretty(fields{"kind": "Status", "apiVersion": "v1", "message": "no", "code": 403}), isJSON},
	} {
		if is, _ := detect([]byte(f.text)); is != f.want {
			t.Errorf("%s: %d, want %d", name, is, f.want)
		}
	}
}

// Numbers beside a message stay, with the time in front.
func TestPrettyRecordsKeepNumbers(t *testing.T) {
	const first, second = "{\n  \"time\": \"2023-11-14T22:13:20Z\",\n  \"msg\": \"train\",\n  \"loss\": 2.5,\n  \"step\": 1\n}", "{\n  \"time\": \"2023-11-14T22:13:21Z\",\n  \"msg\": \"done\"\n}"
	const want = `2023-11-14T22:13:20.000000000Z {"loss":2.5,"msg":"train","step":1,"time":"2023-11-14T22:13:20Z"}` + "\n" + `2023-11-14T22:13:21.000000000Z {"msg":"done","time":"2023-11-14T22:13:21Z"}` + "\n"
	for _, text := range []string{first + "\n" + second + "\n", "[" + first + ",\n" + second + "]\n"} {
		o, err := unpack(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if head, _ := o.text.Peek(sniffSize); o.is != isLog || string(head) != want {
			t.Errorf("%v %q", o.is, head)
		}
	}
}
