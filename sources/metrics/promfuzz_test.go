package metrics

import (
	"bytes"
	"encoding/json"
	"testing"
)

// FuzzPromAnswer: no answer crashes the reader, and a valid JSON answer gives as
// many series as encoding/json finds.
func FuzzPromAnswer(f *testing.F) {
	p := NewPrometheus("")
	p.SetNames(fleetNames[:1])
	f.Add(fleet{nodes: 1}.answer(p.Quick()[0].Text, fleetValue))
	f.Add([]byte(`{"status":"success","data":{"resultType":"vector","result":[{"metric":{"a":"\"}"},"value":[1,"2"]}]},"warnings":["w"]}`))
	f.Add([]byte(`{"status":"error","errorType":"bad_data","error":"x"}`))
	f.Add([]byte(`{"data":{"result":[[1,2],"x",3]},"status":"success"}`))
	f.Add([]byte(`{"status":"success","data":{"result":[{"metric":{},"values":[[1,"2"],[2,"NaN"]]}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		p := NewPrometheus("")
		p.SetNames(fleetNames[:1])
		p.Begin(true)
		got, err := p.Read(p.Quick()[0], bytes.NewReader(text))
		_ = p.Readings(0, true)
		_, _, _ = p.ReadPast(p.Pasts()[0], bytes.NewReader(text), 0)
		_, _, _ = ReadPromNames(bytes.NewReader(text))
		var whole struct {
			Status string
			Error  string
			Data   struct{ Result []json.RawMessage }
		}
		if json.Unmarshal(text, &whole) == nil && whole.Error == "" && whole.Status == "success" && err == nil && got.Items < len(whole.Data.Result) {
			t.Errorf("%d series, encoding/json finds %d", got.Items, len(whole.Data.Result))
		}
	})
}
