import 'reflect-metadata';
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BasicConstraintsExtension, X509CertificateGenerator } from '@peculiar/x509';
import { fieldErrorText } from '#shared/apimachinery/errors/field-error.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { OperationContext } from '#shared/registry/strategy.ts';
import { clusterTrustBundleStrategy as strategy } from './cluster-trust-bundles.ts';

const context = {} as OperationContext;

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

async function certificate(isAuthority: boolean): Promise<string> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const made = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=a',
    keys,
    signingAlgorithm: algorithm,
    extensions: [new BasicConstraintsExtension(isAuthority)],
  });
  return `${made.toString('pem')}\n`;
}

const [anchor, other, leaf] = [await certificate(true), await certificate(true), await certificate(false)];

function bundle(name: string, trustBundle: string, signerName?: string): KubeObject {
  return { metadata: { name }, spec: { trustBundle, ...(signerName === undefined ? {} : { signerName }) } };
}

const faults = (object: KubeObject): string[] =>
  (strategy.validate?.(object, context) ?? []).map((error) => fieldErrorText(error));
const updateFaults = (object: KubeObject, old: KubeObject): string[] =>
  (strategy.validateUpdate?.(object, old, context) ?? []).map((error) => fieldErrorText(error));
const wrong = (detail: string): string => `spec.trustBundle: Invalid value: "<value omitted>": ${detail}`;

describe('ClusterTrustBundle strategy', () => {
  test('accepts distinct CA certificates only', () => {
    assert.deepEqual(faults(bundle('a', anchor + other)), []);
    assert.deepEqual(faults(bundle('a', 'x')), [wrong('at least one trust anchor must be provided')]);
    assert.deepEqual(faults(bundle('a', anchor + other + anchor)), [wrong('duplicate trust anchor (indices [0 2])')]);
    assert.deepEqual(
      faults(bundle('a', leaf + anchor.replaceAll('CERTIFICATE', 'KEY') + anchor.replace('\n', '\nA: b\n\n'))),
      [
        wrong('entry 0 does not have the CA bit set'),
        wrong('entry 1 has bad block type: KEY'),
        wrong('entry 2 has PEM block headers'),
      ],
    );
    assert.deepEqual(faults(bundle('a', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')), [
      wrong('entry 0 does not parse as X.509'),
    ]);
    assert.deepEqual(faults(bundle('a', 'x'.repeat(1024 * 1024 + 1))), [
      'spec.trustBundle: Too long: may not be more than 1048576 bytes',
    ]);
  });

  test('requires the signer name as prefix of the bundle name', () => {
    const names = (name: string, signer?: string): string[] =>
      strategy.validateName?.(name, false, bundle(name, anchor, signer)) ?? [];
    assert.deepEqual(names('a'), []);
    assert.deepEqual(names('a:b'), ['ClusterTrustBundle without signer name must not have ":" in its name']);
    assert.deepEqual(names('example.com:s:a', 'example.com/s'), []);
    assert.deepEqual(names('a', 'example.com/s'), [
      'ClusterTrustBundle for signerName example.com/s must be named with prefix example.com:s:',
    ]);
    assert.equal(names('example.com:s:A', 'example.com/s').length, 1);
  });

  test('refuses a new signer and validates the bundle again only when it changes', () => {
    const old = bundle('example.com:s:a', 'of an older reader', 'example.com/s');
    assert.deepEqual(updateFaults(old, old), []);
    assert.deepEqual(updateFaults(bundle('example.com:s:a', 'of an older reader', 'example.com/t'), old), [
      'metadata.name: Invalid value: "example.com:s:a": ClusterTrustBundle for signerName example.com/t must be named with prefix example.com:t:',
      'spec.signerName: Invalid value: "example.com/t": field is immutable',
    ]);
    assert.equal(updateFaults(bundle('example.com:s:a', 'other', 'example.com/s'), old).length, 1);
  });
});
