import { textOfBytes } from '#shared/apimachinery/text/byte-text.ts';
import { mastersRequest } from '#test/integration/admission/signing-requests.ts';
import { admin, configMaps, protobuf } from './common.ts';
import { encodedForms, headerForms, percentEncoded, type Form } from './forms.ts';
import type { Asked } from './send.ts';

const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const apply = 'application/apply-patch+yaml';
const merge = 'application/merge-patch+json';

/** A signing request keeps who made it: in an answer, in storage, in lists. */
function signingQuestions({ name, bytes }: Form, index: number): Asked[] {
  const named = `bytes-${index}`;
  const body = (run: string): string =>
    JSON.stringify({
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: `${named}-${run}` },
      spec: { request: mastersRequest, signerName: 'example.com/any', usages: ['client auth'] },
    });
  const ofFaultyUser = !textOfBytes(bytes).isWellFormed();
  const headers = {
    ...admin,
    'impersonate-user': bytes,
    'impersonate-group': 'system:masters',
    'impersonate-uid': bytes,
    [`impersonate-extra-k${percentEncoded(bytes)}`]: bytes,
  };
  return [
    { what: `signing request of ${name}`, method: 'POST', path: requests, headers, body: body('a') },
    {
      what: `signing request of ${name}, applied`,
      ofFaultyUser,
      method: 'PATCH',
      path: `${requests}/${named}-b?fieldManager=m`,
      headers: { ...headers, 'content-type': apply },
      body: body('b'),
    },
    { what: `${name}: deletes what was applied`, method: 'DELETE', path: `${requests}/${named}-b`, headers: admin },
    { what: `signing request of ${name}, read`, method: 'GET', path: `${requests}/${named}-a`, headers: admin },
    {
      what: `signing request of ${name}, read as protobuf`,
      ofFaultyUser,
      method: 'GET',
      path: `${requests}/${named}-a`,
      headers: { ...admin, accept: protobuf },
      sought: bytes,
    },
    {
      what: `signing request of ${name}, patched by an administrator`,
      ofFaultyUser,
      method: 'PATCH',
      path: `${requests}/${named}-a`,
      headers: { ...admin, 'content-type': merge },
      body: '{"metadata":{"labels":{"a":"b"}}}',
    },
    {
      what: `signing request of ${name}, deleted`,
      method: 'DELETE',
      path: `${requests}/${named}-a`,
      headers: admin,
    },
  ];
}

/** Managers of fields by the header and by the query, where they are written, and where they own what others want. */
function managerQuestions({ name, bytes }: Form, index: number): Asked[] {
  const agent = { ...admin, 'user-agent': sendable(bytes) };
  const text = (label: string): string => JSON.stringify({ metadata: { name: `managed-${index}`, labels: { label } } });
  const full = JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `managed-${index}` },
    data: { a: 'b' },
  });
  const one = `${configMaps}/managed-${index}`;
  return [
    { what: `User-Agent ${name}: create`, method: 'POST', path: configMaps, headers: agent, body: text('a') },
    {
      what: `User-Agent ${name} with a version: patch`,
      method: 'PATCH',
      path: one,
      headers: { ...admin, 'user-agent': `x${sendable(bytes)}/1.0`, 'content-type': merge },
      body: text('b'),
    },
    {
      what: `User-Agent ${name}: apply without a manager`,
      method: 'PATCH',
      path: one,
      headers: { ...agent, 'content-type': apply },
      body: full,
    },
    {
      what: `User-Agent ${name}: read as protobuf`,
      method: 'GET',
      path: one,
      headers: { ...admin, accept: protobuf },
      sought: bytes,
    },
    ...spellings(bytes).flatMap(([spelling, value]): Asked[] => [
      {
        what: `fieldManager ${name} ${spelling}: dry run`,
        method: 'POST',
        path: `${configMaps}?dryRun=All&fieldManager=${value}`,
        headers: admin,
        body: JSON.stringify({ metadata: { name: `dry-${index}`, labels: { a: 'b' } } }),
      },
      {
        what: `fieldManager ${name} ${spelling}: apply`,
        method: 'PATCH',
        path: `${one}?fieldManager=${value}`,
        headers: { ...admin, 'content-type': apply },
        body: full,
      },
      {
        what: `fieldManager ${name} ${spelling}: a conflict with it`,
        method: 'PATCH',
        path: `${one}?fieldManager=other`,
        headers: { ...admin, 'content-type': apply },
        body: full.replace('"b"', '"c"'),
      },
    ]),
    { what: `User-Agent ${name}: delete`, method: 'DELETE', path: one, headers: agent },
  ];
}

/** A header holds no control characters. */
function sendable(bytes: string): string {
  // oxlint-disable-next-line no-control-regex
  return bytes.replaceAll(/[\0-\x08\n-\x1f\x7f]/g, '');
}

/** Escaped, and with its bytes as they are where a request line holds them. */
function spellings(bytes: string): [string, string][] {
  const escaped = percentEncoded(bytes);
  // oxlint-disable-next-line no-control-regex -- a request line holds no control characters
  return /[\0- %&+#;\x7f]/.test(bytes)
    ? [['escaped', escaped]]
    : [
        ['escaped', escaped],
        ['as it is', bytes],
      ];
}

/** What outlives a request: series, each about an object of its own from its creation to its deletion. */
export const keptSeries: readonly (readonly Asked[])[] = [
  ...headerForms.map(signingQuestions),
  ...encodedForms.map(managerQuestions),
];
