import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { readEgressConfiguration } from './egress-configuration.ts';

const folder = mkdtempSync(join(tmpdir(), 'egress-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function errorOf(text: string): string {
  const file = join(folder, 'egress.yaml');
  writeFileSync(file, text);
  try {
    readEgressConfiguration(file);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

function selections(...each: readonly object[]): string {
  return JSON.stringify({
    apiVersion: 'apiserver.k8s.io/v1beta1',
    kind: 'EgressSelectorConfiguration',
    egressSelections: each,
  });
}

const prefix = 'failed to validate egress selector configuration: ';
const direct = { proxyProtocol: 'Direct' };

// Texts: apiserver/pkg/server/egressselector/config.go and server/options/egress_selector.go.
describe('EgressSelectorConfiguration', () => {
  test('is read in both versions, with the older name of the control plane', () => {
    const file = join(folder, 'good.yaml');
    const uds = { proxyProtocol: 'GRPC', transport: { uds: { udsName: '/run/a.sock' } } };
    for (const version of ['v1alpha1', 'v1beta1']) {
      writeFileSync(file, selections({ name: 'master', connection: uds }).replace('v1beta1', version));
      assert.deepEqual(readEgressConfiguration(file), [{ name: 'controlplane', ...uds }]);
    }
  });

  test('is refused with all causes', () => {
    assert.equal(
      errorOf(
        selections(
          { name: 'nowhere', connection: { proxyProtocol: 'Pigeon' } },
          { name: 'Cluster', connection: { proxyProtocol: 'HTTPConnect' } },
          { name: 'cluster', connection: { ...direct, transport: {} } },
        ),
      ),
      `${prefix}[service.connection.protocol: Unsupported value: "Pigeon": supported values: "Direct", "HTTPConnect", "GRPC", ` +
        'service.connection.transport: Required value: transport must be set for HTTPConnect, ' +
        'service.connection.transport: Invalid value: "direct": config must be absent for direct connect, ' +
        'service.connection: Unsupported value: "nowhere": supported values: "cluster", "controlplane", "etcd", ' +
        'service.connection[2]: Duplicate value: "cluster"]',
    );
  });

  const transports: readonly (readonly [string, object, string])[] = [
    ['HTTPConnect', {}, 'service.connection.tcp: Required value: One of TCP or UDS must be set'],
    [
      'HTTPConnect',
      { tcp: { url: 'http://a:1' }, uds: { udsName: 'b' } },
      'service.connection.tcp: Invalid value: {"URL":"http://a:1","TLSConfig":null}: TCP and UDS cannot both be set',
    ],
    [
      'HTTPConnect',
      { tcp: { url: 'a:1' } },
      'service.connection.url: Invalid value: "a:1": supported connection protocols are http:// and https://',
    ],
    [
      'HTTPConnect',
      { tcp: { url: 'http://a:1', tlsConfig: {} } },
      'service.connection.tlsConfig: Invalid value: "nil": config must not be present when using HTTP',
    ],
    [
      'HTTPConnect',
      { tcp: { url: 'https://a:1' } },
      'service.connection.tlsConfig: Required value: TLSConfig must be present when using HTTPS',
    ],
    [
      'HTTPConnect',
      { tcp: { url: 'https://a:1', tlsConfig: { caBundle: '/no/ca', clientKey: '/no/key' } } },
      '[service.connection.tlsConfig.caBundle: Invalid value: "/no/ca": TLS config ca bundle does not exist, ' +
        'service.connection.tlsConfig.clientCert: Invalid value: "nil": Using TLS requires clientCert, ' +
        'service.connection.tlsConfig.clientKey: Invalid value: "/no/key": TLS client key does not exist]',
    ],
    ['GRPC', { tcp: { url: 'http://a:1' } }, 'service.connection.uds: Required value: UDS must be set with GRPC'],
    [
      'GRPC',
      { uds: { udsName: '' } },
      'service.connection.udsName: Invalid value: "nil": must be present for UDS connections',
    ],
  ];
  for (const [proxyProtocol, transport, message] of transports) {
    test(`is refused for ${proxyProtocol} with ${JSON.stringify(transport)}`, () => {
      assert.equal(errorOf(selections({ name: 'etcd', connection: { proxyProtocol, transport } })), prefix + message);
    });
  }

  test('is decoded strictly, and from a file of its own kind', () => {
    const unknown = errorOf(selections({ name: 'etcd', connection: direct, more: 1 }));
    assert.equal(
      unknown,
      'failed to read egress selector config: strict decoding error: unknown field "egressSelections[0].more"',
    );
    assert.equal(
      errorOf('apiVersion: apiserver.config.k8s.io/v1\nkind: TracingConfiguration\n'),
      'failed to read egress selector config: unexpected config type: apiserver.config.k8s.io/v1, Kind=TracingConfiguration',
    );
    assert.throws(() => readEgressConfiguration('/no/file'), {
      message:
        'failed to read egress selector config: unable to read egress selector configuration from "/no/file" [open /no/file: no such file or directory]',
    });
  });
});
