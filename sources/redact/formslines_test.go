package redact

import (
	"strings"
	"testing"
)

// Forms in which a value is away from its name, or its name is no word.
func TestFormsOnSeveralLines(t *testing.T) {
	testForms(t, formsOnSeveralLines)
}

const formsOnSeveralLines = `
    Args:\n      --user\n      admin\n      --password\n      «hunter2x»\n      --epochs\n      3
    Args:\n      --password\n      «correcthorse»\n    State:          Running
    Command:\n      python\n      train.py\n      --wandb-api-key\n      «@h40»
    Command:\n      redis-cli\n      -a\n      «hunter2x»\n    State: Running
    Command:\n      sshpass\n      -p\n      «hunter2x»\n      ssh\n      u@h
    Args:\n      --api-token\n      «@a24»\n    State:\n      Running
args:\n- --password\n- «hunter2x»\n- --epochs
    args:\n    - --hf-token\n    - «@a24»\n    image: x
--password\n«hunter2x»
-i=AKID«@a32»
-k=AKID«@a32»
-i=AKIA«@A16»
-s=«@a40»
PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 1\n«@b64»\nPrivate-MAC: «@h64»
PuTTY-User-Key-File-2: ssh-rsa\nEncryption: none\nPrivate-Lines: 2\n«@b64»\n«@b64»\nPrivate-MAC: «@h40»
Private-MAC: «@h40»
SharedAccessSignature=sv=2022-11-02&sr=c&sp=rl&se=2026-12-01&sig=«@a43»%3D
SharedAccessSignature sr=myhub.azure-devices.net&sig=«@a43»%3D&se=1700000000&skn=root
SharedAccessSignature sig=«@b43»=&se=1700000000&skn=root&sr=x
BlobEndpoint=https://x.blob.core.windows.net;SharedAccessSignature=«@a43»
sig=«@b43»=
?sig=«@a43»%3D
x&sig=«@a43»%3D&sv=2022
{"sig":"«@b43»="}
sas: sig=«@b43»= for container c
AccountKey=«@b86»==
"AccountKey": "«@b86»=="
--account-key «@b86»==
AccountName=a;AccountKey=«@b86»==
`

// A value ends before any mark that no value of its sort contains.
func TestFormsBeforeMarks(t *testing.T) {
	forms := ""
	for _, around := range []string{"@", "x=1;@;y=2", "@;b", "a;@;b", "a,@,b", "@|b", "[@]", "<@>", "@>", "(@)", "{@}", "@!", "@.", "@:", "@<br>", "<td>@</td>", "@#a", "@&b", "@,", "@; export Y=1"} {
		for _, name := range []string{"token=«@a24»", "secret=«Kx7rWq2mBv4T»", "token=«VFSeboLa8huRyjTjgphELhuf»", "pass=«kx7rwq2mbv»", "session_token=«@a24»"} {
			forms += strings.ReplaceAll(around, "@", name) + "\n"
		}
	}
	testForms(t, forms)
}

// What begins a line begins it behind an escaped newline too.
func TestFormsBehindEscapedNewlines(t *testing.T) {
	forms := ""
	for _, newline := range []string{`\n`, `\x0a`, `\x0A`, `\012`, `\u000a`, "#012"} { // \n is escaped by the surfaces
		for _, form := range []string{
			"auth=('ada', '«Tp4iHGqRA7XdEhq»')", "creds = ('ada', '«Tp4iHGqRA7XdEhq»')", "//ada:«Tp4iHGqRA7XdEhq»@host/share", "API key is «Tp4iHGqRA7XdEhq»", "Password for ada: «Tp4iHGqRA7XdEhq»",
			"pass=«Tp4iHGqRA7XdEhq»", "pw=«Tp4iHGqRA7XdEhq»", "pass: «Tp4iHGqRA7XdEhq»", "otp=«@a24»", "cookie: session=«Tp4iHGqRA7XdEhq»", "mysql -u ada -p«Tp4iHGqRA7XdEhq» db", "redis-cli -a «Tp4iHGqRA7XdEhq» ping",
			"sshpass -p «Tp4iHGqRA7XdEhq» ssh x", "wandb login «@h40»", "htpasswd -b f ada «Tp4iHGqRA7XdEhq»", "kubectl create secret generic x --from-literal=a=«Tp4iHGqRA7XdEhq»", "password:%    «Tp4iHGqRA7XdEhq»",
		} {
			forms += "INFO a" + newline + strings.ReplaceAll(form, "%", newline) + newline + "b\n"
		}
	}
	testForms(t, forms)
}

// A text may be printed with its escapes, or with one that its writer added.
func TestEscapesOfNewlines(t *testing.T) {
	for _, newline := range []string{`\n`, `\\n`, `\\\\n`, `\r\n`, `\\r\\n`} {
		for _, form := range []string{"auth=('ada', '@')", "creds = ('ada', '@')", "//ada:@@host/share", "API key is @", "Password for ada: @"} {
			text := "INFO a" + newline + form + newline + "b"
			const secret = "Tp4iHGqRA7XdEhq"
			got := Text(strings.Replace(text, "@", secret, 1))
			before, after, _ := strings.Cut(text, "@")
			if strings.Contains(got, secret) || !strings.HasPrefix(got, before) || !strings.HasSuffix(got, after) {
				t.Errorf("%q became %q", text, got)
			}
		}
	}
}
