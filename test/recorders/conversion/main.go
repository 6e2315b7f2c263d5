// Records what apiextensions-apiserver's converter makes of answers of conversion webhooks:
//
//	cd test/recorders && data=../../servers/extensions/conversion/testdata && go run ./conversion < $data/cases.json > $data/recorded.json
package main

import (
	"encoding/json"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/conversion"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/util/webhook"
)

type testCase struct {
	Name     string           `json:"name"`
	Versions []string         `json:"versions"`
	Objects  []map[string]any `json:"objects"`
	List     bool             `json:"list"`
	To       string           `json:"to"`
	Answer   string           `json:"answer"`
}

// One recorded conversion. `$UID` stands for the random uid of the request.
type recorded struct {
	Name    string          `json:"name"`
	Request json.RawMessage `json:"request,omitempty"`
	Error   string          `json:"error,omitempty"`
	Objects []any           `json:"objects,omitempty"`
}

func main() {
	var cases []testCase
	must(json.NewDecoder(os.Stdin).Decode(&cases))
	os.Stdout.WriteString("[\n")
	for index, one := range cases {
		text, err := json.Marshal(run(one))
		must(err)
		os.Stdout.Write(text)
		if index < len(cases)-1 {
			os.Stdout.WriteString(",")
		}
		os.Stdout.WriteString("\n")
	}
	os.Stdout.WriteString("]\n")
}

func run(one testCase) recorded {
	out := recorded{Name: one.Name}
	uid := ""
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		must(err)
		var review struct {
			Request struct {
				UID string `json:"uid"`
			} `json:"request"`
		}
		must(json.Unmarshal(body, &review))
		uid = review.Request.UID
		out.Request = json.RawMessage(withoutUID(strings.TrimSpace(string(body)), uid))
		w.Header().Set("Content-Type", "application/json")
		_, err = w.Write([]byte(strings.ReplaceAll(one.Answer, "$UID", uid)))
		must(err)
	}))
	defer server.Close()

	target, err := schema.ParseGroupVersion(one.To)
	must(err)
	converted, err := converterFor(server, one.Versions).ConvertToVersion(inputOf(one), target)
	if err != nil {
		out.Error = withoutUID(err.Error(), uid)
		return out
	}
	if list, isList := converted.(*unstructured.UnstructuredList); isList {
		for _, item := range list.Items {
			out.Objects = append(out.Objects, item.Object)
		}
		return out
	}
	out.Objects = []any{converted.(*unstructured.Unstructured).Object}
	return out
}

func converterFor(server *httptest.Server, reviewVersions []string) runtime.ObjectConvertor {
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	factory, err := conversion.NewCRConverterFactory(nil, webhook.NewDefaultAuthenticationInfoResolverWrapper(nil, nil, nil, nil))
	must(err)
	definition := &apiextensionsv1.CustomResourceDefinition{}
	definition.Name = "crontabs.stable.example.com"
	definition.Spec.Group = "stable.example.com"
	definition.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{{Name: "v1"}, {Name: "v1beta1"}}
	definition.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{
		Strategy: apiextensionsv1.WebhookConverter,
		Webhook: &apiextensionsv1.WebhookConversion{
			ClientConfig:             &apiextensionsv1.WebhookClientConfig{URL: &server.URL, CABundle: authority},
			ConversionReviewVersions: reviewVersions,
		},
	}
	converter, _, err := factory.NewConverter(definition)
	must(err)
	return converter
}

func inputOf(one testCase) runtime.Object {
	if !one.List {
		return &unstructured.Unstructured{Object: one.Objects[0]}
	}
	list := &unstructured.UnstructuredList{}
	list.SetAPIVersion("stable.example.com/v1beta1")
	list.SetKind("CronTabList")
	for _, object := range one.Objects {
		list.Items = append(list.Items, unstructured.Unstructured{Object: object})
	}
	return list
}

func withoutUID(text, uid string) string {
	if uid == "" {
		return text
	}
	return strings.ReplaceAll(text, uid, "$UID")
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
