package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/plugin/pkg/authenticator/token/webhook"
	"k8s.io/client-go/rest"
)

type answer struct {
	Code    int               `json:"code"`
	Headers map[string]string `json:"headers,omitempty"`
	Body    string            `json:"body,omitempty"`
}

type webhookCase struct {
	Version   string   `json:"version"`
	Audiences []string `json:"audiences,omitempty"`
	// The last one is repeated.
	Answers []answer `json:"answers"`
	// What was sent at first, and how often it was.
	Request  string  `json:"request"`
	Attempts int     `json:"attempts"`
	Verdict  verdict `json:"verdict"`
}

func review(version, status string) answer {
	return answer{Code: 200, Body: fmt.Sprintf(`{"apiVersion":"authentication.k8s.io/%s","kind":"TokenReview","status":%s}`, version, status)}
}

func webhookCases() []webhookCase {
	var cases []webhookCase
	add := func(version string, audiences []string, answers ...answer) {
		cases = append(cases, webhookCase{Version: version, Audiences: audiences, Answers: answers})
	}
	for _, version := range []string{"v1", "v1beta1"} {
		ask := func(status string, audiences ...string) { add(version, audiences, review(version, status)) }
		ask(`{"authenticated":true,"user":{"username":"jane","uid":"42","groups":["dev","ops"],"extra":{"a":["b","c"],"D":[]}}}`)
		ask(`{"authenticated":true,"user":{"username":"jane"}}`, "api")
		ask(`{"authenticated":true,"user":{"username":"jane"},"audiences":["api","more"]}`, "api", "own")
		ask(`{"authenticated":true,"user":{"username":"jane"},"audiences":["more"]}`, "api")
		ask(`{"authenticated":true,"user":{"username":"jane"},"audiences":[]}`, "other")
		ask(`{"authenticated":true,"user":{"username":"jane"},"audiences":["other"]}`, "other")
		ask(`{"authenticated":false}`)
		ask(`{"authenticated":false,"user":{"username":"jane"}}`)
		ask(`{"authenticated":false,"error":"no such token"}`)
		ask(`{"authenticated":false,"error":"no such token"}`, "api")
		ask(`{"authenticated":true,"error":"but late","user":{"username":"jane"}}`)
		ask(`{"authenticated":true}`)
		ask(`{"authenticated":true,"user":{"username":""}}`)
		ask(`{}`)
		ask(`null`)
		ask(`{"authenticated":"true","user":{"username":"jane"}}`)
		ask(`{"authenticated":1}`)
		ask(`{"authenticated":true,"user":{"username":7}}`)
		ask(`{"authenticated":true,"user":"jane"}`)
		ask(`{"authenticated":true,"user":{"username":"jane","groups":"dev"}}`)
		ask(`{"authenticated":true,"user":{"username":"jane","groups":[null]}}`)
		ask(`{"authenticated":true,"user":{"username":"jane","extra":{"a":"b"}}}`)
		ask(`{"authenticated":true,"user":{"username":"jane","extra":{"a":null}}}`)
		ask(`{"authenticated":true,"user":{"userName":"jane","username":"joe","Username":"eve"}}`)
		ask(`{"Authenticated":true,"user":{"username":"jane"}}`)
		ask(`{"authenticated":true,"authenticated":false,"user":{"username":"jane"}}`)
		ask(`{"authenticated":true,"unknown":1,"user":{"username":"jane","unknown":{}}}`)
	}
	body := func(text string) { add("v1", nil, answer{Code: 200, Body: text}) }
	body(``)
	body(`{}`)
	body(`[]`)
	body(`no JSON`)
	body(`{"status":{"authenticated":true,"user":{"username":"jane"}}}`)
	body(`{"kind":"TokenReview","status":{"authenticated":true,"user":{"username":"jane"}}}`)
	body(`{"apiVersion":"authentication.k8s.io/v1beta1","kind":"TokenReview","status":{"authenticated":true,"user":{"username":"jane"}}}`)
	body(`{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview","status":{"userInfo":{"username":"jane"}}}`)
	body(`{"apiVersion":"v1","kind":"Pod","status":{"phase":"x"}}`)
	body(`{"apiVersion":"v2","kind":"TokenReview"}`)
	body(`{"apiVersion":"v1","kind":"Status","status":"Failure","message":"go away","code":403}`)
	body(`{"apiVersion":"v1","kind":"Status","status":"Failure","reason":"InternalError","message":"go away","code":500}`)
	body(`{"apiVersion":"v1","kind":"Status","status":"Success"}`)
	add("v1beta1", nil, review("v1", `{"authenticated":true,"user":{"username":"jane"}}`))
	good := review("v1", `{"authenticated":true,"user":{"username":"jane"}}`)
	for _, code := range []int{201, 204, 206, 207, 301, 304, 400, 401, 403, 404, 409, 422, 429, 500, 502, 503, 504, 599} {
		add("v1", nil, answer{Code: code, Body: "text of an error"}, good)
	}
	for _, code := range []int{201, 204, 207, 500, 503} {
		add("v1", nil, answer{Code: code, Body: good.Body})
	}
	status := func(code int, reason, more string) answer {
		return answer{Code: code, Body: fmt.Sprintf(`{"apiVersion":"v1","kind":"Status","status":"Failure","reason":"%s","message":"as told"%s}`, reason, more)}
	}
	for _, reason := range []string{"", "Unknown", "InternalError", "Timeout", "ServerTimeout", "TooManyRequests", "Forbidden", "Mine"} {
		for _, code := range []int{400, 500} {
			add("v1", nil, status(code, reason, ""), good)
			add("v1", nil, status(code, reason, `,"details":{"retryAfterSeconds":1},"code":400`), good)
			add("v1", nil, status(code, reason, `,"details":{},"code":429`), good)
		}
	}
	add("v1", nil, answer{Code: 400, Headers: map[string]string{"Retry-After": "1"}}, good)
	add("v1", nil, answer{Code: 503, Headers: map[string]string{"Retry-After": "0"}}, good)
	add("v1", nil, answer{Code: 400, Headers: map[string]string{"Retry-After": "soon"}}, good)
	add("v1", nil, answer{Code: 200, Headers: map[string]string{"Content-Type": "text/plain"}, Body: good.Body})
	add("v1", nil, answer{Code: 200, Headers: map[string]string{"Content-Type": "application/json; charset=utf-8"}, Body: good.Body})
	add("v1", nil, answer{Code: 200, Headers: map[string]string{"Content-Type": "/"}, Body: good.Body})
	add("v1", nil, answer{Code: 400, Headers: map[string]string{"Content-Type": "application/json"}, Body: `{"error":"mine"}`})
	for i := range cases {
		ask(&cases[i])
	}
	return cases
}

func ask(one *webhookCase) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if one.Attempts == 0 {
			body, err := io.ReadAll(r.Body)
			check(err)
			one.Request = fmt.Sprintf("%s %s %s %s", r.Method, r.URL, r.Header.Get("Content-Type"), strings.TrimSpace(string(body)))
		}
		now := one.Answers[min(one.Attempts, len(one.Answers)-1)]
		one.Attempts++
		w.Header().Set("Content-Type", "application/json")
		for name, value := range now.Headers {
			w.Header().Set(name, value)
		}
		w.WriteHeader(now.Code)
		_, _ = w.Write([]byte(now.Body))
	}))
	defer server.Close()
	config := &rest.Config{Host: server.URL + "/review", Timeout: 30 * time.Second, QPS: -1}
	backoff := wait.Backoff{Duration: time.Millisecond, Factor: 1.5, Steps: 5}
	token, err := webhook.New(config, one.Version, authenticator.Audiences{"api", "own"}, backoff)
	check(err)
	ctx := context.Background()
	if one.Audiences != nil {
		ctx = authenticator.WithAudiences(ctx, one.Audiences)
	}
	one.Verdict = verdictOf(token.AuthenticateToken(ctx, "the token"))
	one.Verdict.Error = strings.ReplaceAll(one.Verdict.Error, server.URL, "http://HOST")
}
