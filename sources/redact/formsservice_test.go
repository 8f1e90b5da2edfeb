package redact

import "testing"

func TestServiceForms(t *testing.T) { testForms(t, formsService) }

// formsService are keys and tokens of services, without a name before them if their shape identifies them.
const formsService = `
HF_TOKEN=hf_«@a34»
HUGGING_FACE_HUB_TOKEN: «@a34»
hf_oauth_eyJhbGciOiJFZERTQSJ9.«@-60».«@-86»
hf_jwt_eyJhbGciOiJFZERTQSJ9.eyJ«@-60».«@-86»
WANDB_API_KEY=«@h40»
wandb: Appending key for api.wandb.ai to your netrc file: /root/.netrc «@h40»
machine api.wandb.ai\n  login user\n  password «@h40»
COMET_API_KEY=«@a25»
[comet]\napi_key=«@a25»
NEPTUNE_API_TOKEN=eyJhcGlfYWRkcmVzcyI6«@b100»
CLEARML_API_SECRET_KEY=«@a50»
CLEARML_API_ACCESS_KEY=«@A20»
credentials {"access_key": "«@A30»", "secret_key": "«@a50»"}
api.credentials.secret_key = «@a50»
MLFLOW_TRACKING_PASSWORD=«hunter2»
OPENAI_API_KEY=«sk-»x
OPENAI_API_KEY=sk-proj-«@-40»T3BlbkFJ«@-40»
ANTHROPIC_API_KEY=sk-ant-api03-«@-93»AA
sk-ant-sid01-«@-86»AA
COHERE_API_KEY=«@a40»
CO_API_KEY=«@a40»
REPLICATE_API_TOKEN=r8_«@a37»
TOGETHER_API_KEY=«@h64»
x tgp_v1_«@-43»
GROQ_API_KEY=gsk_«@a52»
MISTRAL_API_KEY=«@a32»
LAMBDA_API_KEY=secret_x_«@h32».«@a32»
x secret_cloud_«@h32».«@a32»
CW_TOKEN=CW-SECRET-«@a40»
x CW-SECRET-«@a40»
VAST_API_KEY=«@h64»
vastai set api-key «@h64»
x ak-«@a22» as-«@a22»
MODAL_TOKEN_SECRET=as-«@a22»
modal token set --token-id ak-«@a22» --token-secret as-«@a22»
PAPERSPACE_API_KEY=«@h30»
AWS_SECRET_ACCESS_KEY=«@b40»
aws_session_token=«@b300»
"SecretAccessKey": "«@b40»",
"SessionToken": "«@b300»",
"AccessKeyId": "ASIA«@C16»"
x ABSK«@b120»
bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t«@b100»
x AWS4-HMAC-SHA256 Credential=AKIA«@C16»/20261120/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=«@h64»
"private_key_id": "«@h40»"
"client_secret": "GOCSPX-«@-28»"
"refresh_token": "1//0«@-60»"
x ya29.c.«@-120»
gcloud auth print-access-token\nya29.«@-120»
AZURE_CLIENT_SECRET=abc8Q~«@a34»
DefaultEndpointsProtocol=https;AccountName=a;AccountKey=«@b86»==;EndpointSuffix=core.windows.net
AZURE_STORAGE_SAS_TOKEN=sv=2022&sig=«@a43»%3D
Ocp-Apim-Subscription-Key: «@h32»
x AccountKey «@a76»+ACDb«@a4»==
api-key: «@h32»
OCI_CLI_PASSPHRASE=«hunter2»
pass_phrase=«hunter2»
pass_phrase = «hunter2»
ALIBABA_CLOUD_ACCESS_KEY_SECRET=«@a30»
OSS_ACCESS_KEY_SECRET=«@a30»
x LTAI5t«@a18»
TENCENTCLOUD_SECRET_KEY=«@a32»
x AKID«@a32»
HUAWEICLOUD_SDK_SK=«@a40»
HW_SECRET_KEY=«@a40»
VOLCENGINE_SECRET_KEY=«@b60»==
x AKLT«@b44»
x AKLTY«@-42»
GITHUB_TOKEN=ghp_«@a36»
x github_pat_«@a22»_«@a59»
x ghs_«@a36»
x gitlab glpat-«@-20»
x glpat-«@-27».01.«@l9»
x gldt-«@a20»
x gloas-«@h64»
x glffct-«@a20»
x glcbt-64_«@-20»
x glrt-t1_«@-27».01.«@l9»
x glagent-«@a50»
x glwt-«@a20»
x ATBB«@a32»
x ATCTT3xFfG«@-170»
x ATATT3xFfG«@-170»=ABCDEF12
x BBDC-«@a44»
x dckr_pat_«@-27»
DOCKERHUB_TOKEN=«@u»
QUAY_ROBOT_TOKEN=«@A64»
docker login -u 'robot$ci' -p «@a32» harbor
x cmVmdGtuOjAx«@a52»
x AKCp8«@a68»
NGC_API_KEY=«@a84»
NGC_CLI_API_KEY=nvapi-«@-64»
docker login nvcr.io -u '$oauthtoken' -p «@a84»
DVC secret: dvc remote modify --local r secret_access_key «@b40»
dvc remote modify r password «hunter2»
dvc remote modify --local r access_key_id «@A20»
LAKECTL_CREDENTIALS_SECRET_ACCESS_KEY=«@b40»
DATABRICKS_TOKEN=dapi«@h32»
x dose«@h32»
SNOWFLAKE_PASSWORD=«hunter2»
SNOWSQL_PWD=«hunter2»
snowflake://ada:«hunter2»@acct/db
x xoxb-«@d12»-«@d12»-«@a24»
x xoxc-«@d12»-«@d12»-«@d12»-«@h64»
x xoxd-«@b100»
x xwfp-«@-60»
SLACK_WEBHOOK=https://hooks.slack.com/services/T«@A8»/B«@A8»/«@a24»
https://x.webhook.office.com/webhookb2/«@u»@«@u»/IncomingWebhook/«@h32»/«@u»
https://discord.com/api/webhooks/«@d18»/«@-68»
https://ptb.discord.com/api/webhooks/«@d18»/«@-68»
https://discord.com/api/v10/webhooks/«@d18»/«@-68»
https://oapi.dingtalk.com/robot/send?access_token=«@h64»
https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=«@u»
https://chat.googleapis.com/v1/spaces/AAAA/messages?key=AIza«@-35»&token=«@-43»
SENTRY_DSN=https://«@h32»@o1.ingest.sentry.io/2
https://«@h32»@o447951.ingest.us.sentry.io/5429213
x sntrys_eyJpYXQiO«@b100»_«@b43»
x sntryu_«@h64»
PAGERDUTY_TOKEN=«@a20»
"routing_key": "«@a32»"
PD_ROUTING_KEY=R0«@A30»
Authorization: Token token=«@a20»
DD_API_KEY=«@h32»
DD-API-KEY: «@h32»
DD_APP_KEY=«@h40»
DD-APPLICATION-KEY: «@h40»
https://http-intake.logs.datadoghq.com/v1/input/«@h32»
x ddapp_«@a34»
x glsa_«@a32»_«@h8»
x glc_eyJ«@b80»
GF_SECURITY_ADMIN_PASSWORD=«hunter2»
x eyJrIjoi«@a80»
ELASTIC_PASSWORD=«hunter2»
Authorization: ApiKey «@b60»==
ES_API_KEY=«@b60»==
x essu_«@b60»
x hvs.«@-90»
x hvb.«@-140»
x hvr.«@-90»
VAULT_SECRET_ID=«@u»
vault write auth/approle/login role_id=x secret_id=«@u»
x dp.pt.«@a43»
x dp.st.prd.«@a43»
x dp.st.«@a43»
x dp.ct.«@a43»
x dp.sa.«@a43»
x A3-«@A6»-«@A6»-«@A5»-«@A5»-«@A5»-«@A5»
x tskey-auth-«@a17»-«@a32»
x tskey-client-«@a17»-«@a32»
x tskey-api-«@a17»-«@a32»
NETMAKER_TOKEN=«@b80»
NETCLIENT -t «@b80»
ngrok config add-authtoken «@a27»_«@a21»
ngrok authtoken «@a27»_«@a21»
NGROK_AUTHTOKEN=«@a49»
cloudflared tunnel run --token «@b80»
CF_API_TOKEN=«@-40»
x v1.0-«@h24»-«@h146»
x sk_live_«@a24»
x whsec_«@b32»
x rk_test_«@a24»
TWILIO_AUTH_TOKEN=«@h32»
x SG.«@-22».«@-43»
x xkeysib-«@h64»-«@a16»
x key-«@h32»
MAILGUN: key-«@h32»
x npm_«@a36»
x pypi-AgEIcHlwaS5vcmc«@-80»
x pypi-AgENdGVzdC5weXBpLm9yZw«@-80»
x rubygems_«@h48»
x CLOJARS_«@h60»
x oy2«@l43»
NUGET_API_KEY=oy2«@l43»
x dop_v1_«@h64»
x doo_v1_«@h64»
x dor_v1_«@h64»
x lin_api_«@a40»
x ntn_«@d11»«@a35»
x figd_«@-40»
x atlasv1: «@a14».atlasv1.«@-64»
x PMAK-«@h24»-«@h34»
x pnu_«@a36»
x pnb_«@a36»
PREFECT_API_KEY=pnu_«@a36»
x CCIPAT_«@a22»_«@h40»
x sgp_«@h40»
x sgp_local_«@h40»
x sqp_«@h40»
x squ_«@h40»
x fo1_«@-43»
x fm2_«@b110»
x FlyV1 fm2_«@b110»
x pscale_tkn_«@-43»
x pscale_pw_«@-43»
x dt0c01.«@A24».«@A64»
x phx_«@a43»
x hrku HRKU-AA«@-58»
x sbp_«@h40»
x sb_secret_«@-31»
x napi_«@l64»
x tk-us-«@-48»
x nfp_«@a36»
x LTAI5t«@a18»
x AQVN«@-36»
x y0_AgAAAA«@-50»
x IQoJb3JpZ2luX2Vj«@b200»
x FwoGZXIvYXdzE«@b200»
x sha256~«@-43»
oc login --token=sha256~«@-43»
x lsv2_pt_«@h32»_«@h10»
x lsv2_sk_«@h32»_«@h10»
x ls__«@h32»
LANGCHAIN_API_KEY=ls__«@h32»
x pk-lf-«@u»
x sk-lf-«@u»
x jina_«@h32»«@-28»
x pa-«@-43»
x voyage pa-«@-43»
x tvly-«@a32»
x tvly-dev-«@a32»
x fc-«@h32»
x AIzaSy«@-33»
x csk-«@l48»
x nvapi-«@-64»
x fw_«@a24»
x sk-or-v1-«@h64»
x esecret_«@a40»
x aph0_«@a40»
x e2b_«@h40»
x dtn_«@h64»
x xai-«@a80»
x pplx-«@a48»
x pcsk_«@a6»_«@a50»
x ms-«@u»
MODELSCOPE_API_TOKEN=«@u»
SWANLAB_API_KEY=«@a21»
swanlab login -k «@a21»
x dnkey-«@-26»-«@-52»
x ico-«@a32»
x p8e-«@l32»
x EZAK«@a54»
x rdme_«@l70»
x shippo_live_«@h40»
x tfp_«@-59»
x EAACEdEose0cBA«@a120»
x sq0atp-«@-22»
x apify_api_«@a36»
x v2.local.«@-80»
x v4.local.«@-120»
x sqco_«@a59»
x NRIQ-«@-25»
x NRJS-«@h19»
x eu01xx«@h30»NRAL
x tfe «@a14».atlasv1.«@-67»
x tines https://x.tines.com/webhook/«@l32»/«@l32»
https://hooks.zapier.com/hooks/catch/123456/«@l7»/
https://maker.ifttt.com/trigger/x/with/key/«@-22»
https://objectstorage.us-ashburn-1.oraclecloud.com/p/«@-64»/n/ns/b/bucket/o/x
https://ns.objectstorage.eu-frankfurt-1.oci.customer-oci.com/p/«@-64»/n/ns/b/bucket/o/x
令牌：«@a32»
Токен: «@a32»
https://hc-ping.com/«@u»
https://api.pushover.net token=«@l30»
https://sctapi.ftqq.com/SCT123456T«@a26».send
https://outlook.office.com/webhook/«@u»@«@u»/IncomingWebhook/«@h32»/«@u»
`
