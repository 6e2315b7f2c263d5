// Writes objects of every built-in kind, empty and filled at random, as the reference's own serializers print them:
// <folder>/<group>.<version>.<kind>.<n>.{json,pb,cbor}. test/conformance/codec-fixtures/check-random.ts reads them.
package main

import (
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strconv"

	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	metafuzzer "k8s.io/apimachinery/pkg/apis/meta/fuzzer"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/runtime/serializer/cbor"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
)

func main() {
	folder := os.Args[1]
	count, err := strconv.Atoi(os.Args[2])
	must(err)
	seed, err := strconv.ParseInt(os.Args[3], 10, 64)
	must(err)
	codecs := serializer.NewCodecFactory(scheme.Scheme)
	fill := fuzzer.FuzzerFor(metafuzzer.Funcs, rand.NewSource(seed), codecs).NilChance(.4).NumElements(0, 3).MaxDepth(14)
	for gvk := range scheme.Scheme.AllKnownTypes() {
		if gvk.Version == runtime.APIVersionInternal {
			continue
		}
		for i := 0; i < count; i++ {
			object, err := scheme.Scheme.New(gvk)
			must(err)
			if i > 0 {
				fill.Fill(object)
			}
			object.GetObjectKind().SetGroupVersionKind(gvk)
			write(folder, gvk, i, object)
		}
	}
}

func write(folder string, gvk schema.GroupVersionKind, i int, object runtime.Object) {
	group := gvk.Group
	if group == "" {
		group = "core"
	}
	name := filepath.Join(folder, fmt.Sprintf("%s.%s.%s.%d", group, gvk.Version, gvk.Kind, i))
	wireCodec := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
	textCodec := json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme.Scheme, scheme.Scheme, json.SerializerOptions{})
	// What one of the forms cannot tell apart (empty and nil) is made equal by a turn through both.
	var err error
	for _, codec := range []runtime.Serializer{wireCodec, textCodec} {
		var turn bytes.Buffer
		if err := codec.Encode(object, &turn); err != nil {
			return
		}
		object, _, err = codec.Decode(turn.Bytes(), &gvk, nil)
		must(err)
		object.GetObjectKind().SetGroupVersionKind(gvk)
	}
	var text, wire bytes.Buffer
	must(wireCodec.Encode(object, &wire))
	must(textCodec.Encode(object, &text))
	must(os.WriteFile(name+".json", text.Bytes(), 0o644))
	must(os.WriteFile(name+".pb", wire.Bytes(), 0o644))
	var binary bytes.Buffer
	must(cbor.NewSerializer(scheme.Scheme, scheme.Scheme).Encode(object, &binary))
	must(os.WriteFile(name+".cbor", binary.Bytes(), 0o644))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
