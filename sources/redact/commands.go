package redact

// command is a program whose command line has a secret that only its position
// identifies: the value of an option, separate or attached, or the nth argument.
type command struct {
	// words are the program and its verbs. Options may come between them.
	words []string
	sort  Sort
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
// set -x, as their manuals describe them. Options whose name says that they are
// secret (--password, --token) need no row.
var commands = []command{
	{words: []string{"login"}, sort: NamedPassword, whole: []string{"-p"}}, // docker, podman, helm registry, oras, crane auth, az, oc
	{words: []string{"curl"}, sort: NamedPassword, whole: []string{"--oauth2-bearer"}, half: []string{"-u:", "--user:", "-U:", "--proxy-user:", "-b=", "--cookie=", "--cert:", "-E:"}, glued: []string{"-u:", "-U:"}},
	{words: []string{"http "}, sort: NamedPassword, half: []string{"-a:"}},
	{words: []string{"smbclient"}, sort: NamedPassword, half: []string{"-U%"}},
	{words: []string{"sshpass"}, sort: NamedPassword, whole: []string{"-p"}, glued: []string{"-p"}},
	{words: []string{"redis-cli"}, sort: NamedPassword, whole: []string{"-a"}},
	{words: []string{"valkey-cli"}, sort: NamedPassword, whole: []string{"-a"}},
	{words: []string{"keydb-cli"}, sort: NamedPassword, whole: []string{"-a"}},
	{words: []string{"mysql"}, sort: NamedPassword, glued: []string{"-p"}},
	{words: []string{"mysqldump"}, sort: NamedPassword, glued: []string{"-p"}},
	{words: []string{"mysqladmin"}, sort: NamedPassword, glued: []string{"-p"}},
	{words: []string{"mariadb"}, sort: NamedPassword, glued: []string{"-p"}},
	{words: []string{"mariadb-dump"}, sort: NamedPassword, glued: []string{"-p"}},
	{words: []string{"mongo"}, sort: NamedPassword, whole: []string{"-p"}},
	{words: []string{"mongosh"}, sort: NamedPassword, whole: []string{"-p"}},
	{words: []string{"mongodump"}, sort: NamedPassword, whole: []string{"-p"}},
	{words: []string{"sqlcmd"}, sort: NamedPassword, whole: []string{"-P"}, glued: []string{"-P"}},
	{words: []string{"ldapsearch"}, sort: NamedPassword, whole: []string{"-w"}},
	{words: []string{"ldapwhoami"}, sort: NamedPassword, whole: []string{"-w"}},
	{words: []string{"ldapmodify"}, sort: NamedPassword, whole: []string{"-w"}},
	{words: []string{"ipmitool"}, sort: NamedPassword, whole: []string{"-P"}},
	{words: []string{"twine"}, sort: NamedPassword, whole: []string{"-p"}},
	{words: []string{"unzip"}, sort: NamedPassword, whole: []string{"-P"}},
	{words: []string{"7z "}, sort: NamedPassword, glued: []string{"-p"}},
	{words: []string{"snmpget"}, sort: NamedPassword, whole: []string{"-A", "-X", "-c"}},
	{words: []string{"snmpgetnext"}, sort: NamedPassword, whole: []string{"-A", "-X", "-c"}},
	{words: []string{"snmpbulkget"}, sort: NamedPassword, whole: []string{"-A", "-X", "-c"}},
	{words: []string{"snmpwalk"}, sort: NamedPassword, whole: []string{"-A", "-X", "-c"}},
	{words: []string{"snmpbulkwalk"}, sort: NamedPassword, whole: []string{"-A", "-X", "-c"}},
	{words: []string{"snmpset"}, sort: NamedPassword, whole: []string{"-A", "-X", "-c"}},
	{words: []string{"snmptable"}, sort: NamedPassword, whole: []string{"-A", "-X", "-c"}},
	{words: []string{"snmptrap"}, sort: NamedPassword, whole: []string{"-A", "-X", "-c"}},
	{words: []string{"snmpinform"}, sort: NamedPassword, whole: []string{"-A", "-X", "-c"}},
	{words: []string{"snmpdf"}, sort: NamedPassword, whole: []string{"-A", "-X", "-c"}},
	{words: []string{"snmpstatus"}, sort: NamedPassword, whole: []string{"-A", "-X", "-c"}},
	{words: []string{"mosquitto_pub"}, sort: NamedPassword, whole: []string{"-P", "--pw"}},
	{words: []string{"mosquitto_sub"}, sort: NamedPassword, whole: []string{"-P", "--pw"}},
	{words: []string{"mosquitto_rr"}, sort: NamedPassword, whole: []string{"-P", "--pw"}},
	{words: []string{"lftp"}, sort: NamedPassword, half: []string{"-u,", "--user,"}},
	{words: []string{"unrar"}, sort: NamedPassword, glued: []string{"-p", "-hp"}},
	{words: []string{"rar "}, sort: NamedPassword, glued: []string{"-p", "-hp"}},
	{words: []string{"7za "}, sort: NamedPassword, glued: []string{"-p"}},
	{words: []string{"7zz "}, sort: NamedPassword, glued: []string{"-p"}},
	{words: []string{"7zr "}, sort: NamedPassword, glued: []string{"-p"}},
	{words: []string{"openssl"}, sort: NamedPassword, whole: []string{"-k", "-K"}, half: []string{"-pass:", "-passin:", "-passout:"}},
	{words: []string{"ssh-keygen"}, sort: NamedPassword, whole: []string{"-N", "-P"}},
	{words: []string{"keytool"}, sort: NamedPassword, whole: []string{"-storepass", "-keypass"}},
	{words: []string{"htpasswd"}, sort: NamedPassword, places: []int{3}},
	{words: []string{"alias", "set"}, sort: NamedSecret, places: []int{3, 4}},          // mc alias set NAME URL KEY SECRET
	{words: []string{"config", "host", "add"}, sort: NamedSecret, places: []int{3, 4}}, // the same in older releases
	{words: []string{"wandb", "login"}, sort: NamedKey, places: []int{1}, skip: []string{"--host", "--cloud"}, wary: true},
	{words: []string{"vault", "login"}, sort: NamedToken, places: []int{1}, skip: []string{"-method", "-path", "-field", "-format"}, wary: true},
	{words: []string{"rclone", "obscure"}, sort: NamedPassword, places: []int{1}},
	{words: []string{"kubectl", "create", "secret"}, sort: NamedSecret, half: []string{"--from-literal="}},
	{words: []string{"requirepass"}, sort: NamedPassword, places: []int{1}, wary: true},
	{words: []string{"masterauth"}, sort: NamedPassword, places: []int{1}, wary: true},
	{words: []string{"rabbitmqctl", "add_user"}, sort: NamedPassword, places: []int{2}, skip: []string{"-n", "--node"}},
	{words: []string{"rabbitmqctl", "change_password"}, sort: NamedPassword, places: []int{2}},
	{words: []string{"rabbitmqctl", "authenticate_user"}, sort: NamedPassword, places: []int{2}},
	{words: []string{"poetry", "config"}, sort: NamedPassword, prefixed: []prefixed{{"http-basic.", 2}, {"pypi-token.", 1}}},
	{words: []string{"cqlsh"}, sort: NamedPassword, whole: []string{"-p"}, glued: []string{"-p"}},
	{words: []string{"zip "}, sort: NamedPassword, whole: []string{"-P"}},
	{words: []string{"useradd"}, sort: NamedPassword, whole: []string{"-p"}},
	{words: []string{"usermod"}, sort: NamedPassword, whole: []string{"-p"}},
	{words: []string{"obsutil"}, sort: NamedSecret, whole: []string{"-k", "-t"}},
	{words: []string{"ossutil"}, sort: NamedSecret, whole: []string{"-k", "-t"}},
	{words: []string{"ossutil64"}, sort: NamedSecret, whole: []string{"-k", "-t"}},
	{words: []string{"coscmd", "config"}, sort: NamedSecret, whole: []string{"-s", "-t"}, skip: []string{"-a", "-b", "-r", "-e", "-m", "-p"}},
	{words: []string{"coscli"}, sort: NamedSecret, whole: []string{"-k"}},
	{words: []string{"influx "}, sort: NamedToken, whole: []string{"-t"}},
	{words: []string{"netclient"}, sort: NamedToken, whole: []string{"-t"}},
	{words: []string{"swanlab", "login"}, sort: NamedKey, whole: []string{"-k"}},
	{words: []string{"vastai", "set", "api-key"}, sort: NamedKey, places: []int{1}},
	{words: []string{"ngrok", "authtoken"}, sort: NamedToken, places: []int{1}, wary: true},
	{words: []string{"vault", "operator", "unseal"}, sort: NamedKey, places: []int{1}, wary: true},
	{words: []string{"mongorestore"}, sort: NamedPassword, whole: []string{"-p"}},
	{words: []string{"mongoexport"}, sort: NamedPassword, whole: []string{"-p"}},
	{words: []string{"mongoimport"}, sort: NamedPassword, whole: []string{"-p"}},
	{words: []string{"mysqlimport"}, sort: NamedPassword, glued: []string{"-p"}},
	{words: []string{"mysqlsh"}, sort: NamedPassword, glued: []string{"-p"}},
	{words: []string{"ldapadd"}, sort: NamedPassword, whole: []string{"-w"}},
	{words: []string{"ldappasswd"}, sort: NamedPassword, whole: []string{"-w", "-s", "-a"}},
	{words: []string{"bcp "}, sort: NamedPassword, whole: []string{"-P"}},
	{words: []string{"setuser"}, sort: NamedPassword, marks: ">#"}, // Redis
	{words: []string{"cargo", "login"}, sort: NamedToken, places: []int{1}, wary: true},
	{words: []string{"poetry", "publish"}, sort: NamedPassword, whole: []string{"-p"}},
	{words: []string{"uv ", "publish"}, sort: NamedToken, whole: []string{"-t", "-p"}},
	{words: []string{"anaconda"}, sort: NamedToken, whole: []string{"-t"}},
	{words: []string{"glab", "auth", "login"}, sort: NamedToken, whole: []string{"-t"}},
	{words: []string{"doctl"}, sort: NamedToken, whole: []string{"-t"}},
	{words: []string{"etcdctl"}, sort: NamedPassword, half: []string{"--user:"}},
	{words: []string{"beeline"}, sort: NamedPassword, whole: []string{"-p"}},
	{words: []string{"racadm"}, sort: NamedPassword, whole: []string{"-p"}},
	{words: []string{"openssl", "passwd"}, sort: NamedPassword, places: []int{1}, skip: []string{"-salt"}, wary: true},
	{words: []string{"mkpasswd"}, sort: NamedPassword, places: []int{1}, skip: []string{"-m", "-S", "-R"}, wary: true},
	{words: []string{"htpasswd", "-nb"}, sort: NamedPassword, places: []int{2}},
	{words: []string{"htpasswd", "-nbB"}, sort: NamedPassword, places: []int{2}},
	{words: []string{"htpasswd", "-Bbn"}, sort: NamedPassword, places: []int{2}},
	{words: []string{"htpasswd", "-bnB"}, sort: NamedPassword, places: []int{2}},
	{words: []string{"hash-password"}, sort: NamedPassword, whole: []string{"--plaintext", "-p"}}, // caddy
	{words: []string{"mc ", "admin", "user", "add"}, sort: NamedSecret, places: []int{3}},
	{words: []string{"sqlplus"}, sort: NamedPassword, slashed: true},
	{words: []string{"sqlldr"}, sort: NamedPassword, slashed: true},
	{words: []string{"impdp"}, sort: NamedPassword, slashed: true},
	{words: []string{"expdp"}, sort: NamedPassword, slashed: true},
	{words: []string{"identified", "by"}, sort: NamedPassword, places: []int{1}, wary: true}, // SQL
}
