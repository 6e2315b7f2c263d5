// A collector of OpenTelemetry: its receiver of OTLP (over gRPC), and an exporter that prints each span as one line of
// JSON. Its first line is its address. It ends with its standard input.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"sync"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/receiver"
	"go.opentelemetry.io/collector/receiver/otlpreceiver"
)

type span struct {
	TraceID    string            `json:"traceId"`
	SpanID     string            `json:"spanId"`
	ParentID   string            `json:"parentId"`
	Name       string            `json:"name"`
	Kind       string            `json:"kind"`
	Status     string            `json:"status"`
	Attributes map[string]string `json:"attributes"`
	Events     []string          `json:"events"`
	Links      int               `json:"links"`
	Resource   map[string]string `json:"resource"`
	Start      uint64            `json:"start"`
	End        uint64            `json:"end"`
}

type exporter struct {
	lock sync.Mutex
	out  *json.Encoder
}

func (e *exporter) export(_ context.Context, traces ptrace.Traces) error {
	e.lock.Lock()
	defer e.lock.Unlock()
	for _, resource := range traces.ResourceSpans().All() {
		of := values(resource.Resource().Attributes())
		for _, scope := range resource.ScopeSpans().All() {
			for _, sent := range scope.Spans().All() {
				if err := e.out.Encode(spanOf(sent, of)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func spanOf(sent ptrace.Span, resource map[string]string) span {
	events := []string{}
	for _, event := range sent.Events().All() {
		events = append(events, event.Name())
	}
	return span{
		TraceID:    sent.TraceID().String(),
		SpanID:     sent.SpanID().String(),
		ParentID:   sent.ParentSpanID().String(),
		Name:       sent.Name(),
		Kind:       sent.Kind().String(),
		Status:     sent.Status().Code().String(),
		Attributes: values(sent.Attributes()),
		Events:     events,
		Links:      sent.Links().Len(),
		Resource:   resource,
		Start:      uint64(sent.StartTimestamp()),
		End:        uint64(sent.EndTimestamp()),
	}
}

func values(attributes pcommon.Map) map[string]string {
	found := map[string]string{}
	for key, value := range attributes.All() {
		found[key] = value.AsString()
	}
	return found
}

// freeAddress asks the system for a port: the receiver does not tell which one it got.
func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	return listener.Addr().String(), nil
}

func run(ctx context.Context) error {
	address, err := freeAddress()
	if err != nil {
		return err
	}
	factory := otlpreceiver.NewFactory()
	config := factory.CreateDefaultConfig()
	protocols := map[string]any{"protocols": map[string]any{"grpc": map[string]any{"endpoint": address}}}
	if err := confmap.NewFromStringMap(protocols).Unmarshal(config); err != nil {
		return err
	}
	out := &exporter{out: json.NewEncoder(os.Stdout)}
	traces, err := consumer.NewTraces(out.export)
	if err != nil {
		return err
	}
	settings := receiver.Settings{
		ID:                component.NewID(factory.Type()),
		TelemetrySettings: componenttest.NewNopTelemetrySettings(),
	}
	receiving, err := factory.CreateTraces(ctx, settings, config, traces)
	if err != nil {
		return err
	}
	if err := receiving.Start(ctx, componenttest.NewNopHost()); err != nil {
		return err
	}
	fmt.Println(address)
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	return receiving.Shutdown(ctx)
}

func main() {
	if err := run(context.Background()); err != nil {
		panic(err)
	}
}
