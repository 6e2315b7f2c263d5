export interface ImportRule {
  /** Parts that this one imports, besides itself: all that it may, and none that it does not. */
  readonly may: readonly string[];
  /** Said when an import leads elsewhere. */
  readonly why: string;
}

function rule(why: string, names: string): ImportRule {
  return { why, may: names === '' ? [] : names.split(' ').map((name) => `shared/${name}`) };
}

/** Which parts of the project import which, from the ground up: a part imports only parts above it in this list. */
export const importRules: Readonly<Record<string, ImportRule>> = {
  'shared/caches': rule('a cache counts bytes, whatever it holds', ''),
  'shared/apimachinery': rule('all other parts build on it', 'caches'),
  'shared/spans': rule('whoever works for a request may say what it does, so spans depend on nothing', ''),
  'shared/frames': rule('frames know bytes, not the calls that they carry', ''),
  'shared/protobuf': rule('the wire format handles numbers, lengths and texts, not messages', 'apimachinery'),
  'shared/files': rule('file access does not depend on its callers', ''),
  'shared/observability': rule('all parts log, so logging depends on none of them', 'apimachinery'),
  'shared/http2': rule('a connection handles frames, fields and streams, not the meaning of requests', 'apimachinery'),
  'shared/tls': rule('a connection ends in the same way, whatever it carries', ''),
  'shared/x509': rule('certificates are bytes: authentication decides about their owners', 'apimachinery'),
  'shared/cel': rule('expressions depend on values and types, not on their users', 'caches apimachinery observability'),
  'shared/api': rule('facts know types, not servers', 'apimachinery'),
  'shared/request': rule('a request does not depend on the server that handles it', 'apimachinery'),
  'shared/objects': rule('the content of objects does not depend on its readers', 'apimachinery request'),
  'shared/serializer': rule('codecs work on values and schemas', 'caches apimachinery protobuf api'),
  'shared/storage': rule('storage moves bytes', 'apimachinery spans frames protobuf'),
  'shared/grpc': rule('a call carries messages, whatever they mean', 'spans storage'),
  'shared/watchcache': rule(
    'the cache holds what storage delivers, and its user supplies the decoder',
    'apimachinery spans observability storage',
  ),
  'shared/follow': rule(
    'followers deliver changes and do not interpret them',
    'apimachinery observability storage watchcache',
  ),
  'shared/services': rule(
    'the addresses of Services do not depend on who calls them',
    'apimachinery watchcache follow',
  ),
  'shared/configuration': rule(
    'configuration files are read without knowing what they configure',
    'apimachinery files observability api request serializer follow',
  ),
  'shared/egress': rule(
    'a dialer opens connections, whatever they carry',
    'apimachinery spans protobuf observability request configuration',
  ),
  'shared/encryption': rule(
    'providers encrypt bytes, whatever they are',
    'apimachinery spans observability api storage grpc follow configuration',
  ),
  'shared/tracing': rule(
    'spans are sent without knowing what they tell',
    'apimachinery spans observability cel grpc configuration egress',
  ),
  'shared/webhooks': rule(
    'a call knows addresses and bytes, not the reviews that it carries',
    'apimachinery spans observability request services configuration egress',
  ),
  'shared/audit': rule(
    'events know requests, not the handlers that answer them',
    'apimachinery files observability api request follow configuration egress webhooks',
  ),
  'shared/admission': rule(
    'plugins look at objects and caches, never at handlers',
    'apimachinery spans files observability cel api request objects serializer watchcache follow configuration webhooks',
  ),
  'shared/registry': rule(
    'the registry stores; authorization and negotiation came before',
    'caches apimachinery spans observability api request serializer storage watchcache',
  ),
  'shared/authentication': rule(
    'authentication reads requests, certificates and objects, and asks webhooks',
    'apimachinery files observability x509 cel api request serializer storage grpc configuration egress webhooks registry',
  ),
  'shared/authorization': rule(
    'authorization reads requests, users and objects',
    'caches apimachinery observability cel api request objects serializer watchcache follow configuration egress webhooks admission registry authentication',
  ),
  'shared/endpoints': rule(
    'handlers end at the registry; the chain stands before them',
    'caches apimachinery spans observability protobuf cel api request serializer storage watchcache admission registry',
  ),
  'shared/flowcontrol': rule(
    'flow control knows requests and their users, and nothing of the chain',
    'apimachinery observability request',
  ),
  'shared/filters': rule(
    'filters stand before the handlers',
    'apimachinery spans observability request audit authentication authorization flowcontrol',
  ),
  'shared/server': rule(
    'the server assembles the chain and does not depend on the servers that are built with it',
    'caches apimachinery observability http2 tls x509 cel api request serializer storage configuration egress audit webhooks admission registry authentication authorization endpoints flowcontrol filters',
  ),
  'shared/process': rule(
    'processes of this product: what they open by their flags, and how they reach one another',
    'apimachinery frames files observability tls x509 api request serializer storage watchcache follow egress encryption tracing registry authentication authorization server',
  ),
  gateway: rule(
    'the gateway reaches the servers over their listeners only',
    'apimachinery spans frames files observability api request serializer storage watchcache follow services egress audit admission registry authentication authorization endpoints flowcontrol filters server process',
  ),
  'servers/core': rule(
    'servers never import one another',
    'caches apimachinery observability x509 cel api request objects serializer storage watchcache follow configuration webhooks egress admission registry authentication authorization endpoints filters server process',
  ),
  'servers/extensions': rule(
    'servers never import one another',
    'caches apimachinery spans cel api request serializer storage watchcache follow webhooks admission registry authorization endpoints server process',
  ),
  'servers/store': rule(
    'servers never import one another',
    'apimachinery protobuf files observability tls storage process',
  ),
  'servers/launcher': rule(
    'the launcher starts processes; it does not run their code',
    'apimachinery files observability x509 audit encryption tracing authentication authorization server process',
  ),
  'servers/controllers': rule(
    'controllers are clients of the API: they know nothing of the servers behind it',
    'apimachinery files observability request follow webhooks authentication server process',
  ),
  'servers/host': {
    why: 'the host of test clusters alone runs all servers in one process',
    may: [
      ...rule('', 'apimachinery protobuf files observability request follow serializer storage server process').may,
      'gateway',
      'servers/core',
      'servers/extensions',
      'servers/store',
      'servers/launcher',
      'servers/controllers',
    ],
  },
};
