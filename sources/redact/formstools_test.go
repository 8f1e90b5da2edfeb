package redact

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestToolForms(t *testing.T) { testForms(t, formsTools) }

// TestToolFormsInObjects puts each form where an object contains text: an
// annotation, the value of a variable, a script, a message of its status.
func TestToolFormsInObjects(t *testing.T) {
	n := uint32(0)
	for form := range strings.Lines(formsTools) {
		if form = strings.TrimSpace(form); form == "" {
			continue
		}
		n++
		text, secrets := planForm(form, n*7907)
		for place, object := range map[string]any{
			"annotation": map[string]any{"metadata": map[string]any{"annotations": map[string]any{"ops.example.com/note": text}}},
			"variable":   map[string]any{"env": []any{map[string]any{"name": "SETTINGS", "value": text}}},
			"script":     map[string]any{"command": []any{"sh", "-c", text}},
			"message":    map[string]any{"kind": "Event", "message": "Error: " + text, "note": text},
			"applied":    map[string]any{"metadata": map[string]any{"annotations": map[string]any{"kubectl.kubernetes.io/last-applied-configuration": inJSON(text, false)}}},
		} {
			got, _ := New().Tree(object)
			shown, err := json.Marshal(got)
			if err != nil {
				t.Fatal(err)
			}
			for _, secret := range secrets {
				if strings.Contains(string(shown), secret) {
					t.Errorf("%s, %s: %s", form, place, shown)
				}
			}
		}
	}
}

// formsTools are secrets as programs announce them in sentences, and as tools
// of clouds, databases, registries and trackers print them.
const formsTools = `
ldap bind dn=cn=admin,dc=corp pw=«hunter2x»
LDAP bind failed for uid=ada,ou=people pw=«Tr4in!ng»
dvc remote modify myremote password «hunter2x»
dvc remote modify --local myremote secret_access_key «@b40»
dvc remote modify --local storage sas_token '«@b40»'
auth=BasicAuthentication('ada', '«hunter2x»')
auth=BasicAuthentication("ada", "«Tr4in!ng»")
httpx.BasicAuth(username="ada", password="«hunter2x»")
Using SMTP password «hunter2x» for ada@corp.example
login with database password «Tr4in!ng» for user ada
JWT_SECRET set to «hunter2x9Q»
SESSION_SECRET set to "«hunter2x9Q»"
environment variable WANDB_API_KEY set to «@h40»
env DB_PASSWORD is set to «Tr4in!ng»
HF_TOKEN changed to «hunter2x9Q»
the password is «Tr4in!ng9»
The admin password is: «Tr4in!ng9»
your temporary password is «xK9#mQ2p».
token: «@a32» for user ada
using key «@a40» for bucket runs
Using API key «hunter2x9Q»
using access token «hunter2x9Q» for project x
Authenticating with token «@a32»
Logged in with password «Tr4in!ng9» as ada
with secret key «hunter2x9Qm» and access key AK
Password for ada is «Tr4in!ng9»
password was changed to '«Tr4in!ng9»'
setting password to «Tr4in!ng9»
The API key is «hunter2x9Q»
api key set to «hunter2x9Q»
generated password «xK9#mQ2p» for user grafana
Generated root password: «xK9#mQ2pzz»
default password «xK9#mQ2p» is in use
Your API token is «hunter2x9Q7»
aws_secret_access_key = «@b40»
aws_session_token = «@b120»
{"AccessKeyId":"ASIAX","SecretAccessKey":"«@b40»","SessionToken":"«@b120»","Expiration":"2026-01-01T00:00:00Z"}
AccessKeySecret: «@a30»
gcloud auth print-access-token: ya29.«@-60»
"private_key": "-----BEGIN PRIVATE KEY-----\n«@b64»\n-----END PRIVATE KEY-----\n"
"refresh_token": "1//«@-60»"
DefaultEndpointsProtocol=https;AccountName=runs;AccountKey=«@b86»==;EndpointSuffix=core.windows.net
https://runs.blob.core.windows.net/c?sv=2022-11-02&sp=rl&sig=«@a43»%3D
"clientSecret": "«@-40»"
AZURE_CLIENT_SECRET=«@-40»
{"accessToken": "«@-60»", "loginServer": "r.azurecr.io"}
postgresql+psycopg2://ada:«hunter2x»@db:5432/runs
mysql://root:«hunter2x»@127.0.0.1/mlflow
mongodb+srv://ada:«hunter2x»@cluster0.x.mongodb.net/runs
redis://:«hunter2x»@redis:6379/0
amqp://ada:«hunter2x»@mq:5672/
host=db port=5432 user=ada password=«hunter2x» dbname=runs
Server=db;Database=runs;User Id=ada;Password=«hunter2x»;
IDENTIFIED BY '«hunter2x»'
ALTER USER ada WITH PASSWORD '«hunter2x»';
CREATE USER ada PASSWORD '«hunter2x»'
requirepass «hunter2x»
masterauth «hunter2x»
wandb login «@h40»
wandb: Appending key for api.wandb.ai to your netrc file: «@h40»
  password «@h40»
machine api.wandb.ai login user password «@h40»
huggingface-cli login --token hf_«@a34»
Token is valid. Your token hf_«@a34» has been saved
MLFLOW_TRACKING_PASSWORD=«hunter2x»
mlflow_tracking_token: «@a32»
docker login -u ada -p «hunter2x» registry.example
{"auths":{"r.example":{"username":"ada","password":"«hunter2x»"}}}
helm install x y --set auth.password=«hunter2x» --set db.token=«@a32»
helm upgrade x y --set-string grafana.adminPassword=«hunter2x»
https://ada:«hunter2x»@git.example/org/repo.git
https://oauth2:glpat-«@a20»@gitlab.example/org/repo.git
origin	https://x-access-token:ghs_«@a36»@github.com/o/r.git (fetch)
rclone: secret_access_key = «@b40»
pass = «@-30»
mc alias set minio http://minio:9000 minioadmin «hunter2x»
MINIO_ROOT_PASSWORD: «hunter2x»
fs.s3a.secret.key=«@b40»
spark.hadoop.fs.s3a.secret.key «@b40»
<property><name>fs.s3a.secret.key</name><value>«@b40»</value></property>
-----BEGIN OPENSSH PRIVATE KEY-----\n«@b64»\n«@b64»\n-----END OPENSSH PRIVATE KEY-----
-----BEGIN RSA PRIVATE KEY-----\n«@b64»\n-----END RSA PRIVATE KEY-----
sshpass -p «hunter2x» ssh ada@host
kinit ada <<< '«hunter2x»'
echo «hunter2x» | kinit ada@CORP.EXAMPLE
krb5: password for ada@CORP.EXAMPLE: «Tr4in!ng9»
https://hooks.slack.com/services/T0123ABCD/B0123ABCD/«@a24»
SLACK_WEBHOOK=https://hooks.slack.com/services/T0123ABCD/B0123ABCD/«@a24»
https://discord.com/api/webhooks/123456789012345678/«@-68»
https://api.telegram.org/bot123456789:«@-35»/sendMessage
https://x.webhook.office.com/webhookb2/«@u»@«@u»/IncomingWebhook/«@h32»/«@u»
Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.«@-60».«@-43»
Cookie: session=«@a40»; other=1
X-Auth-Token: «@a32»
x-amz-security-token: «@b120»
[database]\nuser = "ada"\npassword = "«hunter2x»"
{database: {user: ada, password: «hunter2x»}}
password => «hunter2x»
:password=>"«hunter2x»"
password='«hunter2 x»'
environ({'HOME': '/root', 'HF_TOKEN': 'hf_«@a34»', 'DB_PASSWORD': '«hunter2x»'})
Namespace(lr=0.1, api_key='«hunter2x9Q»', hub_token='«hunter2x9Q»')
{"name":"DB_PASSWORD","value":"«hunter2x»"}
- name: DB_PASSWORD\n  value: «hunter2x»
Environment:\n      DB_PASSWORD:  «hunter2x»
kubectl create secret generic x --from-literal=token=«hunter2x9Q»
kubectl config set-credentials ada --token=«@a32»
kubeadm join 10.0.0.1:6443 --token «@l6».«@l16» --discovery-token-ca-cert-hash sha256:abc
vault login «hvs.»CAESI«@a90»
VAULT_TOKEN=hvs.«@a90»
Unseal Key 1: «@b43»=
Initial Root Token: hvs.«@a24»
consul kv: SecretID: «@u»
nats://ada:«hunter2x»@nats:4222
ngrok config add-authtoken «@a43»
tailscale up --authkey tskey-auth-«@a12»-«@a24»
npm config set //registry.npmjs.org/:_authToken npm_«@a36»
//registry.npmjs.org/:_authToken=npm_«@a36»
pip install --extra-index-url https://ada:«hunter2x»@pypi.example/simple x
poetry config http-basic.x ada «hunter2x»
twine upload -u __token__ -p pypi-«@-100»
conda: channel_alias https://conda.example/t/«@a32»/main
dagshub token=«@h40»
NEPTUNE_API_TOKEN=«@b160»
comet: api_key=«@a25»
openai.api_key = "sk-proj-«@a48»"
ANTHROPIC_API_KEY=sk-ant-api03-«@-90»
jupyter: http://localhost:8888/?token=«@h48»
ray: redis_password=«hunter2x»
--ldap-bind-password «hunter2x»
ldapsearch -x -D cn=admin -w «hunter2x»
smtp.login("ada", "«hunter2x»")
paramiko.connect(host, username="ada", password="«hunter2x»")
sasl.jaas.config=PlainLoginModule required username="ada" password="«hunter2x»";
ssl.keystore.password=«hunter2x»
KAFKA_SASL_PASSWORD=«hunter2x»
dvc remote modify r ask_password false && dvc remote modify r password «hunter2x»
PlainCredentials('ada', '«hunter2x»')
--password «1hunter2x» --host db
--token «9f8e7d6c5b4a39281706f5e4d3c2b1a0» x
htpasswd -b .htpasswd ada «hunter2x»
openssl enc -k «hunter2x» -in x
gpg --passphrase «hunter2x» -d x
borg: BORG_PASSPHRASE=«hunter2x»
zip -P «hunter2x» x.zip y
unzip -P «hunter2x» x.zip
Default login: admin / «Tr4in!ng9»
Login with admin:«Tr4in!ng9»
The generated password for the elastic built-in superuser is : «Tr4in!ng9»
xpack: password for the [elastic] user is «Tr4in!ng9»
envFrom secret: {"TOKEN":"«hunter2x9Q»"}
os.environ updated: {'TOKEN': '«hunter2x9Q»'}
SECRET_KEY='django-insecure-«@-40»'
AIRFLOW__DATABASE__SQL_ALCHEMY_CONN=postgresql://airflow:«hunter2x»@pg/airflow
HTTP_PROXY=http://ada:«hunter2x»@proxy:3128
password_hash: $2b$12$«@a53»
Bearer «@-40»
Proxy-Authorization: Basic «@b32»
Enter passphrase for key '/root/.ssh/id_rsa': «Tr4in!ng9»
sudo password for ada: «Tr4in!ng9»
{"access_token":"«@-60»","token_type":"Bearer"}
SENTRY_DSN=https://«@h32»@o1.ingest.sentry.io/1
lftp -u ada,«hunter2x» host
Passw0rd changed; new password is "«Tr4in!ng9»"
modal token set --token-id ak-«@a22» --token-secret as-«@a22»
credentials:\n  access_key_id: AKIA«@A16»\n  secret_access_key: «@b40»
`
