package formats_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/traintop/traintop/sources/formats"
)

// A URL on a line of metrics: its port is no value, and the password before it no
// name.
func TestNothingInAURLIsAMetric(t *testing.T) {
	for _, url := range []string{
		"postgresql://svc:Zx9NWiP3sFd6@db:5432/x", "http://minio:9000", "s3://bucket/epoch_3/step=200", "https://ada:rank=3@host:8080/a?version=7&top=5",
		"mongodb+srv://svc:mG7JikEAvstq7@cl.example.net:27017",
	} {
		for _, line := range []string{"step 9000 loss 1.5 " + url, "step 9000 " + url + " loss 1.5", `step 9000 loss 1.5 sink="` + url + `" `} {
			read := read(formats.Options{}, line)
			var got []string
			for _, s := range read.Samples {
				got = append(got, short(s))
			}
			if diff := cmp.Diff([]string{"1: step 9000 loss 1.5"}, got); diff != "" {
				t.Errorf("%s: %s", line, diff)
			}
		}
	}
}
