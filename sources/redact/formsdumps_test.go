package redact

import "testing"

func TestFormsOfDumps(t *testing.T) { testForms(t, formsDumps) }

// formsDumps are secrets as programs print their settings: lists of arguments with
// dots, arrows, literals of other languages, events of Kubernetes.
const formsDumps = `
  hub_token ........ «hunter2x»
  db_password ..... «hunter2»
  wandb_api_key ................................... «@h40»
api_token -> «hunter2x»
api_key → «hunter2x»
password == «hunter2»
['db_password', '«hunter2x»']
pass: «hunter2»
pw=«hunter2»
pw: "«hunter2»"
passwd: «hunter2»
auth=«ada:hunter2»
{"token": "«ab12CD34ef»"}
token=«ab12CD34ef»
secret: «ab12CD34ef»
{'secret': '«aBcDEFghIjKLmN»'}
map[secret:«hunter2x» token:«hunter3x» pass:«hunter4x»]
["mount" "--hf_token" "«hunter2x»"]
password: Some(String("«hunter2»"))
Password: (string) (len=10) "«hunter2»"
password=SecretStr('«hunter2»')
password = """«hunter2»"""
password=bytearray(b"«hunter2»")
password: «correct horse battery»
Authorization: Digest username="ada", realm="x", nonce="abc", uri="/", response="«@h32»", opaque="x"
Authorization: Hawk id="ada", ts="1353832234", nonce="j4h3g2", mac="«@b43»="
postgres://ada:«hunter 2 x»@db.example.com:5432/x
postgres://ada:«hunt'er2»@db.example.com/x
https://«@h40»:x-oauth-basic@github.com/x/y
GET https://host.example.com/x?jwt=«@-60» 200
GET https://host.example.com/x?a=1&sessionid=«@l32» 200
GET https://host.example.com/callback?code=«@a32»&state=abc 302
GET https://d1.cloudfront.net/x?Policy=«@-80»&Signature=«@-80»&Key-Pair-Id=K1 403
cookies={'session': '«@l32»', 'lang': 'en'}
`

// TestAColumnOfATab: the value in the next column of a table.
func TestAColumnOfATab(t *testing.T) {
	if got, want := Text("secret_key\thunter2x"), "secret_key\t"+NamedSecret.Placeholder(); got != want && got != "secret_key\t"+NamedKey.Placeholder() {
		t.Errorf("%q", got)
	}
	for _, line := range []string{
		"api_key\tuser\tname", "password\tstring", "  tokenizer_type .................... GPT2BPETokenizer", "  eos_token ......... None", "  pad_token_id ........ 0",
		"if password == expected:", "assert token == 5", "forward pass: 12.3ms", "pass: 3/5", "pass=True", "pass: 12.5%", "pass: ok", "PASS: test_forward", "pass=1", "pw: (empty)", "first pass=2nd",
		"pass := po.undo[len(po.undo)-1]", "pass := &analysis.Pass{", "pass=%#v", "auth=rbac", "auth=none", `{"token": "Unexpected"}`, `{"token": "strawberry"}`, "token: eos", "token=<pad>", "tokens=123", "secret: hf-token-v2", "secret=regcred",
		"def get_token() -> str:", "token -> id: 5", "lm_head.weight -> model.head.weight", "map[key:nvidia.com/gpu operator:Exists]", `["--token" "--lr" "0.1"]`,
		"see http://host:29500 and ask ada@example.com", "GET http://host/x?code=200&state=ok", "GET /x?code=E1001 500", "policy=round-robin signature=3",
		"cookies={'lang': 'en'}", "response=200 mac=aa:bb:cc:dd:ee:ff",
	} {
		if got := Text(line); got != line {
			t.Errorf("%q became %q", line, got)
		}
	}
}
