import { kinds } from './target-server.ts';

/** One request that both servers get. */
export interface ProxyRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  /** Sends the body in chunks, without its length. */
  readonly isChunked?: boolean;
  readonly user?: 'bob' | 'nobody';
  /** The connection is asked to become another protocol, and what comes back on it is read. */
  readonly upgrade?: string;
  /** What comes after the upgrade is read as messages of a WebSocket, until the server ends it. */
  readonly readsToEnd?: boolean;
}

/** Where the servers of {@link allRequests} listen. */
export interface TargetPorts {
  readonly plain: number;
  readonly tls: number;
  /** Nobody listens. */
  readonly closed: number;
}

const pods = '/api/v1/namespaces/default/pods';
const services = '/api/v1/namespaces/default/services';
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const get = (path: string, headers?: ProxyRequest['headers']): ProxyRequest => ({
  method: 'GET',
  path,
  ...(headers === undefined ? {} : { headers }),
});

function answersOfTheTarget(): ProxyRequest[] {
  const odd = kinds.filter((kind) => !kind.startsWith('early'));
  return [
    ...odd.map((kind) => get(`${pods}/p/proxy/${kind}`)),
    ...odd
      .filter((kind) => /^(?:page|redirect|text|chunked|headers|teapot)/.test(kind))
      .flatMap((kind) => [
        get(`${pods}/p/proxy/deep/${kind}`, { 'accept-encoding': 'gzip' }),
        { method: 'HEAD', path: `${pods}/p/proxy/${kind}` },
        { method: 'POST', path: `${services}/s:web/proxy/${kind}/`.replace(/\/$/, ''), body: 'sent' },
      ]),
    ...['redirect-absolute', 'redirect-self', 'page', 'teapot'].flatMap((kind) => [
      get(`/api/v1/nodes/n/proxy/${kind}`),
      get(`${services}/https:s:tls/proxy/${kind}`),
    ]),
  ];
}

function ids({ plain, tls, closed }: TargetPorts): ProxyRequest[] {
  const podIds = [
    'p',
    `p:${plain}`,
    `http:p:${plain}`,
    `https:p:${tls}`,
    `https:p:${plain}`,
    `http:p:${tls}`,
    'http:p:',
    'https:p:',
    'p:',
    `:p:${plain}`,
    `p:${closed}`,
    'ftp:p:80',
    'HTTP:p:80',
    ':',
    '::',
    'a:b:c:d',
    'missing',
    'missing:80',
    'noip',
    'noip:80',
    'loopback',
    'metadata',
    'metadata:80',
    'noport',
    'p:web',
    'p:99999',
  ];
  const serviceIds = [
    's',
    's:web',
    's:tls',
    's:8080',
    's:8443',
    `https:s:tls`,
    'https:s:8443',
    'http:s:web',
    's:81',
    's:nope',
    's:+8080',
    's:08080',
    's:-1',
    's:99999999999999999999',
    'ftp:s:web',
    '::',
    'a:b:c:d',
    'missing',
    'missing:80',
    'unnamed',
    'unnamed:80',
    'unnamed:',
    'http:unnamed:',
    'none',
    'none:80',
    'foreign:web',
    'stolen:web',
    'refless:web',
    'unready:web',
    'gone:web',
    'second:web',
    'closed:web',
  ];
  const nodeIds = [
    'n',
    `n:${tls}`,
    `n:${plain}`,
    `http:n:${plain}`,
    `https:n:${tls}`,
    `http:n:${tls}`,
    `https:n:${plain}`,
    'missing',
    'missing:80',
    'noaddress',
    'metadata',
    'metadata:80',
    'loopback',
    'named:80',
    'unknown-name',
    `n:${closed}`,
    'ftp:n:80',
    '::',
  ];
  return [
    ...podIds.map((id) => get(`${pods}/${id}/proxy/x`)),
    ...serviceIds.map((id) => get(`${services}/${id}/proxy/x`)),
    ...nodeIds.map((id) => get(`/api/v1/nodes/${id}/proxy/x`)),
  ];
}

function paths(): ProxyRequest[] {
  const ends = [
    '',
    '/',
    '?',
    '?a=b',
    '/?a=b',
    '//',
    '/a',
    '/a/',
    '/a//b',
    '/a/../b',
    '/a/./b/',
    '/../../x',
    '/%2e%2e/x',
    '/a%2Fb',
    '/a%20b',
    '/a b',
    '/%C3%A4',
    '/%FF',
    "/a'b(c)!*",
    '/a;b=c,d',
    '/a:b@c&d=e+f$g',
    '/%25',
    '/a?b=c&b=d;e',
    "/a?q='%22<>",
    '/a?%zz',
    '/a?x=%20+y#no',
    '/proxy/proxy',
    '/a?dryRun=All',
    '/a?dryRun=',
    '/a?timeout=1s',
    '/a?watch=true',
    '/a?path=/b',
    '/a?pretty=true',
    '/a|b^c',
    '/a[b]',
    '/a%7Eb~',
  ];
  return [
    ...ends.map((end) => get(`${pods}/p/proxy${end.replace(' ', '%20').replace('#no', '')}`)),
    ...ends
      .slice(0, 8)
      .flatMap((end) =>
        ['HEAD', 'POST', 'DELETE', 'OPTIONS'].map((method) => ({ method, path: `${services}/s:web/proxy${end}` })),
      ),
    ...ends.slice(0, 8).map((end) => get(`/api/v1/nodes/n/proxy${end}`)),
    get(`${pods}/p/proxyx`),
    get(`${pods}/p/x/proxy`),
    get(`/api/v1/proxy/namespaces/default/pods/p`),
    get('/api/v1/namespaces/default/configmaps/p/proxy'),
    get('/api/v1/pods/p/proxy'),
  ];
}

function methodsAndBodies(): ProxyRequest[] {
  const large = 'large '.repeat(50_000);
  return [
    ...methods.flatMap((method) =>
      [`${pods}/p/proxy/m`, `${services}/s:web/proxy/m`, '/api/v1/nodes/n/proxy/m'].map((path) => ({ method, path })),
    ),
    ...['POST', 'PUT', 'PATCH', 'DELETE', 'GET', 'OPTIONS'].flatMap((method) => [
      { method, path: `${pods}/p/proxy/m`, body: 'short', headers: { 'content-type': 'text/plain' } },
      { method, path: `${pods}/p/proxy/m`, body: 'in chunks', isChunked: true },
      { method, path: `${pods}/p/proxy/m`, body: '', headers: { 'content-length': '0' } },
    ]),
    { method: 'POST', path: `${pods}/p/proxy/m`, body: large },
    { method: 'PUT', path: `${services}/s:web/proxy/m`, body: large, isChunked: true },
    ...['TRACE', 'PROPFIND', 'SEARCH', 'get'].map((method) => ({ method, path: `${pods}/p/proxy/m` })),
    { method: 'POST', path: `${pods}/p/proxy/closes`, body: 'x' },
    { method: 'POST', path: `${pods}/noip/proxy/m`, body: 'x' },
  ];
}

function headersOfClients(): ProxyRequest[] {
  const path = `${pods}/p/proxy/h`;
  const sets: NonNullable<ProxyRequest['headers']>[] = [
    { accept: 'text/html', 'accept-language': 'de', 'user-agent': 'agent/1', cookie: 'a=b; c=d' },
    { 'x-own': ['1', '2'], 'x-forwarded-for': ['1.1.1.1', '2.2.2.2'] },
    {
      'x-forwarded-for': '1.1.1.1, 2.2.2.2',
      'x-forwarded-host': 'other.example',
      'x-forwarded-proto': 'ftp',
      'x-forwarded-uri': '/forged',
      forwarded: 'for=1.1.1.1',
      'x-real-ip': '9.9.9.9',
    },
    { 'x-remote-user': 'root', 'x-remote-group': 'system:masters', 'x-remote-extra-a': 'b', 'x-remote-uid': '1' },
    { 'impersonate-user': 'bob' },
    { 'impersonate-user': 'admin', 'impersonate-group': 'system:masters', 'impersonate-extra-a': 'b' },
    { connection: 'x-listed', 'x-listed': '1', 'x-kept': '2' },
    { connection: 'keep-alive, X-Listed', 'x-listed': '1' },
    { 'keep-alive': 'timeout=5', 'proxy-connection': 'keep-alive', 'proxy-authorization': 'Basic eDp5' },
    { te: 'trailers' },
    { te: 'gzip' },
    { te: 'trailers, gzip' },
    { 'accept-encoding': 'br' },
    { 'accept-encoding': '' },
    { range: 'bytes=0-3' },
    { 'audit-id': 'of-the-client' },
    {
      'if-none-match': '"a"',
      'cache-control': 'no-cache',
      origin: 'https://a.example',
      referer: 'https://a.example/x',
    },
    { 'x-bytes': 'caf\u00e9', 'x-empty': '', x_under: '1', 'x.dot': '2' },
    { host: 'api.example' },
    { host: 'api.example:1234' },
    { 'content-type': 'text/plain' },
    { upgrade: 'h2c' },
    { upgrade: 'websocket' },
    { 'sec-websocket-protocol': 'base64url.bearer.authorization.k8s.io.dG9rZW4, v4.channel.k8s.io' },
  ];
  return [
    ...sets.map((headers) => get(path, headers)),
    ...sets.slice(0, 8).map((headers) => get(`/api/v1/nodes/n/proxy/h`, headers)),
    get(`${pods}/missing/proxy/h`, { accept: 'application/yaml' }),
    get(`${pods}/missing/proxy/h`, { accept: 'text/html' }),
    get(`${pods}/p:1:2:3/proxy/h`, { accept: 'application/vnd.kubernetes.protobuf' }),
  ];
}

function rights(): ProxyRequest[] {
  return (['bob', 'nobody'] as const).flatMap((user) => [
    ...methods.map((method) => ({ method, path: `${pods}/p/proxy/r`, user })),
    ...[
      `${services}/s:web/proxy/r`,
      '/api/v1/nodes/n/proxy/r',
      `${pods}/missing/proxy/`,
      '/api/v1/namespaces/other/pods/p/proxy/r',
    ].map((path) => ({ method: 'GET', path, user })),
  ]);
}

function upgrades({ plain, closed }: TargetPorts): ProxyRequest[] {
  const key = { 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
  const up = (path: string, upgrade = 'websocket', more: Partial<ProxyRequest> = {}): ProxyRequest => ({
    method: 'GET',
    path,
    upgrade,
    headers: key,
    ...more,
  });
  return [
    up(`${pods}/p/proxy/ws`),
    up(`${pods}/p/proxy/ws?a=b'c`),
    up(`${pods}/p:${plain}/proxy/a/../ws/`),
    up(`${pods}/p/proxy`),
    up(`${services}/s:web/proxy/ws`),
    up(`${services}/https:s:tls/proxy/ws`),
    up('/api/v1/nodes/n/proxy/ws'),
    up(`/api/v1/nodes/n:${plain}/proxy/ws`),
    up(`${pods}/p/proxy/ws`, 'SPDY/3.1'),
    up(`${pods}/p/proxy/ws`, 'SPDY/3.1', { method: 'POST' }),
    up(`${services}/s:web/proxy/ws`, 'SPDY/3.1', { method: 'POST' }),
    up(`${pods}/p/proxy/refuse`),
    up(`${pods}/p/proxy/ignore`),
    up(`${pods}/p/proxy/refuse`, 'SPDY/3.1', { method: 'POST' }),
    up(`${pods}/p:${closed}/proxy/ws`),
    up(`${pods}/missing/proxy/ws`),
    up(`${pods}/noip/proxy/ws`),
    up(`${pods}/metadata/proxy/ws`),
    up(`${services}/none/proxy/ws`),
    up(`${services}/s:nope/proxy/ws`),
    up('/api/v1/nodes/missing/proxy/ws'),
    up(`${pods}/p/proxy/ws`, 'websocket', { user: 'bob', method: 'GET' }),
    up(`${pods}/p/proxy/ws`, 'SPDY/3.1', { user: 'bob', method: 'POST' }),
    up(`${services}/s:web/proxy/ws`, 'websocket', { user: 'bob' }),
    up(`${pods}/p/proxy/ws`, 'websocket', {
      headers: {
        ...key,
        'x-forwarded-for': '1.1.1.1',
        'x-own': '1',
        'sec-websocket-protocol': 'base64url.bearer.authorization.k8s.io.dG9rZW4, chat',
        'x-remote-user': 'root',
      },
    }),
  ];
}

/** Everything that is compared, with a name for each that stays the same from run to run. */
export function allRequests(ports: TargetPorts): ReadonlyMap<string, ProxyRequest> {
  const all = [
    ...answersOfTheTarget(),
    ...ids(ports),
    ...paths(),
    ...methodsAndBodies(),
    ...headersOfClients(),
    ...rights(),
    ...upgrades(ports),
  ];
  return nameRequests(all);
}

/** By method, path and what else is in them. */
export function nameRequests(all: readonly ProxyRequest[]): ReadonlyMap<string, ProxyRequest> {
  const named = new Map<string, ProxyRequest>();
  for (const request of all) {
    const { method, path, headers, body, isChunked, user, upgrade } = request;
    const more = [
      user,
      upgrade,
      isChunked === true ? 'in chunks' : body === undefined ? undefined : `${body.length} bytes`,
      headers === undefined ? undefined : JSON.stringify(headers),
    ];
    named.set([method, path, ...more.filter((part) => part !== undefined)].join(' '), request);
  }
  return named;
}
