package logfindings_test

import (
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

const steps = "step 10 loss 2.3\nstep 20 loss 2.1\n"

// raised is a log that ends with a traceback from one line of train.py down to a file
// of a package.
func raised(file, exception string) string {
	return steps + "Traceback (most recent call last):\n  File \"/app/train.py\", line 10, in <module>\n    main()\n" +
		"  File \"/usr/lib/python3/site-packages/" + file + "\", line 980, in call\n    raise error\n" + exception + "\n"
}

// The answers of an object storage are distinguished: rights (403), too many requests
// (429), absence (404). Texts of botocore 1.35, google-api-core 2.19, azure-core 1.30,
// minio 7.2, pyarrow 17, rclone 1.67 and the AWS CLI 2.
func TestAnswersOfObjectStorage(t *testing.T) {
	const denied, slow, absent = "refuses access (403", "asks for fewer requests (429", "does not exist (404"
	const skewed = "refuses the time of a request"
	for text, title := range map[string]string{
		raised("botocore/client.py", "botocore.exceptions.ClientError: An error occurred (AccessDenied) when calling the GetObject operation: Access Denied"):                                                                                   denied,
		raised("botocore/client.py", "botocore.exceptions.ClientError: An error occurred (403) when calling the HeadObject operation: Forbidden"):                                                                                               denied,
		raised("botocore/client.py", "botocore.exceptions.ClientError: An error occurred (SlowDown) when calling the PutObject operation (reached max retries: 4): Please reduce your request rate."):                                           slow,
		raised("botocore/client.py", "botocore.exceptions.ClientError: An error occurred (404) when calling the HeadObject operation: Not Found"):                                                                                               absent,
		raised("botocore/client.py", "botocore.errorfactory.NoSuchKey: An error occurred (NoSuchKey) when calling the GetObject operation: The specified key does not exist."):                                                                  absent,
		raised("google/cloud.py", "google.api_core.exceptions.Forbidden: 403 GET https://storage.googleapis.com/storage/v1/b/x/o/y: sa@p.iam.gserviceaccount.com does not have storage.objects.get access to the Google Cloud Storage object."): denied,
		raised("google/cloud.py", "google.api_core.exceptions.NotFound: 404 GET https://storage.googleapis.com/storage/v1/b/x/o/y: No such object: x/y"):                                                                                        absent,
		raised("google/cloud.py", "google.api_core.exceptions.TooManyRequests: 429 POST https://storage.googleapis.com/upload: The rate of change requests to the object x exceeds the rate limit."):                                            slow,
		raised("minio/api.py", "minio.error.S3Error: S3 operation failed; code: AccessDenied, message: Access Denied., resource: /x/y, request_id: 1, host_id: 2, bucket_name: x"):                                                              denied,
		raised("pyarrow/fs.py", "OSError: AWS Error ACCESS_DENIED during HeadObject operation: No response body."):                                                                                                                              denied,
		steps + "fatal error: An error occurred (AccessDenied) when calling the ListObjectsV2 operation: Access Denied\n":                                                                                                                       denied,
		steps + "ERROR : Failed to copy: failed to open source object: AccessDenied: Access Denied status code: 403, request id: tx0, host id:\n":                                                                                               denied,
		raised("botocore/client.py", "botocore.exceptions.ClientError: An error occurred (RequestTimeTooSkewed) when calling the PutObject operation: The difference between the request time and the server's time is too large."):             skewed,
		steps + "tensorflow.python.framework.errors_impl.PermissionDeniedError: Error executing an HTTP request: HTTP response code 403 with body '{\n":                                                                                         denied,
		steps + "Error executing an HTTP request: HTTP response code 404 with body '{\n":                                                                                                                                                        absent,
		steps + "S3 download failed: Status 403 AccessDenied\n":                              denied,
		steps + "FATAL: reading bucket data: NoSuchKey: The specified key does not exist.\n": absent,
	} {
		found := diagnosed(text)
		if len(found) == 0 || found[0].Cause != "dataset-download-failure" || !strings.Contains(found[0].Title, title) {
			t.Errorf("%s: got %+v, want %q", text, found, title)
		}
	}
	for _, text := range []string{steps + "the bucket policy has 3 rules\n", steps + "S3 cache: 403 objects, 404 requests\n"} {
		if found := diagnosed(text); len(found) > 0 {
			t.Errorf("%s: got %+v", text, found)
		}
	}
}

// A traceback that ends inside an experiment tracker is the tracker's, but for wrong
// calls of it. Paths of wandb 0.18, mlflow 2.16, urllib3 2.2.
func TestFailuresOfExperimentTrackers(t *testing.T) {
	below := func(file, exception string) string {
		return strings.Replace(raised("wandb/sdk/wandb_init.py", exception), "    raise error\n", "    return f()\n  File \""+file+"\", line 7, in f\n    raise error\n", 1)
	}
	const refused = "ConnectionRefusedError: [Errno 111] Connection refused"
	for text, want := range map[string]train.Cause{
		raised("wandb/sdk/wandb_init.py", "TimeoutError: timed out"):                                                                                                                                            "wandb-timeout",
		raised("wandb/sdk/wandb_init.py", "RuntimeError: the service did not start"):                                                                                                                            "wandb-timeout",
		raised("mlflow/tracking/fluent.py", "mlflow.exceptions.MlflowException: API request to http://mlflow:5000/api failed with exception HTTPConnectionPool"):                                                "wandb-timeout",
		below("/usr/lib/python3/site-packages/urllib3/connection.py", refused):                                                                                                                                  "wandb-timeout",
		below("/usr/lib/python3/site-packages/requests/adapters.py", "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='tracker.example.com', port=443): Max retries exceeded with url: /graphql"): "wandb-timeout",
		raised("urllib3/connection.py", refused):                                                                                                                                                                "dataset-download-failure",
		raised("wandb/sdk/wandb_init.py", "TypeError: init() got an unexpected keyword"):                                                                                                                        "python-exception",
		below("/app/callbacks.py", "RuntimeError: the callback of the person's own failed"):                                                                                                                     "python-exception",
	} {
		if found := diagnosed(text); len(found) == 0 || found[0].Cause != want {
			t.Errorf("%s: got %+v, want %s", text, found, want)
		}
	}
}
