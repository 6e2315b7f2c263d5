// Decodes bodies with the reference's strict serializers and writes what they say:
// go run . INPUTS.json OUTPUTS.json
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/runtime/serializer/cbor"
	"k8s.io/client-go/kubernetes/scheme"
)

type input struct {
	// "Pod", "apps/v1 Deployment": the default when the body does not say; "Unstructured" for a custom resource.
	Kind string `json:"kind"`
	// "yaml", "cbor" or "vnd.kubernetes.protobuf"; JSON otherwise.
	Form   string `json:"form,omitempty"`
	Body   string `json:"body,omitempty"`
	Base64 string `json:"base64,omitempty"`
}

type output struct {
	input
	Error  string   `json:"error,omitempty"`
	Strict []string `json:"strict,omitempty"`
	// Canonical JSON of what was read.
	JSON string `json:"json,omitempty"`
}

func main() {
	raw, err := os.ReadFile(os.Args[1])
	must(err)
	var inputs []input
	must(json.Unmarshal(raw, &inputs))
	codecs := serializer.NewCodecFactory(scheme.Scheme, serializer.WithSerializer(cbor.NewSerializerInfo))
	var outputs []output
	for _, in := range inputs {
		outputs = append(outputs, decode(codecs, in))
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	must(encoder.Encode(outputs))
	must(os.WriteFile(os.Args[2], out.Bytes(), 0o644))
}

func decode(codecs serializer.CodecFactory, in input) output {
	body := []byte(in.Body)
	if in.Base64 != "" {
		var err error
		body, err = base64.StdEncoding.DecodeString(in.Base64)
		must(err)
	}
	mediaType := "application/json"
	if in.Form != "" {
		mediaType = "application/" + in.Form
	}
	info, _ := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), mediaType)
	gv, kind := "v1", in.Kind
	for i := range in.Kind {
		if in.Kind[i] == ' ' {
			gv, kind = in.Kind[:i], in.Kind[i+1:]
		}
	}
	version, err := schema.ParseGroupVersion(gv)
	must(err)
	gvk := version.WithKind(kind)
	var into runtime.Object
	if kind == "Unstructured" {
		into = &unstructured.Unstructured{}
	}
	object, _, err := info.StrictSerializer.Decode(body, &gvk, into)
	out := output{input: in}
	if strict, ok := runtime.AsStrictDecodingError(err); ok {
		for _, each := range strict.Errors() {
			out.Strict = append(out.Strict, each.Error())
		}
	} else if err != nil {
		out.Error = err.Error()
		return out
	}
	if into == nil {
		object.GetObjectKind().SetGroupVersionKind(gvk)
	}
	jsonInfo, _ := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), "application/json")
	var text bytes.Buffer
	if err := jsonInfo.Serializer.Encode(object, &text); err != nil {
		out.Error = "read, but cannot be printed: " + err.Error()
		return out
	}
	out.JSON = text.String()
	return out
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
