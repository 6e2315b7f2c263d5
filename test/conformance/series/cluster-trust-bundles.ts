import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import { apply, type Request, type Series } from './series.ts';
import {
  authority,
  certificate,
  der,
  extension,
  fixedKey,
  isAuthority,
  name,
  oid,
  pem,
  sequence,
  spkiOf,
  text,
} from './x509-writer.ts';

const path = '/apis/certificates.k8s.io/v1beta1/clustertrustbundles';
const alpha = '/apis/certificates.k8s.io/v1alpha1/clustertrustbundles';
const rbac = '/apis/rbac.authorization.k8s.io/v1';

const key = fixedKey(1);
const anchor = certificate({ key, extensions: [isAuthority] });
const other = certificate({ key: fixedKey(2), extensions: [isAuthority] });
const good = pem(anchor);
const changed = (bytes: Buffer, at: number, value: number): Buffer =>
  Buffer.concat([bytes.subarray(0, at), Buffer.from([value]), bytes.subarray(at + 1)]);
const withSan = (...parts: readonly Buffer[]): Buffer =>
  certificate({ key, extensions: [isAuthority, extension('551d11', sequence(...parts))] });
const rsaKey = (...content: readonly Buffer[]): Buffer =>
  sequence(
    sequence(oid('2a864886f70d010101'), ...content),
    der(0x03, Buffer.from([0]), sequence(der(2, Buffer.from([5])), der(2, Buffer.from([3])))),
  );

/** Certificates that are right, or wrong in one way. */
const certificates: readonly Buffer[] = [
  certificate({ key }),
  certificate({ key, version: 0 }),
  certificate({ key, version: 1, extensions: [isAuthority] }),
  certificate({ key, version: 7, extensions: [isAuthority] }),
  certificate({ key, extensions: [authority()] }),
  certificate({ key, extensions: [authority(der(1, Buffer.from([0])))] }),
  certificate({ key, extensions: [authority(der(1, Buffer.from([1])))] }),
  certificate({ key, extensions: [authority(der(1, Buffer.from([255])), der(2, Buffer.from([3])))] }),
  certificate({ key, extensions: [authority(der(1, Buffer.from([255])), der(2, Buffer.from([255])))] }),
  certificate({ key, extensions: [isAuthority, isAuthority] }),
  certificate({ key, extensions: [extension('551d13', Buffer.from([5, 0]))] }),
  certificate({ key, extensions: [isAuthority, extension('2a0304', Buffer.from([1]), true)] }),
  certificate({ key, extensions: [isAuthority, extension('551d0f', der(3, Buffer.from([7, 0x80])), true)] }),
  certificate({ key, extensions: [isAuthority, extension('551d0f', Buffer.from([4, 0]))] }),
  certificate({ key, extensions: [isAuthority, extension('551d0e', der(4, Buffer.from([1])))] }),
  certificate({ key, extensions: [isAuthority, extension('551d0e', der(4, Buffer.from([1])), true)] }),
  certificate({ key, extensions: [isAuthority, extension('551d23', sequence(der(0x80, Buffer.from([1]))))] }),
  certificate({ key, extensions: [isAuthority, extension('551d23', sequence(), true)] }),
  certificate({ key, extensions: [isAuthority, extension('551d25', sequence(oid('2b06010505070301')))] }),
  certificate({ key, extensions: [isAuthority, extension('551d25', sequence(der(5)))] }),
  certificate({ key, serial: [0xff], extensions: [isAuthority] }),
  certificate({ key, serial: [0, 1], extensions: [isAuthority] }),
  certificate({ key, serial: [0], extensions: [isAuthority] }),
  certificate({ key, serial: [], extensions: [isAuthority] }),
  certificate({ key, algorithm: sequence(oid('2a8648ce3d040302')), extensions: [isAuthority] }),
  certificate({ key, subject: name(), extensions: [isAuthority] }),
  certificate({ key, subject: name('a_b', 0x13), extensions: [isAuthority] }),
  certificate({ key, subject: name('a*&b', 0x13), extensions: [isAuthority] }),
  certificate({ key, subject: name('a\xff', 0x0c), extensions: [isAuthority] }),
  certificate({ key, subject: name('a\xff', 0x14), extensions: [isAuthority] }),
  certificate({ key, subject: name('a\xff', 0x16), extensions: [isAuthority] }),
  certificate({ key, subject: name('abc', 0x1e), extensions: [isAuthority] }),
  certificate({ key, subject: name('1 2', 0x12), extensions: [isAuthority] }),
  certificate({ key, subject: name('1', 0x1b), extensions: [isAuthority] }),
  certificate({ key, spki: rsaKey(der(5)), extensions: [isAuthority] }),
  certificate({ key, spki: rsaKey(), extensions: [isAuthority] }),
  certificate({ key, spki: sequence(sequence(oid('2a0304')), der(3, Buffer.from([0]))), extensions: [isAuthority] }),
  certificate({ key, spki: changed(spkiOf(key), 9, 1), extensions: [isAuthority] }),
  certificate({
    key,
    spki: sequence(sequence(oid('2b6570'), der(5)), der(3, Buffer.alloc(33))),
    extensions: [isAuthority],
  }),
  certificate({ key, extensions: [isAuthority, extension('551d0f', der(3, Buffer.from([0x26, 0x80])))] }),
  certificate({ key, extensions: [isAuthority, extension('558011', Buffer.from([5, 0]))] }),
  certificate({ key, extensions: [isAuthority, extension('2b9080808000', Buffer.from([5, 0]))] }),
  certificate({
    key,
    spki: sequence(sequence(oid('2b6570')), der(3, Buffer.alloc(33)), der(5)),
    extensions: [isAuthority],
  }),
  certificate({ key, algorithm: sequence(oid('2b'), Buffer.from([0x65, 0x70])), extensions: [isAuthority] }),
  withSan(text(0x82, 'a..b'), text(0x81, 'x'), der(0x87, Buffer.alloc(4)), text(0x86, 'urn:a')),
  withSan(text(0x82, '\xe9')),
  withSan(der(0x87, Buffer.alloc(5))),
  withSan(text(0x81, '\xe9')),
  Buffer.concat([anchor, Buffer.from([0])]),
  anchor.subarray(0, -1),
  changed(anchor, 1, 0x80),
  changed(anchor, 0, 0x31),
  Buffer.alloc(0),
  Buffer.from([0x30, 0]),
  certificate({ key, from: -1_000_000_000, to: 2_000_000_000, extensions: [isAuthority] }),
];

/** Texts of PEM that are right, or wrong in one way. */
const texts: readonly string[] = [
  '',
  'nothing',
  good,
  good + pem(other),
  good + good,
  good + pem(other) + good + pem(other),
  `before\n${good}between\n${pem(other)}after`,
  ` ${good}`,
  `x${good}`,
  good.replaceAll('\n', '\r\n'),
  pem(anchor, 'PUBLIC KEY'),
  pem(anchor, 'CERTIFICATE', 'A: b\n\n'),
  pem(anchor, 'CERTIFICATE', 'A: b\n'),
  pem(anchor, 'X509 CRL') + pem(Buffer.from([1])) + good + pem(certificate({ key })),
  good.replace('-----END CERTIFICATE-----', '-----END OTHER-----'),
  good.replace('-----END CERTIFICATE-----', '-----END CERTIFICATE----- x'),
  good.replace('-----END CERTIFICATE-----', '-----END CERTIFICATE-----  '),
  good.replace('\n', ' \n'),
  good.replace('MII', 'M*I'),
  good.replace('MII', 'M I'),
  good.replace(/=*\n-----END/, '\n-----END'),
  `-----BEGIN CERTIFICATE-----\n${good}`,
  `${good.slice(0, 100)}\n${good}`,
  '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n',
  '-----BEGIN CERTIFICATE-----\nA: b\n-----END CERTIFICATE-----\n',
  '-----BEGIN CERTIFICATE-----\nA: b',
  '-----BEGIN -----\n-----END -----\n',
  '-----BEGIN CERTIFICATE\n-----END CERTIFICATE-----\n',
  good.trimEnd(),
  good + 'x'.repeat(1024 * 1024),
  good + '\n'.repeat(1024 * 1024 - good.length),
];

const bundle = (metadata: JsonObject, spec: JsonObject, version = 'v1beta1'): JsonObject => ({
  apiVersion: `certificates.k8s.io/${version}`,
  kind: 'ClusterTrustBundle',
  metadata,
  spec,
});

/** Names with signers that they fit or do not. */
const named: readonly (readonly [name: string, signer: string | undefined])[] = [
  ['', undefined],
  [':a', undefined],
  ['A', undefined],
  ['example.com:signer:', 'example.com/signer'],
  ['example.com:signer:A', 'example.com/signer'],
  ['', 'example.com/signer'],
  ['example.com:other:', 'example.com/signer'],
  ['example.com:signer:b:c', 'example.com/signer'],
  ['signer:', 'signer'],
  ['a:b:', 'a/b'],
  ['A.b:c:', 'A.b/c'],
  ['example.com:a:b:', 'example.com/a/b'],
  ['', ''],
  [`${'a'.repeat(60)}.example.com:x:`, `${'a'.repeat(60)}.example.com/x`],
  ['example.com:A:', 'example.com/A'],
];

/** A user who may write bundles, and attest for the signers named. */
function allow(user: string, signers: readonly string[]): readonly Request[] {
  const rules = [
    { apiGroups: ['certificates.k8s.io'], resources: ['clustertrustbundles'], verbs: ['*'] },
    ...(signers.length === 0
      ? []
      : [
          {
            apiGroups: ['certificates.k8s.io'],
            resources: ['signers'],
            resourceNames: [...signers],
            verbs: ['attest'],
          },
        ]),
  ];
  return [
    { method: 'POST', path: `${rbac}/clusterroles`, body: { metadata: { name: user }, rules } },
    {
      method: 'POST',
      path: `${rbac}/clusterrolebindings`,
      body: {
        metadata: { name: user },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: user },
        subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: user }],
      },
    },
    {
      method: 'GET',
      path: `${path}/nothing`,
      headers: { 'impersonate-user': user },
      until: ({ status }) => status === 404,
    },
  ];
}

/** Names, signers and PEM texts of ClusterTrustBundles, and who may attest for a signer. */
export const clusterTrustBundleSeries: readonly Series[] = [
  {
    name: 'trust bundles: PEM',
    requests: (run) =>
      [...texts, ...certificates.map((bytes) => pem(bytes))].map((trustBundle, index): Request => ({
        method: 'POST',
        path,
        body: bundle({ name: `${run}-${index}` }, { trustBundle }),
      })),
  },
  {
    name: 'trust bundles: names',
    requests: (run) =>
      named
        .flatMap(([front, signerName], index): Request[] => [
          {
            method: 'POST',
            path: index % 2 === 0 ? path : alpha,
            body: bundle(
              { name: `${front}${run}-${index}` },
              { ...(signerName !== undefined && { signerName }), trustBundle: good },
              index % 2 === 0 ? 'v1beta1' : 'v1alpha1',
            ),
          },
        ])
        .concat([
          {
            method: 'POST',
            path: `${path}?dryRun=All`,
            body: bundle(
              { name: 'x', generateName: 'example.com:b:' },
              { signerName: 'example.com/a', trustBundle: good },
            ),
          },
          { method: 'POST', path, body: bundle({}, { trustBundle: good }) },
          { method: 'POST', path, body: bundle({ name: run }, {}) },
          {
            method: 'GET',
            path: `${path}?fieldSelector=${encodeURIComponent(`spec.signerName=example.com/signer,metadata.name=example.com:signer:${run}-3`)}`,
          },
          { method: 'GET', path: `${alpha}?fieldSelector=spec.trustBundle%3Dx` },
          {
            method: 'GET',
            path: `${path}?fieldSelector=${encodeURIComponent(`spec.signerName=,metadata.name=${run}-0`)}`,
          },
        ]),
  },
  {
    name: 'trust bundles: updates',
    requests(run) {
      const name = `example.com:signer:${run}`;
      const item = `${path}/${name}`;
      const spec = { signerName: 'example.com/signer', trustBundle: good };
      const put = (metadata: JsonObject, content: JsonObject): Request => ({
        method: 'PUT',
        path: item,
        body: (answers) =>
          bundle(
            {
              name,
              resourceVersion: stringAt(
                answers.findLast(({ status }) => status < 300)?.body,
                'metadata',
                'resourceVersion',
              ),
              ...metadata,
            },
            content,
          ),
      });
      const patch = (body: JsonObject): Request => ({ method: 'PATCH', path: item, body });
      return [
        { method: 'PUT', path: item, body: bundle({ name }, spec) },
        { method: 'POST', path, body: bundle({ name, labels: { a: 'b' } }, spec) },
        { method: 'PUT', path: item, body: bundle({ name }, spec) },
        put({}, { ...spec, signerName: 'example.com/other' }),
        put({}, { trustBundle: good }),
        put({ labels: { a: '-' }, finalizers: ['a'] }, spec),
        put({}, { ...spec, trustBundle: pem(other) }),
        put({}, { ...spec, trustBundle: 'x' }),
        put({}, { ...spec, signerName: 'x' }),
        patch({ metadata: { annotations: { a: 'b' } } }),
        patch({ spec: { trustBundle: good + good } }),
        patch({ spec: { signerName: null } }),
        patch({ spec: { signerName: 'a.b/c', trustBundle: '' } }),
        apply(item, 'one', bundle({ name }, { ...spec, trustBundle: good + pem(other) })),
        apply(item, 'one', bundle({ name }, { ...spec, trustBundle: good + pem(other) }), '&force=true'),
        apply(item, 'two', bundle({ name, labels: { two: 'x' } }, { ...spec, trustBundle: good })),
        apply(item, 'two', bundle({ name, labels: { two: 'x' } }, spec), '&force=true'),
        apply(`${alpha}/${name}`, 'one', bundle({ name }, { signerName: 'example.com/signer' }, 'v1alpha1')),
        { method: 'GET', path: `${alpha}/${name}` },
        { method: 'GET', path: item, headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } },
        { method: 'PUT', path: `${item}/status`, body: bundle({ name }, spec) },
        { method: 'DELETE', path: item },
        apply(`${path}/${run}`, 'one', bundle({ name: run }, { trustBundle: 'x' })),
        apply(`${path}/${run}`, 'one', bundle({ name: run }, { trustBundle: good })),
        apply(`${path}/a:${run}`, 'one', bundle({ name: `a:${run}` }, { trustBundle: good })),
        { method: 'DELETE', path: `${path}/${run}` },
      ];
    },
  },
  {
    name: 'trust bundles: who attests',
    requests(run) {
      const [nobody, signer, domain] = [`${run}-n`, `${run}-s`, `${run}-d`];
      const name = `example.com:signer:${run}`;
      const spec = { signerName: 'example.com/signer', trustBundle: good };
      const by = (user: string, request: Request): Request => ({
        ...request,
        headers: { 'impersonate-user': user, ...request.headers },
      });
      const post = (metadata: JsonObject, content: JsonObject): Request => ({
        method: 'POST',
        path,
        body: bundle(metadata, content),
      });
      const patch = (body: JsonObject): Request => ({ method: 'PATCH', path: `${path}/${name}`, body });
      return [
        ...allow(nobody, []),
        ...allow(signer, ['example.com/signer']),
        ...allow(domain, ['example.com/*']),
        by(nobody, post({ name }, spec)),
        by(nobody, post({ name: run }, { trustBundle: good })),
        by(nobody, post({ name: `${name}-n` }, spec)),
        by(signer, post({ name: `example.com:other:${run}` }, { ...spec, signerName: 'example.com/other' })),
        by(signer, post({ name }, spec)),
        by(domain, post({ name: `${name}-d` }, spec)),
        by(nobody, patch({ metadata: { labels: { a: 'b' } } })),
        by(nobody, patch({ metadata: { finalizers: ['example.com/a'] } })),
        by(
          nobody,
          patch({ metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'u' }] } }),
        ),
        by(nobody, patch({ spec: { trustBundle: pem(other) } })),
        by(nobody, patch({ spec: { signerName: 'example.com/other' } })),
        by(domain, patch({ spec: { trustBundle: pem(other) } })),
        by(nobody, patch({})),
        by(nobody, patch({ metadata: { finalizers: null } })),
        by(nobody, { method: 'DELETE', path: `${path}/${name}` }),
      ];
    },
  },
];
