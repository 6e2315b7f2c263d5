import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Request, Series } from './series.ts';

const pods = '/api/v1/namespaces/default/pods';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const [seccompOfPod, seccomp, apparmor] = [
  'seccomp.security.alpha.kubernetes.io/pod',
  'container.seccomp.security.alpha.kubernetes.io/',
  'container.apparmor.security.beta.kubernetes.io/',
];
const profiles = [
  '',
  'runtime/default',
  'docker/default',
  'unconfined',
  'localhost/',
  'localhost/a',
  'localhost/../a',
  'localhost//a',
  'localhost/ a',
  'odd',
];
const fields: readonly JsonObject[] = [
  {},
  { type: 'RuntimeDefault' },
  { type: 'Unconfined' },
  { type: 'Localhost', localhostProfile: 'a' },
];
const some = (profile: JsonObject, key: string): JsonObject =>
  profile['type'] === undefined ? {} : { securityContext: { [key]: profile } };

const spec = (pod: JsonObject = {}, container: JsonObject = {}): JsonObject => ({
  containers: [{ name: 'c', image: 'i', ...container }],
  ...pod,
});

interface Case {
  readonly annotations: JsonObject;
  readonly spec: JsonObject;
}

const cases: readonly Case[] = [
  ...profiles.flatMap((profile) =>
    fields.flatMap((field): Case[] => [
      { annotations: { [`${seccomp}c`]: profile }, spec: spec({}, some(field, 'seccompProfile')) },
      { annotations: { [seccompOfPod]: profile }, spec: spec(some(field, 'seccompProfile')) },
      { annotations: { [`${apparmor}c`]: profile }, spec: spec({}, some(field, 'appArmorProfile')) },
      { annotations: { [`${apparmor}c`]: profile }, spec: spec(some(field, 'appArmorProfile')) },
    ]),
  ),
  { annotations: { [`${apparmor}none`]: 'odd', [`${seccomp}none`]: 'unconfined' }, spec: spec() },
  { annotations: { [`${apparmor}c`]: 'unconfined' }, spec: spec({ os: { name: 'windows' } }) },
  { annotations: { 'kubernetes.io/config.mirror': 'x' }, spec: spec() },
  { annotations: { 'controller.kubernetes.io/pod-deletion-cost': '+1' }, spec: spec() },
  { annotations: { 'controller.kubernetes.io/pod-deletion-cost': '' }, spec: spec() },
];

/** A pod that has some of these annotations is given others. */
function changes(run: string): readonly Request[] {
  const path = `${pods}/${run}`;
  const annotate = (annotations: JsonObject, part = ''): Request => ({
    method: 'PATCH',
    path: path + part,
    body: { metadata: { annotations } },
  });
  return [
    {
      method: 'POST',
      path: pods,
      body: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: run, annotations: { [`${apparmor}c`]: 'unconfined', [`${seccomp}c`]: 'unconfined' } },
        spec: spec(),
      },
    },
    ...['', '/status', '/ephemeralcontainers'].flatMap((part) => [
      annotate({ [`${apparmor}c`]: 'runtime/default' }, part),
      annotate({ [`${apparmor}c`]: null }, part),
      annotate({ [`${apparmor}d`]: 'x' }, part),
      annotate({ [`${seccomp}c`]: 'odd' }, part),
      annotate({ [`${seccomp}c`]: 'runtime/default' }, part),
      annotate({ 'kubernetes.io/config.mirror': 'x' }, part),
      annotate({ 'controller.kubernetes.io/pod-deletion-cost': 'x' }, part),
    ]),
    { method: 'DELETE', path },
  ];
}

/** Annotations that stood for fields which came later, and the fields. */
export const podAnnotationSeries: readonly Series[] = [
  {
    name: 'warnings and errors of annotations of pods',
    requests: (run) =>
      cases.map(({ annotations, spec: content }, index) => ({
        method: 'POST',
        path: pods,
        body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: `${run}-${index}`, annotations }, spec: content },
      })),
  },
  {
    name: 'warnings and errors of annotations of templates',
    requests: (run) =>
      cases.map(({ annotations, spec: content }, index) => ({
        method: 'POST',
        path: deployments,
        body: {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name: `${run}-${index}` },
          spec: {
            selector: { matchLabels: { a: 'b' } },
            template: { metadata: { labels: { a: 'b' }, annotations }, spec: content },
          },
        },
      })),
  },
  { name: 'warnings and errors of annotations that change', requests: changes },
];
