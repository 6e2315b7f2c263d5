// Records whom upstream's client of admission webhooks calls them as, by a kubeconfig, and which requests it sends after
// redirects and answers that ask to wait. Ports are written as PORT.
//
//	cd test/recorders && go run ./webhook-clients > ../../shared/webhooks/testdata/clients.json
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"mime"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

type user struct {
	Kubeconfig string `json:"kubeconfig"`
	Target     string `json:"target"`
	// Of a request to the target.
	Headers map[string][]string `json:"headers,omitempty"`
	Error   string              `json:"error,omitempty"`
}

func named(names ...string) string {
	users := make([]string, len(names))
	for i, name := range names {
		users[i] = fmt.Sprintf(`{name: "%s", user: {token: "of %s"}}`, name, name)
	}
	return "users: [" + strings.Join(users, ", ") + "]"
}

func one(fields string) string {
	return `users: [{name: "*", user: {` + fields + `}}]`
}

func users() []user {
	var list []user
	many := named("a.b.c:443", "a.b.c", "*.b.c:443", "*.b.c", "*.c:8443", "*.c", "*")
	for _, target := range []string{"a.b.c:443", "x.b.c:443", "x.y.c:443", "a.b.c:8443", "x.b.c:8443", "d:443", "d:8443", "s.n.svc:443", "[::1]:443"} {
		list = append(list, user{Kubeconfig: many, Target: target})
	}
	some := named("*.n.svc", "s.n.svc:8443", "s.n.svc", "::1", "127.0.0.1", "*.0.0.1:8443")
	for _, target := range []string{"s.n.svc:443", "s.n.svc:8443", "t.n.svc:443", "t.n.svc:8443", "[::1]:443", "127.0.0.1:443", "127.0.0.1:8443", "127.0.0.1:9443", "S.n.svc:443"} {
		list = append(list, user{Kubeconfig: some, Target: target})
	}
	current := "current-context: c\ncontexts: [{name: c, context: {user: u}}]\n"
	list = append(list,
		user{Kubeconfig: current + named("u", "a"), Target: "d:443"},
		user{Kubeconfig: current + named("u", "*"), Target: "d:443"},
		user{Kubeconfig: current + named("a"), Target: "d:443"},
		user{Kubeconfig: named("u"), Target: "d:443"},
		user{Kubeconfig: "", Target: "d:443"})
	for _, fields := range []string{
		`username: u, password: p`,
		`username: u`,
		`password: p`,
		`token: t, username: u`,
		`token: t, tokenFile: DIR/token`,
		`tokenFile: DIR/token`,
		`tokenFile: token`,
		`tokenFile: DIR/missing`,
		`token: t, tokenFile: DIR/missing`,
		`tokenFile: DIR/empty`,
		`token: t, auth-provider: {name: gcp}`,
		`token: t, client-certificate: DIR/missing`,
		`token: t, client-key: DIR/missing`,
		`token: t, client-certificate: DIR/missing, client-key: DIR/missing`,
		`token: t, as: other`,
		`as: other, as-uid: "1", as-groups: [a, b], as-user-extra: {"x/Y %": [c, d]}`,
		`as-groups: [a]`,
	} {
		list = append(list, user{Kubeconfig: one(fields), Target: "d:443"})
	}
	return list
}

func (u *user) record(folder string, server *httptest.Server) {
	file := filepath.Join(folder, "kubeconfig")
	text := "apiVersion: v1\nkind: Config\n" + strings.ReplaceAll(u.Kubeconfig, "DIR", folder)
	check(os.WriteFile(file, []byte(text), 0o600))
	resolver, err := webhook.NewDefaultAuthenticationInfoResolver(file)
	check(err)
	var seen http.Header
	server.Config.Handler = http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) { seen = request.Header })
	config, err := resolver.ClientConfigFor(u.Target)
	if err == nil {
		config.Host = server.URL
		var client *http.Client
		client, err = rest.HTTPClientFor(config)
		if err == nil {
			_, err = client.Get(server.URL)
			check(err)
		}
	}
	if err != nil {
		u.Error = strings.ReplaceAll(err.Error(), folder, "DIR")
		return
	}
	u.Headers = map[string][]string{}
	for name, values := range seen {
		if name == "Authorization" || strings.HasPrefix(name, "Impersonate-") {
			u.Headers[strings.ToLower(name)] = values
		}
	}
}

// What a server answers with, one after the other; the last one again and again.
type answer struct {
	Code    int               `json:"code"`
	Headers map[string]string `json:"headers,omitempty"`
	// Empty: it allows the request.
	Body string `json:"body,omitempty"`
}

type exchange struct {
	Answers []answer `json:"answers"`
	// Method, path, referrer, and length of the body.
	Requests []string `json:"requests"`
	Error    string   `json:"error,omitempty"`
}

const allowed = `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"u","allowed":true}}`

func exchanges() []exchange {
	good := answer{Code: 200}
	to := func(code int, location string) answer {
		return answer{code, map[string]string{"Location": location}, "x"}
	}
	wait := func(code int, seconds string) answer {
		return answer{code, map[string]string{"Retry-After": seconds}, "x"}
	}
	var list []exchange
	add := func(answers ...answer) { list = append(list, exchange{Answers: answers}) }
	for _, code := range []int{300, 301, 302, 303, 304, 305, 307, 308} {
		add(to(code, "/b?c=d"), good)
	}
	add(to(307, "b"), good)
	add(to(307, "../b/./c"), good)
	add(to(307, "https://127.0.0.1:PORT/b"), good)
	add(to(307, "//127.0.0.1:PORT/b"), good)
	add(to(307, "?q"), good)
	add(to(307, ""), good)
	add(to(307, "https://[::"), good)
	add(to(307, "/b"), to(302, "/c"), to(307, "/d"), good)
	add(to(307, "/b"))
	add(to(307, "/b"), answer{404, nil, "x"})
	add(to(307, "/b"), wait(429, "0"), good)
	for _, code := range []int{200, 400, 409, 429, 500, 503, 504, 599} {
		add(wait(code, "0"), good)
	}
	for _, seconds := range []string{"", "-1", "+0", "0.5", "x", "1s", "99999999999999999999", "Wed, 21 Oct 2015 07:28:00 GMT"} {
		add(wait(503, seconds), good)
	}
	add(wait(429, "0"))
	add(wait(503, "60"), good)
	add(answer{503, nil, "x"}, good)
	return list
}

func (e *exchange) record(server *httptest.Server) {
	location, err := url.Parse(server.URL)
	check(err)
	port := location.Port()
	count := 0
	e.Requests = []string{}
	server.Config.Handler = http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		line := fmt.Sprintf("%s %s %s %t", request.Method, request.URL, request.Header.Get("Referer"), len(body) > 0)
		e.Requests = append(e.Requests, strings.ReplaceAll(line, port, "PORT"))
		current := e.Answers[min(count, len(e.Answers)-1)]
		count++
		for name, value := range current.Headers {
			writer.Header().Set(name, strings.ReplaceAll(value, "PORT", port))
		}
		writer.Header().Set("Content-Type", "application/json")
		writer.WriteHeader(current.Code)
		if current.Body == "" {
			current.Body = allowed
		}
		_, _ = writer.Write([]byte(current.Body))
	})
	manager, err := webhook.NewClientManager([]schema.GroupVersion{admissionv1.SchemeGroupVersion}, admissionv1.AddToScheme)
	check(err)
	auth, err := webhook.NewDefaultAuthenticationInfoResolver("")
	check(err)
	manager.SetAuthenticationInfoResolver(auth)
	manager.SetServiceResolver(webhook.NewDefaultServiceResolver())
	bundle := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	client, err := manager.HookClient(webhook.ClientConfig{Name: "w", URL: server.URL + "/a", CABundle: bundle})
	check(err)
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	err = client.Post().Body(&admissionv1.AdmissionReview{}).Timeout(time.Second).Do(ctx).Into(&admissionv1.AdmissionReview{})
	if err != nil {
		e.Error = strings.ReplaceAll(err.Error(), port, "PORT")
	}
}

type mediaType struct {
	Text  string `json:"text"`
	Error string `json:"error,omitempty"`
}

func mediaTypes() []mediaType {
	var list []mediaType
	for _, text := range []string{
		"application/json", "application/json; charset=utf-8", "application/json;", "application/json ; a=b ;", "odd", "", " ", ";",
		"a b", "a/", "a/b c", "/b", "a/b; c", "a/b; c=", `a/b; c="d`, `a/b; c="d e"; f=g`, "a/b;; c=d", "a/b; c=d e", "ä/b", "Text/HTML",
	} {
		line := mediaType{Text: text}
		if _, _, err := mime.ParseMediaType(text); err != nil {
			line.Error = err.Error()
		}
		list = append(list, line)
	}
	return list
}

func main() {
	folder, err := os.MkdirTemp("", "webhook-clients")
	check(err)
	defer os.RemoveAll(folder)
	check(os.WriteFile(filepath.Join(folder, "token"), []byte(" of the file\n"), 0o600))
	check(os.WriteFile(filepath.Join(folder, "empty"), nil, 0o600))
	plain, secured := httptest.NewServer(nil), httptest.NewTLSServer(nil)
	secured.Config.ErrorLog = log.New(io.Discard, "", 0)

	asked, sent, types := users(), exchanges(), mediaTypes()
	for i := range asked {
		asked[i].record(folder, plain)
	}
	for i := range sent {
		sent[i].record(secured)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	list := func(name string, length int, at func(int) any) {
		fmt.Fprintf(&out, "%q: [\n", name)
		for i := range length {
			check(encoder.Encode(at(i)))
			if i < length-1 {
				out.Truncate(out.Len() - 1)
				out.WriteString(",\n")
			}
		}
		out.WriteString("]")
	}
	out.WriteString("{")
	list("users", len(asked), func(i int) any { return asked[i] })
	out.WriteString(",\n")
	list("exchanges", len(sent), func(i int) any { return sent[i] })
	out.WriteString(",\n")
	list("contentTypes", len(types), func(i int) any { return types[i] })
	out.WriteString("}\n")
	_, _ = os.Stdout.Write(out.Bytes())
}
