package dump

import (
	"fmt"
	"strings"
	"testing"
)

// Documents of log collectors are read as log lines.
func TestLogExports(t *testing.T) {
	const first, second = "2023-11-14T22:13:20.000000000Z step 1", "2023-11-14T22:13:21.000000000Z CUDA out of memory"
	for name, text := range map[string]string{
		"Loki":                `{"status":"success","data":{"resultType":"streams","result":[{"stream":{"pod":"a"},"values":[["1700000001000000000","CUDA out of memory"],["1700000000000000000","step 1"]]}]}}`,
		"CloudWatch":          `{"events":[{"timestamp":1700000000000,"message":"step 1","ingestionTime":1},{"timestamp":1700000001000,"message":"CUDA out of memory"}],"nextForwardToken":"f/1"}`,
		"Cloud Logging":       `[{"insertId":"a","textPayload":"step 1","timestamp":"2023-11-14T22:13:20Z"},{"jsonPayload":{"message":"CUDA out of memory"},"timestamp":"2023-11-14T22:13:21Z"}]`,
		"Elasticsearch":       `{"took":5,"hits":{"hits":[{"_source":{"@timestamp":"2023-11-14T22:13:20Z","message":"step 1"}},{"_source":{"@timestamp":"2023-11-14T22:13:21Z","message":"CUDA out of memory"}}]}}`,
		"Datadog":             `{"data":[{"attributes":{"timestamp":"2023-11-14T22:13:20Z","message":"step 1"}},{"attributes":{"timestamp":"2023-11-14T22:13:21Z","message":"CUDA out of memory"}}]}`,
		"Log Analytics":       `{"tables":[{"columns":[{"name":"TimeGenerated"},{"name":"LogMessage"}],"rows":[["2023-11-14T22:13:20Z","step 1"],["2023-11-14T22:13:21Z","CUDA out of memory"]]}],"pod":"a"}`,
		"OpenTelemetry":       `{"resourceLogs":[{"resource":{"attributes":[{"key":"k8s.pod.name","value":{"stringValue":"a"}}]},"scopeLogs":[{"logRecords":[{"timeUnixNano":"1700000000000000000","body":{"stringValue":"step 1"}},{"timeUnixNano":"1700000001000000000","body":{"stringValue":"CUDA out of memory\n"}}]}]}]}`,
		"a field of any name": `[{"ts":1700000001,"pod":"a","entry":"CUDA out of memory"},{"ts":1700000000,"pod":"a","entry":"step 1"}]`,
		"the journal":         `[{"__REALTIME_TIMESTAMP":"1700000000000000","MESSAGE":"step 1"},{"__REALTIME_TIMESTAMP":"1700000001000000","MESSAGE":[67,85,68,65,32,111,117,116,32,111,102,32,109,101,109,111,114,121]}]`,
		"the journal, pretty": "{\n\t\"MESSAGE\" : \"step 1\",\n\t\"__REALTIME_TIMESTAMP\" : \"1700000000000000\"\n}\n{\n\t\"__REALTIME_TIMESTAMP\" : \"1700000001000000\",\n\t\"MESSAGE\" : \"CUDA out of memory\"\n}\n",
	} {
		for _, text := range []string{text, strings.ReplaceAll(text, ",\"", ",\n  \"")} {
			o, err := unpack(strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			head, _ := o.text.Peek(sniffSize)
			if o.is != isLog || string(head) != first+"\n"+second+"\n" {
				t.Errorf("%s: %v %q", name, o.is, head)
			}
		}
	}
	for _, text := range []string{
		`{"apiVersion":"v1","kind":"Event","message":"x","metadata":{"name":"a","creationTimestamp":"2023-11-14T22:13:20Z"}}`,
		`{"time":"2023-11-14T22:13:20Z","msg":"one"}` + "\n" + `{"time":"2023-11-14T22:13:20Z","msg":"two"}`,
		`{"time":"2023-11-14T22:13:20Z","msg":"one"}` + "\n",
		`{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"log":"a","time":"b"},"values":[[1700000000,"1"]]}]}}`,
	} {
		o, err := unpack(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if head, _ := o.text.Peek(sniffSize); string(head) != text {
			t.Errorf("%q was made %q", text, head)
		}
	}
}

// TestRecordsWithAnError: loggers of Go write what went wrong beside what they report
// about it (kserve/kserve#873, shortened).
func TestRecordsWithAnError(t *testing.T) {
	o, err := unpack(strings.NewReader("[{\"level\": \"error\", \"ts\": 1592923696.8, \"msg\": \"Failed to reconcile\", \"error\": \"admission webhook \\\"w.example.com\\\" denied the request\"}]"))
	if err != nil {
		t.Fatal(err)
	}
	want := "2020-06-23T14:48:16.800000000Z Failed to reconcile: admission webhook \"w.example.com\" denied the request\n"
	if head, _ := o.text.Peek(sniffSize); o.is != isLog || string(head) != want {
		t.Errorf("%v %q", o.is, head)
	}
}

// TestRecordsTakenApart: Cloud Logging takes lines that are JSON apart.
func TestRecordsTakenApart(t *testing.T) {
	o, err := unpack(strings.NewReader(`[{"jsonPayload":{"loss":2.25,"step":4},"timestamp":"2023-11-14T22:13:21Z"},{"jsonPayload":{"loss":2.5,"step":3},"timestamp":"2023-11-14T22:13:20Z"}]`))
	if err != nil {
		t.Fatal(err)
	}
	want := "2023-11-14T22:13:20.000000000Z {\"loss\":2.5,\"step\":3}\n2023-11-14T22:13:21.000000000Z {\"loss\":2.25,\"step\":4}\n"
	if head, _ := o.text.Peek(sniffSize); o.is != isLog || string(head) != want {
		t.Errorf("%v %q", o.is, head)
	}
}

// Entries in YAML, as gcloud prints them, are read from the oldest on. Those of one instant
// are in the order in which they were printed, and all times have one width.
func TestEntriesInYAML(t *testing.T) {
	const entry = "---\ninsertId: a\nresource:\n  labels:\n    pod_name: run-worker-%s\ntextPayload: %s\ntimestamp: '2023-11-14T22:13:2%sZ'\n"
	text := fmt.Sprintf(entry, "0", `"ValueError: b"`, "1") + fmt.Sprintf(entry, "0", `'Traceback (most recent call last):'`, "1") + fmt.Sprintf(entry, "1", "|-\n  first\n  second", "0.5")
	o, err := unpack(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	want := "[pod/run-worker-1/log] 2023-11-14T22:13:20.500000000Z first\n[pod/run-worker-1/log] 2023-11-14T22:13:20.500000000Z second\n" +
		"[pod/run-worker-0/log] 2023-11-14T22:13:21.000000000Z Traceback (most recent call last):\n[pod/run-worker-0/log] 2023-11-14T22:13:21.000000000Z ValueError: b\n"
	if head, _ := o.text.Peek(sniffSize); o.is != isLog || string(head) != want {
		t.Errorf("%v %q", o.is, head)
	}
}

// A time keeps its nanoseconds where a record writes it as a number.
func TestExportKeepsNanoseconds(t *testing.T) {
	o, err := unpack(strings.NewReader(`{"status":"success","data":{"resultType":"streams","result":[{"stream":{"pod":"a"},"values":[["1700000000001000137","one"]]}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	if head, _ := o.text.Peek(sniffSize); string(head) != "2023-11-14T22:13:20.001000137Z one\n" {
		t.Errorf("%q", head)
	}
}

// OpenTelemetry's file exporter writes many records in each line.
func TestLinesOfManyRecords(t *testing.T) {
	const line = `{"resourceLogs":[{"resource":{"attributes":[{"key":"k8s.pod.name","value":{"stringValue":"run-worker-%d"}}]},"scopeLogs":[{"logRecords":[{"timeUnixNano":"1700000000000000000","body":{"stringValue":"step 1"}}]}]}]}` + "\n"
	o, err := unpack(strings.NewReader(fmt.Sprintf(line, 0) + fmt.Sprintf(line, 1)))
	if err != nil {
		t.Fatal(err)
	}
	want := "[pod/run-worker-0/log] 2023-11-14T22:13:20.000000000Z step 1\n[pod/run-worker-1/log] 2023-11-14T22:13:20.000000000Z step 1\n"
	if head, _ := o.text.Peek(sniffSize); string(head) != want {
		t.Errorf("%q", head)
	}
}
