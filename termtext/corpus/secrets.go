package corpus

// SecretForms returns ways to write a secret, with %s for the secret. They have no single
// quote, so that YAML can quote them.
func SecretForms() []string {
	return []string{
		"password=%s", "DB_PW=%s", "hf_AbCdEfGhIjKlMnOpQrStUv%s", "postgres://ada:%s@db/runs", "curl -u ada:%s https://x", "docker login -p %s x", "<password>%s</password>", "--api-key %s",
		"│ password │ %s │", "%%22api_key%%22:%%22%s%%22", "mysql -uroot -p%s",
		"AIzaSyAbCdEfGhIjKlMnOpQrStUvWxYz0%s", "https://a.blob.core.windows.net/c?sv=2024-11-04&sig=AbCdEfGhIj%s", "https://x/lab?token=%s", "Server=db;UID=sa;PWD=%s", "echo %s | docker login --password-stdin x", "密码：%s", "pat: hd73jdhe8d7ehd73%s",
		"token: hd73jdhe8d7e.hd73jdhe8d7e.%s", "snmpget -v2c -c %s host",
	}
}
