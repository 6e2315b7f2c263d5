import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { get, type Request } from '#test/conformance/series/series.ts';
import type { RuleCase } from './rule-case.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';
const nodes = '/api/v1/nodes';
const services = '/api/v1/namespaces/default/services';

/** Good values first, then others. */
const values: Readonly<Record<string, readonly string[]>> = {
  dryRun: ['All', '', 'Bad', 'all'],
  fieldManager: ['m', '', 'x'.repeat(128), 'x'.repeat(129), '%0a', '%C3%A4', '%ff'],
  fieldValidation: ['Strict', 'Warn', 'Ignore', '', 'strict', 'Bad'],
  force: ['true', 'false', '', '1', 'x'],
  pretty: ['true', 'x'],
};
const ofWrites = ['dryRun', 'fieldManager', 'fieldValidation', 'force', 'pretty'].flatMap((key) =>
  (values[key] ?? []).map((value) => `${key}=${value}`),
);
const body = (name: string): JsonValue => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { a: 'b' },
  other: 1,
});

const covering = (type: string, names: readonly string[]): readonly string[] => names.map((name) => `${type}.${name}`);

const writes: readonly RuleCase[] = [
  {
    name: 'options of creates',
    covers: covering('CreateOptions', ['dryRun', 'fieldManager', 'fieldValidation']),
    requests: (run) =>
      ofWrites.map((query, index): Request => ({
        method: 'POST',
        path: `${maps}?${query}`,
        body: body(`${run}-${index}`),
      })),
  },
  {
    name: 'options of updates',
    covers: covering('UpdateOptions', ['dryRun', 'fieldManager', 'fieldValidation']),
    requests: (run) => [
      { method: 'POST', path: maps, body: body(run) },
      ...ofWrites.map((query): Request => ({ method: 'PUT', path: `${maps}/${run}?${query}`, body: body(run) })),
    ],
  },
  {
    name: 'options of patches',
    covers: covering('PatchOptions', ['dryRun', 'fieldManager', 'fieldValidation', 'force']),
    requests: (run) => [
      { method: 'POST', path: maps, body: body(run) },
      ...ofWrites.flatMap((query): Request[] =>
        ['application/merge-patch+json', 'application/apply-patch+yaml'].map((type) => ({
          method: 'PATCH',
          path: `${maps}/${run}?${query}`,
          headers: { 'content-type': type },
          body: body(run),
        })),
      ),
      ...['true', 'x'].map((force): Request => ({
        method: 'PATCH',
        path: `${maps}/${run}?fieldManager=m&force=${force}`,
        headers: { 'content-type': 'application/apply-patch+yaml' },
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: run }, data: { a: 'c' } },
      })),
    ],
  },
];

const listQueries = [
  'limit=1',
  'limit=-1',
  'limit=x',
  'continue=x',
  'resourceVersion=0',
  'resourceVersion=x',
  'resourceVersion=-1',
  'resourceVersionMatch=Exact',
  'resourceVersionMatch=Bad',
  'resourceVersion=0&resourceVersionMatch=NotOlderThan',
  'resourceVersion=0&resourceVersionMatch=Exact',
  'resourceVersion=0&resourceVersionMatch=Bad',
  'sendInitialEvents=true',
  'sendInitialEvents=x',
  'sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
  'watch=true&sendInitialEvents=true&timeoutSeconds=1',
  'watch=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=1',
  'watch=true&continue=x&timeoutSeconds=1',
  'watch=x&timeoutSeconds=1',
  'allowWatchBookmarks=x',
  'timeoutSeconds=x',
  'timeoutSeconds=5',
  'labelSelector=a%3Db',
  'labelSelector=a%20b%20c',
  'labelSelector=a%20in%20()',
  'fieldSelector=metadata.name%3Dnone',
  'fieldSelector=data.a%3Db',
  'fieldSelector=x',
  'shardSelector=x',
];

const reads: readonly RuleCase[] = [
  {
    name: 'options of lists and deletions of collections',
    covers: covering('ListOptions', [
      'allowWatchBookmarks',
      'continue',
      'fieldSelector',
      'labelSelector',
      'limit',
      'resourceVersion',
      'resourceVersionMatch',
      'sendInitialEvents',
      'shardSelector',
      'timeoutSeconds',
      'watch',
    ]),
    requests: (run) => {
      // Of a namespace that has nothing else.
      const own = `/api/v1/namespaces/${run}/configmaps`;
      return listQueries.flatMap((query): Request[] => [
        get(`${own}?${query}`),
        { method: 'DELETE', path: `${own}?${query}` },
      ]);
    },
  },
  {
    name: 'options of reads',
    covers: ['GetOptions.resourceVersion'],
    requests: (run) => [
      { method: 'POST', path: maps, body: body(run) },
      ...['', '0', '1', 'x', '-1'].map((version) => get(`${maps}/${run}?resourceVersion=${version}`)),
      { method: 'DELETE', path: `${maps}/${run}` },
    ],
  },
];

const logQueries = [
  '',
  'container=c',
  'container=x',
  'follow=x',
  'previous=x',
  'timestamps=x',
  'limitBytes=0',
  'limitBytes=-1',
  'limitBytes=x',
  'limitBytes=5',
  'sinceSeconds=0',
  'sinceSeconds=-1',
  'sinceSeconds=5',
  'sinceSeconds=x',
  'sinceTime=x',
  'sinceTime=2020-01-01T00:00:00Z',
  'sinceTime=2020-01-01T00:00:00Z&sinceSeconds=5',
  'tailLines=-1',
  'tailLines=x',
  'tailLines=5',
  'stream=All',
  'stream=Stdout',
  'stream=Bad',
  'stream=',
  'stream=Stdout&tailLines=5',
  'insecureSkipTLSVerifyBackend=x',
];
const streamQueries = [
  '',
  'command=a',
  'command=a&container=x',
  'command=a&stdin=x',
  'command=a&stdout=true&tty=x',
  'stdout=true&stderr=true',
  'command=a&stdin=true&stderr=true&tty=true',
  'ports=x',
  'ports=0',
  'ports=80',
];

const connects: readonly RuleCase[] = [
  {
    name: 'options of logs and streams',
    covers: [
      ...covering('PodLogOptions', [
        'container',
        'follow',
        'insecureSkipTLSVerifyBackend',
        'limitBytes',
        'previous',
        'sinceSeconds',
        'sinceTime',
        'stream',
        'tailLines',
        'timestamps',
      ]),
      ...['PodExecOptions', 'PodAttachOptions'].flatMap((type) =>
        covering(type, ['container', 'stderr', 'stdin', 'stdout', 'tty']),
      ),
      'PodExecOptions.command',
      'PodPortForwardOptions.ports',
    ],
    requests: (run) => [
      {
        method: 'POST',
        path: pods,
        body: { metadata: { name: run }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
      ...logQueries.map((query) => get(`${pods}/${run}/log?${query}`)),
      ...['exec', 'attach', 'portforward'].flatMap((stream) =>
        streamQueries.flatMap((query): Request[] => [
          get(`${pods}/${run}/${stream}?${query}`),
          { method: 'POST', path: `${pods}/${run}/${stream}?${query}` },
        ]),
      ),
    ],
  },
  {
    name: 'paths of proxies',
    covers: covering('NodeProxyOptions', ['path']).concat('PodProxyOptions.path', 'ServiceProxyOptions.path'),
    requests: () =>
      ['', '?path=a', '/a?path=b', '/..?path=/'].flatMap((path) => [
        get(`${nodes}/none/proxy${path}`),
        get(`${pods}/none/proxy${path}`),
        get(`${pods}/https:none:1/proxy${path}`),
        get(`${services}/none/proxy${path}`),
        get(`${services}/ftp:none:1/proxy${path}`),
      ]),
  },
];

export const requestOptionCases: readonly RuleCase[] = [...writes, ...reads, ...connects];
