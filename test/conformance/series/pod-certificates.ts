import { constants, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import { apply, type Request, type Series } from './series.ts';
import {
  certificate,
  der,
  extension,
  fixedKey,
  name,
  oid,
  pem,
  request,
  sequence,
  spkiOf,
  text,
} from './x509-writer.ts';

const path = '/apis/certificates.k8s.io/v1beta1/namespaces/default/podcertificaterequests';
const rbac = '/apis/rbac.authorization.k8s.io/v1';

const keyOf = (namedCurve: string): KeyObject => generateKeyPairSync('ec', { namedCurve }).privateKey;
const rsaOf = (modulusLength: number): KeyObject => generateKeyPairSync('rsa', { modulusLength }).privateKey;
const ed = fixedKey(1);
const curves = ['secp224r1', 'prime256v1', 'secp384r1', 'secp521r1', 'secp256k1'].map((curve) => keyOf(curve));
const keys: readonly KeyObject[] = [ed, ...curves, rsaOf(2048), rsaOf(3072), generateKeyPairSync('x25519').privateKey];

const podUid = 'pod-uid';
const base = {
  signerName: 'example.com/signer',
  podName: 'pod',
  podUID: podUid,
  serviceAccountName: 'account',
  serviceAccountUID: 'account-uid',
  nodeName: 'node',
  nodeUID: 'node-uid',
};
const base64 = (bytes: Buffer): string => bytes.toString('base64');
const stub = { stubPKCS10Request: base64(request(ed)) };
const spec: JsonObject = { ...base, ...stub };

function proofOf(key: KeyObject, content = podUid): Buffer {
  if (key.asymmetricKeyType === 'x25519') return Buffer.alloc(64);
  const padding = key.asymmetricKeyType === 'rsa' ? { padding: constants.RSA_PKCS1_PSS_PADDING } : {};
  return sign(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', Buffer.from(content), { key, ...padding });
}

const keyed = (der: Buffer, proof: Buffer): JsonObject => ({
  ...base,
  pkixPublicKey: base64(der),
  proofOfPossession: base64(proof),
});
const stubbed = (bytes: Buffer): JsonObject => ({ ...base, stubPKCS10Request: base64(bytes) });
const p256 = curves[1] ?? ed;

/** What is asked for, most of it wrong. */
const specs: readonly JsonObject[] = [
  spec,
  {},
  base,
  { ...spec, maxExpirationSeconds: 3599 },
  { ...spec, maxExpirationSeconds: 91 * 86_400 },
  { ...spec, maxExpirationSeconds: 91 * 86_400 + 1 },
  { ...spec, maxExpirationSeconds: 0 },
  { ...spec, maxExpirationSeconds: null },
  { ...spec, signerName: 'kubernetes.io/kube-apiserver-client-pod', maxExpirationSeconds: 86_401 },
  { ...spec, signerName: 'kubernetes.io/x', maxExpirationSeconds: 86_400 },
  { ...spec, signerName: 'x' },
  { ...spec, signerName: 'A.b/c' },
  { ...spec, podName: 'A', serviceAccountName: 'B', nodeName: 'C' },
  { ...spec, podUID: '', serviceAccountUID: '', nodeUID: '' },
  { ...spec, podUID: 'x'.repeat(129), serviceAccountUID: 'x'.repeat(129), nodeUID: 'x'.repeat(128) },
  { ...spec, unverifiedUserAnnotations: { 'a.b/c': 'd' } },
  { ...spec, unverifiedUserAnnotations: { a: 'b' } },
  { ...spec, unverifiedUserAnnotations: { 'A.b/C': 'd', 'a b/c': '', '': 'x' } },
  { ...spec, unverifiedUserAnnotations: {} },
  { ...spec, unverifiedUserAnnotations: { 'a.b/c': 'x'.repeat(262_144) } },
  { ...spec, pkixPublicKey: 'AAAA' },
  { ...base, pkixPublicKey: 'AAAA' },
  { ...base, proofOfPossession: 'AAAA' },
  { ...spec, pkixPublicKey: '', proofOfPossession: '' },
  ...keys.map((key) => keyed(spkiOf(key), proofOf(key))),
  ...keys.map((key) => keyed(spkiOf(key), proofOf(key, 'other'))),
  keyed(spkiOf(ed), Buffer.from([1])),
  keyed(spkiOf(p256), Buffer.from([1])),
  keyed(Buffer.from([1]), Buffer.from([1])),
  keyed(Buffer.concat([spkiOf(ed), Buffer.from([0])]), proofOf(ed)),
  keyed(Buffer.alloc(10_241), proofOf(ed)),
  keyed(spkiOf(ed), Buffer.alloc(10_241)),
  keyed(sequence(sequence(oid('2a0304')), der(3, Buffer.from([0]))), proofOf(ed)),
  ...keys.map((key) => stubbed(request(key))),
  stubbed(Buffer.from('x')),
  stubbed(Buffer.alloc(10_241)),
  stubbed(request(ed, fixedKey(2))),
  stubbed(request(ed, p256)),
  stubbed(request(p256, ed)),
  stubbed(request(ed, ed, name('kept'))),
  stubbed(request(ed, ed, name('a\xff', 0x13))),
  stubbed(request(ed, ed, name('a', 0x1b))),
  stubbed(Buffer.concat([request(ed), Buffer.from([0])])),
  stubbed(request(ed, ed, name(), spkiOf(ed), sequence(oid('2a0304')))),
  stubbed(request(ed, ed, name(), sequence(sequence(oid('2a0304')), der(3, Buffer.from([0, 1]))))),
];

const make = (metadata: JsonObject, content: JsonObject, status?: JsonObject): JsonObject => ({
  apiVersion: 'certificates.k8s.io/v1beta1',
  kind: 'PodCertificateRequest',
  metadata,
  spec: content,
  ...(status && { status }),
});
const condition = (type: string, more: JsonObject = {}): JsonObject => ({
  type,
  status: 'True',
  lastTransitionTime: '2020-01-01T00:00:00Z',
  reason: 'Fine',
  message: 'm',
  ...more,
});
const issued = condition('Issued');

const now = Math.floor(Date.now() / 1000);
const authority = fixedKey(9);
const time = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000', '');
const leaf = (more: Partial<Parameters<typeof certificate>[0]> = {}): string =>
  pem(certificate({ key: ed, signer: authority, from: now, to: now + 7200, ...more }));
const times = (from = now, refresh = now + 3600, to = now + 7200): JsonObject => ({
  notBefore: time(from),
  beginRefreshAt: time(refresh),
  notAfter: time(to),
});
const chain = (certificateChain: string, more: JsonObject = times()): JsonObject => ({
  conditions: [issued],
  certificateChain,
  ...more,
});
const withNames = (...parts: readonly Buffer[]): string =>
  leaf({ extensions: [extension('551d11', sequence(...parts))] });
const lasting = (seconds: number, from = now): JsonObject =>
  chain(leaf({ from, to: from + seconds }), times(from, from + 1800, from + seconds));

/** Statuses of a request that is open: each of another object, most of them refused. */
const statuses: readonly JsonObject[] = [
  {},
  { conditions: [condition('Denied')] },
  { conditions: [condition('Failed')] },
  { conditions: [condition('Other')] },
  { conditions: [condition('Denied', { status: 'False' })] },
  { conditions: [condition('Denied'), condition('Failed')] },
  { conditions: [condition('Denied'), condition('Denied')] },
  { conditions: [condition('Denied', { reason: '', lastTransitionTime: null, observedGeneration: -1 })] },
  { conditions: [condition('Denied')], ...times() },
  { conditions: [condition('Failed')], certificateChain: leaf() },
  { certificateChain: leaf() },
  times(),
  { conditions: [] },
  chain(leaf()),
  chain(''),
  chain('x'),
  chain(pem(Buffer.from([1]), 'OTHER')),
  chain(pem(Buffer.from([1]))),
  chain(leaf({ key: fixedKey(2) })),
  chain(leaf({ key: p256 })),
  chain(leaf() + pem(certificate({ key: authority }))),
  chain(leaf() + pem(Buffer.from([1]))),
  chain(leaf() + pem(Buffer.from([1]), 'OTHER')),
  chain(`text\n${leaf()}text`),
  chain(leaf() + 'x'.repeat(102_400)),
  chain(leaf(), {}),
  chain(leaf(), { notBefore: time(now) }),
  chain(leaf(), times(now + 1)),
  chain(leaf(), times(now, now + 3600, now + 7201)),
  chain(leaf(), times(now, now + 599)),
  chain(leaf(), times(now, now + 600)),
  chain(leaf(), times(now, now + 7200 - 599)),
  chain(leaf(), times(now, now + 6600)),
  lasting(3599),
  lasting(3600),
  lasting(86_400),
  lasting(86_401),
  lasting(400 * 86_400),
  lasting(7200, now - 3600),
  lasting(7200, now + 3600),
  chain(withNames(text(0x82, ''), text(0x82, 'a..b'), text(0x82, '.a'), text(0x82, 'a.'), text(0x82, 'a'))),
  chain(
    withNames(
      text(0x81, 'a@b'),
      text(0x81, 'a'),
      text(0x81, 'A <a@b>'),
      text(0x81, '"x y"@b'),
      text(0x81, 'a@[1.2.3.4]'),
      text(0x81, ' a@b '),
      text(0x81, 'a b@c'),
      text(0x81, '@b'),
      text(0x81, 'a..b@c'),
    ),
  ),
];

/** What comes after the end: the same again, and other things. */
const afterwards: readonly JsonObject[] = [
  { conditions: [issued] },
  { conditions: [condition('Issued', { message: 'other' })] },
  { conditions: null },
  { beginRefreshAt: time(now + 3700) },
];

function allow(user: string, rules: readonly JsonObject[]): readonly Request[] {
  const role = user.replaceAll(':', '-');
  return [
    {
      method: 'POST',
      path: `${rbac}/clusterroles`,
      body: {
        metadata: { name: role },
        rules: [
          {
            apiGroups: ['certificates.k8s.io'],
            resources: ['podcertificaterequests', 'podcertificaterequests/status'],
            verbs: ['*'],
          },
          ...rules,
        ],
      },
    },
    {
      method: 'POST',
      path: `${rbac}/clusterrolebindings`,
      body: {
        metadata: { name: role },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
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

/** Requests for certificates of pods, and what their signers answer. */
export const podCertificateSeries: readonly Series[] = [
  {
    name: 'pod certificates: what is asked for',
    requests: (run) =>
      specs.map((content, index): Request => ({
        method: 'POST',
        path,
        body: make({ name: `${run}-${index}` }, content),
      })),
  },
  {
    name: 'pod certificates: what is answered',
    requests: (run) =>
      statuses.flatMap((status, index): Request[] => {
        const content = index % 2 === 0 ? spec : keyed(spkiOf(ed), proofOf(ed));
        return [
          { method: 'POST', path, body: make({ name: `${run}-${index}` }, content, { conditions: [issued] }) },
          { method: 'PATCH', path: `${path}/${run}-${index}/status`, body: { status } },
        ];
      }),
  },
  {
    name: 'pod certificates: updates',
    requests(run) {
      const item = `${path}/${run}`;
      const patch = (part: string, body: JsonObject): Request => ({ method: 'PATCH', path: `${item}${part}`, body });
      const status = chain(leaf());
      return [
        { method: 'PUT', path: item, body: make({ name: run }, spec) },
        { method: 'POST', path, body: make({ name: run }, spec, status) },
        { method: 'PUT', path: item, body: make({ name: run }, spec) },
        { method: 'POST', path, body: make({ name: `A${run}` }, spec) },
        patch('', { spec: { podName: 'other' } }),
        patch('', { spec: { maxExpirationSeconds: 4000, unverifiedUserAnnotations: { 'a.b/c': 'd' } } }),
        patch('', { metadata: { labels: { a: 'b' } }, status }),
        patch('', { spec: { maxExpirationSeconds: null } }),
        patch('/status', {
          spec: { podName: 'other' },
          metadata: { labels: { a: 'c' }, annotations: { a: 'b' }, finalizers: ['example.com/a'] },
        }),
        apply(`${item}/status`, 'one', make({ name: run }, spec, { conditions: [issued] })),
        apply(`${item}/status`, 'one', make({ name: run, labels: { x: 'y' } }, { podName: 'x' }, status)),
        ...afterwards.map((change) => patch('/status', { status: change })),
        apply(`${item}/status`, 'two', make({ name: run }, {}, { conditions: [condition('Denied')] })),
        apply(`${item}/status`, 'two', make({ name: run }, {}, { conditions: [issued] })),
        apply(item, 'two', make({ name: run, labels: { two: 'x' } }, spec)),
        apply(item, 'two', make({ name: run }, { ...spec, nodeName: 'x' })),
        apply(item, 'two', make({ name: run }, { ...spec, nodeName: 'x' }), '&force=true'),
        { method: 'GET', path: item, headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } },
        { method: 'GET', path: `${item}/status` },
        ...['spec.podName=pod', 'spec.nodeName=other', 'spec.signerName=example.com/signer', 'spec.podUID=x'].map(
          (term): Request => ({
            method: 'GET',
            path: `${path}?fieldSelector=${encodeURIComponent(`metadata.name=${run},${term}`)}`,
          }),
        ),
        { method: 'DELETE', path: item },
        apply(`${path}/${run}`, 'one', make({ name: run }, { podName: 'x' })),
        apply(`${path}/${run}`, 'one', make({ name: run }, spec)),
        { method: 'DELETE', path: item },
      ];
    },
  },
  {
    name: 'pod certificates: who signs',
    requests(run) {
      const [nobody, signer, domain] = [`${run}-n`, `${run}-s`, `${run}-d`];
      const signers = (resourceNames: string[]): JsonObject => ({
        apiGroups: ['certificates.k8s.io'],
        resources: ['signers'],
        resourceNames,
        verbs: ['sign'],
      });
      const by = (user: string, suffix: string, status: JsonObject): Request => ({
        method: 'PATCH',
        path: `${path}/${run}-${suffix}/status`,
        body: { status },
        headers: { 'impersonate-user': user },
      });
      return [
        ...allow(nobody, []),
        ...allow(signer, [signers(['example.com/signer'])]),
        ...allow(domain, [signers(['example.com/*'])]),
        ...['a', 'b'].map((suffix): Request => ({
          method: 'POST',
          path,
          body: make({ name: `${run}-${suffix}` }, spec),
        })),
        by(nobody, 'a', { conditions: [condition('Denied')] }),
        by(nobody, 'a', {}),
        by(nobody, 'a', { conditions: [condition('Other')] }),
        by(signer, 'a', { conditions: [condition('Denied')] }),
        by(nobody, 'a', { conditions: [condition('Denied')] }),
        by(domain, 'b', chain(leaf())),
        by(nobody, 'b', { conditions: null }),
      ];
    },
  },
  {
    name: 'pod certificates: what kubelets ask for',
    requests(run) {
      const user = `system:node:${run}`;
      const uid = (answers: readonly { readonly body: unknown }[], index: number): string =>
        stringAt(answers[index]?.body as JsonObject, 'metadata', 'uid');
      const pod = (suffix: string, more: JsonObject = {}, nodeName = run): Request => ({
        method: 'POST',
        path: '/api/v1/namespaces/default/pods',
        body: {
          metadata: { name: `${run}-${suffix}`, ...more },
          spec: {
            nodeName,
            serviceAccountName: run,
            automountServiceAccountToken: false,
            containers: [{ name: 'a', image: 'a' }],
          },
        },
      });
      let count = 0;
      const ask = (pod: string, podIndex: number, more: JsonObject = {}, made = `${run}-${count++}`): Request => ({
        method: 'POST',
        path,
        headers: { 'impersonate-user': user, 'impersonate-group': 'system:nodes' },
        body: (answers) => {
          const podUID = uid(answers, podIndex);
          return make(
            { name: made },
            {
              ...base,
              podName: `${run}-${pod}`,
              podUID,
              nodeName: run,
              nodeUID: uid(answers, 0),
              serviceAccountName: run,
              serviceAccountUID: uid(answers, 1),
              ...stub,
              ...more,
            },
          );
        },
      });
      const kubelet = { 'impersonate-user': user, 'impersonate-group': 'system:nodes' };
      return [
        { method: 'POST', path: '/api/v1/nodes', body: { metadata: { name: run } } },
        { method: 'POST', path: '/api/v1/namespaces/default/serviceaccounts', body: { metadata: { name: run } } },
        pod('a'),
        pod('b', {}, 'elsewhere'),
        ...allow(user, []),
        ask('a', 2),
        ask('a', 2, { nodeName: 'other' }),
        ask('a', 2, { nodeUID: 'x' }),
        ask('c', 2),
        ask('a', 2, { podUID: 'x' }),
        ask('b', 3),
        ask('a', 2, { serviceAccountName: 'x' }),
        ask('a', 2, { serviceAccountUID: 'x' }),
        ask('a', 2, { signerName: 'x' }),
        { method: 'POST', path, body: make({ name: run }, spec) },
        { method: 'PATCH', path: `${path}/${run}`, body: { metadata: { labels: { a: 'b' } } }, headers: kubelet },
        { method: 'PATCH', path: `${path}/${run}/status`, body: { status: {} }, headers: kubelet },
        { method: 'DELETE', path: `${path}/${run}`, headers: kubelet },
      ];
    },
  },
  {
    name: 'pod certificates: what kubelets may',
    requests(run) {
      const kubelet = { 'impersonate-user': `system:node:${run}`, 'impersonate-group': 'system:nodes' };
      const by = (method: string, place: string, body?: JsonObject): Request => ({
        method,
        path: place,
        headers: kubelet,
        ...(body !== undefined && { body }),
      });
      const made = (suffix: string, nodeName: string): Request => ({
        method: 'POST',
        path,
        body: make({ name: `${run}-${suffix}` }, { ...spec, nodeName }),
      });
      const selected = (field: string): string =>
        `${path}?fieldSelector=${encodeURIComponent(`metadata.name=${run}-x,${field}`)}`;
      return [
        made('own', run),
        made('other', 'other'),
        // The reference hears of it a little later.
        { ...by('GET', `${path}/${run}-own`), until: ({ status }) => status === 200 },
        by('GET', `${path}/${run}-other`),
        by('GET', `${path}/${run}-none`),
        by('GET', `${path}/${run}-own/status`),
        by('GET', path),
        by('GET', selected(`spec.nodeName=${run}`)),
        by('GET', selected('spec.nodeName=other')),
        by('GET', selected(`spec.nodeName!=${run}`)),
        by('GET', selected('spec.podName=x')),
        by('PATCH', `${path}/${run}-own`, {}),
        by('PATCH', `${path}/${run}-own/status`, {}),
        by('DELETE', `${path}/${run}-own`),
        by('DELETE', path),
        by('POST', path, make({ name: run }, spec)),
        by('GET', '/apis/certificates.k8s.io/v1beta1/clustertrustbundles/none'),
        by('DELETE', '/apis/certificates.k8s.io/v1beta1/clustertrustbundles/none'),
      ];
    },
  },
];
