package redact

import "testing"

func TestPlaceForms(t *testing.T) { testForms(t, formsPlace) }

// formsPlace are secrets that their position identifies: after names, in commands, objects, password files.
const formsPlace = `
CI_JOB_TOKEN=64_«@-20»
CI_JOB_TOKEN: 64_«@-20»
//registry.npmjs.org/:_authToken=«@u»
//registry.npmjs.org/:_auth=«@b24»==
_auth=«@b24»==
_auth = "«@b24»="
//npm.corp/:_password="«@b20»"
ansible_become_pass=«hunter2»
ansible_become_pass: «hunter2»
ansible_ssh_pass=«hunter2»
ansible_become_password='«hunter2»'
BW_SESSION=«@b86»==
export BW_SESSION="«@b86»=="
X-JFrog-Art-Api: AKCp«@a69»
X-JFrog-Art-Api: «@a60»
curl -H 'X-JFrog-Art-Api:«@a60»' https://x
curl -H "X-JFrog-Art-Api: «@h40»" -T x https://x
OBS_SK=«@a40»
KS3_SK=«@b40»
TOS_SK: «@b44»==
VOLC_SK=«@b44»==
VOLC_SECRETKEY=«@b44»==
obs_sk = "«@a40»"
--sk «@a40» --ak x
ak=LTAIx sk=«@a30»
OBS_AK=AK OBS_SK=«@a40»
OCI_CLI_KEY_CONTENT=«@b64»
OCI_CLI_KEY_CONTENT="«@b64»"
psk=«hunter2hunter2»
psk="«hunter2 is it»"
wpa_psk: «@h64»
"psk": "«hunter2x»"
"db_password": {"sensitive": true, "type": "string", "value": "«hunter2»"}
"db_url": {"sensitive": true, "value": "«h»unter2secretx"}
"kubeconfig": {\n    "sensitive": true,\n    "type": "string",\n    "value": "«hunter2x»"\n  }
{"value":"«hunter2x»","type":"string","sensitive":true}
{"Parameter": {"Name": "/prod/db", "Type": "SecureString", "Value": "«hunter2x»", "Version": 1}}
"Type": "SecureString",\n            "Value": "«hunter2x»",
{"Name":"/prod/x","Value":"«hunter2x»","Type":"SecureString"}
Name: /prod/db\nType: SecureString\nValue: «hunter2x»
[{"keyName": "key1", "permissions": "FULL", "value": "«@b86»=="}]
key1    FULL    «@b86»==
az storage: «@b86»==
"primaryKey": "«@b86»=="
password: >-\n  «hunter2»\nuser: ada
password: |\n  «hunter2»\n  «more2x»\nuser: ada
  db_password: >\n    «hunter2x»
token: |-\n  «@a24»
  api_key: |2-\n      «hunter2x»
private_key: |\n  «@b64»\n  «@b60»
- value: «hunter2»\n  name: DB_PASSWORD
- name: DB_PASSWORD\n  value: «hunter2»
- name: DB_PASSWORD\n  value: >-\n    «hunter2»
{"value":"«hunter2»","name":"DB_PASSWORD"}
{"value": "«hunter2»", "name": "DB_PASSWORD"}
{\n  "value": "«hunter2»",\n  "name": "DB_PASSWORD"\n}
{"key":"DB_PASSWORD","value":"«hunter2»"}
{"Key":"db_password","Value":"«hunter2»"}
{"name":"DB_PASSWORD","type":"env","value":"«hunter2»"}
"tokens": ["«@a32»", "«@a34»"]
tokens: ["«@a20»", "«@a24»"]
"tokens": [\n  "«@a20»",\n  "«@a24»"\n]
tokens:\n- «@a20»\n- «@a24»
passwords:\n  - «hunter2»\n  - «hunter3»
api_keys: [«@a20», «@a24»]
"passwords": ["«hunter2»", "«hunter3»"]
rabbitmqctl add_user ada «hunter2»
rabbitmqctl change_password ada «hunter2»
rabbitmqctl -n rabbit@x change_password ada '«hunter2»'
rabbitmqctl authenticate_user ada «hunter2»
poetry config http-basic.corp ada «hunter2»
poetry config pypi-token.pypi «hunter2»
cqlsh -u ada -p «hunter2» host
cqlsh -u ada -p«hunter2» host
zip -P «hunter2» x.zip y
zip -r -P «hunter2» x.zip y
useradd -m -p «hunter2» ada
usermod -p '«hunter2»' ada
useradd -p «$6$abcdefgh$»x ada
obsutil config -i=AK -k=«@a40» -e=obs.x
obsutil config -i AK -k «@a40» -e obs.x
influx write -t «@a40» -b x
influx query --token «@b86»== 'x'
influx auth list -t «@b86»==
redis> AUTH «hunter2»
AUTH «hunter2»
AUTH ada «hunter2»
127.0.0.1:6379> AUTH «hunter2x»
redis-cli AUTH «hunter2»
ACL SETUSER ada on >«hunter2» ~* +@all
ACL SETUSER ada on #«@h64» ~* +@all
user default on >«hunter2» ~* &* +@all
SET PASSWORD FOR 'ada'@'%' = '«hunter2»'
SET PASSWORD FOR 'ada'@'%' = PASSWORD('«hunter2»')
SET PASSWORD = '«hunter2»'
ALTER USER 'root'@'localhost' IDENTIFIED BY '«hunter2»';
CREATE USER ada IDENTIFIED BY «hunter2»;
ALTER USER ada IDENTIFIED WITH mysql_native_password BY '«hunter2»';
CREATE USER ada IDENTIFIED WITH sha256_password BY '«hunter2»'
ALTER ROLE ada WITH LOGIN PASSWORD '«hunter2»';
ALTER USER ada PASSWORD '«hunter2»';
ALTER ROLE ada ENCRYPTED PASSWORD '«hunter2»';
CREATE LOGIN ada WITH PASSWORD = '«hunter2»';
GRANT ALL ON *.* TO 'ada'@'%' IDENTIFIED BY '«hunter2»' WITH GRANT OPTION
CHANGE MASTER TO MASTER_HOST='x', MASTER_PASSWORD='«hunter2»'
[Note] A temporary password is generated for root@localhost: «q#h:2Xyz9abc»
2026-11-20T09:00:00Z 6 [Note] [MY-010454] [Server] A temporary password is generated for root@localhost: «uL;hE8ksd,Tq»
requests.get(u, auth=HTTPBasicAuth('ada','«hunter2»'))
HTTPBasicAuth('ada', '«hunter2»')
HTTPDigestAuth("ada", "«hunter2»")
requests.get(u, auth=('ada','«hunter2»'))
auth=("ada", "«hunter2»")
basic_auth=("elastic", "«hunter2»")
http_auth=('elastic', '«hunter2»')
BasicAuth("ada", "«hunter2»")
aiohttp.BasicAuth('ada', '«hunter2»')
login('ada', '«hunter2»')
server.login("ada@x.com", "«hunter2x»")
db.host:5432:runs:ada:«hunter2»
*:*:*:postgres:«hunter2»
localhost:5432:*:ada:«hunt:er2»
root:$6$rounds=5000$«@a16»$«@a86»:19000:0:99999:7:::
ada:$6$«@a16»$«@a86»:19000:0:99999:7:::
ada:$y$j9T$«@a22»$«@a43»:19000:0:99999:7:::
ada:$5$«@a16»$«@a43»:1:0:9:7:::
ada:$apr1$«@a8»$«@a22»
ada:$2y$05$«@a53»
ada:$2b$12$«@a53»
ada:{SHA}«@b27»=
ada:{SSHA}«@b38»==
password hash $2a$10$«@a53»
$argon2id$v=19$m=65536,t=3,p=4$«@b22»$«@b43»
pbkdf2_sha256$600000$«@a22»$«@b43»=
https://conda.anaconda.org/t/«@a2»-«@u»/corp/linux-64/repodata.json
https://conda.corp/t/«@a20»/ch
-c https://conda.anaconda.org/t/«@h40»/x
jdbc:oracle:thin:ada/«hunter2»@//db:1521/x
jdbc:oracle:thin:ada/«hunter2»@db:1521:x
jdbc:oracle:oci8:ada/«hunter2»@tns
sqlplus ada/«hunter2»@db
Unseal Key 1: «@b43»=
Unseal Key 5: «@b44»
Recovery Key 1: «@b43»=
Initial Root Token: hvs.«@a24»
Initial Root Token: s.«@a24»
Root Token: s.«@a24»
"unseal_keys_b64": ["«@b43»=", "«@b42»="]
"unseal_keys_hex": ["«@h64»"]
vault operator unseal «@b43»=
VAULT_TOKEN=s.«@a24»
x s.«@a24» y
NRAK-«@A27»
NRII-«@-32»
«@h32»FFFFNRAL
«@h36»NRAL
RUNPOD_API_KEY=rpa_«@A40»
x rpa_«@A44»
x KGAT_«@h32»
kaggle KGAT_«@a32»
x pul-«@h40»
x ops_eyJ«@b250»
x ops_ey«@b250»
https://hooks.slack.com/triggers/T0123ABCD/«@d13»/«@h32»
https://hooks.slack.com/workflows/T0123ABCD/A0123ABCD/«@d18»/«@a24»
https://api.telegram.org/bot«@d10»:AA«@-33»/getMe
https://api.telegram.org/bot123456:«@-35»/getMe
https://api.telegram.org/file/bot«@d10»:AA«@-33»/x
token-abcde:«@l54»
kubeconfig-u-abcde:«@l54»
--token kubeconfig-user-x7k2p:«@l54»
K10«@h64»::server:«@h32»
K10«@h64»::server:hunter2«@h6»
K10«@h64»::node:«@h32»
k3s agent --token K10«@h64»::abcdef.«@l16»
---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nComment: "x"\n«@b70»\n«@b50»==\n---- END SSH2 ENCRYPTED PRIVATE KEY ----
---- BEGIN SSH2 PRIVATE KEY ----\n«@b70»\n---- END SSH2 PRIVATE KEY ----
PuTTY-User-Key-File-2: ssh-rsa\nEncryption: none\nPrivate-Lines: 2\n«@b64»\n«@b64»\nPrivate-MAC: 0
{"kty":"RSA","n":"x","e":"AQAB","d":"«@-342»","p":"«@-171»","q":"«@-170»","dp":"«@-171»","dq":"«@-169»","qi":"«@-168»"}
{"kty":"EC","crv":"P-256","x":"abc","y":"abc","d":"«@-43»"}
{"kty":"oct","k":"«@-43»","alg":"HS256"}
"kty": "EC",\n  "d": "«@-43»",
{"d":"«@-43»","kty":"EC","crv":"P-256"}
`
