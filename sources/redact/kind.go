package redact

// Kind is the kind of a secret, as placeholders and counts name it.
type Kind string

// The kinds of secrets: first those that a value's own shape identifies, then
// those that only a name identifies.
const (
	PrivateKey       Kind = "private-key" // PEM and age
	AWSAccessKey     Kind = "aws-access-key"
	AWSSecretKey     Kind = "aws-secret-key"
	GoogleToken      Kind = "google-token"
	AzureToken       Kind = "azure-token"
	CloudToken       Kind = "cloud-token" // other providers
	HFToken          Kind = "hf-token"
	WandbKey         Kind = "wandb-key"
	TrackerToken     Kind = "tracker-token" // Neptune, Comet, Databricks' MLflow
	GitToken         Kind = "git-token"     // GitHub, GitLab, Bitbucket
	SlackToken       Kind = "slack-token"
	ModelKey         Kind = "model-api-key" // OpenAI, Anthropic and those who write alike
	NGCKey           Kind = "ngc-key"
	RegistryToken    Kind = "registry-token" // Docker, npm, PyPI, Artifactory
	ServiceToken     Kind = "service-token"  // Stripe, SendGrid, Vault, Grafana, ...
	JWT              Kind = "jwt"
	DockerAuth       Kind = "docker-auth"
	BearerToken      Kind = "bearer-token"
	BasicAuth        Kind = "basic-auth"
	URLPassword      Kind = "url-password"
	URLSignature     Kind = "url-signature"
	Encoded          Kind = "encoded-secret" // base64 of any of these
	NamedPassword    Kind = "password"
	NamedSecret      Kind = "secret"
	NamedCredentials Kind = "credentials"
	NamedToken       Kind = "token"
	NamedKey         Kind = "key"
)

// Placeholder is the text that replaces a secret of this kind. It contains no
// space, digit or "=", so that parsers find as many numbers and names in a line as
// before.
func (k Kind) Placeholder() string { return "<redacted:" + string(k) + ">" }

// precedence is the order of a kind where two rules find the same text: a shape is
// more specific than the name before it, and base64 of a secret more than its own
// shape.
func (k Kind) precedence() int {
	switch k {
	case NamedPassword, NamedSecret, NamedCredentials, NamedToken, NamedKey:
		return 0
	case BearerToken, BasicAuth, URLPassword, Encoded:
		return 1
	}
	return 2
}
