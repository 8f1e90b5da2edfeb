package receivers

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/traintop/traintop/alerts"
)

// codes are the errors of a service that answers 200 with an error inside.
type codes struct {
	// busy are those that pass, after is how long that takes, 0 for unknown.
	busy  []int
	after time.Duration
	// advice is what to do about other ones.
	advice map[int]string
}

// codeAnswer is the answer of DingTalk and WeCom (errcode, errmsg), and of
// Feishu (code, msg; StatusCode and StatusMessage in its first version).
type codeAnswer struct {
	ErrCode    *int   `json:"errcode"`
	ErrMsg     string `json:"errmsg"`
	Code       *int   `json:"code"`
	Msg        string `json:"msg"`
	StatusCode *int   `json:"StatusCode"`
	StatusMsg  string `json:"StatusMessage"`
}

// verdict is the code and the text of an answer; known is false where it has no
// code. Feishu answers with both of its forms at once.
func (a codeAnswer) verdict() (code int, text string, known bool) {
	for _, one := range []struct {
		code *int
		text string
	}{{a.ErrCode, a.ErrMsg}, {a.Code, a.Msg}, {a.StatusCode, a.StatusMsg}} {
		if one.code == nil {
			continue
		}
		known = true
		if *one.code != 0 {
			return *one.code, one.text, true
		}
	}
	return 0, "", known
}

// codeOf reads the code of an answer.
func codeOf(body []byte) (code int, text string, known bool) {
	var said codeAnswer
	if json.Unmarshal(body, &said) != nil {
		return 0, "", false
	}
	return said.verdict()
}

// judge is the error inside an answer, nil for none.
func (c codes) judge(s *sending, p post, body []byte) error {
	code, text, known := codeOf(body)
	switch {
	case !known:
		return s.unexpected(p, body)
	case code == 0:
		return nil
	}
	failed := fmt.Errorf("%s answered error %d: %s", p.to.Host, code, s.quoted("", []byte(text)))
	if advice := c.advice[code]; advice != "" {
		failed = fmt.Errorf("%w; %s", failed, advice)
	}
	if slices.Contains(c.busy, code) {
		return &alerts.RetryError{Err: failed, After: c.after}
	}
	return failed
}
