/** A request, by the administrator unless another token is named; an empty one for nobody. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly type?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const object = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'logged' } });

/** Each has a line of its own. */
export const requests: readonly SentRequest[] = [
  { method: 'POST', path: `${configMaps}?fieldManager=logs`, body: object },
  { method: 'GET', path: `${configMaps}/logged` },
  { method: 'GET', path: `${configMaps}?limit=1` },
  { method: 'GET', path: '/api/v1/configmaps?labelSelector=a%3Db%2Cc' },
  { method: 'PATCH', path: `${configMaps}/logged`, body: '{"data":{"a":"b"}}', type: 'application/merge-patch+json' },
  {
    method: 'PATCH',
    path: `${configMaps}/logged?fieldManager=applier&force=true`,
    body: object,
    type: 'application/apply-patch+yaml',
  },
  { method: 'GET', path: `${configMaps}?watch=true&timeoutSeconds=1` },
  { method: 'GET', path: `${configMaps}/gone` },
  {
    method: 'GET',
    path: `${configMaps}?watch=true&timeoutSeconds=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan`,
  },
  { method: 'GET', path: `${configMaps}/logged`, headers: { 'impersonate-user': 'jane', 'impersonate-group': 'a' } },
  {
    method: 'GET',
    path: `${configMaps}/logged`,
    headers: { 'impersonate-user': 'system:admin', 'impersonate-group': 'system:masters' },
  },
  { method: 'GET', path: '/api/v1/namespaces/default/pods/gone/log' },
  { method: 'GET', path: '/version' },
  { method: 'GET', path: '/apis' },
  { method: 'GET', path: '/livez' },
  { method: 'GET', path: '/nothing/here' },
  { method: 'GET', path: '/api/v1/nodes', token: '' },
  { method: 'GET', path: '/api/v1/nodes', token: 'wrong' },
  { method: 'DELETE', path: `${configMaps}/logged` },
  { method: 'DELETE', path: configMaps },
  { method: 'OPTIONS', path: '/api/v1' },
];

/** What `/debug/flags` answers. */
export const levels: readonly SentRequest[] = [
  ...['4', '0', '', 'a', '-1', '4294967295', '4294967296', '2147483648', '2147483647', '0'].map((body) => ({
    method: 'PUT',
    path: '/debug/flags/v',
    body,
    type: 'text/plain',
  })),
  { method: 'GET', path: '/debug/flags/v' },
  { method: 'GET', path: '/debug/flags' },
  { method: 'GET', path: '/debug/flags/' },
  { method: 'GET', path: '/debug/flags/other' },
  { method: 'PUT', path: '/debug/flags/v', body: '9', token: '' },
];
