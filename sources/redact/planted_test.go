package redact

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// looksRandom returns n random characters, the same ones for the same seed.
func looksRandom(n int, alphabet string, seed uint32) string {
	b := make([]byte, n)
	for i := range b {
		seed = seed*1664525 + 1013904223
		b[i] = alphabet[int(seed>>16)%len(alphabet)]
	}
	return string(b)
}

const (
	letters  = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	alphanum = letters + "0123456789"
	hexa     = "0123456789abcdef"
	small    = "abcdefghijklmnopqrstuvwxyz0123456789"
	caps     = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	base64s  = alphanum + "+/"
	dashes   = alphanum + "_-"
)

// planted are secrets and lines that contain them at %s. They are assembled here
// so that no secret scanner finds them in this file.
var planted = []struct {
	kind         Kind
	secret, line string
}{
	{HFToken, "hf_" + looksRandom(34, letters, 1), "huggingface_hub: using token %s from the environment"},
	{HFToken, "hf_" + looksRandom(37, alphanum, 2), "Login successful(%s)"},
	{HFToken, "api_org_" + looksRandom(34, letters, 3), "curl -H 'X-Org: %s' https://huggingface.co/api"},
	{HFToken, "hf_" + looksRandom(34, letters, 4), "git clone https://user:%s@huggingface.co/meta-llama/Llama-3"},
	{AWSAccessKey, "AKIA" + looksRandom(16, caps, 5), "botocore: Found credentials in environment variables: %s."},
	{AWSAccessKey, "ASIA" + looksRandom(16, caps, 6), "InvalidAccessKeyId: <AWSAccessKeyId>%s</AWSAccessKeyId>"},
	{NamedSecret, looksRandom(40, base64s, 7), "aws_secret_access_key = %s"},
	{NamedSecret, looksRandom(40, base64s, 8), "export AWS_SECRET_ACCESS_KEY=%s && python train.py"},
	{AWSSecretKey, looksRandom(40, base64s, 9), "AKIA" + looksRandom(16, caps, 10) + ",%s,us-east-1"},
	{NamedToken, looksRandom(120, base64s, 11) + "==", "AWS_SESSION_TOKEN=%s"},
	{URLSignature, looksRandom(64, hexa, 12), "GET https://b.s3.amazonaws.com/x.pt?X-Amz-Expires=3600&X-Amz-Signature=%s&x-id=GetObject 403"},
	{URLSignature, looksRandom(43, alphanum, 13) + "%3D", "https://acct.blob.core.windows.net/ckpt/step1.pt?sv=2024-11-04&se=2026-12-01&sig=%s"},
	{AzureToken, looksRandom(86, base64s, 14) + "==", "DefaultEndpointsProtocol=https;AccountName=acct;AccountKey=%s;EndpointSuffix=core.windows.net"},
	{NamedKey, looksRandom(43, base64s, 15) + "=", "Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=%s"},
	{AzureToken, "abc8Q~" + looksRandom(34, alphanum, 16), "azure.identity: client secret %s is wrong"},
	{GoogleToken, "AIza" + looksRandom(35, dashes, 17), "GET https://maps.googleapis.com/x?key=%s 200"},
	{GoogleToken, "ya29." + looksRandom(120, dashes, 18), "google.auth: access token: %s"},
	{GoogleToken, "GOCSPX-" + looksRandom(28, dashes, 19), "client_secret=%s"},
	{NamedKey, looksRandom(40, hexa, 20), `{"type": "service_account", "private_key_id": "%s", "client_email": "x@y.iam"}`},
	{CloudToken, "LTAI" + looksRandom(20, alphanum, 21), "oss2: access id %s"},
	{WandbKey, looksRandom(40, hexa, 22), "wandb login %s"},
	{WandbKey, looksRandom(40, hexa, 23), "wandb: (2) Use an existing account, API key: %s"},
	{WandbKey, looksRandom(40, hexa, 24), "WANDB_API_KEY=%s"},
	{NamedPassword, looksRandom(30, hexa, 25), "machine api.comet.com login user password %s"},
	{WandbKey, "wandb_v1_" + looksRandom(77, dashes, 26), "relogin with %s"},
	{TrackerToken, "eyJhcGlfYWRkcmVzcyI6" + looksRandom(100, alphanum, 27) + "==", "neptune: api_token %s"},
	{NamedKey, looksRandom(25, alphanum, 28), "COMET_API_KEY: %s"},
	{NamedToken, looksRandom(30, alphanum, 29), "MLFLOW_TRACKING_TOKEN=%s"},
	{NamedPassword, "correct-horse", "MLFLOW_TRACKING_PASSWORD=%s"},
	{TrackerToken, "dapi" + looksRandom(32, hexa, 30), "databricks host=https://x token %s"},
	{GitToken, "ghp_" + looksRandom(36, alphanum, 31), "remote: Invalid username or token %s"},
	{GitToken, "ghs_" + looksRandom(36, alphanum, 32), "x-access-token:%s"},
	{GitToken, "github_pat_" + looksRandom(82, alphanum, 33), "GITHUB %s"},
	{GitToken, "glpat-" + looksRandom(20, dashes, 34), "PRIVATE-TOKEN: %s"},
	{SlackToken, "xoxb-" + looksRandom(12, "0123456789", 35) + "-" + looksRandom(24, alphanum, 36), "slack_sdk: %s"},
	{SlackToken, "hooks.slack.com/services/T" + looksRandom(8, caps, 37) + "/B" + looksRandom(8, caps, 38) + "/" + looksRandom(24, alphanum, 39), "POST https://%s 200"},
	{ModelKey, "sk-" + looksRandom(48, alphanum, 40), "openai.AuthenticationError: Incorrect API key provided: %s. You can find"},
	{ModelKey, "sk-proj-" + looksRandom(100, dashes, 41), "OpenAI(api_key='%s')"},
	{ModelKey, "sk-ant-api03-" + looksRandom(93, dashes, 42) + "AA", "judge: %s"},
	{ModelKey, "gsk_" + looksRandom(52, alphanum, 43), "groq %s"},
	{NGCKey, "nvapi-" + looksRandom(64, dashes, 44), "docker login nvcr.io -p %s"},
	{RegistryToken, "dckr_pat_" + looksRandom(27, dashes, 45), "docker login -p %s"},
	{DockerAuth, base64.StdEncoding.EncodeToString([]byte("ada:hunter2hunter2")), `{"auths":{"nvcr.io":{"auth":"%s"}}}`},
	{BasicAuth, base64.StdEncoding.EncodeToString([]byte("ada:hunter2")), "> Proxy-Authorization: Basic %s"},
	{BearerToken, looksRandom(32, alphanum, 46), "curl -H 'Authorization: Bearer %s' http://mlflow:5000"},
	{BearerToken, looksRandom(24, hexa, 47), "Authorization: token %s"},
	{JWT, "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJrdWJlIn0." + looksRandom(86, dashes, 48), "kubelet: token=%s"},
	{URLPassword, "hunter2", "psycopg2 connect postgresql://ada:%s@db.svc:5432/runs"},
	{URLPassword, "p@ss/w0rd", "redis://:%s@cache:6379/0"},
	{URLPassword, "Sw0rdf1sh", "HTTPS_PROXY=http://proxy:%s@10.0.0.1:3128"},
	{URLPassword, looksRandom(24, alphanum, 49), "pip install git+https://%s@github.com/x/y.git"},
	{PrivateKey, looksRandom(64, base64s, 50), "-----BEGIN RSA PRIVATE KEY-----\n%s\n-----END RSA PRIVATE KEY-----"},
	{PrivateKey, looksRandom(64, base64s, 51), `{"private_key": "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n"}`},
	{PrivateKey, looksRandom(70, base64s, 52), "ssh: -----BEGIN OPENSSH PRIVATE KEY----- %s -----END OPENSSH PRIVATE KEY-----"},
	{NamedPassword, "Tr0ub4dor&3", "DB_PASSWORD=%s"},
	{NamedPassword, "it's me", `"password": "%s"`},
	{NamedKey, looksRandom(20, alphanum, 53), "Namespace(lr=0.1, wandb_key='%s', steps=100)"},
	{NamedKey, looksRandom(20, alphanum, 54), "python train.py --wandb-key %s --lr 0.1"},
	{NamedToken, "s3cr3t", "python train.py --hub_token=%s --max-tokens 4096"},
	{NamedToken, "s3cr3t", `args: ["--hub-token", "%s", "--lr", "0.1"]`},
	{NamedToken, "s3cr3t", "sys.argv = ['train.py', '--hf_token', '%s']"},
	{NamedToken, "abc123", `os.environ["HF_TOKEN"] = "%s"`},
	{NamedToken, "abc123", `env: [{"name":"HF_TOKEN","value":"%s"}]`},
	{NamedToken, "abc123", "- name: HF_TOKEN\n  value: %s"},
	{NamedToken, "abc123", "EnvVar{Name:HF_TOKEN,Value:%s,ValueFrom:nil,}"},
	{NamedToken, "abc123", `{\"name\":\"HF_TOKEN\",\"value\":\"%s\"}`},
	{NamedSecret, "shh-its-me", "config: client_secret: %s"},
	{NamedSecret, "shh-its-me", "oauth\\nclientSecret\\u003d%s"},
	{NamedKey, looksRandom(32, hexa, 55), "| api_key | %s |"},
	{NamedKey, looksRandom(32, hexa, 56), "https://api.example.com/v1?api_key=%s&step=12"},
	{NamedKey, looksRandom(32, hexa, 57), "api_key%%3D%s"},
	{URLPassword, "https://" + looksRandom(32, hexa, 58) + "@o1.ingest.sentry.io/2", "SENTRY_DSN=%s"},
	{ServiceToken, "hvs." + looksRandom(90, dashes, 59), "vault token lookup %s"},
	{ServiceToken, "SG." + looksRandom(22, alphanum, 60) + "." + looksRandom(43, alphanum, 61), "sendgrid %s"},
	{ServiceToken, "sk_live_" + looksRandom(24, alphanum, 62), "stripe %s"},
	{PrivateKey, "AGE-SECRET-KEY-1" + looksRandom(58, caps, 63), "sops: %s"},
	{ServiceToken, "7123456789:AA" + looksRandom(33, dashes, 64), "POST https://api.telegram.org/bot%s/sendMessage"},
	{ServiceToken, "712345678:AA" + looksRandom(33, dashes, 65), "telegram: %s"},
	{ServiceToken, "webhook.office.com/webhookb2/" + looksRandom(36, hexa, 66) + "@" + looksRandom(36, hexa, 67) + "/IncomingWebhook/" + looksRandom(32, hexa, 68), "POST https://x.%s 200"},
	{ServiceToken, "open.feishu.cn/open-apis/bot/v2/hook/" + looksRandom(36, hexa, 69), "POST https://%s 200"},
	{SlackToken, "discordapp.com/api/webhooks/" + looksRandom(18, "0123456789", 70) + "/" + looksRandom(68, dashes, 71), "POST https://%s 204"},
	{JWT, "eyJhbGciOiJkaXIiLCJlbmMiOiJBMTI4R0NNIn0.." + looksRandom(16, dashes, 90) + "." + looksRandom(40, dashes, 91) + "." + looksRandom(22, dashes, 92), "session %s"},
	{JWT, "eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ." + looksRandom(340, dashes, 93) + "." + looksRandom(16, dashes, 94) + "." + looksRandom(80, dashes, 95) + "." + looksRandom(22, dashes, 96), "session %s"},
	{NamedToken, looksRandom(24, alphanum, 97) + "." + looksRandom(6, alphanum, 98) + "." + looksRandom(27, dashes, 99), "token: %s"},
	{NamedToken, looksRandom(6, caps, 100) + "4." + looksRandom(16, alphanum, 101), "token: %s"},
	{NamedToken, "abcdef.0123456789abcdef", "token: %s"},
	{CloudToken, looksRandom(30, alphanum, 102), "LTAI5t" + looksRandom(18, alphanum, 103) + ":%s"},
	{NamedSecret, looksRandom(30, alphanum, 104), "LTAI5t" + looksRandom(18, alphanum, 105) + " access_key_secret: %s"},
	{ServiceToken, "SCT123456T" + looksRandom(24, alphanum, 106), "serverchan %s"},
	{ServiceToken, "sctapi.ftqq.com/SCT123456T" + looksRandom(24, alphanum, 107), "POST https://%s.send"},
	{PrivateKey, looksRandom(64, base64s, 108), "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 1\n%s\nPrivate-MAC: 0"},
	{NamedToken, looksRandom(30, alphanum, 109), "pat: %s"},
}

// disguises are other ways to write the same secret.
var disguises = map[string]func(line, secret string) string{
	"plain":   func(line, secret string) string { return fmt.Sprintf(line, secret) },
	"colours": func(line, secret string) string { return fmt.Sprintf(line, "\x1b[31m"+secret+"\x1b[0m") },
	"JSON": func(line, secret string) string {
		text, _ := json.Marshal(map[string]string{"msg": fmt.Sprintf(line, secret)})
		return string(text)
	},
	"twice JSON": func(line, secret string) string {
		inner, _ := json.Marshal(map[string]string{"msg": fmt.Sprintf(line, secret)})
		text, _ := json.Marshal(map[string]string{"log": string(inner)})
		return string(text)
	},
	"coloured JSON": func(line, secret string) string {
		text, _ := json.Marshal(fmt.Sprintf(line, "\x1b[1;31m"+secret+"\x1b[0m"))
		return string(text)
	},
	"a bar redrawn": func(line, secret string) string {
		return "  1% " + fmt.Sprintf(line, secret) + "\r 50% " + fmt.Sprintf(line, secret) + "\rdone"
	},
}

func TestPlantedSecretsAreGone(t *testing.T) {
	for _, p := range planted {
		for name, disguise := range disguises {
			text := disguise(p.line, p.secret)
			got := Text(text)
			if strings.Contains(got, p.secret) || !strings.Contains(got, "<redacted:") {
				t.Errorf("%s, %s: still there\n  in  %q\n  out %q", p.kind, name, text, got)
			}
			if again := Text(got); again != got {
				t.Errorf("%s, %s: a second time changes it\n  from %q\n  to   %q", p.kind, name, got, again)
			}
		}
	}
}

func TestSortsAreNamed(t *testing.T) {
	for _, p := range planted {
		text := fmt.Sprintf(p.line, p.secret)
		if got := Text(text); !strings.Contains(got, p.kind.Placeholder()) {
			t.Errorf("%q became %q, without %s", text, got, p.kind.Placeholder())
		}
	}
}

// TestShapesAnywhere: a token with a known shape is found in capitals, in base64
// with anything around it, in the middle of a word, and split.
func TestShapesAnywhere(t *testing.T) {
	for _, s := range shapes() {
		least := max(s.least, 24)
		if s.most < least {
			least = s.most
		}
		body := looksRandom(least, alphanum, 7)
		if s.kind == JWT {
			body = "hbGciOiJSUzI1NiJ9.eyJpc3MiOiJrdWJlIn0." + looksRandom(40, dashes, 1)
		}
		for _, other := range []string{
			looksRandom(least, hexa, 3), "123456T" + looksRandom(least, hexa, 3), "3f8a9c1b-2d4e-4f60-8182-93a4b5c6d7e8", "abc7d:" + looksRandom(54, small, 5), looksRandom(64, hexa, 5) + "::server:" + looksRandom(32, hexa, 6),
			looksRandom(22, alphanum, 5) + "." + looksRandom(24, hexa, 6) + "." + looksRandom(20, alphanum, 7), looksRandom(14, alphanum, 5) + "." + looksRandom(64, hexa, 6),
			looksRandom(21, alphanum, 5) + "." + looksRandom(6, alphanum, 6) + "." + looksRandom(38, alphanum, 7), "key_" + looksRandom(40, alphanum, 5) + "." + looksRandom(32, alphanum, 6),
			looksRandom(6, caps, 5) + "-7" + looksRandom(5, caps, 6) + "-" + looksRandom(5, caps, 7) + "-" + looksRandom(5, caps, 8) + "-" + looksRandom(5, caps, 9) + "-" + looksRandom(5, caps, 10),
		} {
			if s.plausible != nil && !s.plausible(body) {
				body = other
			}
		}
		secret := s.prefix + body
		half := len(s.prefix) + len(body)/2
		texts := map[string]string{
			"plain":         "x " + secret + " y",
			"capitals":      "X " + strings.ToUpper(secret) + " Y",
			"small":         "x " + strings.ToLower(secret) + " y",
			"quoted":        `{"a":"` + secret + `"}`,
			"escaped":       `a\n` + secret + `\nb`,
			"colour inside": "a " + secret[:half] + "\x1b[31m" + secret[half:] + " b",
			"return inside": "a " + secret[:half] + "\r" + secret[half:] + " b",
		}
		if s.encoded && s.kind != JWT {
			for shift := range 3 {
				coded := base64.StdEncoding.EncodeToString([]byte("token: "[2-shift:] + secret + "\n"))
				texts[fmt.Sprintf("base64 at %d", shift)] = "data: " + coded
			}
		}
		for name, text := range texts {
			got := Text(text)
			if strings.Contains(got, secret) || strings.Contains(got, body[:len(body)/2]) || strings.Contains(got, body[len(body)/2:]) || got == text {
				t.Errorf("%s %s, %s: %q became %q", s.kind, s.prefix, name, text, got)
			}
		}
	}
}

func TestCutSecretsAreSecrets(t *testing.T) {
	r := New()
	for _, text := range []string{
		"using hf_AbCdEf", "ghp_0123", "token=ab", "postgres://ada:hunt", "Authorization: Bearer abc", "wandb login 01234", "-----BEGIN PRIVATE KEY-----",
		"eyJhbGciOi", "AKIA1234",
	} {
		if got := r.OpenText(text); got == text {
			t.Errorf("%q stays though more of it may come", text)
		}
	}
	for _, text := range []string{"step 12 loss 2.3", "http://host:29500", "tokens: 12", "https://huggingface.co/x", "num_tokens=40"} {
		if got := r.OpenText(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// A client secret of Azure AD has 31 characters or more behind its "Q~"; with fewer it
// is a word like others.
func TestTheShortestSecretOfAzure(t *testing.T) {
	body := looksRandom(31, alphanum, 99)
	if line := "the value is abc8Q~" + body + " and no more"; strings.Contains(Text(line), body) {
		t.Errorf("%s stays", line)
	}
	if line := "the value is abc8Q~" + body[:30] + " and no more"; Text(line) != line {
		t.Errorf("%s is %s", line, Text(line))
	}
}
