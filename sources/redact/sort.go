package redact

// Sort is the kind of a secret, as placeholders and counts name it.
type Sort string

// The sorts of secrets: first those that a value's own shape identifies, then
// those that only a name identifies.
const (
	PrivateKey       Sort = "private-key" // PEM and age
	AWSAccessKey     Sort = "aws-access-key"
	AWSSecretKey     Sort = "aws-secret-key"
	GoogleToken      Sort = "google-token"
	AzureToken       Sort = "azure-token"
	CloudToken       Sort = "cloud-token" // other providers
	HFToken          Sort = "hf-token"
	WandbKey         Sort = "wandb-key"
	TrackerToken     Sort = "tracker-token" // Neptune, Comet, Databricks' MLflow
	GitToken         Sort = "git-token"     // GitHub, GitLab, Bitbucket
	SlackToken       Sort = "slack-token"
	ModelKey         Sort = "model-api-key" // OpenAI, Anthropic and those who write alike
	NGCKey           Sort = "ngc-key"
	RegistryToken    Sort = "registry-token" // Docker, npm, PyPI, Artifactory
	ServiceToken     Sort = "service-token"  // Stripe, SendGrid, Vault, Grafana, ...
	JWT              Sort = "jwt"
	DockerAuth       Sort = "docker-auth"
	BearerToken      Sort = "bearer-token"
	BasicAuth        Sort = "basic-auth"
	URLPassword      Sort = "url-password"
	URLSignature     Sort = "url-signature"
	Encoded          Sort = "encoded-secret" // base64 of any of these
	NamedPassword    Sort = "password"
	NamedSecret      Sort = "secret"
	NamedCredentials Sort = "credentials"
	NamedToken       Sort = "token"
	NamedKey         Sort = "key"
)

// Placeholder is the text that replaces a secret of this sort. It contains no
// space, digit or "=", so that parsers find as many numbers and names in a line as
// before.
func (s Sort) Placeholder() string { return "<redacted:" + string(s) + ">" }

// rank is the precedence of a sort where two rules find the same text: a shape is
// more specific than the name before it, and base64 of a secret more than its own
// shape.
func (s Sort) rank() int {
	switch s {
	case NamedPassword, NamedSecret, NamedCredentials, NamedToken, NamedKey:
		return 0
	case BearerToken, BasicAuth, URLPassword, Encoded:
		return 1
	}
	return 2
}
