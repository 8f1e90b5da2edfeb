package redact

import (
	"fmt"
	"strings"
	"testing"
)

// Credentials that are arguments, items of lists and variables of jobs.
func TestFormsOfGivenPairs(t *testing.T) {
	testForms(t, `
args: ["-u","svc","-p","«@a14»"]
args: ["--auth","user:«@a14»"]
S3_SEC=«@a40»
LOGIN=svc:«@a14»
KRB5_KEYTAB_B64=«@b64»
DATA_KEY=«@a32»
OTP=«@d6»
server: "u:«@a14»@nas"
{"auth":{"basic":"«@b24»"}}
.dockerconfigjson: «@b80»
redirect=https%3A%2F%2Fuser%3A«@a14»%40host%2F
WEBHOOK_URL=https://hooks.corp/x/«@a32»
Collecting from https://x.jfrog.io/artifactory/api/pypi/simple -u svc:«@a14»
<entry key="pwd">«@a14»</entry>
API Key («@a32»)
creds = ("u","«@a14»")
密钥=«@a32»
密码是 «@a14»
RuntimeError: cannot log in with credentials ada:«Zq7xKp3Rt9Lm2Vb8Yw5cHd4sNf6gJ1oQ»
Failed to authenticate with token «Zq7xKp3Rt9Lm2Vb8»
ValueError: Invalid token «Kp3Rt9Lm2Vb8Zq7x» for user ada
DB_PASSWORD=$'«@a8»'
https://x/y?Policy=a&Signature=«@a30»~«@a30»&Key-Pair-Id=APKA
https://x/y?verify=1716544000-«@b43»
train.py: error: argument --api-key: invalid int value: '«@a24»'
AssertionError: api_key: expected None got "«@a24»"
AssertionError: api_key: expected None got "«@a24»" (train.py:12)
    api_key: str = "«@a24»"
    db_password: Optional[str] = "«@a24»"
Overriding wandb.api_key from None to «Qx1zK93LmQpZ7vT2bRcA8wYe»
wandb.api_key: None -> «@a24»
SLACK_WEBHOOK=https://mattermost.corp/hooks/«@a26»
train.py --webhook-url https://mattermost.corp/x/«@a26» --lr 1
webhook: https://hook.corp/x/«@a26»
404 Client Error: Not Found for url: https://mattermost.corp/hooks/«@l26»
POST https://hook.eu1.make.com/«@l32» 200
client with AQ.Ab8RN6«@-44» ready
for url: https://models.example.com/v1:generate?key=«Qx.K93LmQpZ7vT2bRcA8wYe1»
`)
}

// Secrets on the line below what names them.
func TestSecretsOfTwoLines(t *testing.T) {
	secret := looksRandom(24, alphanum, 3)
	for _, text := range []string{
		"1 validation error for Settings\ndb_password\n  Input should be a valid integer [type=int_parsing, input_value='@', input_type=str]",
		"wandb_api_key\n  Extra inputs are not permitted [type=extra_forbidden, input_value='@', input_type=str]",
		"args: [\n  \"--api-key\",\n  \"@\",\n]", "curl https://x \\\n  --api-key \\\n  @", "curl https://x \\\n  --user \\\n  ada:@",
		"<password>\n@\n</password>", "  <password>\n  @\n  </password>", "<name>db.password</name>\n<value>\n@\n</value>", "<name>db.password</name><value>\n  @\n</value>",
		"wandb login \\\n  @\nok", "docker login \\\n  -u ada \\\n  -p @",
		"redisPassword:\n  value: @", "redisPassword: {value: @}", "redisPassword: {value: @, other: 1}",
		"Authorization: Bearer\n  @", "Proxy-Authorization: Basic\n @\nok", "Authorization: token\r\n  @", "curl https://x -H \"Authorization: Bearer \\\n  @\"\nok",
		"[rank0] Authorization: Bearer\n[rank0]   @", "2026-11-30 09:00:01 INFO h: Authorization: Bearer\n2026-11-30 09:00:02 INFO @",
		"[09:00:01] DEBUG    request headers: Authorization: Bearer              client.py:77\n                    @",
	} {
		if got := Text(strings.ReplaceAll(text, "@", secret)); strings.Contains(got, secret) || !strings.Contains(got, "<redacted") {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestNearMissesOfGivenPairs(t *testing.T) {
	for _, text := range []string{
		"epochs\n  Input should be a valid integer [type=int_parsing, input_value='12345678901234567890', input_type=str]",
		"https://github.com/x/pre-commit-hooks/hooks/check-added-large-files", "webhook: https://docs.corp/guides/webhooks/create-a-webhook",
		"token: str = None", "lr: 0.1 -> 0.05", "https://x/y?key=model-00001-of-00003.safetensors",
		"docker run -u 1000:1000 image", "+ chown -u user:group /data", "pin_memory=True", "pin: 12", "salt: 3", "PIN_MEMORY=True",
		`["-u","train.py","-p","8080"]`, "server: nas.corp:/export/data", "server: http://10.0.0.1:8080", "basic\": \"auth\"", "https%3A%2F%2Fhost%2Fa%3Ab%40c",
		"密钥长度: 2048", "密码是错误的", `<entry key="lr">0.1</entry>`, "login=ada", "verify=true", "https://x/y?verify=true", "0.5 sec=3", "API key (required)", "DATA_KEY=tokens",
	} {
		if got := Text(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// TestPairsInLists: the arguments of a container are masked as the same words in a text.
func TestPairsInLists(t *testing.T) {
	const secret = "a8Kd93LmQpZ7vT2bRc"
	for _, words := range []string{
		"tool -u ada:X", "tool -u=ada:X", "tool --auth ada:X", "tool --auth=ada:X", "tool --login ada:X", "tool --user ada:X", "tool --username=ada:X", "tool -u ada -p X", "tool --user ada --epochs 3 -p X",
		"tool --username=ada -p=X", "tool -u ada -pX", "tool -u ada@corp.example -p X", "tool -u $(DB_USER) -p X", "tool -u=ada -p X", "docker login -p X", "redis-cli -a X", "tool --hub-token X", "curl -uada:X https://x",
	} {
		list := []any{}
		for word := range strings.FieldsSeq(strings.ReplaceAll(words, "X", secret)) {
			list = append(list, word)
		}
		nodes := map[string]any{"args": map[string]any{"args": list}, "plugins": map[string]any{"plugins": map[string]any{"ssh": list}}, "arguments": map[string]any{"arguments": list}}
		for i := 1; i < len(list); i++ {
			nodes[fmt.Sprintf("command of %d words", i)] = map[string]any{"command": list[:i], "args": list[i:]}
		}
		for place, node := range nodes {
			got, _ := New().Tree(node)
			if shown := fmt.Sprint(got); strings.Contains(shown, secret) || !strings.Contains(shown, "<redacted:") {
				t.Errorf("%s, %s: %s", words, place, shown)
			}
		}
	}
	for _, text := range []string{
		"+ tool -u=ada:X", `+ tool -u="ada:X"`, `+ tool -u "ada":"X"`, `+ tool --user="ada":'X'`, "args=['-u', 'ada:X']", `args=["-u","ada:X"]`, `{"m":"args=[\"-u\",\"ada:X\"]"}`, `["-u" "ada:X"]`, "['tool', '-u=ada:X', 'y']",
	} {
		if got := Text(strings.ReplaceAll(text, "X", secret)); strings.Contains(got, secret) {
			t.Errorf("%s became %s", text, got)
		}
	}
}

func TestNearMissesOfPairsInLists(t *testing.T) {
	for _, words := range []string{
		"python -u train.py -p a100-80g", "srun -u -p a100-80g train", "docker run -u root -p 8080:80 image", "docker run -u 1000:1000 image", "chown --user ada:users /data", "tool --login ada -p 8080", "tool -p step12B3x9", "tool -u ada -p /data/x1", "tool -u ada -p $PASSWORD", "tool -u ada -p",
		"tool -u", "tool --auth oauth2:https://x", "tool --user ada:$PASS", "tool -u ada -port=8Xy2kLm9q", "tool -u ada --path Kp3Rt9Lm2Vb8",
	} {
		list := []any{}
		for word := range strings.FieldsSeq(words) {
			list = append(list, word)
		}
		for _, node := range []any{map[string]any{"args": list}, map[string]any{"command": list[:1], "args": list[1:]}, map[string]any{"plugins": map[string]any{"x": list}}} {
			if got, changed := New().Tree(node); changed {
				t.Errorf("%s: %v", words, got)
			}
		}
	}
	for _, text := range []string{`{"cmd": "tool -u ada", "x": "a8Kd93LmQpZ7vT2bRc"}`, `["-u", "train.py", "x:a8Kd93LmQpZ7vT2bRc"]`, `"-update":"Kp3Rt9Lm2Vb8"`, "docker run '-u', 'root', '-p', '8080:80'", `{"--user": "ada", "sha": "Kp3Rt9Lm2Vb8"}`} {
		if got := Text(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// TestValuesOfSecretNamesInObjects: a member "value" below a secret's name, and what a
// line of a shell would have as a secret, in a list of arguments.
func TestValuesOfSecretNamesInObjects(t *testing.T) {
	secret := looksRandom(24, alphanum, 3)
	list := func(words string) (all []any) {
		for word := range strings.FieldsSeq(words) {
			all = append(all, word)
		}
		return all
	}
	for name, node := range map[string]map[string]any{
		"value":     {"redisPassword": map[string]any{"value": secret}},
		"values":    {"apiKey": []any{map[string]any{"value": secret}}},
		"aws":       {"command": list("aws configure set aws_secret_access_key " + secret)},
		"aws parts": {"command": list("aws"), "args": list("configure set aws_secret_access_key " + secret)},
		"npm":       {"command": list("npm config set //reg.corp/:_authToken " + secret)},
		"pip":       {"command": list("pip config set global.password " + secret)},
		"kubectl":   {"command": list("kubectl config set users.ada.token " + secret)},
		"dvc":       {"command": list("dvc remote modify --local r secret_access_key " + secret)},
		"rclone":    {"command": list("rclone config create r s3 access_key_id AK secret_access_key " + secret)},
	} {
		Object(node)
		if got := fmt.Sprint(node); strings.Contains(got, secret) || !strings.Contains(got, Masked) {
			t.Errorf("%s became %s", name, got)
		}
	}
	for name, node := range map[string]map[string]any{
		"reference": {"redisPassword": map[string]any{"valueFrom": map[string]any{"secretKeyRef": map[string]any{"name": "redis", "key": "password"}}}},
		"training":  {"command": list("torchrun --nproc-per-node 8 train.py --tokenizer gpt2 --key layer3.weight data/tokens set a1b2c3d4e5f6")},
	} {
		before := fmt.Sprint(node)
		if Object(node); fmt.Sprint(node) != before {
			t.Errorf("%s became %v", name, node)
		}
	}
}
