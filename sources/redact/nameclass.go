package redact

import (
	"strconv"
	"strings"
)

// A name is judged by its words: api_key, apiKey and --api-key are "api key".
// The same word may belong to a secret or to a metric (access_token,
// tokens_per_second), so its neighbours decide.

// class is how certainly the value of a name is secret.
type class uint8

const (
	innocent class = iota // not a secret, or a fact about one (secret_name)
	folder                // "PWD": the shell's working folder, or the password of a connection string
	long                  // "OBS_SK", "BW_SESSION": secret only if the value is long and random
	doubtful              // "key", "token": secret if a person sets it, or if it looks random
	certain               // "api_key", "password"
)

// judged is the class of a name and the kind of its secret.
type judged struct {
	class class
	kind  Kind
}

// word is what one word of a name can mean.
type word uint8

const (
	other      word = iota
	password        // password, passwd, passphrase
	pass            // DB_PASS, DB_PW; "forward pass" too
	ofPass          // the second word of pass_phrase and pass_code: a "pass" before it is certain
	mot             // the first word of mot_de_passe
	passe           // its last
	pat             // GH_PAT: a personal access token
	secret          // secret, clientsecret
	credit          // credentials
	token           // token, authtoken
	key             // key, signingkey
	gluedKey        // apikey, accesskey: certain by itself
	gluedToken      // identitytoken, accesstoken: certain by itself
	auth            // REDIS_AUTH
	authorize       // the HTTP header
	connect         // dsn
	short           // OBS_SK: the secret of an access key
	keytab          // KRB5_KEYTAB_B64
	session         // BW_SESSION
	qualifier       // api, access, hf: makes key and token certain
	owner           // become, ldap, smtp: whose password a "pass" is
	job             // CI_JOB_TOKEN; job-key is no secret
	neutral         // name, path, size: a fact about a secret
	learning        // bos, per, kind: another meaning of token and key
	detail          // id, value, base64: still a secret
)

const (
	maxName  = 96
	maxWords = 12
)

// judge classifies the value of a name by the name. It does not allocate.
func judge(name string) judged {
	name = visible(name)
	if name == "PWD" || name == "OLDPWD" {
		return judged{folder, NamedPassword}
	}
	if hasForeignPhrase(name) {
		return judged{certain, NamedPassword}
	}
	if j, is := exactName(name); is {
		return j
	}
	var words [maxWords]word
	n := 0
	for at := 0; at < len(name) && n < maxWords; {
		start, end := nextWord(name, at)
		if start == end {
			break
		}
		if w := meaning(name[start:end]); n == 0 || w != other || !digits(name[start:end]) {
			words[n] = w
			n++
		}
		at = end
	}
	return together(words[:n])
}

// together combines the words of one name.
func together(words []word) judged {
	has := meanings(words)
	n := len(words)
	if n == 0 || words[n-1] == neutral {
		return judged{}
	}
	switch last := words[n-1]; {
	case has[password], has[mot] && has[passe], has[pass] && last == ofPass:
		return judged{certain, NamedPassword}
	case has[authorize]:
		return judged{doubtful, NamedCredentials}
	case has[connect]:
		return judged{certain, NamedCredentials}
	case has[gluedKey]:
		return judged{certain, NamedKey}
	case has[gluedToken]:
		return judged{certain, NamedToken}
	case has[secret]:
		return judged{orDoubtful(n > 1 && !has[learning]), NamedSecret}
	case has[credit]:
		return judged{orDoubtful(n > 1 && !has[learning]), NamedCredentials}
	case last == short, has[keytab]:
		return judged{long, NamedSecret}
	case last == session && n > 1:
		return judged{long, NamedToken}
	case has[job] && last == token:
		return judged{certain, NamedToken}
	case has[learning], has[job]:
		if words[n-1] == learning && n > 1 && words[n-2] == key && has[qualifier] {
			return judged{long, NamedKey} // OCI_CLI_KEY_CONTENT
		}
		if has[qualifier] && (last == key || last == token) && words[n-2] == qualifier {
			return judged{certain, named(last)} // TRAIN_API_KEY
		}
		return judged{}
	case has[token], has[key]:
		return keyOrToken(words, has)
	case last == pass, last == auth && n > 1:
		return judged{orDoubtful(last == pass && (has[qualifier] || has[owner])), NamedPassword}
	case last == pat:
		return judged{orDoubtful(has[qualifier]), NamedToken}
	}
	return judged{}
}

func keyOrToken(words []word, has [detail + 1]bool) judged {
	kind := NamedToken
	if has[key] {
		kind = NamedKey
	}
	if has[qualifier] || has[auth] {
		return judged{certain, kind}
	}
	for i, w := range words {
		if (w == key || w == token) && (i+1 == len(words) || words[i+1] == detail && i > 0) {
			return judged{doubtful, kind}
		}
	}
	return judged{}
}

func named(w word) Kind {
	if w == key {
		return NamedKey
	}
	return NamedToken
}

func orDoubtful(sure bool) class {
	if sure {
		return certain
	}
	return doubtful
}

func meanings(words []word) (has [detail + 1]bool) {
	for _, w := range words {
		has[w] = true
	}
	return has
}

// nextWord finds the next word of a name: it ends at a mark, at a capital after a
// lower-case letter, or before the last of several capitals.
func nextWord(name string, at int) (start, end int) {
	for at < len(name) && !isAlnum(name[at]) {
		at++
	}
	end = at
	for end < len(name) && isAlnum(name[end]) {
		if end > at && isUpper(name[end]) && (!isUpper(name[end-1]) || end+1 < len(name) && isLower(name[end+1]) && end-at > 1) {
			break
		}
		end++
	}
	return at, end
}

func digits(text string) bool {
	for i := range len(text) {
		if !isDigit(text[i]) {
			return false
		}
	}
	return true
}

// meaning looks a word up, ignoring case.
func meaning(text string) word {
	var buffer [maxName]byte
	if len(text) > len(buffer) {
		text = text[len(text)-len(buffer):]
	}
	low := buffer[:len(text)]
	for i := range len(text) {
		low[i] = text[i]
		if isUpper(text[i]) {
			low[i] |= 0x20
		}
	}
	if w := known(low); w != other {
		return w
	}
	return ending(low)
}

func known(low []byte) word {
	switch string(low) {
	case "password", "passwords", "passwd", "passphrase", "pwd", "passcode":
		return password
	case "passwort", "kennwort", "contrasena", "motdepasse", "senha", "wachtwoord", "haslo", "heslo", "salasana", "parola", "losenord", "adgangskode", "sifre":
		return password
	case "mot":
		return mot
	case "passe":
		return passe
	case "sshpass", "dbpass", "userpass", "mypass", "rootpass", "adminpass", "smtppass", "ftppass", "mqttpass", "bindpass", "rootpw", "adminpw", "bindpw", "dbpw", "userpw":
		return password
	case "pass", "pw":
		return pass
	case "job":
		return job
	case "phrase":
		return ofPass
	case "sk", "sec":
		return short
	case "keytab":
		return keytab
	case "session":
		return session
	case "pat":
		return pat
	case "secret", "secrets":
		return secret
	case "credential", "credentials", "cred", "creds":
		return credit
	case "token", "tokens":
		return token
	case "key", "keys":
		return key
	case "monkey", "turkey", "hotkey", "hotkeys", "donkey", "whiskey", "jockey", "hockey", "tskey":
		return other
	case "psk", "apikey", "apikeys", "accesskey", "secretkey", "privatekey", "accountkey", "sharedaccesskey", "authkey", "licensekey":
		return gluedKey
	case "identitytoken", "registrytoken", "accesstoken", "refreshtoken", "apitoken", "bearertoken", "sessiontoken":
		return gluedToken
	case "auth":
		return auth
	case "authorization", "authheader", "cookie", "cookies":
		return authorize
	case "dsn", "connectionstring", "connstr", "conn":
		return connect
	}
	return context(low)
}

// context looks up words that occur beside key, token and secret.
func context(low []byte) word {
	switch string(low) {
	case "api", "access", "private", "auth", "refresh", "bearer", "session", "security", "identity", "oauth", "jwt", "csrf", "sas",
		"hf", "hub", "huggingface", "hugging", "github", "gh", "gitlab", "git", "bitbucket", "slack", "discord", "telegram", "bot", "wandb", "neptune", "comet",
		"mlflow", "clearml", "databricks", "tracking", "ngc", "nvidia", "nvapi", "registry", "docker", "vault", "consul", "npm", "pypi", "openai", "anthropic",
		"cohere", "gemini", "google", "gcp", "gcloud", "aws", "azure", "az", "openrouter", "together", "replicate", "mistral", "groq", "kaggle", "civitai",
		"modelscope", "swanlab", "aim", "sentry", "datadog", "dd", "grafana", "encryption", "signing", "master", "license", "account", "storage", "shared",
		"subscription", "ssh", "deploy", "service", "admin", "client", "webhook", "hmac", "aes", "rsa", "user", "personal", "minio", "s3", "oss", "cos", "tos", "db", "jupyter",
		"oci", "obs", "ks3", "volc", "volcengine", "huawei", "huaweicloud", "tencentcloud", "alibaba", "aliyun", "dashscope", "moonshot", "deepseek", "zhipuai", "siliconflow",
		"coreweave", "runpod", "vastai", "paperspace", "fireworks", "anyscale", "deepinfra", "perplexity", "tavily", "pinecone", "langsmith", "langfuse", "cerebras", "sambanova", "nebius",
		"elastic", "elasticsearch", "kibana", "pagerduty", "opsgenie", "newrelic", "snyk", "sonar", "codecov", "pulumi", "doppler", "tailscale", "ngrok", "cloudflare", "netlify", "vercel", "heroku",
		"snowflake", "lakefs", "dvc", "harbor", "quay", "jfrog", "artifactory", "nexus", "rancher", "k3s", "argocd", "prefect", "zenml", "labelbox", "roboflow", "netmaker", "bw", "ci":
		return qualifier
	case "become", "sudo", "su", "root", "smtp", "imap", "mail", "ftp", "sftp", "ldap", "bind", "proxy", "redis", "mysql", "pg", "postgres", "mongo", "rabbitmq", "mqtt",
		"basic", "keystore", "truststore", "sasl", "ssl", "vnc", "ipmi", "bmc", "wifi", "database", "ansible":
		return owner
	case "name", "names", "ref", "refs", "reference", "file", "files", "filename", "path", "paths", "dir", "directory", "folder", "mount", "volume", "type", "types", "count", "counts",
		"len", "length", "lengths", "size", "sizes", "ttl", "url", "uri", "endpoint", "expiry", "expires", "expiration", "seconds", "version", "mode", "policy",
		"format", "provider", "providers", "class", "kind", "index", "idx", "indices", "dim", "dims", "heads", "proj", "projection", "usage", "limit", "budget", "rate", "store", "exists",
		"enabled", "required", "optional", "algorithm", "bits", "ids", "selector", "template", "error", "errors", "created", "updated", "age", "ratio", "loss", "accuracy",
		"hash", "checksum", "digest", "pattern", "regex", "prefix", "suffix", "column", "field", "fields", "states", "manager", "controller", "status", "request", "server", "found", "stdin", "fd", "command", "cmd", "callback", "invalid", "unknown", "denied", "failed", "exceeded":
		return neutral
	case "bos", "eos", "pad", "padding", "unk", "cls", "sep", "mask", "masked", "special", "num", "n", "max", "min", "per", "total", "avg", "mean", "next", "first", "last", "prev",
		"new", "prompt", "completion", "input", "output", "text", "image", "img", "audio", "video", "sort", "primary", "foreign", "group", "cache", "cached", "dict", "state",
		"label", "feature", "map", "lookup", "partition", "join", "query", "value", "values", "attention", "attn", "kv", "head", "eval", "train", "val", "valid", "stop", "end", "begin", "start",
		"draft", "target", "vision", "patch", "embed", "embedding", "embeddings", "seen", "consumed", "trained", "processed", "throughput", "ntokens", "topology", "toleration",
		"missing", "unexpected", "metric", "order", "row", "position", "forward", "backward", "single", "filter", "match", "valueerror", "decoder", "encoder", "pixel", "media", "data", "dataset", "sample", "batch", "answer", "question", "content", "message", "messages", "chosen", "rejected", "caption", "monitor", "rng", "prng", "random", "no", "such", "not", "unique", "duplicate", "left", "right", "inner", "outer", "short", "long", "experiment":
		return learning
	case "id", "base", "b64", "base64", "hex", "pem", "json", "raw", "enc", "encoded", "string", "str", "header", "prod", "dev", "staging", "test", "old":
		return detail
	}
	return other
}

// exactName looks up names whose single words mean nothing.
func exactName(name string) (judged, bool) {
	switch {
	case strings.EqualFold(name, "x-jfrog-art-api"):
		return judged{certain, NamedKey}, true
	case strings.EqualFold(name, "data_key"), strings.EqualFold(name, "data-key"):
		return judged{long, NamedKey}, true
	case endsVariable(name, "OTP"), endsVariable(name, "PIN"), endsVariable(name, "SALT"):
		return judged{certain, NamedPassword}, true
	case strings.EqualFold(name, "otp"), strings.EqualFold(name, "mfa_code"):
		return judged{doubtful, NamedPassword}, true
	case name == "_auth", strings.HasSuffix(name, ":_auth"): // of .npmrc
		return judged{certain, NamedCredentials}, true
	}
	return judged{}, false
}

// endsVariable reports whether a name is that of an environment variable that ends
// with a word: PIN and CARD_PIN, but not pin or pin_memory.
func endsVariable(name, word string) bool {
	rest, has := strings.CutSuffix(name, word)
	return has && (rest == "" || strings.HasSuffix(rest, "_") && rest == strings.ToUpper(rest))
}

// ending looks up words that are joined: PGPASSWORD, MYTOKEN, clientsecret.
func ending(low []byte) word {
	for len(low) > 1 && isDigit(low[len(low)-1]) {
		low = low[:len(low)-1] // password2
		if w := known(low); w == password {
			return w
		}
	}
	for _, e := range [...]struct {
		text string
		word word
	}{{"password", password}, {"passwd", password}, {"secret", secret}, {"token", token}, {"apikey", gluedKey}, {"accesskey", gluedKey}, {"key", key}} {
		if len(low) > len(e.text) && string(low[len(low)-len(e.text):]) == e.text {
			return e.word
		}
	}
	return other
}

// Suspicious reports whether a name sounds as if its value were secret, whatever
// the value is.
func Suspicious(name string) bool { return judge(name).class != innocent }

// Secret reports whether a value that a person set under this name (a variable, a
// flag, a name/value pair) has to be masked. Booleans and references to a value
// are not secret, a number only as a password.
func Secret(name, value string) bool {
	_, is := secretOf(name, value)
	return is
}

func secretOf(name, value string) (Kind, bool) {
	j := judge(name)
	if j.class == innocent || isPlaceholder(value) {
		return "", false
	}
	if j.class == folder && isFolder(value) || isIdentifierUnderKey(name, value) {
		return "", false
	}
	if j.class == long && !isLongSecret(value) {
		return "", false
	}
	if j.class == doubtful && (number(value) || j.kind == NamedKey && isParameter(value)) {
		return "", false
	}
	return j.kind, true
}

// isIdentifierUnderKey reports whether the name is only "key" and the value a
// lower-case identifier: KEY=value_cache names something and is no secret.
func isIdentifierUnderKey(name, value string) bool {
	if !strings.EqualFold(strings.TrimLeft(name, "-"), "key") || strings.IndexByte(value, '_') <= 0 {
		return false
	}
	return strings.Trim(value, "abcdefghijklmnopqrstuvwxyz_") == ""
}

// leastLong is how long a value of class long has to be to count as a secret:
// storage keys have 30 characters or more.
const leastLong = 28

// isLongSecret reports whether a value of class long is secret: long, random, and
// not the id of a session.
func isLongSecret(value string) bool {
	return len(value) >= leastLong && random(value) && !isUUID(value)
}

func number(value string) bool {
	if len(value) == 0 || len(value) > 24 || !(isDigit(value[0]) || value[0] == '-' || value[0] == '.') {
		return false
	}
	_, err := strconv.ParseFloat(value, 64)
	return err == nil
}
