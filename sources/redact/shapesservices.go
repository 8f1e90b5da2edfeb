package redact

// The tables of tokens that services issue. A person who knows a service that is
// missing adds one row: its name, the prefixes of its tokens, how many characters of
// which set follow, and what a line of a log must not be taken for (the fields of
// tokenRow). A row needs a line in the tests that is masked and one that stays. A
// service of which nothing else is known goes into developerTokens.
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
	alnum    = setOf("") // letters and digits, which every set has
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
	{service: "Hugging Face", kind: HFToken, prefixes: []string{"hf_", "api_org_"}, least: 20, most: 120, set: alnum, loose: true, encoded: true},
	{service: "AWS", kind: AWSAccessKey, prefixes: []string{"AKIA", "ASIA"}, least: 16, most: 16, set: alnum, encoded: true, plausible: accessKeyID},
	{service: "AWS", kind: AWSAccessKey, prefixes: []string{"ABIA", "ACCA"}, least: 16, most: 16, set: alnum, plausible: accessKeyID},
	{service: "Google", kind: GoogleToken, prefixes: []string{"AIza"}, least: 30, most: 60, set: dashed, encoded: true},
	{service: "Google, AI Studio and Vertex", kind: GoogleToken, prefixes: []string{"AQ."}, least: 40, most: 80, set: dashed, plausible: mixed},
	{service: "Google", kind: GoogleToken, prefixes: []string{"ya29."}, least: 20, most: 4096, set: withDots, encoded: true},
	{service: "Google", kind: GoogleToken, prefixes: []string{"GOCSPX-"}, least: 20, most: 60, set: dashed, loose: true, encoded: true},
	{service: "Google", kind: GoogleToken, prefixes: []string{"1//0"}, least: 30, most: 200, set: dashed, plausible: mixed},
	{service: "Alibaba Cloud", kind: CloudToken, prefixes: []string{"LTAI"}, least: 16, most: 30, set: alnum, plausible: mixed},
	{service: "ServerChan", kind: ServiceToken, prefixes: []string{"sctapi.ftqq.com/", "sc.ftqq.com/"}, least: 20, most: 100, set: alnum, loose: true, plausible: mixed},
	{service: "ServerChan", kind: ServiceToken, prefixes: []string{"SCT"}, least: 20, most: 60, set: alnum, plausible: serverChan},
	{service: "ServerChan", kind: ServiceToken, prefixes: []string{"SCU", "sctp"}, least: 20, most: 80, set: alnum, plausible: serverChan},
	{service: "DigitalOcean", kind: CloudToken, prefixes: []string{"dop_v1_"}, least: 40, most: 80, set: alnum, loose: true},
	{service: "Tencent Cloud", kind: CloudToken, prefixes: []string{"AKID"}, least: 32, most: 32, set: alnum, plausible: mixed},
	{service: "GitHub", kind: GitToken, prefixes: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}, least: 30, most: 255, set: alnum, loose: true, encoded: true},
	{service: "GitHub", kind: GitToken, prefixes: []string{"github_pat_"}, least: 30, most: 255, set: dashed, loose: true, encoded: true},
	{service: "GitLab", kind: GitToken, prefixes: []string{"glpat-"}, least: 18, most: 300, set: withDots, loose: true, encoded: true},
	{service: "GitLab", kind: GitToken, prefixes: []string{"gldt-", "glrt-", "glptt-", "glcbt-", "glsoat-", "glft-", "glagent-", "glimt-"}, least: 18, most: 300, set: withDots, plausible: mixed},
	{service: "GitLab", kind: GitToken, prefixes: []string{"GR1348941"}, least: 18, most: 60, set: dashed, loose: true},
	{service: "Bitbucket", kind: GitToken, prefixes: []string{"ATBB"}, least: 24, most: 60, set: alnum, plausible: mixed},
	{service: "Atlassian", kind: GitToken, prefixes: []string{"ATATT3"}, least: 60, most: 400, set: b64},
	{service: "Slack", kind: SlackToken, prefixes: []string{"xoxb-", "xoxp-"}, least: 16, most: 300, set: dashed, loose: true, encoded: true},
	{service: "Slack", kind: SlackToken, prefixes: []string{"xoxa-", "xoxe-", "xoxr-", "xoxs-", "xoxo-"}, least: 16, most: 300, set: dashed, loose: true},
	{service: "Slack", kind: SlackToken, prefixes: []string{"xoxe."}, least: 16, most: 300, set: withDots, loose: true},
	{service: "Slack", kind: SlackToken, prefixes: []string{"xapp-"}, least: 16, most: 300, set: dashed, loose: true, encoded: true, plausible: mixed},
	{service: "Slack", kind: SlackToken, prefixes: []string{"hooks.slack.com/services/"}, least: 16, most: 200, set: b64, loose: true},
	{service: "Discord", kind: SlackToken, prefixes: []string{"discord.com/api/webhooks/", "discordapp.com/api/webhooks/"}, least: 30, most: 200, set: b64, loose: true},
	{service: "Microsoft Teams", kind: ServiceToken, prefixes: []string{"webhook.office.com/webhookb2/"}, least: 30, most: 300, set: setOf("_-/@"), loose: true},
	{service: "Feishu", kind: ServiceToken, prefixes: []string{"open.feishu.cn/open-apis/bot/v2/hook/", "open.larksuite.com/open-apis/bot/v2/hook/"}, least: 20, most: 100, set: dashed, loose: true},
	{service: "Anthropic", kind: ModelKey, prefixes: []string{"sk-ant-"}, least: 20, most: 300, set: dashed, loose: true, encoded: true, plausible: drawnPiece},
	{service: "OpenAI", kind: ModelKey, prefixes: []string{"sk-proj-", "sk-svcacct-", "sk-admin-"}, least: 20, most: 300, set: dashed, loose: true, encoded: true, plausible: drawnPiece},
	{service: "OpenRouter", kind: ModelKey, prefixes: []string{"sk-or-v1-"}, least: 20, most: 300, set: dashed, loose: true, encoded: true, plausible: drawnPiece},
	{service: "Langfuse", kind: ModelKey, prefixes: []string{"sk-lf-"}, least: 20, most: 300, set: dashed, loose: true, encoded: true, plausible: drawnPiece},
	{service: "OpenAI and those who write alike", kind: ModelKey, prefixes: []string{"sk-"}, least: 20, most: 300, set: dashed, encoded: true, plausible: mixed},
	{service: "Groq", kind: ModelKey, prefixes: []string{"gsk_"}, least: 20, most: 300, set: alnum, encoded: true, plausible: mixed},
	{service: "xAI", kind: ModelKey, prefixes: []string{"xai-"}, least: 40, most: 300, set: alnum, plausible: mixed},
	{service: "Perplexity", kind: ModelKey, prefixes: []string{"pplx-"}, least: 30, most: 300, set: alnum, loose: true, plausible: mixed},
	{service: "Replicate", kind: ModelKey, prefixes: []string{"r8_"}, least: 30, most: 60, set: alnum, plausible: mixed},
	{service: "Fireworks", kind: ModelKey, prefixes: []string{"fw_"}, least: 20, most: 60, set: alnum, plausible: mixed},
	{service: "Pinecone", kind: ModelKey, prefixes: []string{"pcsk_"}, least: 30, most: 120, set: dashed, loose: true},
	{service: "Together", kind: ModelKey, prefixes: []string{"tgp_v1_"}, least: 30, most: 120, set: dashed, loose: true},
	{service: "NVIDIA NGC", kind: NGCKey, prefixes: []string{"nvapi-"}, least: 30, most: 300, set: dashed, loose: true, encoded: true},
	{service: "Weights & Biases", kind: WandbKey, prefixes: []string{"wandb_v1_"}, least: 20, most: 300, set: dashed, loose: true, encoded: true},
	{service: `Neptune: {"api_address":`, kind: TrackerToken, prefixes: []string{"eyJhcGlfYWRkcmVzcyI6"}, least: 20, most: 4096, set: b64, loose: true},
	{service: `Neptune 3: {"api_url":"`, kind: TrackerToken, prefixes: []string{"eyJhcGlfdXJsIjoi"}, least: 20, most: 4096, set: b64, loose: true},
	{service: "Databricks", kind: TrackerToken, prefixes: []string{"dapi"}, least: 32, most: 34, set: setOf("-"), encoded: true, plausible: hexToken},
	{service: "Databricks", kind: TrackerToken, prefixes: []string{"dkea"}, least: 32, most: 34, set: setOf("-"), plausible: hexToken},
	{service: "Docker Hub", kind: RegistryToken, prefixes: []string{"dckr_pat_", "dckr_oat_"}, least: 20, most: 100, set: dashed, loose: true, encoded: true},
	{service: "npm", kind: RegistryToken, prefixes: []string{"npm_"}, least: 30, most: 60, set: alnum, loose: true, encoded: true, plausible: mixed},
	{service: "PyPI", kind: RegistryToken, prefixes: []string{"pypi-AgE"}, least: 30, most: 400, set: dashed, loose: true, encoded: true},
	{service: "Artifactory", kind: RegistryToken, prefixes: []string{"AKCp", "cmVmdGtu"}, least: 40, most: 120, set: alnum, plausible: mixed},
	{service: "Stripe", kind: ServiceToken, prefixes: []string{"sk_live_", "rk_live_"}, least: 16, most: 200, set: alnum, loose: true},
	{service: "Stripe", kind: ServiceToken, prefixes: []string{"sk_test_"}, least: 16, most: 200, set: alnum, loose: true, plausible: mixed},
	{service: "SendGrid", kind: ServiceToken, prefixes: []string{"SG."}, least: 60, most: 80, set: withDots, encoded: true, plausible: mixed},
	{service: "Vault", kind: ServiceToken, prefixes: []string{"hvs."}, least: 20, most: 300, set: dashed, encoded: true, plausible: mixed},
	{service: "Vault", kind: ServiceToken, prefixes: []string{"hvb."}, least: 20, most: 300, set: dashed, plausible: mixed},
	{service: "Grafana", kind: ServiceToken, prefixes: []string{"glsa_"}, least: 30, most: 60, set: dashed, loose: true},
	{service: "Grafana", kind: ServiceToken, prefixes: []string{"glc_eyJ"}, least: 30, most: 400, set: b64, loose: true},
	{service: "Tailscale", kind: ServiceToken, prefixes: []string{"tskey-"}, least: 16, most: 100, set: dashed, loose: true, plausible: mixed},
	{service: "Linear", kind: ServiceToken, prefixes: []string{"lin_api_"}, least: 30, most: 60, set: alnum, loose: true},
	{service: "Doppler", kind: ServiceToken, prefixes: []string{"dp.pt."}, least: 36, most: 60, set: alnum, plausible: mixed},
	{service: "Shopify", kind: ServiceToken, prefixes: []string{"shpat_"}, least: 30, most: 60, set: alnum, loose: true},
	{service: "1Password", kind: ServiceToken, prefixes: []string{"ops_eyJ"}, least: 60, most: 2048, set: b64, loose: true},
	{service: "age", kind: PrivateKey, prefixes: []string{"AGE-SECRET-KEY-1"}, least: 40, most: 80, set: alnum, loose: true, encoded: true},
	{service: "any issuer of JSON web tokens", kind: JWT, prefixes: []string{"eyJ"}, least: 20, most: 8192, set: withDots, plausible: isJWT},
}

// cloudTokens are tokens of clouds and clusters.
var cloudTokens = []tokenRow{
	// A pre-authenticated request (docs.oracle.com, Object Storage): what follows is all that it takes.
	{service: "Oracle Cloud", kind: CloudToken, prefixes: []string{".oraclecloud.com/p/", ".customer-oci.com/p/"}, least: 30, most: 200, set: dashed, loose: true},
	{service: "Bedrock", kind: CloudToken, prefixes: []string{"ABSK"}, least: 100, most: 280, set: b64, plausible: mixed},
	{service: "Bedrock", kind: CloudToken, prefixes: []string{"bedrock-api-key-"}, least: 40, most: 4096, set: b64, loose: true},
	{service: "session tokens of AWS", kind: CloudToken, prefixes: []string{"IQoJb3JpZ2luX2Vj", "FwoGZXIvYXdz"}, least: 100, most: 4096, set: b64},
	{service: "Volcengine, Kingsoft", kind: CloudToken, prefixes: []string{"AKLT"}, least: 36, most: 60, set: b64, plausible: random},
	{service: "DigitalOcean", kind: CloudToken, prefixes: []string{"doo_v1_", "dor_v1_"}, least: 40, most: 80, set: alnum, loose: true},
	{service: "CoreWeave", kind: CloudToken, prefixes: []string{"CW-SECRET-"}, least: 20, most: 120, set: alnum, loose: true},
	{service: "RunPod", kind: CloudToken, prefixes: []string{"rpa_"}, least: 32, most: 80, set: alnum, plausible: random},
	{service: "Lambda", kind: CloudToken, prefixes: []string{"secret_cloud_"}, least: 40, most: 160, set: withDots, loose: true},
	{service: "Yandex", kind: CloudToken, prefixes: []string{"AQVN"}, least: 34, most: 40, set: dashed, plausible: random},
	{service: "Yandex", kind: CloudToken, prefixes: []string{"y0_AgAAAA"}, least: 40, most: 80, set: dashed, loose: true},
	{service: "OpenShift", kind: CloudToken, prefixes: []string{"sha256~"}, least: 40, most: 48, set: dashed, plausible: mixed},
	{service: "Fernet: OpenStack, Airflow", kind: CloudToken, prefixes: []string{"gAAAAAB"}, least: 80, most: 4096, set: setOf("_-="), plausible: mixed},
	{service: "Rancher", kind: CloudToken, prefixes: []string{"token-"}, least: 46, most: 80, set: setOf(":"), plausible: rancher},
	{service: "Rancher", kind: CloudToken, prefixes: []string{"kubeconfig-u"}, least: 46, most: 90, set: setOf(":-"), plausible: rancher},
	{service: "K3s", kind: CloudToken, prefixes: []string{"K10"}, least: 68, most: 300, set: setOf(":_.-"), plausible: k3s},
	{service: "Fly.io", kind: CloudToken, prefixes: []string{"fo1_"}, least: 40, most: 60, set: dashed, plausible: drawnPiece},
	{service: "Fly.io", kind: CloudToken, prefixes: []string{"fm2_", "fm1r_", "fm1a_"}, least: 60, most: 4096, set: b64},
	{service: "Heroku", kind: CloudToken, prefixes: []string{"HRKU-AA"}, least: 50, most: 80, set: dashed, loose: true},
	{service: "Pulumi", kind: CloudToken, prefixes: []string{"pul-"}, least: 40, most: 40, set: alnum, plausible: hexToken},
	{service: "Cloudflare", kind: CloudToken, prefixes: []string{"v1.0-"}, least: 171, most: 171, set: dashed},
	{service: "Lambda", kind: CloudToken, prefixes: []string{"secret_"}, least: 60, most: 200, set: withDots, plausible: lambdaKey},
	{service: "Nebius", kind: CloudToken, prefixes: []string{"v1.Cm"}, least: 80, most: 400, set: b64, plausible: mixed},
	{service: "Render", kind: CloudToken, prefixes: []string{"rnd_"}, least: 28, most: 28, set: alnum, plausible: mixed},
	{service: "Vercel", kind: CloudToken, prefixes: []string{"vcp_", "vci_", "vca_", "vcr_", "vck_"}, least: 50, most: 80, set: alnum, plausible: mixed},
}

// developerTokens are tokens of services for developers.
var developerTokens = []tokenRow{
	{service: "GitLab", kind: GitToken, prefixes: []string{"gloas-"}, least: 60, most: 70, set: alnum, plausible: mixed},
	{service: "GitLab", kind: GitToken, prefixes: []string{"glffct-", "glwt-", "glsessid-"}, least: 18, most: 60, set: dashed, plausible: mixed},
	{service: "Bitbucket", kind: GitToken, prefixes: []string{"ATCTT3"}, least: 60, most: 400, set: b64},
	{service: "Bitbucket", kind: GitToken, prefixes: []string{"BBDC-"}, least: 40, most: 50, set: b64, plausible: mixed},
	{service: "Sourcegraph", kind: GitToken, prefixes: []string{"sgp_"}, least: 40, most: 80, set: setOf("_"), plausible: mixed},
	{service: "Slack", kind: SlackToken, prefixes: []string{"xoxc-"}, least: 16, most: 300, set: dashed, loose: true},
	{service: "Slack", kind: SlackToken, prefixes: []string{"xoxd-"}, least: 16, most: 400, set: setOf("_-+/=%"), loose: true},
	{service: "Slack", kind: SlackToken, prefixes: []string{"xwfp-"}, least: 16, most: 300, set: dashed, loose: true, plausible: mixed},
	{service: "Slack", kind: SlackToken, prefixes: []string{"hooks.slack.com/triggers/", "hooks.slack.com/workflows/"}, least: 16, most: 200, set: b64, loose: true},
	{service: "Discord", kind: SlackToken, prefixes: []string{"/api/v10/webhooks/", "/api/v9/webhooks/"}, least: 60, most: 200, set: b64, loose: true},
	// The number of a bot in base64, as those begin that were made since 2022.
	{service: "Discord", kind: SlackToken, prefixes: []string{"MTA", "MTE", "MTI", "MTM", "MTQ"}, least: 56, most: 80, set: withDots, plausible: discordBot},
	{service: "Buildkite", kind: ServiceToken, prefixes: []string{"bkua_"}, least: 40, most: 40, set: alnum, loose: true, plausible: hexToken},
	{service: "crates.io", kind: RegistryToken, prefixes: []string{"cio"}, least: 32, most: 32, set: alnum, plausible: random},
	{service: "Logfire", kind: TrackerToken, prefixes: []string{"pylf_v1_", "pylf_v2_"}, least: 40, most: 80, set: dashed, loose: true},
	{service: "Honeycomb", kind: ServiceToken, prefixes: []string{"hcaik_01", "hcxik_01", "hcalk_01", "hcxlk_01", "hcbik_01"}, least: 50, most: 70, set: alnum, loose: true},
	{service: "dbt", kind: ServiceToken, prefixes: []string{"dbtc_", "dbtu_"}, least: 36, most: 60, set: dashed, plausible: drawnPiece},
	{service: "Airtable", kind: ServiceToken, prefixes: []string{"pat"}, least: 79, most: 79, set: setOf("."), plausible: airtable},
	{service: "HubSpot", kind: ServiceToken, prefixes: []string{"pat-na1-", "pat-na2-", "pat-eu1-"}, least: 36, most: 36, set: setOf("-"), plausible: isUUID},
	{service: "Harness", kind: ServiceToken, prefixes: []string{"pat.", "sat."}, least: 68, most: 68, set: withDots, plausible: harness},
	{service: "Octopus Deploy", kind: ServiceToken, prefixes: []string{"API-"}, least: 26, most: 26, set: alnum, plausible: random},
	{service: "Contentful", kind: ServiceToken, prefixes: []string{"CFPAT-"}, least: 43, most: 43, set: dashed, loose: true},
	{service: "Adafruit", kind: ServiceToken, prefixes: []string{"aio_"}, least: 28, most: 28, set: alnum, plausible: random},
	{service: "Square", kind: ServiceToken, prefixes: []string{"EAAA"}, least: 60, most: 60, set: dashed, plausible: mixed},
	{service: "Telegram", kind: ServiceToken, prefixes: []string{"api.telegram.org/bot", "api.telegram.org/file/bot"}, least: 24, most: 80, set: setOf(":_-"), loose: true},
	{service: "Microsoft Teams", kind: ServiceToken, prefixes: []string{"outlook.office.com/webhook/"}, least: 30, most: 300, set: setOf("_-/@"), loose: true},
	{service: "Zapier", kind: ServiceToken, prefixes: []string{"hooks.zapier.com/hooks/catch/"}, least: 12, most: 60, set: setOf("/"), loose: true},
	{service: "IFTTT", kind: ServiceToken, prefixes: []string{"maker.ifttt.com/trigger/"}, least: 12, most: 200, set: setOf("_-/"), loose: true},
	{service: "Tines", kind: ServiceToken, prefixes: []string{".tines.com/webhook/"}, least: 40, most: 100, set: setOf("/"), loose: true},
	{service: "Healthchecks", kind: ServiceToken, prefixes: []string{"hc-ping.com/"}, least: 36, most: 80, set: setOf("-/"), loose: true},
	{service: "Datadog", kind: ServiceToken, prefixes: []string{"datadoghq.com/v1/input/", "ddapp_"}, least: 30, most: 60, set: alnum, loose: true},
	{service: "Sentry", kind: ServiceToken, prefixes: []string{"sntrys_eyJ"}, least: 60, most: 800, set: b64, loose: true},
	{service: "Sentry", kind: ServiceToken, prefixes: []string{"sntryu_"}, least: 60, most: 80, set: alnum, loose: true},
	{service: "Grafana", kind: ServiceToken, prefixes: []string{"eyJrIjoi"}, least: 60, most: 400, set: b64},
	{service: "Elastic", kind: ServiceToken, prefixes: []string{"essu_"}, least: 30, most: 200, set: b64, plausible: mixed},
	{service: "New Relic", kind: ServiceToken, prefixes: []string{"NRAK-"}, least: 27, most: 40, set: alnum, plausible: random},
	{service: "New Relic", kind: ServiceToken, prefixes: []string{"NRII-", "NRIQ-"}, least: 25, most: 40, set: dashed},
	{service: "New Relic", kind: ServiceToken, prefixes: []string{"NRJS-"}, least: 19, most: 40, set: alnum, plausible: random},
	{service: "Vault", kind: ServiceToken, prefixes: []string{"hvr."}, least: 20, most: 300, set: dashed, plausible: mixed},
	{service: "Doppler", kind: ServiceToken, prefixes: []string{"dp.st."}, least: 36, most: 100, set: setOf("_-."), plausible: mixed},
	{service: "Doppler", kind: ServiceToken, prefixes: []string{"dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."}, least: 36, most: 60, set: alnum, plausible: mixed},
	{service: "1Password", kind: ServiceToken, prefixes: []string{"ops_ey"}, least: 60, most: 4096, set: b64, loose: true},
	{service: "1Password", kind: ServiceToken, prefixes: []string{"A3-"}, least: 30, most: 50, set: setOf("-"), plausible: onePassword},
	{service: "Deno", kind: ServiceToken, prefixes: []string{"dnkey-"}, least: 40, most: 120, set: dashed, plausible: mixed},
	{service: "Stripe", kind: ServiceToken, prefixes: []string{"whsec_"}, least: 24, most: 80, set: b64, loose: true, plausible: mixed},
	{service: "Stripe", kind: ServiceToken, prefixes: []string{"rk_test_"}, least: 16, most: 200, set: alnum, loose: true, plausible: mixed},
	{service: "Brevo", kind: ServiceToken, prefixes: []string{"xkeysib-"}, least: 60, most: 120, set: dashed, loose: true},
	{service: "Mailgun", kind: ServiceToken, prefixes: []string{"key-"}, least: 32, most: 32, set: alnum, plausible: hexDrawn},
	{service: "RubyGems", kind: RegistryToken, prefixes: []string{"rubygems_"}, least: 40, most: 60, set: alnum, loose: true, plausible: hexToken},
	{service: "Clojars", kind: RegistryToken, prefixes: []string{"CLOJARS_"}, least: 50, most: 80, set: alnum, loose: true, plausible: mixed},
	{service: "NuGet", kind: RegistryToken, prefixes: []string{"oy2"}, least: 43, most: 43, set: alnum, plausible: random},
	{service: "Notion", kind: ServiceToken, prefixes: []string{"ntn_"}, least: 40, most: 60, set: alnum, plausible: mixed},
	{service: "Figma", kind: ServiceToken, prefixes: []string{"figd_"}, least: 36, most: 60, set: dashed, plausible: drawnPiece},
	{service: "Postman", kind: ServiceToken, prefixes: []string{"PMAK-"}, least: 50, most: 70, set: dashed, plausible: mixed},
	{service: "Prefect", kind: ServiceToken, prefixes: []string{"pnu_", "pnb_"}, least: 32, most: 48, set: alnum, plausible: mixed},
	{service: "CircleCI", kind: ServiceToken, prefixes: []string{"CCIPAT_"}, least: 40, most: 90, set: dashed, loose: true},
	{service: "SonarQube", kind: ServiceToken, prefixes: []string{"sqp_", "squ_", "sqa_"}, least: 40, most: 40, set: alnum, plausible: hexToken},
	{service: "SonarQube", kind: ServiceToken, prefixes: []string{"sqco_"}, least: 50, most: 70, set: alnum, plausible: mixed},
	{service: "PlanetScale", kind: ServiceToken, prefixes: []string{"pscale_tkn_", "pscale_pw_", "pscale_oauth_"}, least: 32, most: 64, set: withDots, loose: true},
	{service: "Dynatrace", kind: ServiceToken, prefixes: []string{"dt0c01.", "dt0s16."}, least: 60, most: 100, set: withDots, loose: true},
	{service: "PostHog; phc_ is public", kind: ServiceToken, prefixes: []string{"phx_"}, least: 40, most: 60, set: alnum, plausible: mixed},
	{service: "Supabase", kind: ServiceToken, prefixes: []string{"sbp_"}, least: 40, most: 48, set: alnum, plausible: hexToken},
	{service: "Supabase", kind: ServiceToken, prefixes: []string{"sb_secret_"}, least: 24, most: 60, set: dashed, loose: true},
	{service: "Neon", kind: ServiceToken, prefixes: []string{"napi_"}, least: 48, most: 80, set: alnum, plausible: mixed},
	{service: "Trunk", kind: ServiceToken, prefixes: []string{"tk-us-"}, least: 40, most: 60, set: dashed, plausible: drawnPiece},
	{service: "Netlify", kind: ServiceToken, prefixes: []string{"nfp_"}, least: 32, most: 48, set: alnum, plausible: random},
	{service: "Intercom", kind: ServiceToken, prefixes: []string{"ico-"}, least: 32, most: 32, set: alnum, plausible: random},
	{service: "Persona", kind: ServiceToken, prefixes: []string{"p8e-"}, least: 32, most: 32, set: alnum, plausible: random},
	{service: "EasyPost", kind: ServiceToken, prefixes: []string{"EZAK"}, least: 50, most: 60, set: alnum, plausible: mixed},
	{service: "ReadMe", kind: ServiceToken, prefixes: []string{"rdme_"}, least: 60, most: 80, set: alnum, loose: true},
	{service: "Square", kind: ServiceToken, prefixes: []string{"sq0atp-"}, least: 20, most: 60, set: dashed, loose: true},
	{service: "Square", kind: ServiceToken, prefixes: []string{"sq0csp-"}, least: 40, most: 60, set: dashed, loose: true},
	{service: "Mapbox", kind: ServiceToken, prefixes: []string{"sk.eyJ"}, least: 60, most: 300, set: withDots},
	{service: "PASETO", kind: ServiceToken, prefixes: []string{"v2.local.", "v4.local."}, least: 60, most: 4096, set: withDots},
	{service: "Facebook", kind: ServiceToken, prefixes: []string{"EAACEdEose0cBA"}, least: 40, most: 300, set: alnum, loose: true},
	{service: "Typeform", kind: ServiceToken, prefixes: []string{"tfp_"}, least: 40, most: 80, set: withDots, plausible: drawnPiece},
	{service: "Shippo", kind: ServiceToken, prefixes: []string{"shippo_live_"}, least: 40, most: 40, set: alnum, loose: true, plausible: hexToken},
	{service: "Duffel", kind: ServiceToken, prefixes: []string{"duffel_live_"}, least: 40, most: 50, set: dashed, loose: true},
	{service: "Apify", kind: ServiceToken, prefixes: []string{"apify_api_"}, least: 30, most: 50, set: alnum, loose: true},
}

// modelTokens are tokens of services around models: hubs, trackers, inference.
var modelTokens = []tokenRow{
	{service: "Hugging Face", kind: HFToken, prefixes: []string{"hf_jwt_", "hf_oauth_"}, least: 20, most: 4096, set: withDots, loose: true},
	{service: "Kaggle", kind: ModelKey, prefixes: []string{"KGAT_"}, least: 28, most: 60, set: alnum, loose: true},
	{service: "ModelScope", kind: ModelKey, prefixes: []string{"ms-"}, least: 36, most: 36, set: setOf("-"), plausible: isUUID},
	{service: "Langfuse", kind: ModelKey, prefixes: []string{"pk-lf-"}, least: 36, most: 36, set: setOf("-"), plausible: isUUID},
	{service: "Modal", kind: ModelKey, prefixes: []string{"ak-", "as-"}, least: 22, most: 22, set: alnum, plausible: mixed},
	{service: "Databricks", kind: TrackerToken, prefixes: []string{"dose"}, least: 32, most: 34, set: setOf("-"), plausible: hexToken},
	{service: "LangSmith", kind: ModelKey, prefixes: []string{"lsv2_pt_", "lsv2_sk_"}, least: 40, most: 60, set: setOf("_"), loose: true},
	{service: "LangSmith", kind: ModelKey, prefixes: []string{"ls__"}, least: 32, most: 32, set: alnum, plausible: hexToken},
	{service: "Jina", kind: ModelKey, prefixes: []string{"jina_"}, least: 50, most: 80, set: dashed, plausible: mixed},
	{service: "Voyage", kind: ModelKey, prefixes: []string{"pa-"}, least: 40, most: 50, set: dashed, plausible: drawnPiece},
	{service: "Tavily", kind: ModelKey, prefixes: []string{"tvly-"}, least: 24, most: 60, set: dashed, plausible: mixed},
	{service: "Firecrawl", kind: ModelKey, prefixes: []string{"fc-"}, least: 32, most: 32, set: alnum, plausible: hexDrawn},
	{service: "Cerebras", kind: ModelKey, prefixes: []string{"csk-"}, least: 40, most: 60, set: alnum, plausible: mixed},
	{service: "Anyscale", kind: ModelKey, prefixes: []string{"esecret_"}, least: 30, most: 60, set: alnum, loose: true},
	{service: "Aphrodite", kind: ModelKey, prefixes: []string{"aph0_"}, least: 30, most: 200, set: dashed, loose: true, plausible: mixed},
	{service: "E2B", kind: ModelKey, prefixes: []string{"e2b_"}, least: 40, most: 40, set: alnum, plausible: hexToken},
	{service: "ElevenLabs", kind: ModelKey, prefixes: []string{"sk_"}, least: 48, most: 48, set: alnum, plausible: hexToken},
	{service: "Daytona", kind: ModelKey, prefixes: []string{"dtn_"}, least: 40, most: 80, set: alnum, plausible: mixed},
}

// passwordHashes are hashed passwords as systems store them (crypt(5), htpasswd of
// Apache, RFC 2307, argon2, Django): whoever has one can guess passwords until one
// fits.
var passwordHashes = []tokenRow{
	{service: "crypt", kind: NamedPassword, prefixes: []string{"$6$"}, least: 86, most: 160, set: crypt, loose: true},
	{service: "crypt", kind: NamedPassword, prefixes: []string{"$5$"}, least: 43, most: 100, set: crypt, loose: true},
	{service: "crypt", kind: NamedPassword, prefixes: []string{"$y$", "$7$"}, least: 40, most: 160, set: crypt, loose: true},
	{service: "crypt", kind: NamedPassword, prefixes: []string{"$1$"}, least: 24, most: 40, set: crypt, loose: true, plausible: mixed},
	{service: "crypt", kind: NamedPassword, prefixes: []string{"$2a$", "$2b$", "$2y$"}, least: 50, most: 64, set: crypt, loose: true},
	{service: "htpasswd", kind: NamedPassword, prefixes: []string{"$apr1$"}, least: 22, most: 40, set: crypt, loose: true},
	{service: "argon2", kind: NamedPassword, prefixes: []string{"$argon2"}, least: 50, most: 400, set: setOf("./$=,+-"), loose: true},
	{service: "PBKDF2", kind: NamedPassword, prefixes: []string{"$pbkdf2", "pbkdf2_sha"}, least: 40, most: 400, set: setOf("./$=,+-"), loose: true},
	{service: "LDAP", kind: NamedPassword, prefixes: []string{"{SHA}"}, least: 27, most: 28, set: padded, loose: true},
	{service: "LDAP", kind: NamedPassword, prefixes: []string{"{SSHA}"}, least: 30, most: 80, set: padded, loose: true},
	{service: "LDAP", kind: NamedPassword, prefixes: []string{"{SSHA256}"}, least: 40, most: 100, set: padded, loose: true},
	{service: "LDAP", kind: NamedPassword, prefixes: []string{"{SSHA512}"}, least: 80, most: 160, set: padded, loose: true},
}
