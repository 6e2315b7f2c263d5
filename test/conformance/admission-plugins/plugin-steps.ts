import { configuredSteps } from '#test/integration/admission/configured-steps.ts';
import { pod } from '#test/integration/admission/pod.ts';
import type { Step } from '#test/integration/admission/step.ts';

const images = [
  'good',
  'bad',
  'quiet',
  'untyped',
  'other-kind',
  'wrong-type',
  'garbage',
  'empty',
  'missing',
  'failing',
];

/** Asks for each image twice: the second answer may come from the cache of answers. */
const imageSteps: readonly Step[] = [...images, 'refusing', 'bad'].map((image) => ({
  name: `image ${image}`,
  method: 'POST',
  path: '/api/v1/namespaces/adm-default/pods?dryRun=All',
  body: pod(
    'a',
    {},
    { image },
    { annotations: { 'b.image-policy.k8s.io/x': '1', 'a.image-policy.k8s.io/y': '2', z: '3' } },
  ),
  show: ['metadata.annotations'],
}));

const ephemeral: readonly Step[] = [
  { name: 'pod', method: 'POST', path: '/api/v1/namespaces/adm-default/pods', body: pod('debugged') },
  ...['good', 'bad'].map((image): Step => ({
    name: `ephemeral container with image ${image}`,
    method: 'PATCH',
    path: '/api/v1/namespaces/adm-default/pods/debugged/ephemeralcontainers?dryRun=All',
    body: { spec: { ephemeralContainers: [{ name: 'e', image }] } },
    show: ['spec.ephemeralContainers'],
  })),
];

/** Steps whose answers do not depend on time. */
export const pluginSteps: readonly Step[] = [...configuredSteps, ...imageSteps, ...ephemeral];

/** An event; many of them in a row are refused. */
export const eventStep: Step = {
  name: 'event',
  method: 'POST',
  path: '/api/v1/namespaces/adm-default/events',
  body: {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { generateName: 'e-', namespace: 'adm-default' },
    involvedObject: { kind: 'Pod', namespace: 'adm-default', name: 'p', uid: 'u', apiVersion: 'v1' },
    source: { component: 'c', host: 'h' },
    reason: 'r',
  },
};
