package redact

import (
	"strings"
	"testing"
)

func TestAccountForms(t *testing.T) { testForms(t, formsAccounts) }

// formsAccounts are passwords beside a user's name or an address, and secrets that
// an error message quotes.
const formsAccounts = `
mount error: //ada:«hunter2x»@nas.example.com/share: permission denied
volumeAttributes: {source: "//ada:«hunter2x»@nas.example.com/share"}
//ada:«Winter-Tent»@host/share
mount.cifs //nas/x /mnt -o user=ada,pass=«hunter»
mount -t cifs -o username=ada,password=«hunter2,x» //nas/share /mnt
ada:«hunter2»@db.example.com:5432
FATAL: could not connect to ada:«hunter2»@10.0.0.3:5432/runs
amqp connection failed: ada:«hunter2»@rabbit:5672
https_proxy=ada:«hunter»@proxy:3128
curl -x ada:«hunter»@proxy:3128 https://x
curl --proxy ada:«hunter»@proxy https://x
index-url = https://«@a20»:@m.fury.io/pypi/
PIP_INDEX_URL=https://«abcdefghij»:@pypi.corp/simple
ORA-01017: invalid username/password; logon denied: ada/«hunter2»@ORCL
cx_Oracle.connect("ada/«hunter2»@ORCL")
oracledb: connecting as ada/«hunter2»@//db:1521/ORCL
sqlplus ada/«hunter2»@host:1521/x
pw: «hunter2» user: ada
pw: «hunter» user: ada
pw=«hunter», user=ada
user: ada pw: «hunter»
user=ada pass=«hunter»
api key «hunter2x» is not 40 characters
ValueError: api key «hunter2» is not 40 characters long
invalid API key: «hunter2»
Incorrect API key provided: «sk-abcd1234». You can find your API key at https://x
token '«abcdefgh»' is malformed
token "«hunter2x»" is malformed
Error: token «hunter2x» is invalid
auth token «hunter2x» has expired
password «hunter2x» rejected
password '«abcdefgh»' is too short
New value: «hunter2x» for password
New value: '«hunter2x»' for password
changed value: «hunter2x» for key api_key
base64 -d <<< «aHVudGVyMg»== # token
SECRET=$(base64 -d <<< «aHVudGVyMg»==)
TOKEN=$(echo «aHVudGVyMg»== | base64 -d)
export HF_TOKEN=$(echo «aHVudGVyMjM0NTY3ODk» | base64 --decode)
echo «aHVudGVyMg»== | base64 -d > /run/secret
printf %s «aHVudGVyMg»== | openssl base64 -d > /root/.token
wandb.login(relogin=True, key='«hunter2x»')
storage_options={'key': 'x', 'secret': '«hunter2xyz»'}
S3FileSystem(anon=False, key='x', secret='«hunter2xyz»')
kubectl annotate pod x tool.example.com/token=«hunter2x»
{"auths":{"ghcr.io":{"identitytoken":"«hunter2x»"}}}
{"accesstoken": "«hunter2x»", "refreshToken": "«hunter2x»"}
Annotations:  tool.example.com/token: «hunter2x»
`

// TestAccountsThatAreNone holds that texts of the same form without a secret stay.
func TestAccountsThatAreNone(t *testing.T) {
	for _, text := range []string{
		"// train:loop@host is a comment", "//nolint:errcheck", "mount //nas.example.com/share /mnt", "git@github.com:org/repo.git",
		"python:3.11@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "train:v2-cuda12@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"loss:0.913@step:1000", "acc:12.5@epoch:30", "rank:3@node-7:29500", "worker-3:gpu0@10.0.0.1:29500", "connecting to worker:0@node", "//train:rank0@host",
		"mailto:ada@example.com:443", "actions/checkout@v4 of oracle/setup@v12", "oracle/instantclient@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"org/model2@main is no oracle", "https://ada:@host", "user: 12.3s pass: 30.1s", "first pass: 3 user time: 12s",
		"token 12 is invalid", "special token '[MASK]' is invalid", "Unexpected token '<' is not valid JSON", "unknown token 'step' is invalid", "key 'model.layers.0.weight' is invalid",
		"key layer0_w is not in the state dict", "Secret \"hf-token2\" is invalid: data: Too long", "password authentication failed for user \"ada\"", "API key is not set", "token has expired",
		"API key is invalid", "access token is not valid", "token `hf_token` is invalid", "Incorrect API key provided: None", "API key provided by HF_TOKEN",
		"New value: 3 for step", "value: 0.1 for lr", "echo hello | base64 -d", "base64 -d <<< data", "echo $TOKEN | base64 -d > key", "echo ${SECRET} | base64 -d",
		"Get https://auth.docker.io/token: net/http: TLS handshake timeout", "https://auth.example.com/token: EOF2", "POST /oauth/token: 401",
		"{'key': 'loss', 'secret': 'name'}", "login(key=args.key)",
	} {
		if got := Text(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// TestAnnotationsWhoseKeysAreSecret holds that the last part of an annotation's key
// decides, whatever its prefix is.
func TestAnnotationsWhoseKeysAreSecret(t *testing.T) {
	for key, secret := range map[string]bool{
		"x/token": true, "tool.example.com/token": true, "tool.example.com/password": true, "tool.example.com/pass": true, "x/api-key": true, "x/secret": true,
		"x/key": false, "x/job-key": false, "x/token-count": false, "x/secret-name": false,
	} {
		node := map[string]any{"metadata": map[string]any{"annotations": map[string]any{key: "Winter"}}}
		Object(node)
		got := node["metadata"].(map[string]any)["annotations"].(map[string]any)[key]
		if strings.Contains(got.(string), "Winter") == secret {
			t.Errorf("%s: %v", key, got)
		}
	}
}
