import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { amounts, container, policy, resources, type SpecChange } from './pod-cases.ts';

const list = (spec: JsonObject, name: string): JsonObject[] => (spec[name] ?? []) as JsonObject[];
const inFirst =
  (name: string, change: (first: JsonObject) => JsonObject): SpecChange =>
  (spec) => ({ ...spec, [name]: list(spec, name).map((item, index) => (index === 0 ? change(item) : item)) });
const inAll =
  (name: string, change: (item: JsonObject) => JsonObject): SpecChange =>
  (spec) => ({ ...spec, [name]: list(spec, name).map(change) });
const asking =
  (value: JsonObject) =>
  (item: JsonObject): JsonObject => ({ ...item, resources: value });
const more =
  (part: JsonObject) =>
  (item: JsonObject): JsonObject => ({ ...item, ...part });
const addTo =
  (which: 'requests' | 'limits', names: JsonObject) =>
  (item: JsonObject): JsonObject => {
    const before = (item['resources'] ?? {}) as JsonObject;
    return { ...item, resources: { ...before, [which]: { ...(before[which] as JsonObject | undefined), ...names } } };
  };

/** What a resize may ask for, of any pod. */
export const resizeChanges: readonly SpecChange[] = [
  (spec) => spec,
  inFirst('containers', addTo('requests', { cpu: '200m' })),
  inFirst('containers', addTo('limits', { cpu: '200m' })),
  inAll('containers', addTo('limits', amounts('1', '1Gi'))),
  inAll('containers', asking(resources(amounts('1', '1Gi'), amounts('1', '1073741824')))),
  inAll('containers', asking(resources(amounts('200m', '64Mi'), amounts('200m', '64Mi')))),
  inFirst('containers', asking(resources({ cpu: '100m' }))),
  inFirst('containers', asking(resources({ memory: '1Gi' }, { cpu: '1' }))),
  inFirst('containers', asking({})),
  inFirst('containers', asking(resources({ cpu: '0', memory: '0' }, amounts('1', '1Gi')))),
  inFirst('containers', asking(resources(amounts('2', '2Gi'), amounts('1', '1Gi')))),
  inFirst('containers', asking(resources(amounts('-1', '64.5Mi'), { cpu: '100u' }))),
  inFirst('containers', addTo('requests', { 'ephemeral-storage': '2Gi' })),
  inFirst('containers', addTo('limits', { 'ephemeral-storage': '2Gi' })),
  inFirst('containers', addTo('limits', { 'example.com/device': '2' })),
  inFirst('containers', addTo('requests', { 'example.com/device': '1' })),
  inFirst('containers', addTo('limits', { 'hugepages-2Mi': '4Mi' })),
  inFirst('containers', addTo('limits', { nonsense: '4' })),
  inFirst('containers', (item) => ({
    ...item,
    resources: { ...(item['resources'] as JsonObject | undefined), claims: [{ name: 'r' }] },
  })),
  inFirst('containers', (item) => ({
    ...item,
    resources: { ...(item['resources'] as JsonObject | undefined), claims: [{ name: 'other' }] },
  })),
  inFirst('containers', more({ resizePolicy: policy(['cpu', 'NotRequired']) })),
  inFirst('containers', more({ resizePolicy: policy(['memory', 'RestartContainer'], ['cpu', 'NotRequired']) })),
  inFirst('containers', more({ resizePolicy: policy(['disk', 'Sometimes']) })),
  inFirst('containers', more({ image: 'other', env: [{ name: 'A', value: 'b' }] })),
  inFirst('containers', more({ name: 'other' })),
  inFirst('containers', more({ image: '' })),
  (spec) => ({ ...spec, containers: [...list(spec, 'containers')].reverse() }),
  (spec) => ({ ...spec, containers: [...list(spec, 'containers'), container('more')] }),
  (spec) => ({
    ...spec,
    containers: [...list(spec, 'containers'), container('More', { resources: resources(amounts('1', '1Gi')) })],
    nodeName: 'other',
  }),
  (spec) => ({ ...spec, containers: list(spec, 'containers').slice(1) }),
  (spec) => ({ ...spec, initContainers: [...list(spec, 'initContainers'), container('more')] }),
  (spec) => ({ ...spec, initContainers: [] }),
  inFirst('initContainers', addTo('requests', { cpu: '200m' })),
  inAll('initContainers', addTo('requests', { cpu: '200m' })),
  inAll('initContainers', addTo('limits', amounts('1', '1Gi'))),
  inAll('initContainers', asking(resources({ cpu: '100m' }))),
  inAll('initContainers', addTo('requests', { 'ephemeral-storage': '1Gi' })),
  inAll('initContainers', more({ resizePolicy: policy(['cpu', 'NotRequired'], ['memory', 'NotRequired']) })),
  inAll('initContainers', more({ resizePolicy: policy(['cpu', 'RestartContainer']) })),
  inAll('initContainers', more({ name: 'other' })),
  inAll('initContainers', more({ restartPolicy: 'Always' })),
  (spec) => ({ ...spec, resources: {} }),
  (spec) => ({ ...spec, resources: { requests: {}, limits: {} } }),
  (spec) => ({ ...spec, resources: resources(amounts('2', '2Gi')) }),
  (spec) => ({ ...spec, resources: resources(amounts('2', '2Gi'), amounts('2', '2Gi')) }),
  (spec) => ({
    ...spec,
    resources: resources(
      amounts('2', '2Gi', { 'hugepages-2Mi': '2Mi' }),
      amounts('4', '4Gi', { 'hugepages-2Mi': '2Mi' }),
    ),
  }),
  (spec) => ({ ...spec, resources: resources({ 'example.com/device': '2' }) }),
  (spec) => ({ ...spec, resources: { ...(spec['resources'] as JsonObject | undefined), claims: [{ name: 'r' }] } }),
  ({ resources: _resources, ...spec }) => spec,
  (spec) => ({ ...spec, nodeName: 'other', activeDeadlineSeconds: 5, hostNetwork: true }),
  (spec) => ({ ...spec, containers: [] }),
  (spec) => ({ ...spec, containers: null }),
  () => ({}),
  // One at a time: an apply is looked at in random order, up to the first field that is unknown (structured-merge-diff
  // typed/validate.go).
  (spec) => ({ ...spec, unknown: 1 }),
  (spec) => ({
    ...spec,
    containers: list(spec, 'containers').map((item) => ({
      ...item,
      resources: { ...(item['resources'] as JsonObject | undefined), unknown: {} },
    })),
  }),
];
