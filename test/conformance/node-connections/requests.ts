import { nameRequests, type ProxyRequest } from '#test/conformance/proxies/requests.ts';
import { oddContainers } from './prepare.ts';

const pods = '/api/v1/namespaces/default/pods';
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const subresources = ['log', 'exec', 'attach', 'portforward'] as const;
/** Pods on every kind of node, and names that are none. */
const names = [
  'told',
  'closed',
  'noaddress',
  'external',
  'strange',
  'six',
  'preferred',
  'lost',
  'none',
  'two',
  'init',
  'noted',
  'missing',
  'UPPER',
  'a%2Fb',
  'a..b',
  '-',
  'told:80',
  '%20',
  'x'.repeat(254),
] as const;
const flags = ['', 'true', 'false', '1', '0', 'TRUE', 'False', 't', 'yes', 'no', 'null', '%20', '%FF'];
const numbers = [
  '',
  '0',
  '1',
  '-1',
  '+5',
  '-0',
  '1.5',
  'abc',
  '1e3',
  '%201',
  '0x10',
  '007',
  'null',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775808',
  '-9223372036854775809',
  '1_000',
  '%D9%A3',
];
const times = [
  '',
  'null',
  '2024-01-02T03:04:05Z',
  '2024-01-02T03:04:05.6%2B01:00',
  '2024-01-02T03:04:05',
  '2024-01-02',
  'now',
  '1704164645',
  '2024-13-01T00:00:00Z',
  '2024-02-30T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '2024-01-02t03:04:05z',
  '2024-01-02T24:00:00Z',
  '%222024-01-02T03:04:05Z%22',
];

function logs(): ProxyRequest[] {
  const log = (query: string, pod = 'told'): ProxyRequest => ({
    method: 'GET',
    path: `${pods}/${pod}/log${query === '' ? '' : `?${query}`}`,
  });
  return [
    ...names.map((pod) => log('', pod)),
    ...['follow', 'previous', 'timestamps', 'insecureSkipTLSVerifyBackend'].flatMap((name) =>
      flags.map((value) => log(`${name}=${value}`)),
    ),
    ...['sinceSeconds', 'tailLines', 'limitBytes'].flatMap((name) => numbers.map((value) => log(`${name}=${value}`))),
    ...times.map((value) => log(`sinceTime=${value}`)),
    ...['', 'All', 'Stdout', 'Stderr', 'stdout', 'bogus', '%20'].flatMap((value) => [
      log(`stream=${value}`),
      log(`stream=${value}&tailLines=3`),
    ]),
    ...['', 'c', 'd', 'before', 'debug', 'nope', 'C', 'c%20', '..', 'a%2Fb'].flatMap((container) =>
      ['told', 'two', 'init', 'noted', 'closed', 'none'].map((pod) => log(`container=${container}`, pod)),
    ),
    ...oddContainers.map((container) => log(`container=${container}`, 'odd')),
    ...oddContainers.map((container) => ({
      ...log(`container=${container}&follow=true`, 'odd'),
      headers: { accept: 'application/yaml' },
    })),
    ...[
      'follow',
      'previous&timestamps',
      'follow=true&follow=false',
      'tailLines=1&tailLines=x',
      'tailLines=x&tailLines=1',
      'sinceSeconds=5&sinceTime=2024-01-02T03:04:05Z',
      'sinceSeconds=0&sinceTime=x',
      'tailLines=-1&limitBytes=0&sinceSeconds=0',
      'tailLines=-1&limitBytes=-1&sinceSeconds=-1&stream=bogus',
      'bogus=1',
      'Follow=true',
      'tail=1',
      'container=c&container=d',
      'pretty=true',
      'dryRun=All',
      'timeout=1s',
      'timeout=x',
      'resourceVersion=5',
      'watch=true',
      'a;b=c',
      'tailLines=1;limitBytes=2',
      '%zz=1',
      'tailLines=%zz',
      'container=%zz',
      '&&',
      '=x',
      'kind=PodLogOptions&apiVersion=v1',
      'apiVersion=v9',
      'limitBytes=5&tailLines=5&timestamps=true&previous=true&sinceSeconds=7&follow=true&insecureSkipTLSVerifyBackend=true',
    ].flatMap((query) => [log(query), log(query, 'closed')]),
    ...[
      'application/yaml',
      'application/vnd.kubernetes.protobuf',
      'text/plain',
      'text/html',
      '*/*',
      'application/json;as=Table;g=meta.k8s.io;v=v1',
      'image/png',
      '',
      'gzip',
    ].flatMap((accept) => [
      { ...log(''), headers: { accept } },
      { ...log('tailLines=x'), headers: { accept } },
      { ...log('', 'lost'), headers: { accept } },
    ]),
    { ...log(''), headers: { 'accept-encoding': 'gzip' } },
    { ...log('pretty=true', 'missing'), headers: { 'user-agent': 'Mozilla/5.0' } },
    log('/'),
    { method: 'GET', path: `${pods}/told/log/` },
    { method: 'GET', path: `${pods}/told/log/c` },
    { method: 'GET', path: `${pods}//log` },
    { method: 'GET', path: '/api/v1/namespaces/other/pods/told/log' },
    { method: 'GET', path: '/api/v1/namespaces/missing/pods/told/log' },
    { method: 'GET', path: '/api/v1/pods/told/log' },
    { method: 'GET', path: '/api/v1/namespaces/default/services/told/log' },
    { method: 'GET', path: '/apis/apps/v1/namespaces/default/deployments/told/log' },
    { method: 'GET', path: '/api/v1/watch/namespaces/default/pods/told/log' },
  ];
}

function plainRequests(): ProxyRequest[] {
  return [
    ...subresources.flatMap((subresource) =>
      methods.map((method) => ({ method, path: `${pods}/told/${subresource}` })),
    ),
    ...(['exec', 'attach', 'portforward'] as const).flatMap((subresource) =>
      names.flatMap((pod) =>
        ['GET', 'POST'].map((method) => ({ method, path: `${pods}/${pod}/${subresource}?stdout=1&command=x` })),
      ),
    ),
    ...(['exec', 'attach', 'portforward'] as const).flatMap((subresource) => [
      {
        method: 'POST',
        path: `${pods}/told/${subresource}`,
        body: '{}',
        headers: { 'content-type': 'application/json' },
      },
      { method: 'POST', path: `${pods}/told/${subresource}`, body: 'x'.repeat(70_000) },
    ]),
  ];
}

const key = { 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };

function spdy(): ProxyRequest[] {
  const ask = (path: string, more: Partial<ProxyRequest> = {}): ProxyRequest => ({
    method: 'POST',
    path: `${pods}/${path}`,
    upgrade: 'SPDY/3.1',
    headers: { 'x-stream-protocol-version': ['v5.channel.k8s.io', 'v4.channel.k8s.io'] },
    ...more,
  });
  const bools = ['stdin', 'stdout', 'stderr', 'tty'].flatMap((name) => flags.map((value) => `${name}=${value}`));
  const ports = [
    '',
    '80',
    '80,81',
    '80,',
    ',80',
    ',',
    'abc',
    '-1',
    '0',
    '65535',
    '65536',
    '99999999999',
    '%2B80',
    '%2080',
    '080',
    '80.0',
    '0x50',
    'http',
    '80&ports=81',
    '80&ports=x',
    'x&ports=80',
  ];
  return [
    ...(['exec', 'attach', 'portforward'] as const).flatMap((subresource) =>
      names.map((pod) => ask(`${pod}/${subresource}?stdout=1&command=x&ports=80`)),
    ),
    ...bools.flatMap((query) => [ask(`told/exec?command=x&${query}`), ask(`told/attach?${query}`)]),
    ...[
      '',
      'command',
      'command=',
      'command=a&command=b',
      'command=a%20b',
      'command=%FF',
      'command=%00',
      'command=a%2Cb',
      'stdin&stdout&stderr&tty',
      'stdin=1&stdout=1&stderr=1&tty=1&container=c',
      'tty=1',
      'bogus=1',
      'container=c&container=d',
      'command=x;stdout=1',
      'command=%zz',
      'Command=x',
      "command=it's(a)*test!~",
      'timeout=1s',
      'command=ä',
    ].flatMap((query) => [
      ask(`told/exec?${query.replace('ä', '%C3%A4')}`),
      ask(`told/attach?${query.replace('ä', '%C3%A4')}`),
    ]),
    ...ports.flatMap((value) => [ask(`told/portforward?ports=${value}`), ask(`closed/portforward?ports=${value}`)]),
    ask('told/portforward'),
    ask('told/portforward?port=80'),
    ask('told/portforward?ports=80&container=c'),
    ...['c', 'd', 'before', 'debug', 'nope', ''].flatMap((container) =>
      ['two', 'init', 'told', 'noted'].flatMap((pod) => [
        ask(`${pod}/exec?command=x&container=${container}`),
        ask(`${pod}/attach?container=${container}`),
      ]),
    ),
    ask('told/exec?command=x', { method: 'GET' }),
    ask('told/exec?command=x', { method: 'PUT' }),
    ask('told/exec?command=x', { method: 'DELETE' }),
    ask('told/exec?command=x', { method: 'OPTIONS' }),
    ask('told/attach', { method: 'GET' }),
    ask('told/portforward?ports=80', { method: 'GET' }),
    ask('told/log'),
    ask('told/log', { method: 'GET' }),
    ask('closed/exec?command=x', { headers: {} }),
    ask('told/exec?command=x', { headers: {} }),
    ask('told/exec?command=x', {
      headers: {
        'x-own': '1',
        'x-forwarded-for': '1.1.1.1',
        'user-agent': 'agent/1',
        origin: 'http://a',
        cookie: 'a=b',
        accept: 'text/html',
      },
    }),
    { ...ask('told/exec?command=x'), upgrade: 'h2c' },
    { ...ask('told/exec?command=x'), upgrade: 'spdy/3.1' },
    { ...ask('told/exec?command=x'), upgrade: 'SPDY/3' },
    { method: 'POST', path: `${pods}/told/exec?command=x`, headers: { upgrade: 'SPDY/3.1' } },
    { method: 'POST', path: `${pods}/told/exec?command=x`, headers: { connection: 'Upgrade' } },
  ];
}

function webSockets(): ProxyRequest[] {
  const ask = (path: string, protocols: string | undefined, more: Partial<ProxyRequest> = {}): ProxyRequest => ({
    method: 'GET',
    path: `${pods}/${path}`,
    upgrade: 'websocket',
    readsToEnd: true,
    headers: { ...key, ...(protocols === undefined ? {} : { 'sec-websocket-protocol': protocols }) },
    ...more,
  });
  const passedOn = (path: string, protocols: string | undefined, more: Partial<ProxyRequest> = {}): ProxyRequest => ({
    ...ask(path, protocols, more),
    readsToEnd: false,
  });
  const v5 = 'v5.channel.k8s.io';
  const unreachable = ['closed', 'noaddress', 'external', 'strange', 'six', 'lost', 'none', 'two', 'missing'] as const;
  return [
    ...(['exec?command=x&stdout=1', 'attach?stdout=1'] as const).flatMap((what) =>
      unreachable.map((pod) => ask(`${pod}/${what}`, v5)),
    ),
    ...[
      'stdin=1',
      'stdout=1',
      'stderr=1',
      'stdin=1&stdout=1&stderr=1',
      'tty=1&stdout=1',
      'tty=1&stderr=1',
      '',
      'stdout=0&stderr=yes',
    ].flatMap((query) => [ask(`closed/exec?command=x&${query}`, v5), ask(`closed/attach?${query}`, v5)]),
    ...[
      undefined,
      '',
      'v4.channel.k8s.io',
      'channel.k8s.io',
      'base64.channel.k8s.io',
      'v4.base64.channel.k8s.io',
      'bogus',
      `v4.channel.k8s.io, ${v5}`,
      `${v5},v4.channel.k8s.io`,
      ` ${v5} `,
      'V5.channel.k8s.io',
      `${v5}, ${v5}`,
    ].flatMap((protocols) => [
      ask('closed/exec?command=x&stdout=1', protocols),
      ask('closed/attach?stdout=1', protocols),
    ]),
    ...[undefined, 'v4.channel.k8s.io', 'base64.channel.k8s.io', 'bogus'].map((protocols) =>
      passedOn('told/exec?command=x&stdout=1', protocols),
    ),
    ...[
      'SPDY/3.1+portforward.k8s.io',
      'SPDY/3.1+other.k8s.io',
      'SPDY/3.1+',
      'portforward.k8s.io',
      'v4.channel.k8s.io',
      undefined,
      'v4.channel.k8s.io, SPDY/3.1+portforward.k8s.io',
      'spdy/3.1+portforward.k8s.io',
      v5,
    ].flatMap((protocols) =>
      ['closed', 'lost', 'none', 'noaddress'].map((pod) => ask(`${pod}/portforward?ports=80`, protocols)),
    ),
    ...['SPDY/3.1+portforward.k8s.io', 'v4.channel.k8s.io, SPDY/3.1+a.k8s.io, SPDY/3.1+portforward.k8s.io'].map(
      (protocols) => ask('told/portforward?ports=80', protocols),
    ),
    ...['0', '99999', 'x', ''].map((port) => ask(`closed/portforward?ports=${port}`, 'SPDY/3.1+portforward.k8s.io')),
    ask('closed/exec?command=x&stdout=1', v5, { method: 'POST' }),
    ask('closed/exec?command=x&stdout=1', v5, { method: 'PUT' }),
    ask('closed/portforward?ports=80', 'SPDY/3.1+portforward.k8s.io', { method: 'POST' }),
    ask('closed/exec?command=x&stdout=1', v5, {
      headers: { 'sec-websocket-protocol': v5, 'sec-websocket-version': '13' },
    }),
    ask('closed/exec?command=x&stdout=1', v5, {
      headers: { 'sec-websocket-protocol': v5, 'sec-websocket-key': key['sec-websocket-key'] },
    }),
    ask('closed/exec?command=x&stdout=1', v5, {
      headers: { ...key, 'sec-websocket-protocol': v5, 'sec-websocket-version': '8' },
    }),
    ask('closed/exec?command=x&stdout=1', v5, {
      headers: { ...key, 'sec-websocket-protocol': v5, origin: 'not an origin %zz' },
    }),
    ask('closed/exec?command=x&stdout=1', v5, {
      headers: {
        ...key,
        'sec-websocket-protocol': v5,
        'sec-websocket-extensions': 'permessage-deflate',
        origin: 'https://a.example',
      },
    }),
  ];
}

function webSocketLogs(): ProxyRequest[] {
  const ask = (path: string, protocols: string | undefined): ProxyRequest => ({
    method: 'GET',
    path: `${pods}/${path}`,
    upgrade: 'websocket',
    readsToEnd: true,
    headers: { ...key, ...(protocols === undefined ? {} : { 'sec-websocket-protocol': protocols }) },
  });
  return [
    ...[
      undefined,
      '',
      'binary.k8s.io',
      'base64.binary.k8s.io',
      'bogus',
      'bogus, binary.k8s.io',
      'base64.binary.k8s.io,binary.k8s.io',
      'v4.channel.k8s.io',
      'BINARY.k8s.io',
    ].flatMap((protocols) => [ask('told/log', protocols), ask('odd/log?container=chunked', protocols)]),
    ...[
      'missing/log',
      'closed/log',
      'none/log',
      'told/log?tailLines=x',
      'told/log?container=nope',
      'told/log?follow=true',
      'odd/log?container=failure',
      'odd/log?container=teapot',
      'odd/log?container=no-content',
    ].flatMap((path) => ['binary.k8s.io', 'base64.binary.k8s.io', undefined].map((protocols) => ask(path, protocols))),
  ];
}

function rights(): ProxyRequest[] {
  return (['bob', 'nobody'] as const).flatMap((user) => [
    ...subresources.flatMap((subresource) =>
      methods.map((method) => ({ method, path: `${pods}/told/${subresource}?stdout=1&command=x`, user })),
    ),
    ...(['exec', 'attach', 'portforward'] as const).flatMap((subresource) => [
      {
        method: 'GET',
        path: `${pods}/closed/${subresource}?stdout=1&ports=80`,
        upgrade: 'websocket',
        readsToEnd: true,
        headers: { ...key, 'sec-websocket-protocol': 'v5.channel.k8s.io' },
        user,
      },
      { method: 'POST', path: `${pods}/told/${subresource}?stdout=1&ports=80`, upgrade: 'SPDY/3.1', user },
      { method: 'GET', path: `${pods}/told/${subresource}?stdout=1&ports=80`, upgrade: 'SPDY/3.1', user },
      { method: 'POST', path: `${pods}/missing/${subresource}`, upgrade: 'SPDY/3.1', user },
      { method: 'POST', path: `/api/v1/namespaces/other/pods/told/${subresource}`, user },
    ]),
    { method: 'GET', path: `${pods}/missing/log`, user },
    { method: 'GET', path: '/api/v1/namespaces/other/pods/told/log', user },
    { method: 'GET', path: `${pods}/told/log?tailLines=x`, user },
  ]);
}

/** All of them, with a name for each that stays the same from run to run. */
export function connectionRequests(): ReadonlyMap<string, ProxyRequest> {
  return nameRequests([...logs(), ...plainRequests(), ...spdy(), ...webSockets(), ...webSocketLogs(), ...rights()]);
}
