package receivers

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"time"
)

func hmacSHA256(key, message string) []byte {
	mac := hmac.New(sha256.New, []byte(key))
	_, _ = mac.Write([]byte(message)) // a hash takes all
	return mac.Sum(nil)
}

// signDingTalk is DingTalk's signature: the secret is the key, time and secret
// are the message. The time is in milliseconds.
func signDingTalk(secret string, at time.Time) (timestamp, signature string) {
	timestamp = strconv.FormatInt(at.UnixMilli(), 10)
	return timestamp, base64.StdEncoding.EncodeToString(hmacSHA256(secret, timestamp+"\n"+secret))
}

// signFeishu is Feishu's signature: time and secret are the key, the message is
// empty. The time is in seconds.
func signFeishu(secret string, at time.Time) (timestamp, signature string) {
	timestamp = strconv.FormatInt(at.Unix(), 10)
	return timestamp, base64.StdEncoding.EncodeToString(hmacSHA256(timestamp+"\n"+secret, ""))
}

// signWebhook is the signature of our own webhooks: the time in seconds, a dot
// and the body are the message.
func signWebhook(secret string, at time.Time, body []byte) (timestamp, signature string) {
	timestamp = strconv.FormatInt(at.Unix(), 10)
	return timestamp, "sha256=" + hex.EncodeToString(hmacSHA256(secret, timestamp+"."+string(body)))
}
