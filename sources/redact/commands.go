package redact

// command is a program whose command line has a secret that only its position
// identifies: the value of an option, separate or attached, or the nth argument.
type command struct {
	// words are the program and its verbs. Options may come between them.
	words []string
	kind  Kind
	// whole are options whose whole value is secret: -p X, --password=X.
	whole []string
	// half are options in whose value the secret begins after a mark: -u: for
	// name:password.
	half []string
	// glued are options whose value is secret when attached without a space: -pX.
	glued []string
	// skip are other options that take a value.
	skip []string
	// places are the indexes of secret arguments, counted after the verbs.
	places []int
	// prefixed are argument prefixes, with how many arguments later the secret comes.
	prefixed []prefixed
	// marks are characters after which the rest of an argument is secret: >password.
	marks string
	// slashed is true if the first argument is user/password@host.
	slashed bool
	// wary is true if the same words also occur in sentences.
	wary bool
}

// prefixed is an argument prefix, and how many arguments later the secret comes.
type prefixed struct {
	prefix string
	later  int
}

// commands are those that people write into scripts and that shells print with
// set -x, as their manuals describe them. Options whose name shows that they are
// secret (--password, --token) need no row.
var commands = []command{
	{words: []string{"login"}, kind: NamedPassword, whole: []string{"-p"}}, // docker, podman, helm registry, oras, crane auth, az, oc
	{words: []string{"curl"}, kind: NamedPassword, whole: []string{"--oauth2-bearer"}, half: []string{"-u:", "--user:", "-U:", "--proxy-user:", "-b=", "--cookie=", "--cert:", "-E:"}, glued: []string{"-u:", "-U:"}},
	{words: []string{"http "}, kind: NamedPassword, half: []string{"-a:"}},
	{words: []string{"smbclient"}, kind: NamedPassword, half: []string{"-U%"}},
	{words: []string{"sshpass"}, kind: NamedPassword, whole: []string{"-p"}, glued: []string{"-p"}},
	{words: []string{"redis-cli"}, kind: NamedPassword, whole: []string{"-a"}},
	{words: []string{"valkey-cli"}, kind: NamedPassword, whole: []string{"-a"}},
	{words: []string{"keydb-cli"}, kind: NamedPassword, whole: []string{"-a"}},
	{words: []string{"mysql"}, kind: NamedPassword, glued: []string{"-p"}},
	{words: []string{"mysqldump"}, kind: NamedPassword, glued: []string{"-p"}},
	{words: []string{"mysqladmin"}, kind: NamedPassword, glued: []string{"-p"}},
	{words: []string{"mariadb"}, kind: NamedPassword, glued: []string{"-p"}},
	{words: []string{"mariadb-dump"}, kind: NamedPassword, glued: []string{"-p"}},
	{words: []string{"mongo"}, kind: NamedPassword, whole: []string{"-p"}},
	{words: []string{"mongosh"}, kind: NamedPassword, whole: []string{"-p"}},
	{words: []string{"mongodump"}, kind: NamedPassword, whole: []string{"-p"}},
	{words: []string{"sqlcmd"}, kind: NamedPassword, whole: []string{"-P"}, glued: []string{"-P"}},
	{words: []string{"ldapsearch"}, kind: NamedPassword, whole: []string{"-w"}},
	{words: []string{"ldapwhoami"}, kind: NamedPassword, whole: []string{"-w"}},
	{words: []string{"ldapmodify"}, kind: NamedPassword, whole: []string{"-w"}},
	{words: []string{"ipmitool"}, kind: NamedPassword, whole: []string{"-P"}},
	{words: []string{"twine"}, kind: NamedPassword, whole: []string{"-p"}},
	{words: []string{"unzip"}, kind: NamedPassword, whole: []string{"-P"}},
	{words: []string{"7z "}, kind: NamedPassword, glued: []string{"-p"}},
	{words: []string{"snmpget"}, kind: NamedPassword, whole: []string{"-A", "-X", "-c"}},
	{words: []string{"snmpgetnext"}, kind: NamedPassword, whole: []string{"-A", "-X", "-c"}},
	{words: []string{"snmpbulkget"}, kind: NamedPassword, whole: []string{"-A", "-X", "-c"}},
	{words: []string{"snmpwalk"}, kind: NamedPassword, whole: []string{"-A", "-X", "-c"}},
	{words: []string{"snmpbulkwalk"}, kind: NamedPassword, whole: []string{"-A", "-X", "-c"}},
	{words: []string{"snmpset"}, kind: NamedPassword, whole: []string{"-A", "-X", "-c"}},
	{words: []string{"snmptable"}, kind: NamedPassword, whole: []string{"-A", "-X", "-c"}},
	{words: []string{"snmptrap"}, kind: NamedPassword, whole: []string{"-A", "-X", "-c"}},
	{words: []string{"snmpinform"}, kind: NamedPassword, whole: []string{"-A", "-X", "-c"}},
	{words: []string{"snmpdf"}, kind: NamedPassword, whole: []string{"-A", "-X", "-c"}},
	{words: []string{"snmpstatus"}, kind: NamedPassword, whole: []string{"-A", "-X", "-c"}},
	{words: []string{"mosquitto_pub"}, kind: NamedPassword, whole: []string{"-P", "--pw"}},
	{words: []string{"mosquitto_sub"}, kind: NamedPassword, whole: []string{"-P", "--pw"}},
	{words: []string{"mosquitto_rr"}, kind: NamedPassword, whole: []string{"-P", "--pw"}},
	{words: []string{"lftp"}, kind: NamedPassword, half: []string{"-u,", "--user,"}},
	{words: []string{"unrar"}, kind: NamedPassword, glued: []string{"-p", "-hp"}},
	{words: []string{"rar "}, kind: NamedPassword, glued: []string{"-p", "-hp"}},
	{words: []string{"7za "}, kind: NamedPassword, glued: []string{"-p"}},
	{words: []string{"7zz "}, kind: NamedPassword, glued: []string{"-p"}},
	{words: []string{"7zr "}, kind: NamedPassword, glued: []string{"-p"}},
	{words: []string{"openssl"}, kind: NamedPassword, whole: []string{"-k", "-K"}, half: []string{"-pass:", "-passin:", "-passout:"}},
	{words: []string{"ssh-keygen"}, kind: NamedPassword, whole: []string{"-N", "-P"}},
	{words: []string{"keytool"}, kind: NamedPassword, whole: []string{"-storepass", "-keypass"}},
	{words: []string{"htpasswd"}, kind: NamedPassword, places: []int{3}},
	{words: []string{"alias", "set"}, kind: NamedSecret, places: []int{3, 4}},          // mc alias set NAME URL KEY SECRET
	{words: []string{"config", "host", "add"}, kind: NamedSecret, places: []int{3, 4}}, // the same in older releases
	{words: []string{"wandb", "login"}, kind: NamedKey, places: []int{1}, skip: []string{"--host", "--cloud"}, wary: true},
	{words: []string{"vault", "login"}, kind: NamedToken, places: []int{1}, skip: []string{"-method", "-path", "-field", "-format"}, wary: true},
	{words: []string{"rclone", "obscure"}, kind: NamedPassword, places: []int{1}},
	{words: []string{"kubectl", "create", "secret"}, kind: NamedSecret, half: []string{"--from-literal="}},
	{words: []string{"requirepass"}, kind: NamedPassword, places: []int{1}, wary: true},
	{words: []string{"masterauth"}, kind: NamedPassword, places: []int{1}, wary: true},
	{words: []string{"rabbitmqctl", "add_user"}, kind: NamedPassword, places: []int{2}, skip: []string{"-n", "--node"}},
	{words: []string{"rabbitmqctl", "change_password"}, kind: NamedPassword, places: []int{2}},
	{words: []string{"rabbitmqctl", "authenticate_user"}, kind: NamedPassword, places: []int{2}},
	{words: []string{"poetry", "config"}, kind: NamedPassword, prefixed: []prefixed{{"http-basic.", 2}, {"pypi-token.", 1}}},
	{words: []string{"cqlsh"}, kind: NamedPassword, whole: []string{"-p"}, glued: []string{"-p"}},
	{words: []string{"zip "}, kind: NamedPassword, whole: []string{"-P"}},
	{words: []string{"useradd"}, kind: NamedPassword, whole: []string{"-p"}},
	{words: []string{"usermod"}, kind: NamedPassword, whole: []string{"-p"}},
	{words: []string{"obsutil"}, kind: NamedSecret, whole: []string{"-k", "-t"}},
	{words: []string{"ossutil"}, kind: NamedSecret, whole: []string{"-k", "-t"}},
	{words: []string{"ossutil64"}, kind: NamedSecret, whole: []string{"-k", "-t"}},
	{words: []string{"coscmd", "config"}, kind: NamedSecret, whole: []string{"-s", "-t"}, skip: []string{"-a", "-b", "-r", "-e", "-m", "-p"}},
	{words: []string{"coscli"}, kind: NamedSecret, whole: []string{"-k"}},
	{words: []string{"influx "}, kind: NamedToken, whole: []string{"-t"}},
	{words: []string{"netclient"}, kind: NamedToken, whole: []string{"-t"}},
	{words: []string{"swanlab", "login"}, kind: NamedKey, whole: []string{"-k"}},
	{words: []string{"vastai", "set", "api-key"}, kind: NamedKey, places: []int{1}},
	{words: []string{"ngrok", "authtoken"}, kind: NamedToken, places: []int{1}, wary: true},
	{words: []string{"vault", "operator", "unseal"}, kind: NamedKey, places: []int{1}, wary: true},
	{words: []string{"vault", "unseal"}, kind: NamedKey, places: []int{1}, wary: true},
	{words: []string{"bw ", "unlock"}, kind: NamedPassword, places: []int{1}, skip: []string{"--passwordenv", "--passwordfile", "--session"}, wary: true},
	{words: []string{"ansible-vault", "encrypt_string"}, kind: NamedSecret, places: []int{1}, skip: []string{"-n", "--name", "--stdin-name", "-p", "--vault-id", "--encrypt-vault-id", "--vault-password-file", "--vault-pass-file", "--output"}},
	{words: []string{"mount.cifs"}, kind: NamedPassword, half: []string{"-o%"}},
	{words: []string{"mount ", "cifs"}, kind: NamedPassword, half: []string{"-o%"}},
	{words: []string{"mongorestore"}, kind: NamedPassword, whole: []string{"-p"}},
	{words: []string{"mongoexport"}, kind: NamedPassword, whole: []string{"-p"}},
	{words: []string{"mongoimport"}, kind: NamedPassword, whole: []string{"-p"}},
	{words: []string{"mysqlimport"}, kind: NamedPassword, glued: []string{"-p"}},
	{words: []string{"mysqlsh"}, kind: NamedPassword, glued: []string{"-p"}},
	{words: []string{"ldapadd"}, kind: NamedPassword, whole: []string{"-w"}},
	{words: []string{"ldappasswd"}, kind: NamedPassword, whole: []string{"-w", "-s", "-a"}},
	{words: []string{"bcp "}, kind: NamedPassword, whole: []string{"-P"}},
	{words: []string{"setuser"}, kind: NamedPassword, marks: ">#"}, // Redis
	{words: []string{"cargo", "login"}, kind: NamedToken, places: []int{1}, wary: true},
	{words: []string{"poetry", "publish"}, kind: NamedPassword, whole: []string{"-p"}},
	{words: []string{"uv ", "publish"}, kind: NamedToken, whole: []string{"-t", "-p"}},
	{words: []string{"anaconda"}, kind: NamedToken, whole: []string{"-t"}},
	{words: []string{"glab", "auth", "login"}, kind: NamedToken, whole: []string{"-t"}},
	{words: []string{"doctl"}, kind: NamedToken, whole: []string{"-t"}},
	{words: []string{"etcdctl"}, kind: NamedPassword, half: []string{"--user:"}},
	{words: []string{"beeline"}, kind: NamedPassword, whole: []string{"-p"}},
	{words: []string{"racadm"}, kind: NamedPassword, whole: []string{"-p"}},
	{words: []string{"openssl", "passwd"}, kind: NamedPassword, places: []int{1}, skip: []string{"-salt"}, wary: true},
	{words: []string{"mkpasswd"}, kind: NamedPassword, places: []int{1}, skip: []string{"-m", "-S", "-R"}, wary: true},
	{words: []string{"htpasswd", "-nb"}, kind: NamedPassword, places: []int{2}},
	{words: []string{"htpasswd", "-nbB"}, kind: NamedPassword, places: []int{2}},
	{words: []string{"htpasswd", "-Bbn"}, kind: NamedPassword, places: []int{2}},
	{words: []string{"htpasswd", "-bnB"}, kind: NamedPassword, places: []int{2}},
	{words: []string{"hash-password"}, kind: NamedPassword, whole: []string{"--plaintext", "-p"}}, // caddy
	{words: []string{"mc ", "admin", "user", "add"}, kind: NamedSecret, places: []int{3}},
	{words: []string{"sqlplus"}, kind: NamedPassword, slashed: true},
	{words: []string{"sqlldr"}, kind: NamedPassword, slashed: true},
	{words: []string{"impdp"}, kind: NamedPassword, slashed: true},
	{words: []string{"expdp"}, kind: NamedPassword, slashed: true},
	{words: []string{"identified", "by"}, kind: NamedPassword, places: []int{1}, wary: true}, // SQL
}
