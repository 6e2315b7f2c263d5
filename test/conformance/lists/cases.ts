import { loadFacts } from '#shared/api/load-facts.ts';

const collection = '/api/v1/namespaces/ageing/configmaps';

const versions = ['', '0', '{first}', '{middle}', '{last}', '{future}', 'abc', '-1', '1.5', '99999999999999999999'];
const matches = ['', 'Exact', 'NotOlderThan', 'Odd'];

function query(parameters: Readonly<Record<string, string>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== '');
  return given.length === 0 ? '' : `?${given.map(([name, value]) => `${name}=${value}`).join('&')}`;
}

/** Lists in every combination of version, match, limit and selector. */
export function listCases(): string[] {
  const cases: string[] = [];
  for (const resourceVersion of versions) {
    for (const resourceVersionMatch of matches) {
      for (const limit of ['', '2']) cases.push(collection + query({ resourceVersion, resourceVersionMatch, limit }));
    }
    cases.push(`${collection}/a1${query({ resourceVersion })}`);
    cases.push(collection + query({ resourceVersion, limit: '2', labelSelector: 'app=a' }));
    cases.push(collection + query({ resourceVersion, fieldSelector: 'metadata.name=a1' }));
  }
  for (const resourceVersion of ['', '0', '{first}']) {
    for (const resourceVersionMatch of ['', 'Exact', 'NotOlderThan']) {
      for (const limit of ['', '2'])
        cases.push(collection + query({ continue: '{token}', resourceVersion, resourceVersionMatch, limit }));
    }
  }
  const pages = [
    'resourceVersion=00',
    'resourceVersion=00&resourceVersionMatch=Exact',
    'limit=3',
    'limit=2&labelSelector=app%3Da',
    'limit=1&fieldSelector=metadata.name%3Da1',
    'limit=100',
    'limit=-1',
    'limit=x',
    'continue=%40',
    'continue=eyJ2IjoieCJ9',
    'sendInitialEvents=true',
    'timeoutSeconds=0',
    'timeoutSeconds=-1',
    'timeoutSeconds=x',
    'allowWatchBookmarks=maybe',
  ];
  return [...cases, ...pages.map((text) => `${collection}?${text}`)];
}

/** Watches by where they begin and how; each is held open for a moment. */
export function watchCases(): string[] {
  const cases: string[] = [];
  for (const resourceVersion of ['', '0', '{first}', '{last}', 'abc', '-1']) {
    for (const more of [
      '',
      'allowWatchBookmarks=true',
      'sendInitialEvents=true',
      'sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
      'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
      'sendInitialEvents=false',
      'sendInitialEvents=false&resourceVersionMatch=NotOlderThan',
      'resourceVersionMatch=NotOlderThan',
      'resourceVersionMatch=Exact',
      'sendInitialEvents=true&resourceVersionMatch=Odd',
      'labelSelector=app%3Da',
      'fieldSelector=metadata.name%3Db1',
      'continue=x',
      'limit=1',
    ])
      cases.push(
        `${collection}?watch=1&timeoutSeconds=3${resourceVersion === '' ? '' : `&resourceVersion=${resourceVersion}`}${more === '' ? '' : `&${more}`}`,
      );
  }
  return [
    ...cases,
    `${collection}?watch=true&timeoutSeconds=1&resourceVersion={future}`,
    `/api/v1/watch/namespaces/ageing/configmaps?timeoutSeconds=2`,
    `/api/v1/watch/namespaces/ageing/configmaps/a1?timeoutSeconds=2`,
  ];
}

/** What a client finds after its history was compacted. */
export function compactedCases(): { readonly lists: readonly string[]; readonly watches: readonly string[] } {
  return {
    lists: [
      `${collection}?continue={token}`,
      `${collection}?continue={token}&limit=2`,
      `${collection}?resourceVersion={first}&resourceVersionMatch=Exact`,
      `${collection}?resourceVersion={first}&limit=2`,
      `${collection}?resourceVersion={middle}&resourceVersionMatch=Exact&limit=1`,
      `${collection}?resourceVersion={first}`,
      `${collection}?resourceVersion={first}&resourceVersionMatch=NotOlderThan`,
      `${collection}/a1?resourceVersion={first}`,
    ],
    watches: [
      `${collection}?watch=1&timeoutSeconds=2&resourceVersion={first}`,
      `${collection}?watch=1&timeoutSeconds=2&resourceVersion={middle}&allowWatchBookmarks=true`,
      `${collection}?watch=1&timeoutSeconds=2&resourceVersion={first}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
      `${collection}?watch=1&timeoutSeconds=2&resourceVersion=1`,
    ],
  };
}

const labels = [
  'metadata.name',
  'metadata.namespace',
  'metadata.labels',
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.schedulerName',
  'spec.serviceAccountName',
  'spec.hostNetwork',
  'spec.unschedulable',
  'spec.clusterIP',
  'spec.type',
  'spec.signerName',
  'spec.driver',
  'spec.parentRef',
  'status.phase',
  'status.podIP',
  'status.podIPs',
  'status.nominatedNodeName',
  'status.replicas',
  'status.successful',
  'type',
  'reason',
  'reportingComponent',
  'reportingController',
  'source',
  'involvedObject.kind',
  'regarding.kind',
  'involvedObject.apiVersion',
  'spec',
  '',
  'name',
];

/** Each resource with each field that some resource can be selected by. */
export function selectorCases(): string[] {
  const resources = loadFacts()
    .groups()
    .flatMap(({ versions }) => versions)
    .flatMap((version) => version.resources)
    .filter(({ verbs, enabledByDefault }) => enabledByDefault && verbs.includes('list'));
  return resources.flatMap(({ group, version, resource }) =>
    labels.map(
      (label) =>
        `${group === '' ? '/api' : `/apis/${group}`}/${version}/${resource}?fieldSelector=${encodeURIComponent(`${label}=nothing`)}`,
    ),
  );
}
