package corpus

// SecretForms returns ways to write a secret, with %s for the secret. They have no single
// quote, so that YAML can quote them.
func SecretForms() []string {
	return []string{
		"password=%s", "DB_PW=%s", "hf_AbCdEfGhIjKlMnOpQrStUv%s", "postgres://ada:%s@db/runs", "curl -u ada:%s https://x", "docker login -p %s x", "<password>%s</password>", "--api-key %s",
		"│ password │ %s │", "%%22api_key%%22:%%22%s%%22", "mysql -uroot -p%s",
		"AIzaSyAbCdEfGhIjKlMnOpQrStUvWxYz0%s", "https://a.blob.core.windows.net/c?sv=2024-11-04&sig=AbCdEfGhIj%s", "https://x/lab?token=%s", "Server=db;UID=sa;PWD=%s", "echo %s | docker login --password-stdin x", "密码：%s", "pat: hd73jdhe8d7ehd73%s",
		"token: hd73jdhe8d7e.hd73jdhe8d7e.%s", "snmpget -v2c -c %s host",
		"machine api.wandb.ai login user password %s", `{"auths":{"nvcr.io":{"username":"$oauthtoken","password":"%s"}}}`, `{"auths":{"ghcr.io":{"identitytoken":"%s"}}}`, "RCLONE_CONFIG_S3_SECRET_ACCESS_KEY=%s",
		"https://b.s3.amazonaws.com/k?X-Amz-Security-Token=%s", "https://b.s3.amazonaws.com/k?X-Amz-Signature=AbCdEfGhIjKlMnOp%s", "AccountName=x;AccountKey=%s;EndpointSuffix=core.windows.net",
		"https://oauth2:%s@gitlab.com/o/r.git", "https://hooks.slack.com/services/T01234567/B01234567/%s", "nvapi-AbCdEfGhIjKlMnOpQrStUvWxYz0123%s", "MLFLOW_TRACKING_PASSWORD=%s", "api.credentials.secret_key = %s",
		"Looking in indexes: https://ada:%s@pypi.corp/simple", `"private_key": "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n"`, "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.%s",
		"//ada:%s@nas.corp/share", "https_proxy=ada:%s@proxy:3128", "pw: %s user: ada", "api key %s is not 40 characters", "New value: %s for password", "ORA-01017: ada/%s@ORCL", "echo %s | base64 -d > /run/secret",
	}
}
