package dump

import (
	"strings"
	"testing"
)

// Pages of an answer, each on its line, behind the command that asked for them, or with
// other names for the same are read as the records that they have.
func TestPagesOfLogExports(t *testing.T) {
	const want = "2023-11-14T22:13:20.000000000Z step 1\n2023-11-14T22:13:21.000000000Z step 2\n2023-11-14T22:13:22.000000000Z step 3\n"
	const page1 = `{"hits":{"hits":[{"_source":{"@timestamp":"2023-11-14T22:13:20Z","message":"step 1"}},{"_source":{"@timestamp":"2023-11-14T22:13:21Z","message":"step 2"}}]}}` + "\n"
	const page2 = `{"hits":{"hits":[{"_source":{"@timestamp":"2023-11-14T22:13:22Z","message":"step 3"}}]}}` + "\n"
	for name, text := range map[string]string{
		"Elasticsearch":     page1 + page2,
		"behind a command":  "$ curl -s 'http://localhost:9200/k8s/_search?scroll=1m'\n" + page1 + page2,
		"behind a heading":  "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n" + page1 + page2,
		"Loki":              `{"status":"success","data":{"resultType":"streams","result":[{"stream":{"pod":"a"},"values":[["1700000000000000000","step 1"],["1700000001000000000","step 2"]]}]}}` + "\n" + `{"status":"success","data":{"resultType":"streams","result":[{"stream":{"pod":"a"},"values":[["1700000002000000000","step 3"]]}]}}` + "\n",
		"SQL of OpenSearch": `{"schema":[{"name":"ts","type":"timestamp"},{"name":"pod","type":"string"},{"name":"message","type":"string"}],"datarows":[["2023-11-14T22:13:20Z","a","step 1"],["2023-11-14T22:13:21Z","a","step 2"],["2023-11-14T22:13:22Z","a","step 3"]]}`,
		"InfluxDB":          `{"results":[{"series":[{"name":"logs","columns":["time","message"],"values":[["2023-11-14T22:13:20Z","step 1"],["2023-11-14T22:13:21Z","step 2"],["2023-11-14T22:13:22Z","step 3"]]}]}]}`,
		"Logs Insights":     `{"results":[[{"field":"@timestamp","value":"2023-11-14 22:13:20.000"},{"field":"@message","value":"step 1"}],[{"field":"@timestamp","value":"2023-11-14 22:13:21.000"},{"field":"@message","value":"step 2"}],[{"field":"@timestamp","value":"2023-11-14 22:13:22.000"},{"field":"@message","value":"step 3"}]],"status":"Complete"}`,
		"fields":            `{"hits":{"hits":[{"_id":"0","fields":{"@timestamp":["2023-11-14T22:13:20Z"],"message":["step 1"]}},{"_id":"1","fields":{"@timestamp":["2023-11-14T22:13:21Z"],"message":["step 2"]}},{"_id":"2","fields":{"@timestamp":["2023-11-14T22:13:22Z"],"message":["step 3"]}}]}}`,
	} {
		o, err := unpack(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if head, _ := o.text.Peek(sniffSize); o.is != isLog || string(head) != want || o.lacks != "" {
			t.Errorf("%s: %v %q %q", name, o.is, head, o.lacks)
		}
	}
}

// Tags and streams name the pods that printed lines.
func TestPodsOfLogExports(t *testing.T) {
	for name, text := range map[string]string{
		"Datadog":                        `{"data":[{"attributes":{"timestamp":"2023-11-14T22:13:20Z","message":"step 1","tags":["pod_name:llm-0","env:a"]}},{"attributes":{"timestamp":"2023-11-14T22:13:21Z","message":"step 1","tags":["pod_name:llm-1"]}}]}`,
		"CloudWatch, with the namespace": `{"events":[{"timestamp":1700000000000,"message":"step 1","logStreamName":"llm-0_ml_log"},{"timestamp":1700000001000,"message":"step 1","logStreamName":"llm-1_ml_log"}]}`,
		"CloudWatch":                     `{"events":[{"timestamp":1700000000000,"message":"step 1","logStreamName":"llm-0"},{"timestamp":1700000001000,"message":"step 1","logStreamName":"llm-1"}]}`,
	} {
		o, err := unpack(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		const want = "[pod/llm-0/log] 2023-11-14T22:13:20.000000000Z step 1\n[pod/llm-1/log] 2023-11-14T22:13:21.000000000Z step 1\n"
		if head, _ := o.text.Peek(sniffSize); string(head) != want {
			t.Errorf("%s: %q", name, head)
		}
	}
}

// What an answer states about records that it does not have is reported.
func TestAnswersThatAreNotWhole(t *testing.T) {
	const record = `{"@timestamp":"2023-11-14T22:13:20Z","message":"step 1"}`
	for beside, want := range map[string]string{
		`"timed_out":false,"_shards":{"total":5,"failed":0}`: "",
		`"nextForwardToken":"f/1","status":"success"`:        "",
		`"timed_out":true`: `it states "timed_out": true`,
		`"_shards":{"total":5,"successful":3,"failed":2}`:                         "2 of 5 shards failed",
		`"hits":{"total":{"value":10000,"relation":"gte"}}`:                       "it has 1 of 10000 records",
		`"warnings":["max entries limit reached"]`:                                "it warns: max entries limit reached",
		`"error":{"code":"PartialError"}`:                                         "it states an error: PartialError",
		`"nextToken":"abc"`:                                                       `it has a "nextToken", so there are further pages`,
		`"meta":{"status":"timeout"}`:                                             `it states "status": "timeout"`,
		`"messages":[{"type":"WARN","text":"Results are incomplete"}]`:            "it states: Results are incomplete",
		`"searchedLogStreams":[{"logStreamName":"a","searchedCompletely":false}]`: `it states "searchedCompletely": false`,
	} {
		o, err := unpack(strings.NewReader(`{` + beside + `,"results":[` + record + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		if o.is != isLog || o.lacks != want {
			t.Errorf("%s: %v %q, want %q", beside, o.is, o.lacks, want)
		}
	}
}
