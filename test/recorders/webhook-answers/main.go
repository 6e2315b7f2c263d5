// Records what upstream's client of admission webhooks makes of answers, good and bad, and of servers that cannot be
// reached. Ports are written as PORT, and the name of the service is s.n.svc.
//
//	cd test/recorders && go run ./webhook-answers > ../../shared/webhooks/testdata/answers.json
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	admissionv1beta1 "k8s.io/api/admission/v1beta1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	webhookrequest "k8s.io/apiserver/pkg/admission/plugin/webhook/request"
	"k8s.io/apiserver/pkg/util/webhook"
)

type answer struct {
	// v1 or v1beta1
	Version     string `json:"version"`
	Mutating    bool   `json:"mutating"`
	Code        int    `json:"code"`
	ContentType string `json:"contentType"`
	Body        string `json:"body"`
}

type recorded struct {
	answer
	// Of the call.
	Error  string         `json:"error,omitempty"`
	Status *metav1.Status `json:"status,omitempty"`
	// Of the check of the answer.
	Invalid  string                            `json:"invalid,omitempty"`
	Response *webhookrequest.AdmissionResponse `json:"response,omitempty"`
}

const jsonType = "application/json"

func ok(version, body string) answer {
	return answer{version, true, 200, jsonType, body}
}

func review(version, response string) string {
	return `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/` + version + `","response":` + response + `}`
}

func answers() []answer {
	var list []answer
	for _, version := range []string{"v1", "v1beta1"} {
		for _, mutating := range []bool{true, false} {
			for _, response := range []string{
				`{"uid":"u","allowed":true}`,
				`{"uid":"u","allowed":true,"warnings":["a","b"],"auditAnnotations":{"k":"v"}}`,
				`{"uid":"u","allowed":false}`,
				`{"uid":"u","allowed":false,"status":{"message":"no","code":418,"reason":"Odd"}}`,
				`{"uid":"u","allowed":false,"result":{"message":"no"}}`,
				`{"uid":"other","allowed":true}`,
				`{"allowed":true}`,
				`null`,
				`{"uid":"u","allowed":true,"patch":"W10=","patchType":"JSONPatch"}`,
				`{"uid":"u","allowed":true,"patch":"W10="}`,
				`{"uid":"u","allowed":true,"patchType":"JSONPatch"}`,
				`{"uid":"u","allowed":true,"patch":"W10=","patchType":""}`,
				`{"uid":"u","allowed":true,"patch":"W10=","patchType":"Other"}`,
				`{"uid":"u","allowed":true,"patch":"","patchType":"JSONPatch"}`,
				`{"UID":"u","Allowed":true,"unknown":1}`,
			} {
				list = append(list, answer{version, mutating, 200, jsonType, review(version, response)})
			}
		}
		list = append(list,
			ok(version, review(version, `{"uid":"u","allowed":"yes"}`)),
			ok(version, review(version, `{"uid":"u","allowed":true,"patch":"%%"}`)),
			ok(version, review(version, `{"uid":"u","allowed":true,"warnings":"w"}`)),
			ok(version, review(version, `[]`)),
			ok(version, review(version, `{"uid":"u","allowed":true`)),
			ok(version, `{"response":{"uid":"u","allowed":true}}`),
			ok(version, `{"kind":"AdmissionReview","response":{"uid":"u","allowed":true}}`),
			ok(version, `{"apiVersion":"admission.k8s.io/`+version+`","response":{"uid":"u","allowed":true}}`),
			ok(version, `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v2","response":{"uid":"u"}}`),
			ok(version, `{"kind":"AdmissionReview","apiVersion":"a/b/c","response":{"uid":"u"}}`),
			ok(version, `{"kind":"Other","apiVersion":"admission.k8s.io/v1"}`),
			ok(version, `{"kind":"Pod","apiVersion":"v1"}`),
			ok(version, `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"m","code":409,"reason":"Conflict"}`),
			ok(version, `{"kind":"Status","apiVersion":"v1","status":"Success"}`),
			ok(version, `{}`), ok(version, `[]`), ok(version, `null`), ok(version, `1`), ok(version, `"text"`), ok(version, `hello`),
			ok(version, "kind: AdmissionReview\napiVersion: admission.k8s.io/"+version+"\nresponse: {uid: u, allowed: true}\n"),
			ok(version, "<html></html>"), ok(version, "\x00\x01"), ok(version, ``),
			ok(version, review(map[string]string{"v1": "v1beta1", "v1beta1": "v1"}[version], `{"uid":"u","allowed":true}`)),
			answer{version, true, 200, "text/html; charset=utf-8", review(version, `{"uid":"u","allowed":true}`)},
			answer{version, true, 200, "odd", review(version, `{"uid":"u","allowed":true}`)},
			answer{version, true, 200, "", ""},
		)
	}
	for _, code := range []int{201, 204, 206, 300, 304, 400, 401, 403, 404, 405, 406, 408, 409, 413, 415, 418, 422, 429, 500, 501, 502, 503, 504, 599} {
		list = append(list,
			answer{"v1", true, code, "text/plain", " boom \n"},
			answer{"v1", true, code, jsonType, review("v1", `{"uid":"u","allowed":true}`)},
		)
	}
	return append(list,
		answer{"v1", true, 500, "", "boom"},
		answer{"v1", true, 500, "text/plain", strings.Repeat("x", 3000)},
		answer{"v1", true, 500, jsonType, `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"m","code":409,"reason":"Conflict"}`},
		answer{"v1", true, 500, "text/plain", `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"m"}`},
		answer{"v1", true, 500, jsonType, `{"kind":"Status","apiVersion":"v1","status":"Success","message":"m"}`},
		answer{"v1", true, 403, jsonType, `{"kind":"Status","status":"Failure","message":"m"}`},
	)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

type resolver struct{ host string }

func (r resolver) ResolveEndpoint(namespace, name string, port int32) (*url.URL, error) {
	if r.host == "" {
		return nil, fmt.Errorf("service %q not found", name)
	}
	return &url.URL{Scheme: "https", Host: r.host}, nil
}

func call(config webhook.ClientConfig, host, version string, timeout time.Duration) (runtime.Object, error) {
	manager, err := webhook.NewClientManager(
		[]schema.GroupVersion{admissionv1beta1.SchemeGroupVersion, admissionv1.SchemeGroupVersion},
		admissionv1beta1.AddToScheme, admissionv1.AddToScheme)
	check(err)
	auth, err := webhook.NewDefaultAuthenticationInfoResolver("")
	check(err)
	manager.SetAuthenticationInfoResolver(auth)
	manager.SetServiceResolver(resolver{host})
	client, err := manager.HookClient(config)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	var request, response runtime.Object = &admissionv1.AdmissionReview{}, &admissionv1.AdmissionReview{}
	if version == "v1beta1" {
		request, response = &admissionv1beta1.AdmissionReview{}, &admissionv1beta1.AdmissionReview{}
	}
	return response, client.Post().Body(request).Timeout(timeout).Do(ctx).Into(response)
}

func describe(line recorded, err error, port string) recorded {
	line.Error = strings.ReplaceAll(err.Error(), port, "PORT")
	if status, ok := err.(*apierrors.StatusError); ok {
		line.Status = &status.ErrStatus
	}
	return line
}

func main() {
	http.DefaultTransport.(*http.Transport).ForceAttemptHTTP2 = false
	var current answer
	server := httptest.NewTLSServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		_, _ = io.Copy(io.Discard, request.Body)
		switch current.Body {
		case "hang":
			time.Sleep(1500 * time.Millisecond)
			return
		case "reset":
			connection, _, err := writer.(http.Hijacker).Hijack()
			check(err)
			_ = connection.Close()
			return
		}
		writer.Header()["Content-Type"] = []string{current.ContentType}
		if current.ContentType == "" {
			writer.Header()["Content-Type"] = nil
		}
		writer.WriteHeader(current.Code)
		_, _ = writer.Write([]byte(current.Body))
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	location, err := url.Parse(server.URL)
	check(err)
	port := location.Port()
	bundle := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	byURL := webhook.ClientConfig{Name: "w", URL: server.URL + "/a", CABundle: bundle}

	var lines []recorded
	for _, current = range answers() {
		line := recorded{answer: current}
		response, err := call(byURL, "", current.Version, 10*time.Second)
		if err != nil {
			line = describe(line, err, port)
		} else if result, err := webhookrequest.VerifyAdmissionResponse("u", current.Mutating, response); err != nil {
			line.Invalid = err.Error()
		} else {
			line.Response = result
		}
		lines = append(lines, line)
	}

	type unreachable struct {
		Name  string `json:"name"`
		Error string `json:"error"`
	}
	var calls []unreachable
	record := func(name, body string, config webhook.ClientConfig, host string, timeout time.Duration) {
		current = answer{Code: 200, Body: body}
		_, err := call(config, host, "v1", timeout)
		if err == nil {
			log.Fatalf("%s has no error", name)
		}
		calls = append(calls, unreachable{name, strings.ReplaceAll(err.Error(), port, "PORT")})
	}
	service := webhook.ClientConfigService{Name: "s", Namespace: "n", Path: "/p", Port: 443}
	record("hang", "hang", byURL, "", time.Second)
	record("close", "reset", byURL, "", 10*time.Second)
	record("unknown authority", "", webhook.ClientConfig{URL: server.URL + "/a/"}, "", 10*time.Second)
	record("other name", "", webhook.ClientConfig{Service: &service, CABundle: bundle}, location.Host, 10*time.Second)
	record("no service", "", webhook.ClientConfig{Service: &service, CABundle: bundle}, "", 10*time.Second)
	record("no place", "", webhook.ClientConfig{Name: "w"}, "", 10*time.Second)
	record("broken bundle", "", webhook.ClientConfig{URL: server.URL, CABundle: []byte("x")}, "", 10*time.Second)
	server.Close()
	record("refused", "", byURL, "", 10*time.Second)
	record("refused service", "", webhook.ClientConfig{Service: &service, CABundle: bundle}, location.Host, 10*time.Second)

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
	list("answers", len(lines), func(i int) any { return lines[i] })
	out.WriteString(",\n")
	list("calls", len(calls), func(i int) any { return calls[i] })
	out.WriteString("}\n")
	_, _ = os.Stdout.Write(out.Bytes())
}
