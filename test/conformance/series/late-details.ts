import type { JsonObject, JsonValue } from '../../../shared/apimachinery/json.ts';
import type { Exchange } from '../differential/play.ts';
import type { Request, Series } from './series.ts';

const core = '/api/v1/namespaces/default';
const table = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };

const get = (path: string, headers?: Readonly<Record<string, string>>): Request => ({
  method: 'GET',
  path,
  ...(headers && { headers }),
});

/** Names of containers that a pod may be asked about. */
function containers(run: string): readonly Request[] {
  const named = (...names: string[]): JsonValue => names.map((name) => ({ name, image: 'i' }));
  const pods: readonly (readonly [string, JsonObject])[] = [
    ['one', { containers: named('a') }],
    ['two', { containers: named('b', 'a') }],
    ['first', { initContainers: named('z', 'i'), containers: named('b', 'a') }],
    ['single', { initContainers: named('z'), containers: named('a') }],
  ];
  return pods.flatMap(([name, spec]): Request[] => [
    {
      method: 'POST',
      path: `${core}/pods`,
      body: { metadata: { name: `${run}-${name}` }, spec: { ...spec, nodeName: 'nowhere' } },
    },
    {
      method: 'PATCH',
      path: `${core}/pods/${run}-${name}/ephemeralcontainers`,
      body: { spec: { ephemeralContainers: named('e') } },
    },
    ...[
      'log',
      'log?container=',
      'log?container=x',
      'log?container=z',
      'log?container=e',
      'exec?command=x',
      'exec?command=x&container=x',
      'attach',
      'attach?container=x',
      'exec',
    ].map((path) => get(`${core}/pods/${run}-${name}/${path}`)),
    { method: 'DELETE', path: `${core}/pods/${run}-${name}?gracePeriodSeconds=0` },
  ]);
}

/** What is told of an empty class, and of the columns of views. */
function tables(run: string): readonly Request[] {
  const claim = (name: string, more: JsonObject): JsonObject => ({
    metadata: { name: `${run}-${name}` },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...more },
  });
  const volume = (name: string, more: JsonObject): JsonObject => ({
    metadata: { name: `${run}-${name}` },
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/x' }, ...more },
  });
  const csi = { hostPath: null, csi: { driver: 'a.b', volumeHandle: 'h' } };
  return [
    ...[
      {},
      { storageClassName: '' },
      { volumeAttributesClassName: '' },
      { volumeAttributesClassName: 'a', storageClassName: 's' },
      { storageClassName: 's', volumeName: 'v' },
      { volumeMode: 'Block' },
    ].flatMap((more, index): Request[] => [
      { method: 'POST', path: `${core}/persistentvolumeclaims`, body: claim(`c${index}`, more) },
      get(`${core}/persistentvolumeclaims/${run}-c${index}`, table),
      get(`${core}/persistentvolumeclaims/${run}-c${index}`),
    ]),
    ...[
      {},
      { storageClassName: '' },
      { ...csi, volumeAttributesClassName: '' },
      { ...csi, volumeAttributesClassName: 'a', storageClassName: 's' },
    ].flatMap((more, index): Request[] => [
      { method: 'POST', path: '/api/v1/persistentvolumes', body: volume(`v${index}`, more) },
      get(`/api/v1/persistentvolumes/${run}-v${index}`, table),
      get(`/api/v1/persistentvolumes/${run}-v${index}`),
      { method: 'DELETE', path: `/api/v1/persistentvolumes/${run}-v${index}` },
    ]),
    {
      method: 'POST',
      path: '/apis/apps/v1/namespaces/default/deployments',
      body: {
        metadata: { name: run },
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
        },
      },
    },
    get(`/apis/apps/v1/namespaces/default/deployments/${run}/scale`, table),
    {
      method: 'PUT',
      path: `/apis/apps/v1/namespaces/default/deployments/${run}/scale`,
      body: {
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: run, namespace: 'default' },
        spec: { replicas: 2 },
      },
      headers: table,
    },
    { method: 'POST', path: `${core}/serviceaccounts/default/token`, body: { spec: {} }, headers: table },
    {
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      body: { spec: { nonResourceAttributes: { path: '/x', verb: 'get' } } },
      headers: table,
    },
    { method: 'POST', path: '/apis/authentication.k8s.io/v1/selfsubjectreviews', body: {}, headers: table },
    {
      method: 'POST',
      path: `${core}/pods`,
      body: { metadata: { name: run }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      headers: table,
    },
    { method: 'POST', path: `${core}/pods/${run}/eviction`, body: { metadata: { name: run } }, headers: table },
    {
      method: 'POST',
      path: `${core}/pods/${run}/binding`,
      body: { metadata: { name: run }, target: { kind: 'Node', name: 'n' } },
      headers: table,
    },
    { method: 'DELETE', path: `${core}/pods/${run}?gracePeriodSeconds=0`, headers: table },
  ];
}

const template = (more: JsonObject): JsonObject => ({
  metadata: { labels: { a: 'b' } },
  spec: { containers: [{ name: 'c', image: 'i' }], ...more },
});

/** Fields of templates that workloads refuse, beside others that are wrong. */
function templates(run: string): readonly Request[] {
  const faults: readonly JsonObject[] = [
    {},
    { activeDeadlineSeconds: 5 },
    { restartPolicy: 'Never' },
    { restartPolicy: 'OnFailure', activeDeadlineSeconds: 3 },
    { restartPolicy: 'Odd', activeDeadlineSeconds: -1 },
    { restartPolicy: 'Never', activeDeadlineSeconds: 5, containers: [{ name: 'C', image: '' }] },
    { containers: [], restartPolicy: 'Never' },
    { dnsPolicy: 'Odd', activeDeadlineSeconds: 0, restartPolicy: '' },
  ];
  const kinds: readonly (readonly [string, string])[] = [
    ['apps/v1', 'statefulsets'],
    ['apps/v1', 'deployments'],
    ['apps/v1', 'daemonsets'],
    ['apps/v1', 'replicasets'],
    ['v1', 'replicationcontrollers'],
    ['batch/v1', 'jobs'],
  ];
  const selectors: readonly JsonValue[] = [
    { matchLabels: { a: 'b' } },
    { matchLabels: { a: 'other' } },
    {},
    { matchLabels: { a: 'b c' } },
    { matchExpressions: [{ key: 'a', operator: 'Odd' }] },
  ];
  return kinds.flatMap(([version, resource]): Request[] => {
    const path = `${version === 'v1' ? '/api' : '/apis'}/${version}/namespaces/default/${resource}`;
    const body = (fault: JsonObject, selector: JsonValue): JsonObject => ({
      metadata: { name: run },
      spec: {
        ...(resource === 'jobs' ? {} : { selector: resource === 'replicationcontrollers' ? { a: 'b' } : selector }),
        template: template(fault),
      },
    });
    return [
      ...faults.flatMap((fault) =>
        selectors.map((selector): Request => ({
          method: 'POST',
          path: `${path}?dryRun=All`,
          body: body(fault, selector),
        })),
      ),
      { method: 'POST', path, body: body(resource === 'jobs' ? { restartPolicy: 'Never' } : {}, selectors[0] ?? {}) },
      ...faults.map((fault): Request => ({
        method: 'PUT',
        path: `${path}/${run}?dryRun=All`,
        body: body(fault, selectors[0] ?? {}),
      })),
    ];
  });
}

/** Names in the texts of errors that are those of Go. */
function goNames(run: string): readonly Request[] {
  const slice = (capacity: JsonObject, more: JsonObject = { allowMultipleAllocations: true }): JsonObject => ({
    metadata: { name: run },
    spec: {
      driver: 'a.example.com',
      nodeName: 'n',
      pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
      devices: [{ name: 'd', ...more, capacity: { mem: capacity } }],
    },
  });
  const policies: readonly JsonObject[] = [
    { validValues: ['1', '2'], validRange: { min: '1' } },
    { default: '1', validValues: ['1', '2'], validRange: { min: '1', max: '5', step: '2' } },
    { default: '3', validValues: ['1', '2'] },
    { validValues: ['1'] },
    { validRange: { min: '1' } },
    { default: '1', validRange: {} },
    { default: '1', validRange: { min: '2', max: '1' } },
    { default: '10', validRange: { min: '0', max: '50', step: '3' } },
    { default: '1', validValues: [] },
    { default: '1' },
    {},
    { default: '1', validValues: ['2', '1', '1'] },
    { default: '1', validValues: ['1', '20'] },
    { default: '-1', validRange: { min: '-5' } },
    { default: '1', validRange: null, validValues: null },
  ];
  const quota = (spec: JsonObject): JsonObject => ({ metadata: { name: run }, spec });
  const scopes: readonly JsonValue[] = [
    ['Terminating', 'NotTerminating'],
    ['BestEffort', 'NotBestEffort'],
    ['Odd'],
    ['Terminating', 'Terminating'],
    ['PriorityClass', 'Odd'],
    ['BestEffort'],
    ['Terminating', 'NotTerminating', 'BestEffort', 'NotBestEffort'],
  ];
  const selector = (scopeName: string, operator: string, values?: readonly string[]): JsonObject => ({
    matchExpressions: [{ scopeName, operator, ...(values && { values: [...values] }) }],
  });
  const job = '/apis/batch/v1/namespaces/default/jobs';
  const uncounted: readonly JsonValue[] = [
    { succeeded: ['a', 'a'] },
    { succeeded: ['a'], failed: ['a'] },
    { failed: ['', 'b'] },
    { succeeded: [''] },
    { succeeded: ['a', 'b', 'a'], failed: ['b'] },
  ];
  return [
    ...policies.flatMap((requestPolicy): Request[] =>
      [
        { value: '10', requestPolicy },
        { value: '1', requestPolicy },
      ].flatMap((capacity): Request[] =>
        [{}, { allowMultipleAllocations: true }, { allowMultipleAllocations: false }].map((more) => ({
          method: 'POST',
          path: '/apis/resource.k8s.io/v1/resourceslices?dryRun=All',
          body: slice(capacity, more),
        })),
      ),
    ),
    ...[
      { uid: 'u' },
      { uID: 'u' },
      {
        uid: 'u',
        name: 'n',
        namespace: 'x',
        generateName: 'g',
        resourceVersion: '1',
        generation: 3,
        creationTimestamp: '2020-01-01T00:00:00Z',
        deletionTimestamp: '2020-01-01T00:00:00Z',
        deletionGracePeriodSeconds: 3,
        selfLink: 'x',
        finalizers: ['a'],
        ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'b' }],
        managedFields: [{ manager: 'x' }],
      },
      { labels: { '-': 'x y' }, annotations: { '-': 'x' } },
    ].flatMap((metadata): Request[] => [
      {
        method: 'POST',
        path: '/apis/resource.k8s.io/v1/namespaces/default/resourceclaimtemplates?dryRun=All',
        body: {
          metadata: { name: run },
          spec: { metadata, spec: { devices: { requests: [{ name: 'one', exactly: { deviceClassName: 'a' } }] } } },
        },
      },
      {
        method: 'POST',
        path: `${core}/pods?dryRun=All`,
        body: {
          metadata: { name: run },
          spec: {
            containers: [{ name: 'c', image: 'i' }],
            volumes: [
              {
                name: 'v',
                ephemeral: {
                  volumeClaimTemplate: {
                    metadata,
                    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } },
                  },
                },
              },
            ],
          },
        },
      },
      {
        method: 'POST',
        path: '/apis/apps/v1/namespaces/default/statefulsets?dryRun=All',
        body: {
          metadata: { name: run },
          spec: {
            selector: { matchLabels: { a: 'b' } },
            template: template({}),
            volumeClaimTemplates: [
              { metadata, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } } },
            ],
          },
        },
      },
      {
        method: 'POST',
        path: `${core}/podtemplates?dryRun=All`,
        body: { metadata: { name: run }, template: { metadata, spec: { containers: [{ name: 'c', image: 'i' }] } } },
      },
    ]),
    ...scopes.flatMap((names) =>
      [{}, { pods: '1' }, { 'requests.cpu': '1', services: '2' }].map((hard): Request => ({
        method: 'POST',
        path: `${core}/resourcequotas?dryRun=All`,
        body: quota({ hard, scopes: names }),
      })),
    ),
    ...['Terminating', 'PriorityClass', 'Odd', 'CrossNamespacePodAffinity', 'VolumeAttributesClass'].flatMap((name) =>
      ['Exists', 'In', 'NotIn', 'DoesNotExist', 'Odd'].flatMap((operator) =>
        [undefined, [], ['a'], ['A b']].map((values): Request => ({
          method: 'POST',
          path: `${core}/resourcequotas?dryRun=All`,
          body: quota({ hard: { pods: '1', services: '1' }, scopeSelector: selector(name, operator, values) }),
        })),
      ),
    ),
    { method: 'POST', path: `${core}/resourcequotas`, body: quota({ hard: { pods: '1' }, scopes: ['BestEffort'] }) },
    ...scopes.map((names): Request => ({
      method: 'PATCH',
      path: `${core}/resourcequotas/${run}?dryRun=All`,
      body: { spec: { scopes: names } },
    })),
    {
      method: 'PATCH',
      path: `${core}/resourcequotas/${run}?dryRun=All`,
      body: { spec: { scopeSelector: selector('PriorityClass', 'Exists') } },
    },
    {
      method: 'POST',
      path: job,
      body: { metadata: { name: run }, spec: { template: template({ restartPolicy: 'Never' }) } },
    },
    ...uncounted.map((uncountedTerminatedPods): Request => ({
      method: 'PATCH',
      path: `${job}/${run}/status?dryRun=All`,
      body: { status: { uncountedTerminatedPods } },
    })),
  ];
}

/** Definitions that are deleted with policies for dependents. */
function definitions(run: string): readonly Request[] {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  return [
    { propagationPolicy: 'Orphan' },
    { propagationPolicy: 'Foreground' },
    { propagationPolicy: 'Background' },
    { orphanDependents: true },
    { orphanDependents: false },
    {},
    { propagationPolicy: 'Odd' },
  ].flatMap((options, index): Request[] => {
    const plural = `${run}x${index}s`;
    const name = `${plural}.example.com`;
    const body = {
      metadata: { name },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural, kind: `K${run}x${index}` },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    };
    const item = `/apis/example.com/v1/namespaces/default/${plural}`;
    return [
      { method: 'POST', path, body },
      { ...get(item), until: ({ status }) => status === 200 },
      {
        method: 'POST',
        path: item,
        body: { apiVersion: 'example.com/v1', kind: `K${run}x${index}`, metadata: { name: 'a' } },
      },
      { method: 'DELETE', path: `${item}/a`, body: { ...options, dryRun: ['All'] } },
      { method: 'DELETE', path: `${path}/${name}`, body: { ...options, dryRun: ['All'] } },
      { method: 'DELETE', path: `${path}/${name}`, body: options },
      { ...get(`${path}/${name}`), until: ({ status }) => status === 404 },
    ];
  });
}

/** A definition whose names are taken is never established: what is told of its version. */
function unestablished(run: string): readonly Request[] {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const group = `${run}.example.com`;
  const definition = (plural: string, version: string): JsonObject => ({
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind: 'Odd', listKind: `${plural}List` },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  });
  const services = '/apis/apiregistration.k8s.io/v1/apiservices';
  const isThere = ({ status }: Exchange): boolean => status === 200;
  const judged =
    (word: string) =>
    ({ body }: Exchange): boolean =>
      JSON.stringify(body).includes(word);
  return [
    { method: 'POST', path, body: definition('firsts', 'v1') },
    { ...get(`${path}/firsts.${group}`), until: judged('InitialNamesAccepted') },
    { ...get(`${services}/v1.${group}`), until: isThere },
    { method: 'POST', path, body: definition('seconds', 'v2') },
    { ...get(`${path}/seconds.${group}`), until: judged('KindConflict') },
    { ...get(`${services}/v2.${group}`), until: isThere },
    get(`/apis/${group}`),
    get(`/apis/${group}/v1`),
    get(`/apis/${group}/v2`),
    get(`/apis/${group}/v2/namespaces/default/seconds`),
    get(`/apis/${group}/v2/odds`),
    { method: 'DELETE', path: `${path}/seconds.${group}` },
    { ...get(`${services}/v2.${group}`), until: ({ status }) => status === 404 },
    get(`/apis/${group}`),
  ];
}

/** APIServices in versions of old. */
function registrations(run: string): readonly Request[] {
  const path = '/apis/apiregistration.k8s.io/v1/apiservices';
  const name = `v1.${run}.example.org`;
  const body = (apiVersion: string): JsonObject => ({
    apiVersion,
    kind: 'APIService',
    metadata: { name },
    spec: { group: `${run}.example.org`, version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
  });
  const versions = [
    'apiregistration.k8s.io/v1',
    'apiregistration.k8s.io/v1beta1',
    'apiregistration.k8s.io/v1alpha1',
    'v1',
    'example.com/v1',
  ];
  return versions.flatMap((version): Request[] => [
    { method: 'POST', path: `${path}?dryRun=All`, body: body(version) },
    { method: 'POST', path: `${path.replace('/v1/', '/v1beta1/')}?dryRun=All`, body: body(version) },
    { method: 'POST', path, body: body('apiregistration.k8s.io/v1') },
    { method: 'PUT', path: `${path}/${name}?dryRun=All`, body: body(version) },
    { method: 'PATCH', path: `${path}/${name}?dryRun=All`, body: { apiVersion: version } },
    {
      method: 'PATCH',
      path: `${path}/${name}?fieldManager=a`,
      body: body(version),
      headers: { 'content-type': 'application/apply-patch+yaml' },
    },
    { method: 'DELETE', path: `${path}/${name}`, body: { apiVersion: version, kind: 'DeleteOptions' } },
    { method: 'DELETE', path: `${path}/${name}` },
  ]);
}

/** Of a watch that has ended already the reference sends an event or an error now and then. */
const hasNoEvents = ({ body }: Exchange): boolean => body === '';

/** A patched document may say that it is of another version. */
function otherVersions(run: string): readonly Request[] {
  const path = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
  const jsonPatch = { 'content-type': 'application/json-patch+json' };
  const metrics = [
    { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 40 } } },
  ];
  return [
    {
      method: 'POST',
      path,
      body: {
        metadata: { name: run },
        spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }, metrics },
      },
    },
    ...[
      'autoscaling/v1',
      'autoscaling/v2beta1',
      'autoscaling/v2',
      'autoscaling/v3',
      'v1',
      'apps/v1',
      '',
      'a/b/c',
    ].flatMap((version) =>
      ['', 'HorizontalPodAutoscaler', 'Odd'].flatMap((kind): Request[] => [
        {
          method: 'PATCH',
          path: `${path}/${run}?dryRun=All`,
          body: { apiVersion: version, ...(kind !== '' && { kind }), spec: { targetCPUUtilizationPercentage: 5 } },
        },
        {
          method: 'PATCH',
          path: `${path}/${run}?dryRun=All`,
          body: [
            { op: 'replace', path: '/apiVersion', value: version },
            { op: 'replace', path: '/kind', value: kind },
          ],
          headers: jsonPatch,
        },
      ]),
    ),
    {
      method: 'POST',
      path: '/apis/apps/v1/namespaces/default/deployments',
      body: {
        metadata: { name: run, labels: { a: 'b' } },
        spec: { selector: { matchLabels: { a: 'b' } }, template: template({}) },
      },
    },
    ...['apps/v1beta1', 'apps/v1beta2', 'extensions/v1beta1', 'apps/v1beta3'].flatMap((version): Request[] => [
      {
        method: 'PATCH',
        path: `/apis/apps/v1/namespaces/default/deployments/${run}?dryRun=All`,
        body: { apiVersion: version },
      },
      {
        method: 'PUT',
        path: `/apis/apps/v1/namespaces/default/deployments/${run}?dryRun=All`,
        body: { apiVersion: version, kind: 'Deployment', metadata: { name: run } },
      },
    ]),
    ...defaultsOfOld(run),
  ];
}

/** Fields that a patch takes away are filled in as the version has it that the document says to be of. */
function defaultsOfOld(run: string): readonly Request[] {
  const kinds = [
    ['deployments', 'Deployment'],
    ['statefulsets', 'StatefulSet'],
    ['daemonsets', 'DaemonSet'],
    ['replicasets', 'ReplicaSet'],
  ] as const;
  const missing: readonly JsonObject[] = [
    {
      revisionHistoryLimit: null,
      progressDeadlineSeconds: null,
      strategy: null,
      updateStrategy: null,
      replicas: null,
      podManagementPolicy: null,
      persistentVolumeClaimRetentionPolicy: null,
    },
    { strategy: { rollingUpdate: null }, updateStrategy: { rollingUpdate: null } },
    { strategy: { type: 'Recreate' } },
    { strategy: { type: 'Recreate', rollingUpdate: null } },
    { updateStrategy: { type: null } },
    { selector: null },
    {},
  ];
  return kinds.flatMap(([resource, kind]): Request[] => {
    const path = `/apis/apps/v1/namespaces/default/${resource}`;
    const at = `${path}/${run}-old?dryRun=All`;
    return [
      {
        method: 'POST',
        path,
        body: {
          metadata: { name: `${run}-old` },
          spec: { selector: { matchLabels: { a: 'b' } }, template: template({}) },
        },
      },
      ...['apps/v1beta1', 'apps/v1beta2', 'extensions/v1beta1'].flatMap((apiVersion) =>
        missing.map((spec): Request => ({ method: 'PATCH', path: at, body: { apiVersion, kind, spec } })),
      ),
      { method: 'DELETE', path: `${path}/${run}-old` },
    ];
  });
}

/** Watches that end at once, and paths of releases of old. */
function ends(run: string): readonly Request[] {
  const maps = `${core}/configmaps`;
  return [
    { method: 'POST', path: maps, body: { metadata: { name: run } } },
    ...['-1', '-7', '9223372037', '18446744073'].flatMap((seconds) =>
      [
        '',
        '&resourceVersion=0',
        '&allowWatchBookmarks=true',
        '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
      ].flatMap((more) => [
        {
          ...get(`${maps}?watch=1&fieldSelector=metadata.name%3D${run}&timeoutSeconds=${seconds}${more}`),
          until: hasNoEvents,
        },
      ]),
    ),
    get(`${maps}?timeoutSeconds=-1&fieldSelector=metadata.name%3D${run}`),
    { ...get(`/api/v1/watch/namespaces/default/configmaps/${run}?timeoutSeconds=-1`), until: hasNoEvents },
    { method: 'DELETE', path: `${maps}?timeoutSeconds=-1&fieldSelector=metadata.name%3Dnobody` },
    ...[
      '/api/v1/proxy/namespaces/default/pods/a',
      '/api/v1/proxy/namespaces/default/services/a/x',
      '/api/v1/proxy/nodes/a',
      '/api/v1/redirect/namespaces/default/pods/a',
      '/api/v1/proxy',
      '/api/v1/redirect',
      '/api/v1/proxy/x',
      '/api/v1/watch',
      '/api/v1/watch/',
      '/api/v1/watch/odd',
      '/api/v1/minions',
      '/api/v1/namespaces/default/minions',
      '/api/v1beta3/pods',
      '/apis/extensions/v1beta1/deployments',
      '/apis/apps/v1/proxy/namespaces/default/deployments/a',
      '/apis/apps/v1/watch',
      '/apis/apps/v1/odd/namespaces/default/deployments',
      '/api/v1/proxy/namespaces/default/odds/a',
      '/api/v1/namespaces/default/pods/a/odd',
      '/api/v1/namespaces/default/odd/a/b/c',
      '/swaggerapi',
      '/swagger.json',
      '/ui',
      '/validate',
      '/api/v1/namespaces/default/pods/a/b/c/d',
      '/api/v1/securitycontextconstraints',
    ].flatMap((path): Request[] => [get(path), { method: 'POST', path, body: {} }, { method: 'DELETE', path }]),
  ];
}

/** Details that are told last. */
export const lateDetailSeries: readonly Series[] = [
  { name: 'details: containers that are asked for', requests: containers },
  { name: 'details: cells and columns of Tables', requests: tables },
  { name: 'details: templates with several faults', requests: templates },
  { name: "details: Go's names in errors", requests: goNames },
  { name: 'details: definitions deleted with policies', requests: definitions },
  { name: 'details: definitions that are not established', requests: unestablished },
  { name: 'details: APIServices of other versions', requests: registrations },
  { name: 'details: patched documents of other versions', requests: otherVersions },
  { name: 'details: watches that end at once, paths of old', requests: ends },
];
