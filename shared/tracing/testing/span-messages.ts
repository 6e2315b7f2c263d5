import {
  bytes,
  int64,
  messageField,
  messageList,
  messageType,
  string,
  type MessageType,
} from '#shared/storage/etcd-wire/message-type.ts';

interface AnyValue {
  readonly text: string;
  readonly flag: number;
  readonly int: number;
}
interface KeyValue {
  readonly key: string;
  readonly value: AnyValue | undefined;
}
interface Event {
  readonly name: string;
}
interface Link {
  readonly spanId: Uint8Array;
}
interface Span {
  readonly traceId: Uint8Array;
  readonly spanId: Uint8Array;
  readonly parentSpanId: Uint8Array;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly KeyValue[];
  readonly events: readonly Event[];
  readonly links: readonly Link[];
}
interface Attributed {
  readonly attributes: readonly KeyValue[];
}
interface ScopeSpans {
  readonly spans: readonly Span[];
}
interface ResourceSpans {
  readonly resource: Attributed | undefined;
  readonly scopeSpans: readonly ScopeSpans[];
}
interface ExportRequest {
  readonly resourceSpans: readonly ResourceSpans[];
}

const none = new Uint8Array();
const anyValue: MessageType<AnyValue> = messageType('AnyValue', () => ({ text: '', flag: 0, int: 0 }), {
  text: [1, string],
  flag: [2, int64],
  int: [3, int64],
});
const keyValue: MessageType<KeyValue> = messageType('KeyValue', () => ({ key: '', value: undefined }), {
  key: [1, string],
  value: [2, messageField(() => anyValue)],
});
const event: MessageType<Event> = messageType('Event', () => ({ name: '' }), { name: [2, string] });
const link: MessageType<Link> = messageType('Link', () => ({ spanId: none }), { spanId: [2, bytes] });
const span: MessageType<Span> = messageType(
  'Span',
  () => ({ traceId: none, spanId: none, parentSpanId: none, name: '', kind: 0, attributes: [], events: [], links: [] }),
  {
    traceId: [1, bytes],
    spanId: [2, bytes],
    parentSpanId: [4, bytes],
    name: [5, string],
    kind: [6, int64],
    attributes: [9, messageList(() => keyValue)],
    events: [11, messageList(() => event)],
    links: [13, messageList(() => link)],
  },
);
const resource: MessageType<Attributed> = messageType('Resource', () => ({ attributes: [] }), {
  attributes: [1, messageList(() => keyValue)],
});
const scopeSpans: MessageType<ScopeSpans> = messageType('ScopeSpans', () => ({ spans: [] }), {
  spans: [2, messageList(() => span)],
});
const resourceSpans: MessageType<ResourceSpans> = messageType(
  'ResourceSpans',
  () => ({ resource: undefined, scopeSpans: [] }),
  { resource: [1, messageField(() => resource)], scopeSpans: [2, messageList(() => scopeSpans)] },
);

/** The fields of OTLP's messages that tests look at (opentelemetry-proto, trace/v1/trace.proto). */
export const exportRequest: MessageType<ExportRequest> = messageType(
  'ExportTraceServiceRequest',
  () => ({ resourceSpans: [] }),
  {
    resourceSpans: [1, messageList(() => resourceSpans)],
  },
);
