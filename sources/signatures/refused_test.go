package signatures

import "testing"

// Refusals of a server of data, and of CUDA, are neither an
// image's registry nor the permission of a file.
func TestRefusalsOfDataAndOfCaptures(t *testing.T) {
	first := func(text string) string {
		if matches := Find(InAnyText, text); len(matches) > 0 {
			return string(matches[0].Cause)
		}
		return ""
	}
	for text, want := range map[string]string{
		"urllib.error.HTTPError: HTTP Error 403: rate limit exceeded":                          "dataset-download-failure",
		"urllib.error.HTTPError: HTTP Error 429: Too Many Requests":                            "dataset-download-failure",
		"Failed to pull image \"a/b\": toomanyrequests: You have reached your pull rate limit": "image-pull-rate-limited",
		"datasets.exceptions.DatasetGenerationError: An error occurred":                        "python-exception",
		`RuntimeError: Unexpected result nan (message="in local forward loss")`:                "nan-loss",
	} {
		if got := first(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	for _, line := range []string{
		"CUDA error: operation not permitted when stream is capturing",
		// github.com/sgl-project/sglang/issues/24011
		"HIP error: operation not permitted on an event last recorded in a capturing stream",
	} {
		if cause, _, found := Hint(line); found {
			t.Errorf("%s: %s", line, cause)
		}
	}
}
