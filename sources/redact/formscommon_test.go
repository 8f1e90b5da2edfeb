package redact

import "testing"

func TestCommonForms(t *testing.T) { testForms(t, formsCommon) }

// formsCommon are secrets as programs, shells and people write them around training jobs.
const formsCommon = `
+ export WANDB_API_KEY=«@h40»
declare -x DB_PASSWORD="«hunter2»"
$env:HF_TOKEN = "«hunter2x»"
set HF_TOKEN=«hunter2x»
setx HF_TOKEN «hunter2x»
set -gx HF_TOKEN «hunter2x»
ARG DB_PASSWORD=«hunter2»
docker run -e DB_PASSWORD=«hunter2» x
docker build --build-arg PIP_PASSWORD=«hunter2» .
DB_PASSWORD := «hunter2»
DB_PASSWORD ?= «hunter2»
db.password=«hunter2»
spring.datasource.password: «hunter2»
{Name:ada Password:«hunter2»}
Config{User:"ada", Password:"«hunter2»"}
User(name=ada, password=«hunter2»)
password: Some("«hunter2»")
api_key: Some("«hunter2x»")
api_key=Some("«hunter2x»")
<db user="ada" password="«hunter2»"/>
username=ada&password=«hunter2»&grant_type=password
('Authorization', 'Bearer «@a32»')
(b'authorization', b'Bearer «@a32»')
('x-api-key', '«hunter2x»')
("x-api-key", "«@u»")
os.environ.setdefault("HF_TOKEN", "«hunter2x»")
os.putenv("HF_TOKEN", "«hunter2x»")
os.environ['HF_TOKEN']='«hunter2x»'
kind: Secret\ndata:\n  config: «@b40»\n  other: «@b26»==\nmetadata:\n  name: x
apiVersion: v1\ndata:\n  config: «@b40»\nkind: Secret\nmetadata:\n  name: x
{"apiVersion":"v1","data":{"config":"«@b40»"},"kind":"Secret"}
{"kind":"Secret","stringData":{"config":"«hunter2x»"}}
apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\nstringData:\n  config: «hunter2x»
-----BEGIN PGP PRIVATE KEY BLOCK-----\n«@b64»\n-----END PGP PRIVATE KEY BLOCK-----
-----BEGIN OpenVPN Static key V1-----\n«@h32»\n-----END OpenVPN Static key V1-----
PrivateKey = «@b43»=
PresharedKey = «@b43»=
otpauth://totp/x:ada?secret=«@C32»&issuer=x
MYSQL_PWD=«hunter2»
REDISCLI_AUTH=«hunter2»
RESTIC_PASSWORD=«hunter2»
BORG_PASSPHRASE='«hunter2 x»'
ray start --redis-password=«hunter2» --head
http://127.0.0.1:8888/lab?token=«@h48»
c.NotebookApp.password = u'sha1:«@h12»:«@h40»'
AccountingStoragePass=«hunter2»
StoragePass=«hunter2»
wandb.login(key="«@h40»")
comet_ml.init(api_key="«hunter2x»")
openai.api_key = "«hunter2x»"
Client(api_token='«hunter2x»')
s3fs.S3FileSystem(key='AK', secret='«@b40»')
Password: «hunter2»
Enter password: «hunter2»
Password for 'https://ada@github.com': «hunter2x»
Password for ada: «hunter2x»
API key: «@a32»
Your API key is «@a32»
Your API key is: «@h32»
Token: «@a32»
wandb: Paste an API key from your profile and hit enter, or press ctrl+c to quit: «@h40»
wandb: You can find your API key in your browser here: https://wandb.ai/authorize\nwandb: Paste an API key from your profile and hit enter: «@h40»
Your new password is: «hunter2»
Password changed to '«hunter2»'
credentials: ada:«hunter2»
creds=ada:«hunter2»
---> PASS «hunter2»
> PASS «hunter2»
CREATE SECRET s (TYPE S3, KEY_ID 'AK', SECRET '«@b40»')
userPassword:: «@b24»==
userPassword: «hunter2»
spark.hadoop.fs.s3a.secret.key=«hunter2x»
fs.azure.account.key.acct.blob.core.windows.net=«@b86»==
fs.azure.account.key.acct.blob.core.windows.net «@b86»==
jdbc:postgresql://h/db?user=a&password=«hunter2»
jdbc:sqlserver://h:1433;user=a;password=«hunter2»;encrypt=true
sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="a" password="«hunter2»";
http_proxy=http://ada:«hunter2»@proxy:3128
{"access_token":"«@a40»","id_token":"«@a40»"}
X-Amz-Security-Token=«@a200»
q-signature=«@h40»
token                hvs.«@-24»
token                «@a40»
secret_key     «@a40»
cargo login «@a32»
poetry publish -u ada -p «hunter2»
uv publish -t «@a40»
anaconda -t «@a40» upload x
glab auth login -t «@a20»
doctl auth init -t «@h64»
etcdctl --user root:«hunter2» get x
beeline -u jdbc:hive2://h -n ada -p «hunter2»
racadm -r h -u root -p «hunter2» x
curl --oauth2-bearer «@a40» x
curl --cert k.pem:«hunter2» x
curl -E k.pem:«hunter2» x
openssl enc -aes-256-cbc -K «@h64» -iv x
openssl passwd -6 «hunter2»
mkpasswd -m sha-512 «hunter2»
htpasswd -nb ada «hunter2»
htpasswd -nbB ada «hunter2»
caddy hash-password --plaintext «hunter2»
mc admin user add m ada «hunter2»
mongosh mongodb://ada:«hunter2»@h/db
mount -t cifs //n/s /m -o username=a,password=«hunter2»
swift --os-password «hunter2» list
| id | gAAAAAB«@-180» |
X-Auth-Token: gAAAAAB«@-180»
client-key-data: LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQo«@b60»
Authorization: GenieKey «@u»
Authorization: SSWS «@a42»
Authorization: sso-key abc:«@a22»
Authorization: Splunk «@u»
Authorization: Snowflake Token="«@a60»"
Authorization: OAuth «@a40»
Authorization: Api-Token «@a40»
Authorization: «@a40»
X-Auth-Token: «hunter2x»
apikey: «hunter2x»
x-functions-key: «@a40»
x-goog-api-key: «hunter2x»
X-Vault-Token: «hunter2x»
X-Consul-Token: «@u»
PRIVATE-TOKEN: «@a20»
Deploy-Token: «@a20»
Circle-Token: «@h40»
Secret Key: «hunter2x»
Access Key: «hunter2x»
API Key = «hunter2x»
Client Secret : «hunter2x»
API Token: «hunter2x»
pwd: «hunter2»
user: ada pass: «hunter2»
login=ada pass=«hunter2»
user=ada pw=«hunter2»
root password: «hunter2»
key=DB_PASSWORD value=«hunter2»
name=DB_PASSWORD, value=«hunter2»
- key: DB_PASSWORD\n  value: «hunter2»
- {name: DB_PASSWORD, value: «hunter2»}
- { value: «hunter2», name: DB_PASSWORD }
env:\n  DB_PASSWORD: «hunter2»
environment:\n  - DB_PASSWORD=«hunter2»
environment:\n  - "DB_PASSWORD=«hunter2»"
Environment:\n      DB_PASSWORD:  «hunter2»
Environment="DB_PASSWORD=«hunter2»"
"Env": ["DB_PASSWORD=«hunter2»", "PATH=/usr/bin"]
DB_PASSWORD=«hunter2» python train.py
env DB_PASSWORD=«hunter2» python x
ssh ada@h "export DB_PASSWORD=«hunter2»; x"
sudo DB_PASSWORD=«hunter2» x
'DB_PASSWORD': '«hunter2»'
('DB_PASSWORD', '«hunter2»')
environ({'HF_TOKEN': '«hunter2x»'})
DB_PASSWORD%3D«hunter2»
%22DB_PASSWORD%22%3A%22«hunter2»%22
https://x/cb#access_token=«@a40»&token_type=bearer
https://x/?api-key=«@a32»
https://x/?apikey=«hunter2x»
https://x/?key=«@a32»
https://x/?secret=«hunter2x»
https://x/?password=«hunter2»
wss://h/ws?auth_token=«hunter2x»
git clone https://ada:«hunter2»@github.com/x/y
git remote add o https://«@a40»@github.com/x
https://oauth2:«hunter2x»@gitlab.com/x
machine github.com login ada password «hunter2»
machine github.com\nlogin ada\npassword «hunter2»
index-url = https://ada:«hunter2»@pypi.corp/simple
[registry]\ntoken = "«@a32»"
[pypi]\nusername = __token__\npassword = «hunter2x»
always-auth=true\n//x/:_password=«@b24»==
email=a\n_auth="«@b24»=="
npmAuthToken: «@a36»
"identitytoken": "«@a36»"
"registrytoken": "«@a36»"
bootstrap-token: «abcdef.0123456789abcdef»
kubeadm join h:6443 --token «abcdef.0123456789abcdef» --discovery-token-ca-cert-hash sha256:x
kubeadm init --certificate-key «@h64»
certificate-key: «@h64»
--encryption-key «@h64»
encryption_key=«@b43»=
AES_KEY=«@h64»
FERNET_KEY=«@b43»=
AIRFLOW__CORE__FERNET_KEY=«@b43»=
SECRET_KEY=«hunter2x»
SECRET_KEY = 'django-insecure-«@a50»'
DJANGO_SECRET_KEY='«hunter2x»'
JWT_SECRET=«hunter2x»
NEXTAUTH_SECRET=«@b43»=
COOKIE_SECRET=«@h32»
SESSION_SECRET=«hunter2x»
WEBHOOK_SECRET=«hunter2x»
HMAC_KEY=«@h32»
SIGNING_KEY=«@h32»
salt: x secret: «@h40»
client_secret=«hunter2x»
"clientSecret": "«hunter2x»"
private_key='«@h64»'
0x-prefixed private_key=0x«@h64»
MASTER_KEY=«@h32»
license_key=«@A25»
licenseKey: «ABCDE-FGHIJ-KLMNO-12345-67890»
MATLAB_LICENSE_KEY=«hunter2x»
--wandb_token «hunter2x»
--hf-token=«hunter2x»
--api_key «hunter2x»
--secret «hunter2x»
--password "«hunter2 x»"
--passwd=«hunter2»
-password «hunter2»
-token=«hunter2x»
/password:«hunter2»
/p:Password=«hunter2»
-Dpassword=«hunter2»
-Ddb.password=«hunter2»
-PmavenPassword=«hunter2»
-var 'db_password=«hunter2»'
-var db_password=«hunter2»
TF_VAR_db_password=«hunter2»
--extra-vars "ansible_password=«hunter2»"
-e ansible_become_pass=«hunter2»
ansible_host=h ansible_user=ada ansible_ssh_pass=«hunter2»
--from-literal=password=«hunter2»
--set-string mysql.auth.rootPassword=«hunter2»
--docker-password «hunter2»
kubectl config set-credentials ada --token=«hunter2x»
redis://default:«hunter2»@r:6379
rediss://:«hunter2»@r:6380/0
amqp://ada:«hunter2»@q/
mongodb+srv://ada:«hunter2»@c.x.mongodb.net/
mysql+pymysql://ada:«hunter2»@h/db
clickhouse://ada:«hunter2»@h
ftp://ada:«hunter2»@h/x
sftp://ada:«hunter2»@h
smb://ada:«hunter2»@h/x
ldap://cn=a:«hunter2»@h
s3://AK:«hunter2x»@minio/bucket
socks5://ada:«hunter2»@p:1080
https://:«@a32»@h/
postgres://ada:«hunter2»@/db?host=/tmp
postgres://ada:«p%40ss%2Fword»@h/db
DATABASE_URL=postgres://ada:«hunter2»@h/db
CELERY_BROKER_URL=redis://:«hunter2»@r
SQLALCHEMY_DATABASE_URI: mysql://ada:«hunter2»@h/db
dsn="host=h user=a password=«hunter2» dbname=x"
host=h user=a password='«hunter2 x»' dbname=x
Server=h;Database=d;User Id=a;Password=«hunter2»;
AccountEndpoint=https://x.documents.azure.com:443/;AccountKey=«@b86»==;
BlobEndpoint=https://x;SharedAccessSignature=sv=2020&sig=«@a43»%3D
Endpoint=https://x.azconfig.io;Id=abc;Secret=«@b43»=
InstrumentationKey=«@u»
HostName=x.azure-devices.net;DeviceId=d;SharedAccessKey=«@b43»=
x-ms-authorization-auxiliary: Bearer «@a60»
Set-Cookie: session=«@a40»; HttpOnly
Cookie: _gitlab_session=«@h32»
csrf_token=«@h40»
X-CSRF-Token: «@h40»
AWS Secret Access Key [None]: «@b40»
az: "passwords": [{"name": "password", "value": "«hunter2»"}, {"name": "password2", "value": "«hunter3»"}]
password is «hunter2»
password set to «hunter2»
`
