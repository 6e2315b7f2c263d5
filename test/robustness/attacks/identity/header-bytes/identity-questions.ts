import { admin, configMaps, json } from './common.ts';
import { encodedForms, headerForms, percentEncoded } from './forms.ts';
import type { Asked } from './send.ts';

const self = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const selfAccess = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const review = '{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}';
const selfAccessReview =
  '{"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","spec":{"resourceAttributes":{"resource":"configmaps","verb":"get","namespace":"default"}}}';

/** Ways to say who asks, by the header that holds the form. */
const identities: readonly {
  readonly by: string;
  readonly headers: (bytes: string) => Readonly<Record<string, string>>;
  readonly byProxy?: boolean;
}[] = [
  { by: 'Impersonate-User', headers: (bytes) => ({ ...admin, 'impersonate-user': bytes }) },
  { by: 'Impersonate-Group', headers: (bytes) => ({ ...admin, 'impersonate-user': 'jo', 'impersonate-group': bytes }) },
  { by: 'Impersonate-Uid', headers: (bytes) => ({ ...admin, 'impersonate-user': 'jo', 'impersonate-uid': bytes }) },
  {
    by: 'Impersonate-Extra-a.b/c',
    headers: (bytes) => ({ ...admin, 'impersonate-user': 'jo', 'impersonate-extra-a.b%2fc': bytes }),
  },
  { by: 'Impersonate-Group without a user', headers: (bytes) => ({ ...admin, 'impersonate-group': bytes }) },
  { by: 'X-Remote-User', byProxy: true, headers: (bytes) => ({ ...json, 'x-remote-user': bytes }) },
  { by: 'X-Other-User', byProxy: true, headers: (bytes) => ({ ...json, 'x-other-user': bytes }) },
  {
    by: 'X-Remote-Group',
    byProxy: true,
    headers: (bytes) => ({ ...json, 'x-remote-user': 'jo', 'x-remote-group': bytes }),
  },
  {
    by: 'X-Other-Group',
    byProxy: true,
    headers: (bytes) => ({ ...json, 'x-remote-user': 'jo', 'x-other-group': bytes }),
  },
  {
    by: 'X-Remote-Uid',
    byProxy: true,
    headers: (bytes) => ({ ...json, 'x-remote-user': 'jo', 'x-remote-uid': bytes }),
  },
  {
    by: 'X-Remote-Extra-a',
    byProxy: true,
    headers: (bytes) => ({ ...json, 'x-remote-user': 'jo', 'x-remote-extra-a': bytes }),
  },
  {
    by: 'X-Other-Extra-a',
    byProxy: true,
    headers: (bytes) => ({ ...json, 'x-remote-user': 'jo', 'x-other-extra-a': bytes }),
  },
];

/** Names of extra keys are percent-encoded, since a header's name holds few characters. */
const keys: readonly {
  readonly by: string;
  readonly headers: (key: string) => Readonly<Record<string, string>>;
  readonly byProxy?: boolean;
}[] = [
  {
    by: 'Impersonate-Extra-KEY',
    headers: (key) => ({ ...admin, 'impersonate-user': 'jo', [`impersonate-extra-${key}`]: 'v' }),
  },
  { by: 'Impersonate-Extra-KEY without a user', headers: (key) => ({ ...admin, [`impersonate-extra-${key}`]: 'v' }) },
  {
    by: 'X-Remote-Extra-KEY',
    byProxy: true,
    headers: (key) => ({ ...json, 'x-remote-user': 'jo', [`x-remote-extra-${key}`]: 'v' }),
  },
];

/** Spellings of keys that are no escapes, or half ones. */
const spelledKeys = ['%', '%4', '%zz', 'a%c3%bc', 'A%C3%9C', '%41', 'a%2Fb', '%25', '%c3%zz', 'a%2', '__proto__'];

function asWho(what: string, headers: Readonly<Record<string, string>>, byProxy: boolean | undefined): Asked[] {
  const by = byProxy === true ? { byProxy } : {};
  return [
    { what: `${what}: who`, method: 'POST', path: self, headers, body: review, ...by },
    {
      what: `${what}: who, as protobuf`,
      method: 'POST',
      path: self,
      headers: { ...headers, accept: 'application/vnd.kubernetes.protobuf' },
      body: review,
      ...by,
    },
    { what: `${what}: what he may`, method: 'POST', path: selfAccess, headers, body: selfAccessReview, ...by },
    { what: `${what}: reads`, method: 'GET', path: `${configMaps}/shared`, headers, ...by },
    { what: `${what}: lists`, method: 'GET', path: configMaps, headers, ...by },
  ];
}

/** Who a request runs as, and what he may. */
export const identityQuestions: readonly Asked[] = [
  ...headerForms.flatMap(({ name, bytes }) =>
    identities.flatMap(({ by, headers, byProxy }) => asWho(`${by} ${name}`, headers(bytes), byProxy)),
  ),
  ...[...encodedForms.map(({ bytes }) => percentEncoded(bytes)), ...spelledKeys].flatMap((key) =>
    keys.flatMap(({ by, headers, byProxy }) => asWho(`${by} ${key}`, headers(key), byProxy)),
  ),
];
