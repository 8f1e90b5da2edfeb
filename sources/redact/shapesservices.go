package redact

// The tables of tokens that services issue. Who knows a service that is missing adds
// one row: its name, the prefixes of its tokens, how many characters of which set
// follow, and what a line of a log must not be taken for. A row needs a line in the
// tests that is masked and one that stays.
//
// Prefixes, lengths and characters are those of gitleaks' rules
// (github.com/gitleaks/gitleaks, config/gitleaks.toml, commit 009e025a) and of
// trufflehog's detectors (github.com/trufflesecurity/trufflehog, pkg/detectors,
// August 2026); where neither has the service, of its documentation. Lengths are
// lower bounds, since services lengthen their tokens. Hugging Face: hf_ and 34
// letters (huggingface.co, 2024); NVIDIA NGC: nvapi- and 64 or more; Weights &
// Biases: wandb_v1_ (0.22). If a name can begin with the same prefix, the value also
// has to look random.

// The bytes that tokens consist of.
var (
	alnum    = setOf("")
	dashed   = setOf("_-")
	withDots = setOf("_-.")
	b64      = setOf("_-+/=")
	// crypt and padded are those of hashed passwords.
	crypt  = setOf("./$=,+")
	padded = setOf("+/=")
)

// tokenRows are all tables.
func tokenRows() [][]tokenRow {
	return [][]tokenRow{issuedTokens, cloudTokens, developerTokens, modelTokens, passwordHashes}
}

// issuedTokens are the tokens of the services that training meets most.
var issuedTokens = []tokenRow{
	{service: "Hugging Face", sort: HFToken, prefixes: []string{"hf_", "api_org_"}, least: 20, most: 120, set: alnum, loose: true, encoded: true},
	{service: "AWS", sort: AWSAccessKey, prefixes: []string{"AKIA", "ASIA"}, least: 16, most: 16, set: alnum, encoded: true, plausible: accessKeyID},
	{service: "AWS", sort: AWSAccessKey, prefixes: []string{"ABIA", "ACCA"}, least: 16, most: 16, set: alnum, plausible: accessKeyID},
	{service: "Google", sort: GoogleToken, prefixes: []string{"AIza"}, least: 30, most: 60, set: dashed, encoded: true},
	{service: "Google", sort: GoogleToken, prefixes: []string{"ya29."}, least: 20, most: 4096, set: withDots, encoded: true},
	{service: "Google", sort: GoogleToken, prefixes: []string{"GOCSPX-"}, least: 20, most: 60, set: dashed, loose: true, encoded: true},
	{service: "Google", sort: GoogleToken, prefixes: []string{"1//0"}, least: 30, most: 200, set: dashed, plausible: mixed},
	{service: "Alibaba Cloud", sort: CloudToken, prefixes: []string{"LTAI"}, least: 16, most: 30, set: alnum, plausible: mixed},
	{service: "ServerChan", sort: ServiceToken, prefixes: []string{"sctapi.ftqq.com/", "sc.ftqq.com/"}, least: 20, most: 100, set: alnum, loose: true, plausible: mixed},
	{service: "ServerChan", sort: ServiceToken, prefixes: []string{"SCT"}, least: 20, most: 60, set: alnum, plausible: serverChan},
	{service: "ServerChan", sort: ServiceToken, prefixes: []string{"SCU", "sctp"}, least: 20, most: 80, set: alnum, plausible: serverChan},
	{service: "DigitalOcean", sort: CloudToken, prefixes: []string{"dop_v1_"}, least: 40, most: 80, set: alnum, loose: true},
	{service: "Tencent Cloud", sort: CloudToken, prefixes: []string{"AKID"}, least: 32, most: 32, set: alnum, plausible: mixed},
	{service: "GitHub", sort: GitToken, prefixes: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}, least: 30, most: 255, set: alnum, loose: true, encoded: true},
	{service: "GitHub", sort: GitToken, prefixes: []string{"github_pat_"}, least: 30, most: 255, set: dashed, loose: true, encoded: true},
	{service: "GitLab", sort: GitToken, prefixes: []string{"glpat-"}, least: 18, most: 300, set: withDots, loose: true, encoded: true},
	{service: "GitLab", sort: GitToken, prefixes: []string{"gldt-", "glrt-", "glptt-", "glcbt-", "glsoat-", "glft-", "glagent-", "glimt-"}, least: 18, most: 300, set: withDots, plausible: mixed},
	{service: "GitLab", sort: GitToken, prefixes: []string{"GR1348941"}, least: 18, most: 60, set: dashed, loose: true},
	{service: "Bitbucket", sort: GitToken, prefixes: []string{"ATBB"}, least: 24, most: 60, set: alnum, plausible: mixed},
	{service: "Atlassian", sort: GitToken, prefixes: []string{"ATATT3"}, least: 60, most: 400, set: b64},
	{service: "Slack", sort: SlackToken, prefixes: []string{"xoxb-", "xoxp-"}, least: 16, most: 300, set: dashed, loose: true, encoded: true},
	{service: "Slack", sort: SlackToken, prefixes: []string{"xoxa-", "xoxe-", "xoxr-", "xoxs-", "xoxo-"}, least: 16, most: 300, set: dashed, loose: true},
	{service: "Slack", sort: SlackToken, prefixes: []string{"xoxe."}, least: 16, most: 300, set: withDots, loose: true},
	{service: "Slack", sort: SlackToken, prefixes: []string{"xapp-"}, least: 16, most: 300, set: dashed, loose: true, encoded: true, plausible: mixed},
	{service: "Slack", sort: SlackToken, prefixes: []string{"hooks.slack.com/services/"}, least: 16, most: 200, set: b64, loose: true},
	{service: "Discord", sort: SlackToken, prefixes: []string{"discord.com/api/webhooks/", "discordapp.com/api/webhooks/"}, least: 30, most: 200, set: b64, loose: true},
	{service: "Microsoft Teams", sort: ServiceToken, prefixes: []string{"webhook.office.com/webhookb2/"}, least: 30, most: 300, set: setOf("_-/@"), loose: true},
	{service: "Feishu", sort: ServiceToken, prefixes: []string{"open.feishu.cn/open-apis/bot/v2/hook/", "open.larksuite.com/open-apis/bot/v2/hook/"}, least: 20, most: 100, set: dashed, loose: true},
	{service: "Anthropic", sort: ModelKey, prefixes: []string{"sk-ant-"}, least: 20, most: 300, set: dashed, loose: true, encoded: true, plausible: drawnPiece},
	{service: "OpenAI", sort: ModelKey, prefixes: []string{"sk-proj-", "sk-svcacct-", "sk-admin-"}, least: 20, most: 300, set: dashed, loose: true, encoded: true, plausible: drawnPiece},
	{service: "OpenRouter", sort: ModelKey, prefixes: []string{"sk-or-v1-"}, least: 20, most: 300, set: dashed, loose: true, encoded: true, plausible: drawnPiece},
	{service: "Langfuse", sort: ModelKey, prefixes: []string{"sk-lf-"}, least: 20, most: 300, set: dashed, loose: true, encoded: true, plausible: drawnPiece},
	{service: "OpenAI and those who write alike", sort: ModelKey, prefixes: []string{"sk-"}, least: 20, most: 300, set: dashed, encoded: true, plausible: mixed},
	{service: "Groq", sort: ModelKey, prefixes: []string{"gsk_"}, least: 20, most: 300, set: alnum, encoded: true, plausible: mixed},
	{service: "xAI", sort: ModelKey, prefixes: []string{"xai-"}, least: 40, most: 300, set: alnum, plausible: mixed},
	{service: "Perplexity", sort: ModelKey, prefixes: []string{"pplx-"}, least: 30, most: 300, set: alnum, loose: true, plausible: mixed},
	{service: "Replicate", sort: ModelKey, prefixes: []string{"r8_"}, least: 30, most: 60, set: alnum, plausible: mixed},
	{service: "Fireworks", sort: ModelKey, prefixes: []string{"fw_"}, least: 20, most: 60, set: alnum, plausible: mixed},
	{service: "Pinecone", sort: ModelKey, prefixes: []string{"pcsk_"}, least: 30, most: 120, set: dashed, loose: true},
	{service: "Together", sort: ModelKey, prefixes: []string{"tgp_v1_"}, least: 30, most: 120, set: dashed, loose: true},
	{service: "NVIDIA NGC", sort: NGCKey, prefixes: []string{"nvapi-"}, least: 30, most: 300, set: dashed, loose: true, encoded: true},
	{service: "Weights & Biases", sort: WandbKey, prefixes: []string{"wandb_v1_"}, least: 20, most: 300, set: dashed, loose: true, encoded: true},
	{service: `Neptune: {"api_address":`, sort: TrackerToken, prefixes: []string{"eyJhcGlfYWRkcmVzcyI6"}, least: 20, most: 4096, set: b64, loose: true},
	{service: `Neptune 3: {"api_url":"`, sort: TrackerToken, prefixes: []string{"eyJhcGlfdXJsIjoi"}, least: 20, most: 4096, set: b64, loose: true},
	{service: "Databricks", sort: TrackerToken, prefixes: []string{"dapi"}, least: 32, most: 34, set: setOf("-"), encoded: true, plausible: hexToken},
	{service: "Databricks", sort: TrackerToken, prefixes: []string{"dkea"}, least: 32, most: 34, set: setOf("-"), plausible: hexToken},
	{service: "Docker Hub", sort: RegistryToken, prefixes: []string{"dckr_pat_", "dckr_oat_"}, least: 20, most: 100, set: dashed, loose: true, encoded: true},
	{service: "npm", sort: RegistryToken, prefixes: []string{"npm_"}, least: 30, most: 60, set: alnum, loose: true, encoded: true, plausible: mixed},
	{service: "PyPI", sort: RegistryToken, prefixes: []string{"pypi-AgE"}, least: 30, most: 400, set: dashed, loose: true, encoded: true},
	{service: "Artifactory", sort: RegistryToken, prefixes: []string{"AKCp", "cmVmdGtu"}, least: 40, most: 120, set: alnum, plausible: mixed},
	{service: "Stripe", sort: ServiceToken, prefixes: []string{"sk_live_", "rk_live_"}, least: 16, most: 200, set: alnum, loose: true},
	{service: "Stripe", sort: ServiceToken, prefixes: []string{"sk_test_"}, least: 16, most: 200, set: alnum, loose: true, plausible: mixed},
	{service: "SendGrid", sort: ServiceToken, prefixes: []string{"SG."}, least: 60, most: 80, set: withDots, encoded: true, plausible: mixed},
	{service: "Vault", sort: ServiceToken, prefixes: []string{"hvs."}, least: 20, most: 300, set: dashed, encoded: true, plausible: mixed},
	{service: "Vault", sort: ServiceToken, prefixes: []string{"hvb."}, least: 20, most: 300, set: dashed, plausible: mixed},
	{service: "Grafana", sort: ServiceToken, prefixes: []string{"glsa_"}, least: 30, most: 60, set: dashed, loose: true},
	{service: "Grafana", sort: ServiceToken, prefixes: []string{"glc_eyJ"}, least: 30, most: 400, set: b64, loose: true},
	{service: "Tailscale", sort: ServiceToken, prefixes: []string{"tskey-"}, least: 16, most: 100, set: dashed, loose: true, plausible: mixed},
	{service: "Linear", sort: ServiceToken, prefixes: []string{"lin_api_"}, least: 30, most: 60, set: alnum, loose: true},
	{service: "Doppler", sort: ServiceToken, prefixes: []string{"dp.pt."}, least: 36, most: 60, set: alnum, plausible: mixed},
	{service: "Shopify", sort: ServiceToken, prefixes: []string{"shpat_"}, least: 30, most: 60, set: alnum, loose: true},
	{service: "1Password", sort: ServiceToken, prefixes: []string{"ops_eyJ"}, least: 60, most: 2048, set: b64, loose: true},
	{service: "age", sort: PrivateKey, prefixes: []string{"AGE-SECRET-KEY-1"}, least: 40, most: 80, set: alnum, loose: true, encoded: true},
	{service: "any issuer of JSON web tokens", sort: JWT, prefixes: []string{"eyJ"}, least: 20, most: 8192, set: withDots, plausible: isJWT},
}

// cloudTokens are tokens of clouds and clusters.
var cloudTokens = []tokenRow{
	// A pre-authenticated request (docs.oracle.com, Object Storage): what follows is all that it takes.
	{service: "Oracle Cloud", sort: CloudToken, prefixes: []string{".oraclecloud.com/p/", ".customer-oci.com/p/"}, least: 30, most: 200, set: dashed, loose: true},
	{service: "Bedrock", sort: CloudToken, prefixes: []string{"ABSK"}, least: 100, most: 280, set: b64, plausible: mixed},
	{service: "Bedrock", sort: CloudToken, prefixes: []string{"bedrock-api-key-"}, least: 40, most: 4096, set: b64, loose: true},
	{service: "session tokens of AWS", sort: CloudToken, prefixes: []string{"IQoJb3JpZ2luX2Vj", "FwoGZXIvYXdz"}, least: 100, most: 4096, set: b64},
	{service: "Volcengine, Kingsoft", sort: CloudToken, prefixes: []string{"AKLT"}, least: 36, most: 60, set: b64, plausible: random},
	{service: "DigitalOcean", sort: CloudToken, prefixes: []string{"doo_v1_", "dor_v1_"}, least: 40, most: 80, set: alnum, loose: true},
	{service: "CoreWeave", sort: CloudToken, prefixes: []string{"CW-SECRET-"}, least: 20, most: 120, set: alnum, loose: true},
	{service: "RunPod", sort: CloudToken, prefixes: []string{"rpa_"}, least: 32, most: 80, set: alnum, plausible: random},
	{service: "Lambda", sort: CloudToken, prefixes: []string{"secret_cloud_"}, least: 40, most: 160, set: withDots, loose: true},
	{service: "Yandex", sort: CloudToken, prefixes: []string{"AQVN"}, least: 34, most: 40, set: dashed, plausible: random},
	{service: "Yandex", sort: CloudToken, prefixes: []string{"y0_AgAAAA"}, least: 40, most: 80, set: dashed, loose: true},
	{service: "OpenShift", sort: CloudToken, prefixes: []string{"sha256~"}, least: 40, most: 48, set: dashed, plausible: mixed},
	{service: "Fernet: OpenStack, Airflow", sort: CloudToken, prefixes: []string{"gAAAAAB"}, least: 80, most: 4096, set: setOf("_-="), plausible: mixed},
	{service: "Rancher", sort: CloudToken, prefixes: []string{"token-"}, least: 46, most: 80, set: setOf(":"), plausible: rancher},
	{service: "Rancher", sort: CloudToken, prefixes: []string{"kubeconfig-u"}, least: 46, most: 90, set: setOf(":-"), plausible: rancher},
	{service: "K3s", sort: CloudToken, prefixes: []string{"K10"}, least: 68, most: 300, set: setOf(":_.-"), plausible: k3s},
	{service: "Fly.io", sort: CloudToken, prefixes: []string{"fo1_"}, least: 40, most: 60, set: dashed, plausible: drawnPiece},
	{service: "Fly.io", sort: CloudToken, prefixes: []string{"fm2_", "fm1r_", "fm1a_"}, least: 60, most: 4096, set: b64},
	{service: "Heroku", sort: CloudToken, prefixes: []string{"HRKU-AA"}, least: 50, most: 80, set: dashed, loose: true},
	{service: "Pulumi", sort: CloudToken, prefixes: []string{"pul-"}, least: 40, most: 40, set: alnum, plausible: hexToken},
	{service: "Cloudflare", sort: CloudToken, prefixes: []string{"v1.0-"}, least: 171, most: 171, set: dashed},
}

// developerTokens are tokens of services for developers.
var developerTokens = []tokenRow{
	{service: "GitLab", sort: GitToken, prefixes: []string{"gloas-"}, least: 60, most: 70, set: alnum, plausible: mixed},
	{service: "GitLab", sort: GitToken, prefixes: []string{"glffct-", "glwt-", "glsessid-"}, least: 18, most: 60, set: dashed, plausible: mixed},
	{service: "Bitbucket", sort: GitToken, prefixes: []string{"ATCTT3"}, least: 60, most: 400, set: b64},
	{service: "Bitbucket", sort: GitToken, prefixes: []string{"BBDC-"}, least: 40, most: 50, set: b64, plausible: mixed},
	{service: "Sourcegraph", sort: GitToken, prefixes: []string{"sgp_"}, least: 40, most: 80, set: setOf("_"), plausible: mixed},
	{service: "Slack", sort: SlackToken, prefixes: []string{"xoxc-"}, least: 16, most: 300, set: dashed, loose: true},
	{service: "Slack", sort: SlackToken, prefixes: []string{"xoxd-"}, least: 16, most: 400, set: setOf("_-+/=%"), loose: true},
	{service: "Slack", sort: SlackToken, prefixes: []string{"xwfp-"}, least: 16, most: 300, set: dashed, loose: true, plausible: mixed},
	{service: "Slack", sort: SlackToken, prefixes: []string{"hooks.slack.com/triggers/", "hooks.slack.com/workflows/"}, least: 16, most: 200, set: b64, loose: true},
	{service: "Discord", sort: SlackToken, prefixes: []string{"/api/v10/webhooks/", "/api/v9/webhooks/"}, least: 60, most: 200, set: b64, loose: true},
	{service: "Telegram", sort: ServiceToken, prefixes: []string{"api.telegram.org/bot", "api.telegram.org/file/bot"}, least: 24, most: 80, set: setOf(":_-"), loose: true},
	{service: "Microsoft Teams", sort: ServiceToken, prefixes: []string{"outlook.office.com/webhook/"}, least: 30, most: 300, set: setOf("_-/@"), loose: true},
	{service: "Zapier", sort: ServiceToken, prefixes: []string{"hooks.zapier.com/hooks/catch/"}, least: 12, most: 60, set: setOf("/"), loose: true},
	{service: "IFTTT", sort: ServiceToken, prefixes: []string{"maker.ifttt.com/trigger/"}, least: 12, most: 200, set: setOf("_-/"), loose: true},
	{service: "Tines", sort: ServiceToken, prefixes: []string{".tines.com/webhook/"}, least: 40, most: 100, set: setOf("/"), loose: true},
	{service: "Healthchecks", sort: ServiceToken, prefixes: []string{"hc-ping.com/"}, least: 36, most: 80, set: setOf("-/"), loose: true},
	{service: "Datadog", sort: ServiceToken, prefixes: []string{"datadoghq.com/v1/input/", "ddapp_"}, least: 30, most: 60, set: alnum, loose: true},
	{service: "Sentry", sort: ServiceToken, prefixes: []string{"sntrys_eyJ"}, least: 60, most: 800, set: b64, loose: true},
	{service: "Sentry", sort: ServiceToken, prefixes: []string{"sntryu_"}, least: 60, most: 80, set: alnum, loose: true},
	{service: "Grafana", sort: ServiceToken, prefixes: []string{"eyJrIjoi"}, least: 60, most: 400, set: b64},
	{service: "Elastic", sort: ServiceToken, prefixes: []string{"essu_"}, least: 30, most: 200, set: b64, plausible: mixed},
	{service: "New Relic", sort: ServiceToken, prefixes: []string{"NRAK-"}, least: 27, most: 40, set: alnum, plausible: random},
	{service: "New Relic", sort: ServiceToken, prefixes: []string{"NRII-", "NRIQ-"}, least: 25, most: 40, set: dashed},
	{service: "New Relic", sort: ServiceToken, prefixes: []string{"NRJS-"}, least: 19, most: 40, set: alnum, plausible: random},
	{service: "Vault", sort: ServiceToken, prefixes: []string{"hvr."}, least: 20, most: 300, set: dashed, plausible: mixed},
	{service: "Doppler", sort: ServiceToken, prefixes: []string{"dp.st."}, least: 36, most: 100, set: setOf("_-."), plausible: mixed},
	{service: "Doppler", sort: ServiceToken, prefixes: []string{"dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."}, least: 36, most: 60, set: alnum, plausible: mixed},
	{service: "1Password", sort: ServiceToken, prefixes: []string{"ops_ey"}, least: 60, most: 4096, set: b64, loose: true},
	{service: "1Password", sort: ServiceToken, prefixes: []string{"A3-"}, least: 30, most: 50, set: setOf("-"), plausible: onePassword},
	{service: "Deno", sort: ServiceToken, prefixes: []string{"dnkey-"}, least: 40, most: 120, set: dashed, plausible: mixed},
	{service: "Stripe", sort: ServiceToken, prefixes: []string{"whsec_"}, least: 24, most: 80, set: b64, loose: true, plausible: mixed},
	{service: "Stripe", sort: ServiceToken, prefixes: []string{"rk_test_"}, least: 16, most: 200, set: alnum, loose: true, plausible: mixed},
	{service: "Brevo", sort: ServiceToken, prefixes: []string{"xkeysib-"}, least: 60, most: 120, set: dashed, loose: true},
	{service: "Mailgun", sort: ServiceToken, prefixes: []string{"key-"}, least: 32, most: 32, set: alnum, plausible: hexDrawn},
	{service: "RubyGems", sort: RegistryToken, prefixes: []string{"rubygems_"}, least: 40, most: 60, set: alnum, loose: true, plausible: hexToken},
	{service: "Clojars", sort: RegistryToken, prefixes: []string{"CLOJARS_"}, least: 50, most: 80, set: alnum, loose: true, plausible: mixed},
	{service: "NuGet", sort: RegistryToken, prefixes: []string{"oy2"}, least: 43, most: 43, set: alnum, plausible: random},
	{service: "Notion", sort: ServiceToken, prefixes: []string{"ntn_"}, least: 40, most: 60, set: alnum, plausible: mixed},
	{service: "Figma", sort: ServiceToken, prefixes: []string{"figd_"}, least: 36, most: 60, set: dashed, plausible: drawnPiece},
	{service: "Postman", sort: ServiceToken, prefixes: []string{"PMAK-"}, least: 50, most: 70, set: dashed, plausible: mixed},
	{service: "Prefect", sort: ServiceToken, prefixes: []string{"pnu_", "pnb_"}, least: 32, most: 48, set: alnum, plausible: mixed},
	{service: "CircleCI", sort: ServiceToken, prefixes: []string{"CCIPAT_"}, least: 40, most: 90, set: dashed, loose: true},
	{service: "SonarQube", sort: ServiceToken, prefixes: []string{"sqp_", "squ_", "sqa_"}, least: 40, most: 40, set: alnum, plausible: hexToken},
	{service: "SonarQube", sort: ServiceToken, prefixes: []string{"sqco_"}, least: 50, most: 70, set: alnum, plausible: mixed},
	{service: "PlanetScale", sort: ServiceToken, prefixes: []string{"pscale_tkn_", "pscale_pw_", "pscale_oauth_"}, least: 32, most: 64, set: withDots, loose: true},
	{service: "Dynatrace", sort: ServiceToken, prefixes: []string{"dt0c01.", "dt0s16."}, least: 60, most: 100, set: withDots, loose: true},
	{service: "PostHog; phc_ is public", sort: ServiceToken, prefixes: []string{"phx_"}, least: 40, most: 60, set: alnum, plausible: mixed},
	{service: "Supabase", sort: ServiceToken, prefixes: []string{"sbp_"}, least: 40, most: 48, set: alnum, plausible: hexToken},
	{service: "Supabase", sort: ServiceToken, prefixes: []string{"sb_secret_"}, least: 24, most: 60, set: dashed, loose: true},
	{service: "Neon", sort: ServiceToken, prefixes: []string{"napi_"}, least: 48, most: 80, set: alnum, plausible: mixed},
	{service: "Trunk", sort: ServiceToken, prefixes: []string{"tk-us-"}, least: 40, most: 60, set: dashed, plausible: drawnPiece},
	{service: "Netlify", sort: ServiceToken, prefixes: []string{"nfp_"}, least: 32, most: 48, set: alnum, plausible: random},
	{service: "Intercom", sort: ServiceToken, prefixes: []string{"ico-"}, least: 32, most: 32, set: alnum, plausible: random},
	{service: "Persona", sort: ServiceToken, prefixes: []string{"p8e-"}, least: 32, most: 32, set: alnum, plausible: random},
	{service: "EasyPost", sort: ServiceToken, prefixes: []string{"EZAK"}, least: 50, most: 60, set: alnum, plausible: mixed},
	{service: "ReadMe", sort: ServiceToken, prefixes: []string{"rdme_"}, least: 60, most: 80, set: alnum, loose: true},
	{service: "Square", sort: ServiceToken, prefixes: []string{"sq0atp-"}, least: 20, most: 60, set: dashed, loose: true},
	{service: "Square", sort: ServiceToken, prefixes: []string{"sq0csp-"}, least: 40, most: 60, set: dashed, loose: true},
	{service: "Mapbox", sort: ServiceToken, prefixes: []string{"sk.eyJ"}, least: 60, most: 300, set: withDots},
	{service: "PASETO", sort: ServiceToken, prefixes: []string{"v2.local.", "v4.local."}, least: 60, most: 4096, set: withDots},
	{service: "Facebook", sort: ServiceToken, prefixes: []string{"EAACEdEose0cBA"}, least: 40, most: 300, set: alnum, loose: true},
	{service: "Typeform", sort: ServiceToken, prefixes: []string{"tfp_"}, least: 40, most: 80, set: withDots, plausible: drawnPiece},
	{service: "Shippo", sort: ServiceToken, prefixes: []string{"shippo_live_"}, least: 40, most: 40, set: alnum, loose: true, plausible: hexToken},
	{service: "Duffel", sort: ServiceToken, prefixes: []string{"duffel_live_"}, least: 40, most: 50, set: dashed, loose: true},
	{service: "Apify", sort: ServiceToken, prefixes: []string{"apify_api_"}, least: 30, most: 50, set: alnum, loose: true},
}

// modelTokens are tokens of services around models: hubs, trackers, inference.
var modelTokens = []tokenRow{
	{service: "Hugging Face", sort: HFToken, prefixes: []string{"hf_jwt_", "hf_oauth_"}, least: 20, most: 4096, set: withDots, loose: true},
	{service: "Kaggle", sort: ModelKey, prefixes: []string{"KGAT_"}, least: 28, most: 60, set: alnum, loose: true},
	{service: "ModelScope", sort: ModelKey, prefixes: []string{"ms-"}, least: 36, most: 36, set: setOf("-"), plausible: isUUID},
	{service: "Langfuse", sort: ModelKey, prefixes: []string{"pk-lf-"}, least: 36, most: 36, set: setOf("-"), plausible: isUUID},
	{service: "Modal", sort: ModelKey, prefixes: []string{"ak-", "as-"}, least: 22, most: 22, set: alnum, plausible: mixed},
	{service: "Databricks", sort: TrackerToken, prefixes: []string{"dose"}, least: 32, most: 34, set: setOf("-"), plausible: hexToken},
	{service: "LangSmith", sort: ModelKey, prefixes: []string{"lsv2_pt_", "lsv2_sk_"}, least: 40, most: 60, set: setOf("_"), loose: true},
	{service: "LangSmith", sort: ModelKey, prefixes: []string{"ls__"}, least: 32, most: 32, set: alnum, plausible: hexToken},
	{service: "Jina", sort: ModelKey, prefixes: []string{"jina_"}, least: 50, most: 80, set: dashed, plausible: mixed},
	{service: "Voyage", sort: ModelKey, prefixes: []string{"pa-"}, least: 40, most: 50, set: dashed, plausible: drawnPiece},
	{service: "Tavily", sort: ModelKey, prefixes: []string{"tvly-"}, least: 24, most: 60, set: dashed, plausible: mixed},
	{service: "Firecrawl", sort: ModelKey, prefixes: []string{"fc-"}, least: 32, most: 32, set: alnum, plausible: hexDrawn},
	{service: "Cerebras", sort: ModelKey, prefixes: []string{"csk-"}, least: 40, most: 60, set: alnum, plausible: mixed},
	{service: "Anyscale", sort: ModelKey, prefixes: []string{"esecret_"}, least: 30, most: 60, set: alnum, loose: true},
	{service: "Aphrodite", sort: ModelKey, prefixes: []string{"aph0_"}, least: 30, most: 200, set: dashed, loose: true, plausible: mixed},
	{service: "E2B", sort: ModelKey, prefixes: []string{"e2b_"}, least: 40, most: 40, set: alnum, plausible: hexToken},
	{service: "Daytona", sort: ModelKey, prefixes: []string{"dtn_"}, least: 40, most: 80, set: alnum, plausible: mixed},
}

// passwordHashes are hashed passwords as systems store them (crypt(5), htpasswd of
// Apache, RFC 2307, argon2, Django): whoever has one can guess passwords until one
// fits.
var passwordHashes = []tokenRow{
	{service: "crypt", sort: NamedPassword, prefixes: []string{"$6$"}, least: 86, most: 160, set: crypt, loose: true},
	{service: "crypt", sort: NamedPassword, prefixes: []string{"$5$"}, least: 43, most: 100, set: crypt, loose: true},
	{service: "crypt", sort: NamedPassword, prefixes: []string{"$y$", "$7$"}, least: 40, most: 160, set: crypt, loose: true},
	{service: "crypt", sort: NamedPassword, prefixes: []string{"$1$"}, least: 24, most: 40, set: crypt, loose: true, plausible: mixed},
	{service: "crypt", sort: NamedPassword, prefixes: []string{"$2a$", "$2b$", "$2y$"}, least: 50, most: 64, set: crypt, loose: true},
	{service: "htpasswd", sort: NamedPassword, prefixes: []string{"$apr1$"}, least: 22, most: 40, set: crypt, loose: true},
	{service: "argon2", sort: NamedPassword, prefixes: []string{"$argon2"}, least: 50, most: 400, set: setOf("./$=,+-"), loose: true},
	{service: "PBKDF2", sort: NamedPassword, prefixes: []string{"$pbkdf2", "pbkdf2_sha"}, least: 40, most: 400, set: setOf("./$=,+-"), loose: true},
	{service: "LDAP", sort: NamedPassword, prefixes: []string{"{SHA}"}, least: 27, most: 28, set: padded, loose: true},
	{service: "LDAP", sort: NamedPassword, prefixes: []string{"{SSHA}"}, least: 30, most: 80, set: padded, loose: true},
	{service: "LDAP", sort: NamedPassword, prefixes: []string{"{SSHA256}"}, least: 40, most: 100, set: padded, loose: true},
	{service: "LDAP", sort: NamedPassword, prefixes: []string{"{SSHA512}"}, least: 80, most: 160, set: padded, loose: true},
}
