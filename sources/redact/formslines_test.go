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
