// Runs client-go's reflectors of ConfigMaps and of widgets.example.com in the namespace default, on one connection to the
// cluster that KUBECONFIG names, and prints a line of JSON for each value that they see, each dial that is refused, each
// answer that is no success, each list, and each watch that is told that its resource version is too old.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

type line struct {
	// Milliseconds since 1970.
	At int64 `json:"at"`
	// value, refused, status, list or gone.
	What     string `json:"what"`
	Resource string `json:"resource,omitempty"`
	Value    string `json:"value,omitempty"`
	Status   int    `json:"status,omitempty"`
}

var lines = make(chan line, 1000)

func tell(l line) {
	l.At = time.Now().UnixMilli()
	lines <- l
}

func main() {
	log.SetFlags(0)
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		log.Fatal(err)
	}
	var dialer net.Dialer
	config.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dialer.DialContext(ctx, network, address)
		if errors.Is(err, syscall.ECONNREFUSED) {
			tell(line{What: "refused"})
		}
		return conn, err
	}
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return told{next} })
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		log.Fatal(err)
	}
	typed, err := kubernetes.NewForConfigAndClient(config, client)
	if err != nil {
		log.Fatal(err)
	}
	untyped, err := dynamic.NewForConfigAndClient(config, client)
	if err != nil {
		log.Fatal(err)
	}
	maps := informers.NewSharedInformerFactoryWithOptions(typed, 0, informers.WithNamespace("default")).Core().V1().ConfigMaps().Informer()
	widgets := dynamicinformer.NewFilteredDynamicSharedInformerFactory(untyped, 0, "default", nil).
		ForResource(schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "widgets"}).Informer()
	follow(maps, "configmaps", func(object any) string { return object.(*corev1.ConfigMap).Data["value"] })
	follow(widgets, "widgets", func(object any) string {
		value, _, _ := unstructured.NestedString(object.(*unstructured.Unstructured).Object, "spec", "value")
		return value
	})
	encoder := json.NewEncoder(os.Stdout)
	for l := range lines {
		if err := encoder.Encode(l); err != nil {
			log.Fatal(err)
		}
	}
}

func follow(informer cache.SharedIndexInformer, resource string, valueOf func(any) string) {
	seen := func(object any) {
		if value := valueOf(object); value != "" {
			tell(line{What: "value", Resource: resource, Value: value})
		}
	}
	if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: seen, UpdateFunc: func(_, object any) { seen(object) },
	}); err != nil {
		log.Fatal(err)
	}
	go informer.Run(nil)
}

// told tells what the answers of the server were.
type told struct{ next http.RoundTripper }

func (t told) RoundTrip(request *http.Request) (*http.Response, error) {
	query := request.URL.Query()
	resource := request.URL.Path[strings.LastIndex(request.URL.Path, "/")+1:]
	if query.Get("watch") == "" || query.Get("sendInitialEvents") == "true" {
		tell(line{What: "list", Resource: resource})
	}
	response, err := t.next.RoundTrip(request)
	if err != nil {
		return response, err
	}
	if response.StatusCode >= 300 {
		tell(line{What: "status", Resource: resource, Status: response.StatusCode})
	}
	if query.Get("watch") != "" {
		response.Body = &watched{ReadCloser: response.Body, resource: resource}
	}
	return response, err
}

// watched finds the event with which a watch is told to list again, by its reason, in JSON and in protobuf.
type watched struct {
	io.ReadCloser
	resource string
	last     []byte
}

var reason = []byte("Expired")

func (w *watched) Read(into []byte) (int, error) {
	n, err := w.ReadCloser.Read(into)
	w.last = append(w.last, into[:n]...)
	if bytes.Contains(w.last, reason) {
		tell(line{What: "gone", Resource: w.resource})
		w.last = nil
	}
	w.last = w.last[max(0, len(w.last)-len(reason)+1):]
	return n, err
}
