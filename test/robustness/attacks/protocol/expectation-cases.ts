import { adminToken } from '#test/tokens.ts';
import type { Field } from './http2-wire.ts';

/** A request whose client sends the body only after it was told to. */
export interface ExpectationCase {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly fields: readonly Field[];
  /** Empty: the head ends the request. */
  readonly body: string;
}

const review = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const body = '{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}';
const admin: Field = ['authorization', `Bearer ${adminToken}`];
const json: Field = ['content-type', 'application/json'];
const expected: Field = ['expect', '100-continue'];

function create(name: string, ...fields: readonly Field[]): ExpectationCase {
  return { name, method: 'POST', path: review, fields: [...fields, ['content-length', String(body.length)]], body };
}

function expecting(...values: readonly string[]): ExpectationCase {
  const fields = values.map((value): Field => ['expect', value]);
  return create(`expectation ${JSON.stringify(values)}`, admin, json, ...fields);
}

/** Without requests that have no body: whether they get a 100 is open (RFC 9110 section 10.1.1). */
export const expectationCases: readonly ExpectationCase[] = [
  create('a create', admin, json, expected),
  create('an unknown token', ['authorization', 'Bearer nobody'], json, expected),
  create('no token', json, expected),
  create('a media type that is not supported', admin, ['content-type', 'text/plain'], expected),
  create('no acceptable media type', admin, json, ['accept', 'image/png'], expected),
  {
    name: 'a body without a length',
    method: 'POST',
    path: review,
    fields: [admin, json, expected],
    body,
  },
  {
    ...create('a missing path', admin, json, expected),
    path: '/apis/missing.example.com/v1/things',
  },
  {
    ...create('a missing resource', admin, json, expected),
    path: '/apis/authentication.k8s.io/v1/missing',
  },
  { ...create('a method that is not allowed', admin, json, expected), method: 'PUT' },
  { ...create('a get with a body', admin, json, expected), method: 'GET', path: '/api/v1/namespaces/default' },
  {
    ...create('an apply', admin, ['content-type', 'application/apply-patch+yaml'], expected),
    method: 'PATCH',
    path: '/api/v1/namespaces/default/configmaps/a?fieldManager=a&dryRun=All',
  },
  { ...create('a delete of a missing object', admin, json, expected), method: 'DELETE', path: '/api/v1/nodes/a' },
  { name: 'a get that expects something else', method: 'GET', path: '/livez', fields: [['expect', 'a']], body: '' },
  expecting('100-Continue'),
  expecting('100-continue, a'),
  expecting('a, 100-continue'),
  expecting('a', '100-continue'),
  expecting('100-continue', '100-continue'),
  expecting('100-continue;q=1'),
  expecting('200-ok'),
  expecting(''),
];
