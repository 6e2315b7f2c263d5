import 'reflect-metadata';
import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { describe, test } from 'node:test';
import { X509CertificateGenerator } from '@peculiar/x509';
import { fieldErrorText } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { OperationContext } from '#shared/registry/strategy.ts';
import { podCertificateRequestStrategy } from './pod-certificate-requests.ts';

const strategy = podCertificateRequestStrategy({ maySign: (user) => Promise.resolve(user.name === 'signer') });
const nowMs = Math.floor(Date.now() / 1000) * 1000;
const contextOf = (name: string): OperationContext =>
  ({ user: { name, uid: '', groups: [], extra: {} }, nowMs }) as unknown as OperationContext;

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const pair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
const key = createPrivateKey({
  key: Buffer.from(await crypto.subtle.exportKey('pkcs8', pair.privateKey)),
  format: 'der',
  type: 'pkcs8',
});
const spkiOf = (from: KeyObject): Buffer => createPublicKey(from).export({ format: 'der', type: 'spki' });

const spec: JsonObject = {
  signerName: 'example.com/s',
  podName: 'p',
  podUID: 'u',
  serviceAccountName: 'a',
  serviceAccountUID: 'au',
  nodeName: 'n',
  nodeUID: 'nu',
  maxExpirationSeconds: 86_400,
  pkixPublicKey: spkiOf(key).toString('base64'),
  proofOfPossession: sign('sha256', Buffer.from('u'), key).toString('base64'),
};
const request = (more: JsonObject = {}, status: JsonObject = {}): KubeObject => ({
  metadata: { name: 'r', namespace: 'd' },
  spec: { ...spec, ...more },
  status,
});
const faults = (object: KubeObject): string[] =>
  (strategy.validate?.(object, contextOf('kubelet')) ?? []).map((error) => fieldErrorText(error));

async function statusFaults(status: JsonObject, before: JsonObject = {}, user = 'signer'): Promise<string[]> {
  return ((await strategy.validateStatusUpdate?.(request({}, status), request({}, before), contextOf(user))) ?? []).map(
    (error) => fieldErrorText(error),
  );
}

describe('PodCertificateRequest strategy', () => {
  test('requires a valid proof of possession of the key', () => {
    assert.deepEqual(faults(request()), []);
    assert.deepEqual(faults(request({ podUID: 'other' })), [
      'spec.proofOfPossession: Invalid value: could not verify proof-of-possession signature',
    ]);
    assert.deepEqual(faults(request({ stubPKCS10Request: 'AAAA' })), [
      'spec: Invalid value: exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set',
    ]);
    assert.deepEqual(faults(request({ stubPKCS10Request: 'AAAA', pkixPublicKey: '', proofOfPossession: '' })), [
      'spec.stubPKCS10Request: Invalid value: must be a valid PKCS#10 CSR',
    ]);
    const small = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    assert.deepEqual(faults(request({ pkixPublicKey: spkiOf(small).toString('base64') })), [
      'spec.pkixPublicKey: Invalid value: "2048-bit modulus": RSA keys must have modulus size 3072 or 4096',
    ]);
  });

  test('requires UIDs, an expiration in range and an unchanged spec', () => {
    assert.deepEqual(faults(request({ nodeUID: '', maxExpirationSeconds: 60 })), [
      'spec.nodeUID: Invalid value: "": must not be empty',
      'spec.maxExpirationSeconds: Invalid value: 60: must be in the range [3600, 7862400]',
    ]);
    assert.deepEqual(faults(request({ signerName: 'kubernetes.io/s', maxExpirationSeconds: 86_401 })), [
      'spec.maxExpirationSeconds: Invalid value: 86401: must be in the range [3600, 86400]',
    ]);
    assert.equal(strategy.validateUpdate?.(request({ podName: 'q' }), request(), contextOf('kubelet')).length, 1);
  });

  const condition = (type: string): JsonObject => ({
    type,
    status: 'True',
    reason: 'Fine',
    message: '',
    lastTransitionTime: '2020-01-01T00:00:00Z',
  });

  test('allows one final condition, set by a user who may sign', async () => {
    const denied = { conditions: [condition('Denied')] };
    assert.deepEqual(await statusFaults(denied), []);
    assert.deepEqual(await statusFaults(denied, {}, 'somebody'), [
      'spec.signerName: Forbidden: User "somebody" is not permitted to "sign" for signer "example.com/s"',
    ]);
    assert.deepEqual(await statusFaults(denied, denied, 'somebody'), []);
    assert.deepEqual(await statusFaults({}, denied), [
      'status: Invalid value: immutable after PodCertificateRequest is issued, denied, or failed',
    ]);
    assert.deepEqual(await statusFaults({ ...denied, certificateChain: 'x' }), [
      'status: Invalid value: non-condition status fields must be empty when denying or failing the PodCertificateRequest',
    ]);
    assert.deepEqual(await statusFaults({ certificateChain: 'x' }), [
      'status: Invalid value: status is immutable unless transitioning to "Issued", "Denied", or "Failed"',
    ]);
    assert.deepEqual(await statusFaults({ conditions: [condition('Other')] }), [
      'status.conditions.[0].type: Unsupported value: "Other": supported values: "Issued", "Denied", "Failed"',
    ]);
  });

  test('requires a certificate with the requested key and the times of the status', async () => {
    const [notBefore, notAfter] = [new Date(nowMs), new Date(nowMs + 7_200_000)];
    const made = await X509CertificateGenerator.create({
      subject: 'CN=p',
      issuer: 'CN=s',
      notBefore,
      notAfter,
      publicKey: pair.publicKey,
      signingKey: pair.privateKey,
      signingAlgorithm: algorithm,
    });
    const text = (ms: number): string => new Date(ms).toISOString().replace('.000', '');
    const status = {
      conditions: [condition('Issued')],
      certificateChain: `${made.toString('pem')}\n`,
      notBefore: text(nowMs),
      beginRefreshAt: text(nowMs + 3_600_000),
      notAfter: text(nowMs + 7_200_000),
    };
    assert.deepEqual(await statusFaults(status), []);
    assert.deepEqual(await statusFaults({ ...status, beginRefreshAt: text(nowMs) }), [
      `status.beginRefreshAt: Invalid value: "${text(nowMs)}": must be at least 10 minutes after status.notBefore`,
    ]);
    assert.deepEqual(await statusFaults({ ...status, notAfter: text(nowMs) }), [
      `status.notAfter: Invalid value: "${text(nowMs)}": must be set to the NotAfter time encoded in the leaf certificate`,
    ]);
    assert.match(
      (await statusFaults({ ...status, certificateChain: 'x' }))[0] ?? '',
      /must contain at least one certificate$/,
    );
  });
});
