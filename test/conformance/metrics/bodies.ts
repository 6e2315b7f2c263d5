import type { CountedRequest } from './requests.ts';

const maps = '/api/v1/namespaces/counted/configmaps';
const things = '/apis/counted.example.com/v1/namespaces/counted/things';
const merge = 'application/merge-patch+json';
const text = (name: string): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { a: 'b'.repeat(60_000) } });
const thing = JSON.stringify({ apiVersion: 'counted.example.com/v1', kind: 'Thing', metadata: { name: 'body' } });

export const familiesOfBodies = /^apiserver_request_body_size_bytes .*resource="(?:configmaps|things)"/;

/** Requests whose bodies are read, or not. */
export const bodies: readonly CountedRequest[] = [
  { method: 'POST', path: maps, body: text('body') },
  { method: 'POST', path: maps, body: text('chunks'), isChunked: true },
  { method: 'POST', path: maps, body: '{' },
  { method: 'POST', path: maps, body: '' },
  { method: 'POST', path: maps, type: 'text/plain', body: 'a' },
  { method: 'POST', path: maps, accept: 'text/html', body: text('other') },
  { method: 'POST', path: maps, body: `"${'a'.repeat(3_200_000)}"` },
  { method: 'PUT', path: `${maps}/body`, body: text('body') },
  { method: 'PATCH', path: `${maps}/body`, type: merge, body: '{"data":{"c":"d"}}' },
  { method: 'PATCH', path: `${maps}/body`, type: 'text/plain', body: '{}' },
  { method: 'GET', path: `${maps}/body` },
  { method: 'DELETE', path: `${maps}/body` },
  { method: 'DELETE', path: `${maps}/chunks`, body: '{"apiVersion":"v1","kind":"DeleteOptions"}' },
  { method: 'DELETE', path: `${maps}?labelSelector=a=b` },
  { method: 'POST', path: things, body: thing },
  { method: 'PATCH', path: `${things}/body`, type: merge, body: '{"spec":{}}' },
  { method: 'DELETE', path: `${things}/body` },
];
