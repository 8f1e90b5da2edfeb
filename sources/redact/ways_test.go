package redact

import (
	"fmt"
	"strings"
	"testing"
)

// ways are ways to write a secret that only its position identifies. %s is the
// secret.
var ways = map[string][]string{
	"tables": {
		"│ password │ %s │", "┃ DB_PASSWORD ┃ %s ┃", "║ api_key ║ %s ║", "| name | password | %s |", "│ user │ ada │ password                                                             │ %s │",
	},
	"quotes escaped": {
		`{\u0022password\u0022:\u0022%s\u0022,\u0022x\u0022:1}`, `\\u0022api_key\\u0022: \\u0022%s\\u0022`, `\u0027password\u0027: \u0027%s\u0027`,
		`?conf=%%7B%%22password%%22%%3A%%22%s%%22%%2C%%22x%%22%%3A1%%7D`, `%%22password%%22:%%20%%22%s%%22`, `{&quot;password&quot;:&quot;%s&quot;}`, `&#34;password&#34;: &#34;%s&#34;`, `&#39;password&#39;: &#39;%s&#39;`,
	},
	"quotes doubled": {
		`password: 'it''%s'`, `"password=""%s""","x"`, `{password: 'a''b''%s', x: 1}`,
	},
	"XML": {
		"<password>%s</password>", "<dbPassword>%s</dbPassword>", "<api_key>\t%s </api_key>", "&lt;password&gt;%s&lt;/password&gt;", `<add key="Password" value="%s"/>`, `<server><username>ada</username><password>%s</password></server>`,
	},
	"command lines": {
		"docker login -u ada -p %s nvcr.io", "+ docker login registry:5000 -p=%s", "sudo podman login -p %s quay.io", "nerdctl login -p %s", "helm registry login -u ada -p %s ghcr.io", "skopeo login -p %s x.io",
		"crane auth login x.io -u ada -p %s", "oras login -p %s x.io", "az login --service-principal -u app -p %s --tenant t", "az acr login -n x -p %s", "oc login -u ada -p %s https://api:6443",
		"curl -u ada:%s https://mlflow/api", "curl -sS -uada:%s https://mlflow/api", "/usr/bin/curl --user 'ada:%s' https://x", "curl --user=ada:%s x", "curl -x http://p -U ada:%s x", "curl --proxy-user ada:%s x", `curl -b "session=%s; x=y" https://x`,
		"curl -X POST -d 'a=b' -u \"ada:%s\" https://x", "http -a ada:%s GET x", "skopeo copy --src-creds ada:%s docker://x oci:y", "smbclient //nas/share -U ada%%%s",
		"sshpass -p %s ssh ada@node", "sshpass -p'%s' ssh x", "sshpass -p%s rsync x y", "redis-cli -h cache -a %s ping", "redis-cli -a '%s' ping", "valkey-cli -a %s ping", "mysql -h db -uroot -p%s runs", "mysqldump --all -p%s", "mariadb -p%s",
		"mongosh -u ada -p %s db", "sqlcmd -S db -U sa -P %s", "ldapsearch -D cn=x -w %s -b dc=x", "unzip -P %s data.zip", "7z x -p%s data.7z", "openssl enc -aes-256-cbc -k %s", "openssl rsa -passin pass:%s -in k.pem", "htpasswd -bc file ada %s",
		"mc alias set minio http://minio:9000 ada %s", "mc alias set minio http://minio:9000 \"%s\" x", "mc --insecure alias set minio http://minio:9000 ada %s --api S3v4", "mc config host add minio http://minio:9000 ada %s", "wandb login %s", "wandb login --relogin --host=https://w %s", "python -m wandb login %s", "vault login %s", "vault login -method=token %s", "huggingface-cli login --token %s --add-to-git-credential", "hf auth login --token %s",
		"kubectl create secret generic x --from-literal=licence=%s", "kubectl create secret generic x --from-literal licence=%s", "kubectl create secret docker-registry r --docker-password=%s", "helm upgrade x --set auth.password=%s --set a=b", "helm install x --set-string 'db.password=%s'",
		"aws configure set aws_secret_access_key %s", "npm config set //registry.npmjs.org/:_authToken %s", "git config --global github.token %s", "setenv DB_PASSWORD %s", "Step 3/9 : ENV DB_PASSWORD %s", "requirepass %s", "masterauth %s",
		"wget --user ada --password %s https://x", "CREATE USER ada WITH PASSWORD '%s'", "CREATE USER ada IDENTIFIED BY '%s';", `subprocess.run(['docker', 'login', '-u', 'ada', '-p', '%s'])`, `["redis-cli","-a","%s"]`, `sys.argv: ["mc", "alias", "set", "m", "http://m", "ada", "%s"]`, `"command": "sshpass -p %s ssh x"`, `sh -c 'curl -u ada:%s x'`, `bash -c "mysql -p%s x"`, `\"curl -u ada:%s x\"`,
		"java -Djavax.net.ssl.trustStorePassword=%s -jar x", "ncat --proxy-auth ada:%s x",
	},
	"commands with a secret": {
		"vault unseal %s1", "bw unlock %s1", "bw unlock --raw '%s1'", "ansible-vault encrypt_string '%s' --name db", "ansible-vault encrypt_string --vault-id dev@pw --name db %s", "mount.cifs //nas/share /mnt -o user=ada%%%s", "mount -t cifs -o username=ada%%%s //nas/share /mnt", "printf '%%s' %s | wandb login", "echo %s | wandb login --relogin", `wandb login <<< "%s"`,
	},
	"words of several parts": {
		`docker login -u="ada+robot" -p="%s" quay.io`, `podman login -u='ada' -p='%s' quay.io`, `docker login --username="ada" -p %s quay.io`, `helm registry login -u="ada" -p="%s"`, `{"cmd":"docker login -u=\"ada\" -p=\"%s\" quay.io","rc":1}`, "docker login \x1b[1m-p=\"%s\"\x1b[0m quay.io", `docker login -u "ada"-x -p "%s"`,
		`["docker","login","-u=\"ada\"","-p=\"%s\""]`, `docker login -p=$'%s' quay.io`, `docker login -u="$USER" -p="%s"`, `docker login -u="" -p='%s' x`, `sh -c 'docker login -u="ada" -p="%s" quay.io'`, `sh -c "docker login -u='ada' -p='%s' quay.io"`, `sh -c "docker login -p=%s"`,
		`curl -u ada:'%s' https://x`, `curl -u "ada":"%s" https://x`, `curl -u "$USER:"'%s' https://x`, `curl --user=ada:"%s" x`, `curl --user="ada:%s" x`, `curl -u'ada:%s' x`, `curl -H "A: b" -o="x" -u ada:%s x`, `openssl rsa -passin pass:'%s' -in k.pem`, `openssl rsa -in="k.pem" -passin pass:%s`,
		`mysql -h="db" -p'%s'`, `mysql -p"%s" runs`, `redis-cli -h="cache" -a "%s"`, `kubectl create secret generic x --from-literal=licence="%s"`, `kubectl create secret generic x --from-literal="licence=%s"`, `kubectl create secret generic x --from-literal=a=b --from-literal=licence='%s'`, `wandb login --host="https://w" %s`, `vault login -method="token" %s`, `smbclient //nas/share -U ada%%"%s"`,
	},
	"connection strings": {
		"Driver={ODBC Driver 18 for SQL Server};Server=tcp:db,1433;Database=runs;UID=sa;PWD=%s", "Server=db;Uid=sa;Pwd=%s;Encrypt=yes", "DSN=runs;PWD=%s;UID=sa", "Data Source=db;User ID=sa;Pwd={%s};Encrypt=yes", "PWD=%s;DRIVER=x", `"PWD=/%s;UID=sa;SERVER=x"`, "PWD=%s",
	},
	"standard input": {
		"echo %s | docker login -u ada --password-stdin nvcr.io", "echo -n '%s' | podman login --password-stdin x", `echo "%s"|crane auth login --password-stdin x`, "printf '%%s' %s | helm registry login x --password-stdin", "printf %s | docker login --password-stdin",
		"docker login --password-stdin <<< %s", `docker login --password-stdin nvcr.io <<<"%s"`, "echo %s | gh auth login --with-token", "gh auth login --with-token <<< '%s'", "echo 'root:%s' | chpasswd", "echo %s | sudo -S apt-get install x", "echo '%s' | passwd --stdin ada", "echo %s | gpg --batch --passphrase-fd 0 -d x",
		"echo %s | vault login -", "echo %s | docker secret create db -", `sh -c "echo %s | docker login --password-stdin x"`, `["sh","-c","echo %s | docker login --password-stdin x"]`, "cd /x && echo %s | oras login --identity-token-stdin x", "regctl registry login --pass-stdin x <<< '%s'",
	},
	"other tools": {
		"snmpget -v3 -l authPriv -u ada -A %s host .1.3", "snmpwalk -v3 -a SHA -A x1y -x AES -X %s host", "snmpwalk -v2c -c %s host .1.3", "mosquitto_pub -h mq -u ada -P %s -t runs -m x", "mosquitto_sub -u ada --pw %s -t x", "lftp -u ada,%s sftp://nas", "lftp -e 'mirror x' --user=ada,%s sftp://nas", "unrar x -p%s data.rar", "rar a -hp%s data.rar x",
	},
	"languages": {
		"Passwort: %s", "Kennwort=%s", "contraseña: %s", "CONTRASEÑA=%s", "contrasena: %s", "mot de passe : %s", "Mot de passe : %s", "mot_de_passe=%s", "motDePasse: %s", "senha: %s", "密码: %s", "密码：%s", "password: ${oc.env:DB_PASS,%s}", "password: ${DB_PASS:-%s}", "数据库密码=%s", "password：%s", "пароль: %s", "Пароль=%s", "パスワード: %s", "비밀번호: %s", `{"пароль": "%s"}`, `{"密码":"%s","x":1}`, "wachtwoord: %s", "hasło: %s",
	},
	"letters by their number": {
		`{"pass\u0077ord":"%s"}`, `{\"pass\\u0077ord\":\"%s\"}`, `{"\u0070\u0061\u0073\u0073\u0077\u006f\u0072\u0064": "%s", "x": 1}`, `api\u005fkey=%s`,
	},
	"queries": {
		"http://127.0.0.1:8888/lab?token=%s", "GET /x?a=1&token=%s HTTP/1.1", "https://x/y?a=1&amp;access_token=%s", `https://x/y?a=1\u0026token=%s`, "https%%3A%%2F%%2Fx%%2F%%3Ftoken%%3D%s",
	},
	"cookies": {
		`Cookie: "session=%s; theme=dark"`, "Cookie: session=%s; theme=dark", `'Cookie': 'theme=dark; sid=%s'`, "Set-Cookie: sid=%s; Path=/; HttpOnly", `{"cookie": "sid=%s"}`, `-H 'Cookie: sid=%s; a=b'`, `headers={"Cookie": "a=b; sid=%s"}`,
	},
	"names": {
		"GH_PAT=%s", "AZURE_DEVOPS_EXT_PAT: %s", "DB_PW=%s", "PASS=%s", "export PASS='%s'", "--pass %s", "--pw %s", "--pat=%s", "SSHPASS=%s", "SMTP_PASS=%s", "RABBITMQ_DEFAULT_PASS: %s", "dbpass=%s", `{"name":"PASS","value":"%s"}`,
		"rootpw: %s", "//registry.npmjs.org/:_authToken=%s", "machine x login ada password %s", "X-Api-Key: %s", "FTP_PW: %s",
	},
}

// plainSecrets are secrets without a known shape: a word, a word with marks, and a
// random one.
var plainSecrets = []string{"hunter2", "S3cr.et!x", looksRandom(20, alphanum, 77)}

func TestSecretsAreFoundByTheirPlace(t *testing.T) {
	for kind, lines := range ways {
		for _, line := range lines {
			for _, secret := range plainSecrets {
				text := fmt.Sprintf(line, secret)
				for _, at := range []string{text, "2026-11-20 09:12:44 INFO " + text, text + "\r"} {
					got := Text(at)
					if strings.Contains(got, secret) || !strings.Contains(got, "<redacted:") {
						t.Errorf("%s: %q became %q", kind, at, got)
					}
					if again := Text(got); again != got {
						t.Errorf("%s: %q becomes %q a second time", kind, got, again)
					}
				}
			}
		}
	}
}

// TestNothingOfAQuoteIsLeft: the text after a doubled quote is masked too, and the
// text after the closing quote stays.
func TestNothingOfAQuoteIsLeft(t *testing.T) {
	for text, want := range map[string]string{
		`password: 'it''s me' # of ada`:                  `password: '<redacted:password>' # of ada`,
		`{\u0022password\u0022:\u0022a b\u0022,\u0022`:   `{\u0022password\u0022:\u0022<redacted:password>\u0022,\u0022`,
		`%22password%22%3A%22hunter2%22%2C%22x`:          `%22password%22%3A%22<redacted:password>%22%2C%22x`,
		"│ password │ correct horse battery │ x │":       "│ password │ <redacted:password> │ x │",
		"<password>correct horse</password><user>a":      "<password><redacted:password></password><user>a",
		"docker login -u ada -p hunter2 nvcr.io":         "docker login -u ada -p <redacted:password> nvcr.io",
		"curl -u ada:hunter2 https://x":                  "curl -u ada:<redacted:password> https://x",
		"mc alias set m http://m ada hunter2 --api S3v4": "mc alias set m http://m <redacted:secret> <redacted:secret> --api S3v4",
		"mysql -uroot -phunter2 runs":                    "mysql -uroot -p<redacted:password> runs",
		`Cookie: "sid=1; a=b", x`:                        `Cookie: "<redacted:credentials>", x`,
		"password='' user='it''s'":                       "password='' user='it''s'",
	} {
		if got := Text(text); got != want {
			t.Errorf("%q\nbecame %q\nwant   %q", text, got, want)
		}
	}
}

// notSecret are the same positions without a secret.
var notSecret = []string{
	"password: (empty)", "password: (not set)", "api_key: (unset)", "password = (none)", `"password": "(empty)"`, "token: <empty>", "--key layer3.weight", "--key model.layers.0.self_attn.q_proj.weight", "--key layer3/weight", "key=layer3.weight",
	"docker run -p 8080:80 x", "docker login nvcr.io", "docker login -u ada --password-stdin", "usage: docker login [-u USER] [-p PASSWORD]", "docker login -p $DOCKER_PASSWORD x", "sshpass -p <password> ssh x", "sshpass -e ssh x", "sshpass -f /run/pw ssh x",
	"curl -u $USER:$PASS https://x", "curl -u ada https://x", "curl -L https://x -o y", "curl: (22) The requested URL returned error: 404", "curl -b cookies.txt x", "redis-cli -h cache -p 6379 ping", "mysql -h db -P 3306 -p runs", "mysql -u root -p", "wandb login", "wandb login --relogin", "wandb: Please run `wandb login` to continue", "wandb login failed", "mc alias set NAME URL ACCESSKEY SECRETKEY", "mc alias list", "vault login -method=oidc", "please run vault login first",
	"vault unseal", "run vault unseal on each node", "bw unlock", "bw unlock --check", "ansible-vault encrypt_string --stdin-name db", "ansible-vault encrypt_string $VALUE", "mount -t cifs -o username=ada //nas/share /mnt", "mount -t nfs -o vers=4%2 nas:/x /mnt", "echo done | tee x; wandb login", "cat log | grep wandb login", "echo step 3 && wandb login",
	`docker login -u="ada" -p="$TOKEN" x`, `docker login -u="ada" -p="${{ secrets.QUAY }}" x`, `docker login -u="ada" x`, `{"cmd":"docker login -p=","rc":"failed"}`, `{"cmd":"docker login -u ada","rc":"failed"}`, `docker run -u="ada" -p="8080:80" x`, `curl -u "$USER":"$PASS" x`, `{"cmd":"curl -u ada:","x":"y"}`, `curl -H="A: b" https://x`, `mysql -h="db" -p`, `wandb login --host="https://w"`,
	"kubectl create configmap x --from-literal=mode=fast", "kubectl create secret generic x --from-file=k=/tmp/k", "7z x data.7z", "unzip -q data.zip", "pip install -p x", "ENV PATH /usr/bin", "set key 3", "git config --global user.name ada",
	"│ loss │ 2.31 │", "│ num_tokens │ 4096 │", "┃ Name ┃ Type ┃ Params ┃", "│ tokens/s │ 12,034 │", "<key>layer3</key>", "<secretName>x</secretName>", "<token>", "<pad_token>x</pad_token>",
	"PASS: TestX", "PASS=12 FAIL=0", "pass: 3", "pass=1", "forward_pass=2", "pw_conv.weight: 3", "dw_pw=3", "pat: 3", "compat=hard", "patience=3", "spat=1", "log_path=x", "PATH=/usr/bin", "--patience 3", "cookie: none", "cookies: 3", "accept cookies", "Cookie: None",
	"nccl 127.0.0.1:AA fe80::aa:bb:cc", "1234567890:abc", "0x12345678:AAAA",
	"PWD=/workspace OLDPWD=/", "PWD: ~/x", `PWD=C:\Users\ada`, "PWD=$HOME/x", "PWD=$(pwd)", "PWD=`pwd`; cd x", "f\"Server={server};UID={user};PWD={password}\"", "257 PWD command successful",
	"token: registry.k8s.io/pause", "token: model-00001-of-00002.safetensors", "token: pytorch-2.4.1-cuda12.1-cudnn9-runtime", "token: ip-10-0-0-12.ec2.internal", "token: torch.nn.functional",
	"echo hello | grep -v x", "cat pw | docker login --password-stdin x", "echo $TOKEN | docker login --password-stdin x", `echo "$TOKEN" | docker login --password-stdin`, "docker login --password-stdin < /run/pw", "echo done; docker login --password-stdin", `File "<stdin>", line 1`, "echo step 1 || docker login --password-stdin", "read-stdin=3 | x",
	"hash key: 3f8a9c1b2d4e5f60718293a4b5c6d7e8", "cache key: 3f8a9c1b2d4e5f60718293a4b5c6d7e8", "hash_key: 3f8a9c1b2d4e5f60718293a4b5c6d7e8", "FX graph cache hash key: fabc12def34567890abc12def34567890", "KEY=value_cache", "key: value_cache", "--key value_cache",
	"密码错误", "令牌数：2048", "令牌: 2048 个", "password: ${oc.env:DB_PASS,null}", "password: ${oc.env:DB_PASS}", "password: ${DB_PASS:-}", "密码长度: 8 位", "le modèle passe: 3.2", "MOT17 mot: 61.2", "snmpget -v2c host", "mosquitto_pub -h x -p 1883 -t t", "lftp -u ada sftp://x", "unrar x data.rar", "https://x/y?key=loss&page=2", "/search?q=token&x=1", `{"msg": "caf\u00e9 \u0041da", "step": 3}`, "SCT: 3 sctp_init SCTP 128", "Private-Lines: many",
	"passwd: all authentication tokens updated successfully", "Pulling image \"registry.local/sk-proj-llama-train-finetune-v2:latest\"", "use_auth_token=my_token", "token=args.hub_token", "api_key=settings.api_key", "password = read()", "user_pass = self.split(url)",
	"COMET_EXPERIMENT_KEY=0123456789abcdef0123456789abcdef", "experiment_key: 0123456789abcdef0123456789abcdef", "comet_ml: experiment key: 0123456789abcdef0123456789abcdef",
	"password = (sensitive value)", "AUTH failed", "auth error", "redis AUTH required", "ACL LIST", "user ada on node-3", "zip -r x.zip dir", "sqlplus / as sysdba", "sqlplus @dir/x.sql", "useradd -m ada",
	"\"integrity\": \"sha512-" + looksRandom(86, base64s, 3) + "==\"", "\"contentHash\": \"" + looksRandom(86, base64s, 4) + "==\"", "signature: " + looksRandom(86, base64s, 5) + "==", "if a == b and c == \"x\"", "==\" =='",
	"the time is 5 s.", "https://x/t/some-topic/123", "password:\n  type: string\n  description: x", "secrets:\n- name: x\n- my-secret", "token: |\n  the text of a prompt\n", "tokens: [\"the\", \"quick\", \"brown\"]", "\"tokens\": [1, 2, 3]",
	"{\"sensitive\": false, \"value\": \"x1y2z3\"}", "case sensitive = true, value = 3", "{\"value\": 3, \"name\": \"max_tokens\"}", "{\"value\": \"x\", \"name\": \"MASTER_ADDR\"}", "\"password\": {\"description\": \"x\", \"type\": \"string\"}",
	"{\"d\": \"abcdefghijklmnop1234567890\", \"k\": 3}", "10.0.0.1:5432:x", "tcp://db:5432:5432", "127.0.0.1:5432:5432", "auth=('ada', None)", "login(\"ada\", password)", "basic_auth(request, 'x')", "OAuth': ('oauth_get_sbs', 'oauth_urlencode')",
	"SESSION=train", "tmux_session: train-llama-20251105", "session: 550e8400-e29b-41d4-a716-446655440000", "sk=3", "--sk 4096", "mask_sk: 12", "task: x", "disk_sk", "psk: 3", "JOB_KEY=57d2b3a240", "job-key: 57d2b3a240f5c3dc4dfa21f3a9aaf3be54f9b67e",
	"Password     *uint16", "password_length   uint32", "password required", "---- BEGIN SSH2 PUBLIC KEY ----", "K10 is a name", "token-classification: 0.93", "ms-swift", "pa-1", "key-value", "ak-47", "fc-1 as-is", "kind: Secret\nmetadata:\n  name: x", "kind: SecretStore\ndata:\n  a: YWJjZGVm",
	"password is wrong", "password is required", "password set to expire", "Password for user ada: ", "invalid password for user ada: code2", "> PASS", "PASS src/a1.test.js", "Authorization: required by server", "API key: see https://x/authorize", "API key: not found", "Secret key: none", "credentials: ada", "credentials: file:/etc/x", "Unseal Key 1: none", "key 1: layer3.weight", "Key 3: value",
	"identified by rank 3", "with password", "authenticated with password",
}

func TestPlacesWithoutSecretsStay(t *testing.T) {
	for _, line := range notSecret {
		if got := Text(line); got != line {
			t.Errorf("%q became %q", line, got)
		}
	}
}

// TestLongNamesOfOptions: a name longer than what is scanned before it.
func TestLongNamesOfOptions(t *testing.T) {
	line := "--" + strings.Repeat("long-name-", 6) + "x-stdin"
	if got := Text(line); got != line {
		t.Errorf("%q became %q", line, got)
	}
}

// TestCommandsInObjects: the arguments of a container are a command line.
func TestCommandsInObjects(t *testing.T) {
	for _, command := range [][]string{
		{"docker", "login", "-p", "hunter2"}, {"redis-cli", "-a", "hunter2"}, {"/usr/bin/mc", "alias", "set", "m", "http://m", "ada", "hunter2"}, {"curl", "-u", "ada:hunter2", "x"},
		{"sh", "-c", "sshpass -p hunter2 ssh x"}, {"mysql", "-phunter2"}, {"wandb", "login", "hunter2"}, {"kubectl", "create", "secret", "generic", "x", "--from-literal=a=hunter2"},
	} {
		var list []any
		for _, word := range command {
			list = append(list, word)
		}
		node := map[string]any{"command": list}
		Object(node)
		if got := fmt.Sprint(node); strings.Contains(got, "hunter2") || !strings.Contains(got, Masked) {
			t.Errorf("%q became %s", command, got)
		}
	}
}
