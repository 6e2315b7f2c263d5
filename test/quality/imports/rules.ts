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
  'shared/apimachinery': rule('everything stands on it', 'caches'),
  'shared/frames': rule('frames know bytes, not the calls that they carry', ''),
  'shared/protobuf': rule('the wire format knows numbers and lengths, not messages', ''),
  'shared/files': rule('files know nobody who reads them', ''),
  'shared/observability': rule('everything logs, so logging knows nobody', 'apimachinery'),
  'shared/http2': rule('a connection knows frames, fields and streams, not what is asked', 'apimachinery'),
  'shared/x509': rule('certificates are bytes: who shows them is judged elsewhere', 'apimachinery'),
  'shared/cel': rule('expressions know values and types, not who asks for their evaluation', 'caches apimachinery'),
  'shared/api': rule('facts know types, not servers', 'apimachinery'),
  'shared/request': rule('a request knows nothing of who serves it', 'apimachinery'),
  'shared/objects': rule('what is read of objects does not depend on who reads it', 'apimachinery request'),
  'shared/serializer': rule('codecs work on values and schemas', 'caches apimachinery protobuf api'),
  'shared/storage': rule('storage moves bytes', 'apimachinery frames protobuf'),
  'shared/watchcache': rule('the cache holds what storage says and is given its decoder', 'apimachinery storage'),
  'shared/follow': rule('followers know what changes, not what is made of it', 'apimachinery storage watchcache'),
  'shared/admission': rule(
    'plugins look at objects and caches, never at handlers',
    'apimachinery request objects watchcache follow',
  ),
  'shared/registry': rule(
    'the registry stores; who asks and how was decided before',
    'caches apimachinery observability api request serializer storage watchcache',
  ),
  'shared/authentication': rule(
    'authentication reads requests, certificates and objects',
    'apimachinery files x509 request serializer storage registry',
  ),
  'shared/authorization': rule(
    'authorization reads requests, users and objects',
    'apimachinery api request objects serializer watchcache follow registry authentication',
  ),
  'shared/endpoints': rule(
    'handlers end at the registry; the chain stands before them',
    'caches apimachinery protobuf cel api request serializer storage watchcache admission registry',
  ),
  'shared/filters': rule(
    'filters stand before the handlers',
    'apimachinery observability request authentication authorization',
  ),
  'shared/server': rule(
    'the server puts the chain together and knows none of the servers that are built with it',
    'caches apimachinery observability http2 x509 api request serializer storage admission registry authentication authorization endpoints filters',
  ),
  'shared/process': rule(
    'processes of this product: what they open by their flags, and how they reach one another',
    'apimachinery frames files observability x509 api request serializer storage registry authentication authorization server',
  ),
  gateway: rule(
    'the gateway reaches the servers over their listeners only',
    'apimachinery frames files observability api request serializer storage watchcache follow admission registry authentication authorization endpoints filters server process',
  ),
  'servers/core': rule(
    'servers never import one another',
    'caches apimachinery observability x509 cel api request objects serializer storage watchcache follow admission registry authentication authorization endpoints filters server process',
  ),
  'servers/extensions': rule(
    'servers never import one another',
    'caches apimachinery cel api request serializer storage watchcache follow admission registry authorization endpoints server process',
  ),
  'servers/store': rule('servers never import one another', 'apimachinery protobuf files observability storage'),
  'servers/launcher': rule(
    'the launcher starts processes; it does not run their code',
    'files observability x509 authentication server process',
  ),
};
