import { list, map } from './hostile-object.ts';

/** A field of a pod that holds too much. */
export interface FieldAttack {
  readonly name: string;
  /** The text of the spec. */
  readonly spec: (bytes: number) => string;
  /** Whether it is tried in the template of a Deployment too. */
  readonly isTemplated: boolean;
}

const containers = '"containers":[{"name":"a","image":"a"}]';

function ofSpec(name: string, field: string, value: (bytes: number) => string, isTemplated = false): FieldAttack {
  return {
    name,
    isTemplated,
    spec: (bytes) => `{${field === 'containers' ? '' : `${containers},`}"${field}":${value(bytes)}}`,
  };
}

function ofContainer(name: string, field: string, value: (bytes: number) => string, more = ''): FieldAttack {
  return {
    name,
    isTemplated: false,
    spec: (bytes) => `{"containers":[{"name":"a","image":"a","${field}":${value(bytes)}}]${more}}`,
  };
}

const items =
  (item: (index: number) => string) =>
  (bytes: number): string =>
    list(bytes, item);
const term = (index: number): string => `{"topologyKey":"a","labelSelector":{"matchLabels":{"a${index}":"b"}}}`;
const spread = (key: string, more = ''): string =>
  `{"maxSkew":1,"topologyKey":"${key}","whenUnsatisfiable":"DoNotSchedule"${more}}`;

export const podFields: readonly FieldAttack[] = [
  ofSpec(
    'containers',
    'containers',
    items((i) => `{"name":"c${i}","image":"a"}`),
    true,
  ),
  ofSpec(
    'containers of one name',
    'containers',
    items(() => '{"name":"c","image":"a"}'),
    true,
  ),
  ofSpec(
    'empty containers',
    'containers',
    items(() => '{}'),
    true,
  ),
  ofSpec(
    'init containers',
    'initContainers',
    items((i) => `{"name":"c${i}","image":"a","restartPolicy":"Always"}`),
  ),
  ofSpec(
    'volumes',
    'volumes',
    items((i) => `{"name":"v${i}","emptyDir":{}}`),
    true,
  ),
  ofSpec(
    'volumes of one name',
    'volumes',
    items(() => '{"name":"v","emptyDir":{}}'),
  ),
  ofSpec(
    'wrong volumes',
    'volumes',
    items((i) => `{"name":"V ${i}"}`),
    true,
  ),
  ofSpec(
    'projected sources',
    'volumes',
    (bytes) =>
      `[{"name":"v","projected":{"sources":${list(bytes, (i) => `{"configMap":{"name":"c${i}","items":[{"key":"a","path":"p${i % 5}"}]}}`)}}}]`,
  ),
  ofSpec(
    'paths of a ConfigMap',
    'volumes',
    (bytes) =>
      `[{"name":"v","configMap":{"name":"c","items":${list(bytes, (i) => `{"key":"a${i}","path":"../p${i}"}`)}}}]`,
  ),
  ofSpec(
    'tolerations',
    'tolerations',
    items((i) => `{"key":"k${i}","operator":"Exists"}`),
    true,
  ),
  ofSpec(
    'wrong tolerations',
    'tolerations',
    items((i) => `{"key":"k ${i}","operator":"x","effect":"y","tolerationSeconds":5}`),
    true,
  ),
  ofSpec(
    'equal tolerations',
    'tolerations',
    items(() => '{"key":"k","operator":"Exists"}'),
  ),
  ofSpec(
    'spread constraints',
    'topologySpreadConstraints',
    items((i) => spread(`k${i}`, `,"labelSelector":{"matchLabels":{"a":"b"}},"matchLabelKeys":["c"]`)),
    true,
  ),
  ofSpec(
    'equal spread constraints',
    'topologySpreadConstraints',
    items(() => spread('k')),
    true,
  ),
  ofSpec(
    'wrong spread constraints',
    'topologySpreadConstraints',
    items(
      (i) =>
        `{"maxSkew":0,"topologyKey":"k ${i}","whenUnsatisfiable":"x","labelSelector":{"matchExpressions":[{"key":"-","operator":"y"}]}}`,
    ),
  ),
  ofSpec(
    'keys of a spread constraint',
    'topologySpreadConstraints',
    (bytes) =>
      `[${spread('k', `,"labelSelector":{"matchLabels":{"a":"b"}},"matchLabelKeys":${list(bytes, (i) => `"k${i}"`)}`)}]`,
  ),
  ofSpec(
    'host aliases',
    'hostAliases',
    items((i) => `{"ip":"10.0.0.${i % 256}","hostnames":["a"]}`),
  ),
  ofSpec(
    'wrong host aliases',
    'hostAliases',
    items(() => '{"ip":"x","hostnames":["-"]}'),
  ),
  ofSpec(
    'pull secrets',
    'imagePullSecrets',
    items((i) => `{"name":"s${i}"}`),
  ),
  ofSpec(
    'empty pull secrets',
    'imagePullSecrets',
    items(() => '{}'),
  ),
  ofSpec(
    'readiness gates',
    'readinessGates',
    items((i) => `{"conditionType":"g ${i}"}`),
  ),
  ofSpec(
    'scheduling gates',
    'schedulingGates',
    items((i) => `{"name":"g${i}"}`),
  ),
  ofSpec(
    'equal scheduling gates',
    'schedulingGates',
    items(() => '{"name":"g"}'),
  ),
  ofSpec('node selector', 'nodeSelector', (bytes) => map(bytes, (i) => `"k${i}":"v"`)),
  ofSpec(
    'node selector terms',
    'affinity',
    (bytes) =>
      `{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":${list(bytes, (i) => `{"matchExpressions":[{"key":"k${i}","operator":"In","values":["a"]}]}`)}}}}`,
  ),
  ofSpec(
    'values of a node selector',
    'affinity',
    (bytes) =>
      `{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"k","operator":"In","values":${list(bytes, (i) => `"v ${i}"`)}}]}]}}}`,
  ),
  ofSpec(
    'pod affinity',
    'affinity',
    (bytes) => `{"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":${list(bytes, term)}}}`,
  ),
  ofSpec(
    'keys of a pod affinity',
    'affinity',
    (bytes) =>
      `{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"a","labelSelector":{"matchLabels":{"a":"b"}},"matchLabelKeys":${list(bytes / 2, (i) => `"k${i}"`)},"mismatchLabelKeys":${list(bytes / 2, (i) => `"k${i}"`)}}]}}`,
  ),
  ofSpec(
    'sysctls',
    'securityContext',
    (bytes) => `{"sysctls":${list(bytes, (i) => `{"name":"kernel.s${i}","value":"1"}`)}}`,
  ),
  ofSpec('equal sysctls', 'securityContext', (bytes) => `{"sysctls":${list(bytes, () => '{"name":"a","value":"1"}')}}`),
  ofSpec(
    'supplemental groups',
    'securityContext',
    (bytes) => `{"supplementalGroups":${list(bytes, (i) => String(-i))}}`,
  ),
  ofSpec(
    'resource claims',
    'resourceClaims',
    items((i) => `{"name":"c${i}","resourceClaimName":"r"}`),
  ),
  ofSpec('name servers', 'dnsConfig', (bytes) => `{"nameservers":${list(bytes, () => '"10.0.0.1"')}}`),
  ofSpec('searched domains', 'dnsConfig', (bytes) => `{"searches":${list(bytes, (i) => `"d${i}.example.com"`)}}`),
  ofSpec('overhead', 'overhead', (bytes) => map(bytes, (i) => `"example.com/r${i}":"1"`)),
  ofContainer(
    'environment',
    'env',
    items((i) => `{"name":"E${i}","value":"v"}`),
  ),
  ofContainer(
    'the same variable',
    'env',
    items(() => '{"name":"E","value":"v"}'),
  ),
  ofContainer(
    'wrong environment',
    'env',
    items((i) => `{"name":"=${i}","valueFrom":{"fieldRef":{"fieldPath":"x"}}}`),
  ),
  ofContainer(
    'environment sources',
    'envFrom',
    items((i) => `{"configMapRef":{"name":"c${i}"}}`),
  ),
  ofContainer(
    'ports',
    'ports',
    items((i) => `{"containerPort":${(i % 65_535) + 1},"hostPort":${(i % 65_535) + 1}}`),
  ),
  ofContainer(
    'equal ports',
    'ports',
    items(() => '{"containerPort":80,"name":"p"}'),
  ),
  ofContainer(
    'wrong ports',
    'ports',
    items((i) => `{"containerPort":0,"name":"P ${i}","protocol":"x"}`),
  ),
  ofContainer(
    'mounts',
    'volumeMounts',
    items((i) => `{"name":"v","mountPath":"/m${i}"}`),
    ',"volumes":[{"name":"v","emptyDir":{}}]',
  ),
  ofContainer(
    'mounts of missing volumes',
    'volumeMounts',
    items((i) => `{"name":"v${i}","mountPath":"/m"}`),
  ),
  ofContainer(
    'devices',
    'volumeDevices',
    items((i) => `{"name":"v${i}","devicePath":"/m"}`),
  ),
  ofContainer(
    'arguments',
    'args',
    items(() => '"x"'),
  ),
  ofContainer('limits', 'resources', (bytes) => `{"limits":${map(bytes, (i) => `"example.com/r${i}":"1"`)}}`),
  ofContainer('wrong amounts', 'resources', (bytes) => `{"requests":${map(bytes, (i) => `"cpu${i}":"${i}1e"`)}}`),
  ofContainer('long amounts', 'resources', (bytes) => `{"requests":{"cpu":"${'0'.repeat(bytes)}"}}`),
  ofContainer('claims of a container', 'resources', (bytes) => `{"claims":${list(bytes, (i) => `{"name":"c${i}"}`)}}`),
  ofContainer(
    'capabilities',
    'securityContext',
    (bytes) => `{"capabilities":{"add":${list(bytes, (i) => `"C${i}"`)}}}`,
  ),
  ofContainer(
    'headers of a probe',
    'livenessProbe',
    (bytes) => `{"httpGet":{"port":80,"httpHeaders":${list(bytes, (i) => `{"name":"h ${i}","value":"v"}`)}}}`,
  ),
  ofContainer('a long image', 'image', (bytes) => `"${'a/'.repeat(bytes / 2)}:b"`),
  ofContainer('a long command of references', 'command', (bytes) => `["${'$('.repeat(bytes / 2)}"]`),
];
