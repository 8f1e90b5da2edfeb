package redact

// Tokens of clouds, of services for developers, and of services around models.
// Prefixes, lengths and characters are those of gitleaks' rules
// (config/gitleaks.toml, commit 009e025a) and of trufflehog's detectors
// (github.com/trufflesecurity/trufflehog, pkg/detectors, August 2026); where
// neither has the service, of its documentation. If a name can begin with the same
// prefix, the value also has to look random.

// cloudShapes are tokens of clouds and clusters.
func cloudShapes() []shape {
	alnum, dashed, dotted, b64 := setOf(""), setOf("_-"), setOf("_-."), setOf("_-+/=")
	return []shape{
		{CloudToken, "ABSK", 100, 280, b64, false, false, mixed}, // Bedrock
		{CloudToken, "bedrock-api-key-", 40, 4096, b64, true, false, nil},
		{CloudToken, "IQoJb3JpZ2luX2Vj", 100, 4096, b64, false, false, nil}, // session tokens of AWS
		{CloudToken, "FwoGZXIvYXdz", 100, 4096, b64, false, false, nil},
		{CloudToken, "AKLT", 36, 60, b64, false, false, random}, // Volcengine, Kingsoft
		{CloudToken, "doo_v1_", 40, 80, alnum, true, false, nil},
		{CloudToken, "dor_v1_", 40, 80, alnum, true, false, nil},
		{CloudToken, "CW-SECRET-", 20, 120, alnum, true, false, nil}, // CoreWeave
		{CloudToken, "rpa_", 32, 80, alnum, false, false, random},    // RunPod
		{CloudToken, "secret_cloud_", 40, 160, dotted, true, false, nil},
		{CloudToken, "AQVN", 34, 40, dashed, false, false, random}, // Yandex
		{CloudToken, "y0_AgAAAA", 40, 80, dashed, true, false, nil},
		{CloudToken, "sha256~", 40, 48, dashed, false, false, mixed},         // OpenShift
		{CloudToken, "gAAAAAB", 80, 4096, setOf("_-="), false, false, mixed}, // Fernet: OpenStack, Airflow
		{CloudToken, "token-", 46, 80, setOf(":"), false, false, rancher},
		{CloudToken, "kubeconfig-u", 46, 90, setOf(":-"), false, false, rancher},
		{CloudToken, "K10", 68, 300, setOf(":_.-"), false, false, k3s},
		{CloudToken, "fo1_", 40, 60, dashed, false, false, drawnPiece}, // Fly.io
		{CloudToken, "fm2_", 60, 4096, b64, false, false, nil},
		{CloudToken, "fm1r_", 60, 4096, b64, false, false, nil},
		{CloudToken, "fm1a_", 60, 4096, b64, false, false, nil},
		{CloudToken, "HRKU-AA", 50, 80, dashed, true, false, nil}, // Heroku
		{CloudToken, "pul-", 40, 40, alnum, false, false, hexToken},
		{CloudToken, "v1.0-", 171, 171, dashed, false, false, nil}, // Cloudflare
	}
}

// developerShapes are tokens of services for developers.
func developerShapes() []shape {
	alnum, dashed, dotted, b64 := setOf(""), setOf("_-"), setOf("_-."), setOf("_-+/=")
	return []shape{
		{GitToken, "gloas-", 60, 70, alnum, false, false, mixed},
		{GitToken, "glffct-", 18, 60, dashed, false, false, mixed},
		{GitToken, "glwt-", 18, 60, dashed, false, false, mixed},
		{GitToken, "glsessid-", 18, 60, dashed, false, false, mixed},
		{GitToken, "ATCTT3", 60, 400, b64, false, false, nil},
		{GitToken, "BBDC-", 40, 50, b64, false, false, mixed},
		{GitToken, "sgp_", 40, 80, setOf("_"), false, false, mixed}, // Sourcegraph
		{SlackToken, "xoxc-", 16, 300, dashed, true, false, nil},
		{SlackToken, "xoxd-", 16, 400, setOf("_-+/=%"), true, false, nil},
		{SlackToken, "xwfp-", 16, 300, dashed, true, false, mixed},
		{SlackToken, "hooks.slack.com/triggers/", 16, 200, b64, true, false, nil},
		{SlackToken, "hooks.slack.com/workflows/", 16, 200, b64, true, false, nil},
		{SlackToken, "/api/v10/webhooks/", 60, 200, b64, true, false, nil}, // Discord
		{SlackToken, "/api/v9/webhooks/", 60, 200, b64, true, false, nil},
		{ServiceToken, "api.telegram.org/bot", 24, 80, setOf(":_-"), true, false, nil},
		{ServiceToken, "api.telegram.org/file/bot", 24, 80, setOf(":_-"), true, false, nil},
		{ServiceToken, "outlook.office.com/webhook/", 30, 300, setOf("_-/@"), true, false, nil},
		{ServiceToken, "hooks.zapier.com/hooks/catch/", 12, 60, setOf("/"), true, false, nil},
		{ServiceToken, "maker.ifttt.com/trigger/", 12, 200, setOf("_-/"), true, false, nil},
		{ServiceToken, ".tines.com/webhook/", 40, 100, setOf("/"), true, false, nil},
		{ServiceToken, "hc-ping.com/", 36, 80, setOf("-/"), true, false, nil},
		{ServiceToken, "datadoghq.com/v1/input/", 30, 60, alnum, true, false, nil},
		{ServiceToken, "ddapp_", 30, 60, alnum, true, false, nil},
		{ServiceToken, "sntrys_eyJ", 60, 800, b64, true, false, nil}, // Sentry
		{ServiceToken, "sntryu_", 60, 80, alnum, true, false, nil},
		{ServiceToken, "eyJrIjoi", 60, 400, b64, false, false, nil}, // Grafana before 9
		{ServiceToken, "essu_", 30, 200, b64, false, false, mixed},  // Elastic
		{ServiceToken, "NRAK-", 27, 40, alnum, false, false, random},
		{ServiceToken, "NRII-", 25, 40, dashed, false, false, nil},
		{ServiceToken, "NRIQ-", 25, 40, dashed, false, false, nil},
		{ServiceToken, "NRJS-", 19, 40, alnum, false, false, random},
		{ServiceToken, "hvr.", 20, 300, dashed, false, false, mixed}, // Vault
		{ServiceToken, "dp.st.", 36, 100, setOf("_-."), false, false, mixed},
		{ServiceToken, "dp.ct.", 36, 60, alnum, false, false, mixed},
		{ServiceToken, "dp.sa.", 36, 60, alnum, false, false, mixed},
		{ServiceToken, "dp.scim.", 36, 60, alnum, false, false, mixed},
		{ServiceToken, "dp.audit.", 36, 60, alnum, false, false, mixed},
		{ServiceToken, "ops_ey", 60, 4096, b64, true, false, nil}, // 1Password
		{ServiceToken, "A3-", 30, 50, setOf("-"), false, false, onePassword},
		{ServiceToken, "dnkey-", 40, 120, dashed, false, false, mixed},
		{ServiceToken, "whsec_", 24, 80, b64, true, false, mixed}, // Stripe
		{ServiceToken, "rk_test_", 16, 200, alnum, true, false, mixed},
		{ServiceToken, "xkeysib-", 60, 120, dashed, true, false, nil},
		{ServiceToken, "key-", 32, 32, alnum, false, false, hexDrawn}, // Mailgun
		{RegistryToken, "rubygems_", 40, 60, alnum, true, false, hexToken},
		{RegistryToken, "CLOJARS_", 50, 80, alnum, true, false, mixed},
		{RegistryToken, "oy2", 43, 43, alnum, false, false, random}, // NuGet
		{ServiceToken, "ntn_", 40, 60, alnum, false, false, mixed},  // Notion
		{ServiceToken, "figd_", 36, 60, dashed, false, false, drawnPiece},
		{ServiceToken, "PMAK-", 50, 70, dashed, false, false, mixed},
		{ServiceToken, "pnu_", 32, 48, alnum, false, false, mixed}, // Prefect
		{ServiceToken, "pnb_", 32, 48, alnum, false, false, mixed},
		{ServiceToken, "CCIPAT_", 40, 90, dashed, true, false, nil}, // CircleCI
		{ServiceToken, "sqp_", 40, 40, alnum, false, false, hexToken},
		{ServiceToken, "squ_", 40, 40, alnum, false, false, hexToken},
		{ServiceToken, "sqa_", 40, 40, alnum, false, false, hexToken},
		{ServiceToken, "sqco_", 50, 70, alnum, false, false, mixed},
		{ServiceToken, "pscale_tkn_", 32, 64, dotted, true, false, nil},
		{ServiceToken, "pscale_pw_", 32, 64, dotted, true, false, nil},
		{ServiceToken, "pscale_oauth_", 32, 64, dotted, true, false, nil},
		{ServiceToken, "dt0c01.", 60, 100, dotted, true, false, nil}, // Dynatrace
		{ServiceToken, "dt0s16.", 60, 100, dotted, true, false, nil},
		{ServiceToken, "phx_", 40, 60, alnum, false, false, mixed}, // PostHog; phc_ is public
		{ServiceToken, "sbp_", 40, 48, alnum, false, false, hexToken},
		{ServiceToken, "sb_secret_", 24, 60, dashed, true, false, nil},
		{ServiceToken, "napi_", 48, 80, alnum, false, false, mixed}, // Neon
		{ServiceToken, "tk-us-", 40, 60, dashed, false, false, drawnPiece},
		{ServiceToken, "nfp_", 32, 48, alnum, false, false, random}, // Netlify
		{ServiceToken, "ico-", 32, 32, alnum, false, false, random},
		{ServiceToken, "p8e-", 32, 32, alnum, false, false, random},
		{ServiceToken, "EZAK", 50, 60, alnum, false, false, mixed},
		{ServiceToken, "rdme_", 60, 80, alnum, true, false, nil},
		{ServiceToken, "sq0atp-", 20, 60, dashed, true, false, nil},
		{ServiceToken, "sq0csp-", 40, 60, dashed, true, false, nil},
		{ServiceToken, "sk.eyJ", 60, 300, dotted, false, false, nil},     // Mapbox
		{ServiceToken, "v2.local.", 60, 4096, dotted, false, false, nil}, // PASETO
		{ServiceToken, "v4.local.", 60, 4096, dotted, false, false, nil},
		{ServiceToken, "EAACEdEose0cBA", 40, 300, alnum, true, false, nil}, // Facebook
		{ServiceToken, "tfp_", 40, 80, dotted, false, false, drawnPiece},
		{ServiceToken, "shippo_live_", 40, 40, alnum, true, false, hexToken},
		{ServiceToken, "duffel_live_", 40, 50, dashed, true, false, nil},
		{ServiceToken, "apify_api_", 30, 50, alnum, true, false, nil},
	}
}

// modelShapes are tokens of services around models: hubs, trackers, inference.
func modelShapes() []shape {
	alnum, dashed, dotted := setOf(""), setOf("_-"), setOf("_-.")
	return []shape{
		{HFToken, "hf_jwt_", 20, 4096, dotted, true, false, nil},
		{HFToken, "hf_oauth_", 20, 4096, dotted, true, false, nil},
		{ModelKey, "KGAT_", 28, 60, alnum, true, false, nil},        // Kaggle
		{ModelKey, "ms-", 36, 36, setOf("-"), false, false, isUUID}, // ModelScope
		{ModelKey, "pk-lf-", 36, 36, setOf("-"), false, false, isUUID},
		{ModelKey, "ak-", 22, 22, alnum, false, false, mixed}, // Modal
		{ModelKey, "as-", 22, 22, alnum, false, false, mixed},
		{TrackerToken, "dose", 32, 34, setOf("-"), false, false, hexToken}, // Databricks
		{ModelKey, "lsv2_pt_", 40, 60, setOf("_"), true, false, nil},
		{ModelKey, "lsv2_sk_", 40, 60, setOf("_"), true, false, nil},
		{ModelKey, "ls__", 32, 32, alnum, false, false, hexToken},
		{ModelKey, "jina_", 50, 80, dashed, false, false, mixed},
		{ModelKey, "pa-", 40, 50, dashed, false, false, drawnPiece}, // Voyage
		{ModelKey, "tvly-", 24, 60, dashed, false, false, mixed},
		{ModelKey, "fc-", 32, 32, alnum, false, false, hexDrawn}, // Firecrawl
		{ModelKey, "csk-", 40, 60, alnum, false, false, mixed},   // Cerebras
		{ModelKey, "esecret_", 30, 60, alnum, true, false, nil},  // Anyscale
		{ModelKey, "aph0_", 30, 200, dashed, true, false, mixed},
		{ModelKey, "e2b_", 40, 40, alnum, false, false, hexToken},
		{ModelKey, "dtn_", 40, 80, alnum, false, false, mixed}, // Daytona
	}
}

// hashShapes are hashed passwords as systems store them (crypt(5), htpasswd of
// Apache, RFC 2307, argon2, Django): whoever has one can guess passwords until one
// fits.
func hashShapes() []shape {
	crypt := setOf("./$=,+")
	b64 := setOf("+/=")
	return []shape{
		{NamedPassword, "$6$", 86, 160, crypt, true, false, nil},
		{NamedPassword, "$5$", 43, 100, crypt, true, false, nil},
		{NamedPassword, "$y$", 40, 160, crypt, true, false, nil},
		{NamedPassword, "$7$", 40, 160, crypt, true, false, nil},
		{NamedPassword, "$1$", 24, 40, crypt, true, false, mixed},
		{NamedPassword, "$apr1$", 22, 40, crypt, true, false, nil},
		{NamedPassword, "$2a$", 50, 64, crypt, true, false, nil},
		{NamedPassword, "$2b$", 50, 64, crypt, true, false, nil},
		{NamedPassword, "$2y$", 50, 64, crypt, true, false, nil},
		{NamedPassword, "$argon2", 50, 400, setOf("./$=,+-"), true, false, nil},
		{NamedPassword, "$pbkdf2", 40, 400, setOf("./$=,+-"), true, false, nil},
		{NamedPassword, "pbkdf2_sha", 40, 400, setOf("./$=,+-"), true, false, nil},
		{NamedPassword, "{SHA}", 27, 28, b64, true, false, nil},
		{NamedPassword, "{SSHA}", 30, 80, b64, true, false, nil},
		{NamedPassword, "{SSHA256}", 40, 100, b64, true, false, nil},
		{NamedPassword, "{SSHA512}", 80, 160, b64, true, false, nil},
	}
}
