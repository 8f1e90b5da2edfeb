package redact

import "testing"

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
`)
}

func TestNearMissesOfGivenPairs(t *testing.T) {
	for _, text := range []string{
		"docker run -u 1000:1000 image", "+ chown -u user:group /data", "pin_memory=True", "pin: 12", "salt: 3", "PIN_MEMORY=True",
		`["-u","train.py","-p","8080"]`, "server: nas.corp:/export/data", "server: http://10.0.0.1:8080", "basic\": \"auth\"", "https%3A%2F%2Fhost%2Fa%3Ab%40c",
		"密钥长度: 2048", "密码是错误的", `<entry key="lr">0.1</entry>`, "login=ada", "verify=true", "https://x/y?verify=true", "0.5 sec=3", "API key (required)", "DATA_KEY=tokens",
	} {
		if got := Text(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}
