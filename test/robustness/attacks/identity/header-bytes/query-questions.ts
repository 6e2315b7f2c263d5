import { admin, configMaps, json } from './common.ts';
import { encodedForms, headerForms, percentEncoded, type Form } from './forms.ts';
import type { Asked } from './send.ts';

const body = JSON.stringify({ metadata: { name: 'of-a-query' } });

/** Parameters whose value is told, parsed or compared. */
function parameterQuestions({ name, bytes }: Form): Asked[] {
  const value = percentEncoded(bytes);
  const ask = (what: string, method: string, path: string, sent?: string): Asked => ({
    what: `${what} ${name}`,
    method,
    path,
    headers: method === 'PATCH' ? { ...admin, 'content-type': 'application/merge-patch+json' } : admin,
    ...(sent === undefined ? {} : { body: sent }),
  });
  return [
    ask('labelSelector value', 'GET', `${configMaps}?labelSelector=a%3D${value}`),
    ask('labelSelector key', 'GET', `${configMaps}?labelSelector=${value}`),
    ask('labelSelector set', 'GET', `${configMaps}?labelSelector=a%20in%20(${value})`),
    ask('fieldSelector value', 'GET', `${configMaps}?fieldSelector=metadata.name%3D${value}`),
    ask('fieldSelector key', 'GET', `${configMaps}?fieldSelector=${value}%3Da`),
    ask('resourceVersion', 'GET', `${configMaps}?resourceVersion=${value}`),
    ask('resourceVersion of one', 'GET', `${configMaps}/shared?resourceVersion=${value}`),
    ask('resourceVersionMatch', 'GET', `${configMaps}?resourceVersion=0&resourceVersionMatch=${value}`),
    ask('continue', 'GET', `${configMaps}?limit=1&continue=${value}`),
    ask('limit', 'GET', `${configMaps}?limit=${value}`),
    ask('timeoutSeconds', 'GET', `${configMaps}?timeoutSeconds=${value}`),
    ask('timeout', 'GET', `${configMaps}?timeout=${value}`),
    ask('watch', 'GET', `${configMaps}/shared?watch=${value}`),
    ask('pretty', 'GET', `${configMaps}/shared?pretty=${value}`),
    ask('dryRun', 'POST', `${configMaps}?dryRun=${value}`, body),
    ask('fieldValidation', 'POST', `${configMaps}?dryRun=All&fieldValidation=${value}`, body),
    ask('force', 'PATCH', `${configMaps}/shared?dryRun=All&force=${value}`, '{}'),
    ask('propagationPolicy', 'DELETE', `${configMaps}/shared?dryRun=All&propagationPolicy=${value}`),
    ask('gracePeriodSeconds', 'DELETE', `${configMaps}/shared?dryRun=All&gracePeriodSeconds=${value}`),
    ask('a parameter of that name', 'GET', `${configMaps}/shared?${value}=1`),
  ];
}

/** Segments of paths, and who may ask them. */
function pathQuestions({ name, bytes }: Form): Asked[] {
  const escaped = percentEncoded(bytes);
  // oxlint-disable-next-line no-control-regex -- a request line holds no control characters
  const spellings = /[\0- %?#/\x7f]|^$/.test(bytes) ? [escaped] : [escaped, bytes];
  return spellings.flatMap((part, at) => {
    const nobody = { authorization: 'Bearer token-of-bob', ...json };
    const ask = (what: string, method: string, path: string, sent?: string): Asked[] =>
      [admin, nobody].map((headers) => ({
        what: `${what} ${name}${at === 0 ? '' : ', as it is'}${headers === admin ? '' : ', by bob'}`,
        method,
        path,
        headers: method === 'PATCH' ? { ...headers, 'content-type': 'application/merge-patch+json' } : headers,
        ...(sent === undefined ? {} : { body: sent }),
      }));
    return [
      ...ask('a name', 'GET', `${configMaps}/${part}`),
      ...ask(
        'a name to update',
        'PUT',
        `${configMaps}/${part}`,
        `{"metadata":{"name":"${bytes.replace(/["\\]/g, '\\$&')}"}}`,
      ),
      ...ask('a name to patch', 'PATCH', `${configMaps}/${part}`, '{}'),
      ...ask('a name to delete', 'DELETE', `${configMaps}/${part}`),
      ...ask('a namespace', 'GET', `/api/v1/namespaces/${part}`),
      ...ask('objects of a namespace', 'GET', `/api/v1/namespaces/${part}/configmaps`),
      ...ask('an object for a namespace', 'POST', `/api/v1/namespaces/${part}/configmaps`, body),
      ...ask('a resource', 'GET', `/api/v1/namespaces/default/${part}`),
      ...ask('a subresource', 'GET', `${configMaps}/shared/${part}`),
      ...ask('a group', 'GET', `/apis/${part}/v1/things`),
      ...ask('a version', 'GET', `/apis/apps/${part}/deployments`),
      ...ask('a path', 'GET', `/readyz/${part}`),
      ...ask('a path of a rule', 'GET', `/ruled/${part}`),
      ...ask('a role', 'GET', `/apis/rbac.authorization.k8s.io/v1/clusterroles/${part}`),
    ];
  });
}

/** Headers that are told, or come back. */
function echoQuestions({ name, bytes }: Form): Asked[] {
  const ask = (what: string, headers: Readonly<Record<string, string>>, method = 'GET', sent?: string): Asked => ({
    what: `${what} ${name}`,
    method,
    path: method === 'GET' ? `${configMaps}/shared` : `${configMaps}?dryRun=All&fieldValidation=Warn`,
    headers: { ...admin, ...headers },
    ...(sent === undefined ? {} : { body: sent }),
  });
  const quoted = bytes.replace(/["\\]/g, '\\$&');
  return [
    ask('Audit-ID', { 'audit-id': bytes }),
    ask('Accept', { accept: bytes }),
    ask('Accept parameter', { accept: `application/json;as=${bytes};g=meta.k8s.io;v=v1` }),
    ask('Content-Type', { 'content-type': bytes }, 'POST', body),
    ask('Content-Type parameter', { 'content-type': `application/json; charset=${bytes}` }, 'POST', body),
    ask('If-None-Match', { 'if-none-match': bytes }),
    ask('X-Forwarded-For', { 'x-forwarded-for': bytes }),
    ask('Authorization', { authorization: bytes }),
    ask('bearer token', { authorization: `Bearer ${bytes}` }),
    ask('bearer token of the file', { authorization: `Bearer t${bytes}` }, 'POST', body),
    ask('scheme of a token', { authorization: `${bytes} token-of-admin` }),
    ask('warning of a field', {}, 'POST', `{"metadata":{"name":"a"},"${quoted}":1}`),
    ask('error of a kind', {}, 'POST', `{"kind":"${quoted}","apiVersion":"v1","metadata":{"name":"a"}}`),
    ask('error of a name', {}, 'POST', `{"metadata":{"name":"${quoted}"}}`),
    ask('error of a label', {}, 'POST', `{"metadata":{"name":"a","labels":{"a":"${quoted}"}}}`),
  ];
}

/** Parameters of a media type that no reader of `name=value` alone takes as Go does. */
const typeParameters = [
  '',
  ';',
  ' ; ',
  ';;',
  '; charset',
  '; charset=',
  '; charset=a:b',
  '; charset="a:b"',
  '; charset="a\\"b"',
  '; charset="a',
  '; a=1; a=2',
  '; a=1; A=1',
  '; a=1;',
  ';a = 1',
  '; a=1 b=2',
  '; =1',
  '\xc2\xa0; a=1',
  '; a=\xc2\xa01',
  '; a=1\xa0',
  '; \xc3\xa4=1',
];

const typeQuestions = typeParameters.map((parameters): Asked => ({
  what: `Content-Type application/json${parameters}`,
  method: 'POST',
  path: `${configMaps}?dryRun=All`,
  headers: { ...admin, 'content-type': `application/json${parameters}` },
  body,
}));

/** What a request asks for, and what comes back of it. */
export const askedQuestions: readonly Asked[] = [
  ...typeQuestions,
  ...encodedForms.flatMap(parameterQuestions),
  ...encodedForms.flatMap(pathQuestions),
  ...headerForms.flatMap(echoQuestions),
];

/** What stands within the quotes of JSON: the bytes of each form, and escapes for characters that are none. */
const texts: readonly (readonly [name: string, text: string])[] = [
  ...headerForms.map(({ name, bytes }) => [name, bytes.replace(/["\\]/g, '\\$&')] as const),
  ['escaped low surrogate', String.raw`j\udcfcrgen`],
  ['escaped high surrogate', String.raw`\ud800`],
  ['escaped pair', String.raw`\ud83d\ude00`],
  ['escaped pair the wrong way around', String.raw`\ude00\ud83d`],
  ['escaped high surrogate before a letter', String.raw`\uD83Dx`],
];

/** Reviews whose body names a user or a token. */
export const reviewQuestions: readonly Asked[] = texts.flatMap(([name, text]): Asked[] => {
  const ask = (what: string, path: string, sent: string): Asked => ({
    what: `${what} ${name}`,
    method: 'POST',
    path,
    headers: admin,
    body: sent,
  });
  const access = (spec: string): string =>
    `{"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{${spec},"resourceAttributes":{"resource":"configmaps","verb":"get","namespace":"default","name":"shared"}}}`;
  const accessPath = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
  return [
    ask('access of a user', accessPath, access(`"user":"${text}"`)),
    ask('access of a group', accessPath, access(`"user":"jo","groups":["${text}"]`)),
    ask(
      'access to a path',
      accessPath,
      `{"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"bob","nonResourceAttributes":{"path":"/ruled/${text}","verb":"get"}}}`,
    ),
    ask(
      'an annotation',
      `${configMaps}?dryRun=All`,
      `{"metadata":{"name":"a","annotations":{"a":"${text}"}},"data":{"${text}":""}}`,
    ),
    ask('data', `${configMaps}?dryRun=All`, `{"metadata":{"name":"a"},"data":{"a":"${text}"}}`),
    ask(
      'token of the file',
      '/apis/authentication.k8s.io/v1/tokenreviews',
      `{"apiVersion":"authentication.k8s.io/v1","kind":"TokenReview","spec":{"token":"t${text}"}}`,
    ),
  ];
});
