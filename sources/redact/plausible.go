package redact

import "strings"

// Checks of the text after a prefix that is not specific by itself.

// hexDrawn accepts 32 random hexadecimal digits.
func hexDrawn(rest string) bool { return hexToken(rest) && random(rest) }

// rancher accepts the rest of a token of Rancher: a name, a colon and 54 letters
// and digits (ranchermanager.docs.rancher.com, API tokens).
func rancher(rest string) bool {
	name, secret, found := strings.Cut(rest, ":")
	return found && name != "" && len(secret) >= 40 && strings.Trim(secret, "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" && random(secret)
}

// k3s accepts the rest of a token of K3s: the hash of a certificate, two colons, a
// name and a password (docs.k3s.io/cli/token).
func k3s(rest string) bool {
	hash, secret, found := strings.Cut(rest, "::")
	return found && len(hash) == 64 && allHex(hash) && secret != ""
}

// onePassword accepts the rest of a secret key of 1Password: groups of letters and
// digits with dashes between them (gitleaks, 1password-secret-key).
func onePassword(rest string) bool {
	groups := strings.Split(rest, "-")
	if len(groups) < 5 || len(groups[0]) != 6 || strings.IndexFunc(rest, func(r rune) bool { return r >= '0' && r <= '9' }) < 0 {
		return false
	}
	for _, group := range groups[1:] {
		if len(group) != 5 && len(group) != 6 && len(group) != 11 {
			return false
		}
	}
	return true
}

// parts reports whether a text is parts of so many characters each, with dots between
// them; 0 for any number of them.
func parts(text string, lengths ...int) bool {
	all := strings.Split(text, ".")
	if len(all) != len(lengths) {
		return false
	}
	for i, part := range all {
		if lengths[i] > 0 && len(part) != lengths[i] {
			return false
		}
	}
	return true
}

// discordBot accepts the rest of the token of a bot: the number of the bot, a time and a
// signature, all in base64 (trufflehog, discordbottoken).
func discordBot(rest string) bool {
	return (parts(rest, 21, 6, 38) || parts(rest, 23, 6, 38) || parts(rest, 21, 6, 27) || parts(rest, 23, 6, 27)) && mixed(rest)
}

// airtable accepts the rest of a personal token: a number of it and 64 hexadecimal digits
// (trufflehog, airtablepersonalaccesstoken).
func airtable(rest string) bool {
	return parts(rest, 14, 64) && allHex(rest[15:])
}

// harness accepts the rest of a token: an account, the token's number and its secret
// (gitleaks, harness-api-key).
func harness(rest string) bool { return parts(rest, 22, 24, 20) && allHex(rest[23:47]) }

// lambdaKey accepts the rest of a key of Lambda Cloud: a name, a number and the secret
// behind a dot (docs.lambda.ai, API keys).
func lambdaKey(rest string) bool {
	_, secret, found := strings.Cut(rest, ".")
	return found && len(secret) >= 32 && drawnPiece(rest)
}
