// A collector that takes traces by OTLP over gRPC, with the service of go.opentelemetry.io/proto/otlp, and prints each
// span as one line of JSON. Its first line is its address. It ends with its standard input.
package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"sync"

	service "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	"google.golang.org/grpc"
)

type span struct {
	TraceID    string            `json:"traceId"`
	SpanID     string            `json:"spanId"`
	ParentID   string            `json:"parentId"`
	Name       string            `json:"name"`
	Kind       string            `json:"kind"`
	Attributes map[string]string `json:"attributes"`
	Events     []string          `json:"events"`
	Links      int               `json:"links"`
	Resource   map[string]string `json:"resource"`
	Start      uint64            `json:"start"`
	End        uint64            `json:"end"`
}

type collector struct {
	service.UnimplementedTraceServiceServer
	lock sync.Mutex
	out  *json.Encoder
}

func (c *collector) Export(_ context.Context, request *service.ExportTraceServiceRequest) (*service.ExportTraceServiceResponse, error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	for _, resource := range request.GetResourceSpans() {
		of := values(resource.GetResource().GetAttributes())
		for _, scope := range resource.GetScopeSpans() {
			for _, sent := range scope.GetSpans() {
				events := []string{}
				for _, event := range sent.GetEvents() {
					events = append(events, event.GetName())
				}
				err := c.out.Encode(span{
					TraceID:    hex.EncodeToString(sent.GetTraceId()),
					SpanID:     hex.EncodeToString(sent.GetSpanId()),
					ParentID:   hex.EncodeToString(sent.GetParentSpanId()),
					Name:       sent.GetName(),
					Kind:       sent.GetKind().String(),
					Attributes: values(sent.GetAttributes()),
					Events:     events,
					Links:      len(sent.GetLinks()),
					Resource:   of,
					Start:      sent.GetStartTimeUnixNano(),
					End:        sent.GetEndTimeUnixNano(),
				})
				if err != nil {
					return nil, err
				}
			}
		}
	}
	return &service.ExportTraceServiceResponse{}, nil
}

func values(attributes []*common.KeyValue) map[string]string {
	found := map[string]string{}
	for _, attribute := range attributes {
		switch value := attribute.GetValue().GetValue().(type) {
		case *common.AnyValue_StringValue:
			found[attribute.GetKey()] = value.StringValue
		case *common.AnyValue_IntValue:
			found[attribute.GetKey()] = fmt.Sprint(value.IntValue)
		default:
			found[attribute.GetKey()] = fmt.Sprint(attribute.GetValue())
		}
	}
	return found
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr())
	server := grpc.NewServer()
	service.RegisterTraceServiceServer(server, &collector{out: json.NewEncoder(os.Stdout)})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	if err := server.Serve(listener); err != nil {
		panic(err)
	}
}
