package redact

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// nearMisses are lines that mention keys, tokens and secrets, or look like them,
// and contain none.
var nearMisses = []string{
	`C:\new\npass: ok \ntoken: world\nAPI key is missing\nPassword for ada: try again\n//cdn.example.com/x@1.2.3/a.js`,
	"color: #012345; token=#012abc fail: 0#012pass: ok#012",
	"pass=12;fail=3 pass=3/5; pass=ok|skip [pass=fwd] <td>token=hello</td> token=world; secret=none!",
	"token=<unk>|<pad> token: Llama3Model8Bx2; token=args.token#x key=model.layers.3.weight; token=12#3 secret=my-secret.",
	"warning: token Llama3Model8Bx2 is not in the vocabulary",
	"adds the token Qwen2VLProcessor7B to credentials provider:AwsCredentials2Provider",
	"step: 120  loss: 2.31  tokens_per_second: 48,203  mfu: 41.2%",
	"{'loss': 2.3104, 'num_input_tokens_seen': 1048576, 'epoch': 0.03}",
	"iteration 100 | tokens per second: 12034.5 | consumed tokens: 409600",
	"train_tokens=1048576 tokens=1.2B tgs: 3012 tokens/gpu/s",
	"max_tokens=4096 --max-tokens 4096 --max_new_tokens=256",
	`"bos_token": "<|begin_of_text|>", "eos_token": "<|eot_id|>", "pad_token": "[PAD]"`,
	"bos_token_id=128000 eos_token_id=128001 pad_token_id: 0",
	"Loading tokenizer from /models/llama/tokenizer.json",
	"tokenizer_class: PreTrainedTokenizerFast, tokenizer=meta-llama/Llama-3-8B",
	"TOKENIZERS_PARALLELISM=false",
	"key_padding_mask is not None, key_padding=True",
	"q_proj.weight k_proj.weight query_key_value.weight: torch.Size([3072, 1024])",
	"Missing key(s) in state_dict: \"model.layers.0.self_attn.q_proj.weight\"",
	"Unexpected key(s) in state_dict: \"module.head.bias\".",
	"KeyError: 'model.embed_tokens.weight'",
	"state dict key: model.embed_tokens.weight",
	"sort_key=loss group_key=rank cache_key=resnet50",
	"monitor_key: eval_loss, image_key: jpg, text_key: text",
	"--label-key text --sort-key loss --image-key=jpg",
	"secret_name: hf-token, secretName: hf-token",
	"secretKeyRef: {name: hf-secret, key: token}",
	"Error: secret \"hf-token\" not found",
	"MountVolume.SetUp failed for volume \"cf-secrets\" : secret \"cf-secrets\" not found",
	"couldn't find key HF_TOKEN in Secret ml/hf-secret",
	"references non-existent secret key: token",
	"Error: couldn't find key wandb-key in ConfigMap ml/train-config",
	"imagePullSecrets: [{name: regcred}]",
	"pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed",
	"Failed to pull image: no basic auth credentials",
	"401 Client Error: Unauthorized for url: https://huggingface.co/meta-llama/Llama-3/resolve/main/config.json",
	"Invalid username or password.",
	"huggingface_hub.errors.LocalTokenNotFoundError: Token is required (`token=True`), but no token found.",
	"usage: train.py [-h] [--token TOKEN] [--api-key API_KEY] [--hub_token HUB_TOKEN]",
	"use_auth_token=True token=None api_key=None password=''",
	"--token=$(HF_TOKEN) --api-key=${API_KEY} --password $DB_PASSWORD",
	"token=*** password=****** key=xxxxxx secret=[redacted]",
	"HF_TOKEN_PATH=/root/.cache/huggingface/token",
	"GOOGLE_APPLICATION_CREDENTIALS=/var/secrets/google/key.json",
	"wandb: Syncing run fine-sun-42",
	"wandb: View run at https://wandb.ai/team/project/runs/3f2a9c1b",
	"wandb: Tracking run with wandb version 0.18.5",
	"commit 3f786850e387550fdab836ed7e6dc881de23001b on main",
	"Image: docker.io/x/train@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
	"docker://train:1.2@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
	"rdzv_endpoint=tcp://bert-master-0:29500 init_method=tcp://10.0.0.1:23456",
	"git@github.com:org/repo.git https://github.com/org/repo.git",
	"s3://bucket/run@v2/step-1000 http://minio:9000/bucket/x@y",
	"GPU-8f1c2d3e-4b5a-6978-8a9b-0c1d2e3f4a5b Uncorr. ECC 0",
	"NCCL INFO comm 0x55d0aabbccdd rank 0 nranks 8 commId 0x9f865f746b669d9a",
	"jobset.sigs.k8s.io/job-key: 57d2b3a240f5c3dc4dfa21f3a9aaf3be54f9b67e",
	"pod-template-hash: 7d9f8c6b5d, controller-uid: 550e8400-e29b-41d4-a716-446655440000",
	"checkpoint-12000/pytorch_model-00001-of-00002.safetensors",
	"hf_dataset_builder and hf_model_name are set; hf_transfer enabled",
	"scikit-learn sk-learn task-0123456789abcdefghij disk-0a1b2c3d4e5f6a7b8c9d",
	"Basic usage: python train.py; basic block 3",
	"bearer of the token; Bearer authentication",
	"PWD=/workspace OLDPWD=/root KEYBOARD=us MONKEYPATCH=1",
	"topologyKey: kubernetes.io/hostname, key: nvidia.com/gpu, operator: Exists",
	"- {key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute}",
	"primary_key=id foreign_key=run_id hotkey=ctrl-c",
	"attention key: 0.123 value: 0.456 query: 0.789",
	"num_key_value_heads=8 key_dim=128 token_type_ids: None",
	"forward pass: 12.3ms backward pass: 30.1ms bypass=1 first_pass=3",
	"token_embedding.weight 0.02 token_dropout=0.1 token_loss: 2.31",
	"-----BEGIN CERTIFICATE-----",
	"-----BEGIN PUBLIC KEY-----",
	"ssh-rsa host key fingerprint is SHA256:abcdef",
	"sig=3 design=4 signature=(Tensor, int) -> Tensor",
	"adapter: lora, dapi: none, adaptive=True",
	"random seed=1234567890123456 rng_key=[0 42] prng_key: 0x1234567890abcdef1234",
	"perplexity ppl=12.3 xai-lab pplx=3",
	"eyJ is how base64 of JSON begins",
	"author: ada, auth=none, auth_mode: rbac",
	"RefreshTokenGrant as OAuth2RefreshTokenGrant",
	"kubectl create secret generic x --from-file=Key1=a.b --type=x",
	"the API key is required, the password is not set, the token is of type Base64Url",
	"password set to default; SECRET set to true; using key step-1000 and token layer10_w2",
	"using access key from Vault2 for bucket runs; API key is read from env",
	"forward pass set to ResNet50v2 for 3 layers as Float16x2",
	"checkpoint key is model.layers.10.weight, cache key is Qwen2Model-v2",
	"the secret is in namespace team-A1, the key is rank0",
	"login: node gpu-a100-06 / rank 3, login took 12ms; Last login: Tue Nov 24 06:27:53 from 10.0.0.1",
	"password for the user is not set, key for the layer is layer3.weight, token for pad is <pad>",
	"{\"KEY\": \"step1\", \"TOKEN\": \"<s>\", \"TOKENS\": \"12B\"}",
	"tokens: 12345678, key: 3, secrets: 4, passwords: 0",
	"    Args:\n      --password-file\n      /etc/credentials/x\n      --tokens\n      4096\n      --tokenizer\n      llama-2-7b",
	"Options:\n  --password\n      The password to log in with\n  --token\n  --user\n",
	"    Command:\n      python\n      -p\n      train.py\n    Args:\n      --key\n      --seed\n      3",
	"redis-cli\nwaits for the server\n",
	"token:\nhello world\n", "token:\nlayer10_attention_weights\n", "tokens:\n12345678901234567890\n", "key:\nmodel.layers.10.self_attn.weight\n", "token:\ncheckpoint-12000-of-50000\n", "hash key:\n3f8a9c0d1e2f3a4b5c6d7e8f9a0b1c2d\n", "token:\ntrain_micro_batch_size_per_gpu\n",
	"run -i=eth0 -k=llama-7b -s=1234567890 -c=9f865f746b669d9a9f865f746b669d9a9f865f74 -o=CheckpointOfStep12000ForLlama2Large -m=meta-llama/Llama-2-7b-hf",
	`{"sig": "verified", "sig": 3} sig: 44 of 45 sigs`,
	"Private-MAC: none; SharedAccessSignature=<your signature> SharedAccessSignature: required",
	"SharedAccessSignature=sv=2022-11-02&sr=c&sp=rl",
}

func TestNearMissesStay(t *testing.T) {
	if len(nearMisses) < 60 || len(planted) < 60 {
		t.Fatalf("%d near misses, %d secrets", len(nearMisses), len(planted))
	}
	for _, line := range nearMisses {
		if got := Text(line); got != line {
			t.Errorf("%q became %q", line, got)
		}
	}
}

// TestRealLogsStay redacts the real logs with which sources/formats is tested, and
// the objects of train/kinds. None contains a secret, so any change is a mistake.
func TestRealLogsStay(t *testing.T) {
	files, lines := 0, 0
	for _, pattern := range []string{"../formats/testdata/*.log", "../../train/kinds/testdata/objects/*.yaml", "../metrics/testdata/*", "../../testdata/demo/*.yaml"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				continue // a folder
			}
			files++
			r := New()
			for n, line := range strings.Split(string(text), "\n") {
				lines++
				if got := r.Text(line); got != line {
					t.Errorf("%s:%d: %q became %q", path, n+1, line, got)
				}
			}
		}
	}
	if files < 100 || lines < 5000 {
		t.Errorf("%d files with %d lines were read: the test looks in the wrong place", files, lines)
	}
}
