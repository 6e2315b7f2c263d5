// Records how the reference writes audit events: each event of events.json as a line of the log (json and legacy), and as
// an item of the list that the webhook gets.
//
//	cd test/recorders && go run ./audit < ../../shared/audit/event/testdata/events.json \
//	    > ../../shared/audit/event/testdata/gen/written.json
package main

import (
	"encoding/json"
	"os"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	auditinternal "k8s.io/apiserver/pkg/apis/audit"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"
	"k8s.io/apiserver/pkg/audit"
)

type written struct {
	Line   string `json:"line"`
	Item   string `json:"item"`
	Legacy string `json:"legacy"`
}

func main() {
	var events []auditv1.Event
	check(json.NewDecoder(os.Stdin).Decode(&events))
	codec := audit.Codecs.LegacyCodec(auditv1.SchemeGroupVersion)
	made := []written{}
	for _, one := range events {
		one.RequestReceivedTimestamp = metav1.NewMicroTime(one.RequestReceivedTimestamp.UTC())
		var internal auditinternal.Event
		check(audit.Scheme.Convert(&one, &internal, nil))
		line, err := runtime.Encode(codec, &internal)
		check(err)
		list, err := runtime.Encode(codec, &auditinternal.EventList{Items: []auditinternal.Event{internal}})
		check(err)
		var items struct{ Items []json.RawMessage }
		check(json.Unmarshal(list, &items))
		internal.RequestReceivedTimestamp.Time = internal.RequestReceivedTimestamp.In(time.UTC)
		made = append(made, written{string(line), string(items.Items[0]), audit.EventString(&internal)})
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", " ")
	check(encoder.Encode(made))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
