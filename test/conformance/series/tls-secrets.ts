import { generateKeyPairSync } from 'node:crypto';
import { createAuthority } from '#servers/launcher/pki/certificate.ts';
import { validityAt } from '#servers/launcher/pki/validity.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Request, Series } from './series.ts';

const validity = validityAt(new Date(), 30);
const [one, other] = ['one', 'other'].map((commonName) => createAuthority({ commonName }, validity)) as [
  ReturnType<typeof createAuthority>,
  ReturnType<typeof createAuthority>,
];
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const pem = (type: string, body: string): string => `-----BEGIN ${type}-----\n${body}\n-----END ${type}-----\n`;
const keyOf = (kind: 'ed25519' | 'x25519'): string =>
  (kind === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('x25519')).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  });
const { certificatePem: certificate, keyPem: key } = one;

/** Certificates and keys, most of which do not belong together. */
const pairs: readonly (readonly [certificate: string, key: string])[] = [
  [certificate, key],
  [certificate + other.certificatePem, key],
  [other.certificatePem + certificate, key],
  [certificate, other.keyPem],
  [certificate, rsa.export({ type: 'pkcs1', format: 'pem' })],
  [certificate, rsa.export({ type: 'pkcs8', format: 'pem' })],
  [certificate, keyOf('ed25519')],
  [certificate, keyOf('x25519')],
  ['', ''],
  ['x', 'y'],
  [key, certificate],
  [certificate, certificate],
  [certificate, ''],
  [pem('A', 'AAAA') + pem('B', 'AAAA'), key],
  [certificate, pem('A', 'AAAA') + pem('B', 'AAAA')],
  [certificate, pem('A', 'AAAA') + key],
  [pem('A', 'AAAA'), ''],
  [pem('CERTIFICATE', 'AAAA'), key],
  [pem('CERTIFICATE', ''), key],
  [certificate, pem('PRIVATE KEY', 'AAAA')],
  [certificate, pem('SOME PRIVATE KEY', 'AAAA')],
  [`text\n${certificate}text`, `text\n${key}`],
  [` ${certificate}`, key],
  [certificate.replaceAll('\n', '\r\n'), key.replaceAll('\n', '\r\n')],
  [certificate.replace('\n', '\nProc-Type: 4\nOther: x\n\n'), key],
  [certificate.replace('\n', '\n*'), key],
  [certificate.trimEnd(), key.trimEnd()],
  [certificate.replace('-----END CERTIFICATE', '-----END OTHER'), key],
  [certificate.replace('-----\n', '-----  \n'), key],
  [`-----BEGIN CERTIFICATE-----\n${certificate}`, key],
  ['-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n', key],
  [
    certificate
      .split('\n')
      .map((line) => ` ${line}`)
      .join('\n'),
    key,
  ],
  [`${certificate.trimEnd()} more\n${certificate}`, key],
  [pem('CERTIFICATE', 'AAA') + certificate, key],
  [pem('CERTIFICATE', 'MAA='), key],
];

function secret(name: string, [tls, privateKey]: readonly [string, string]): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name },
    type: 'kubernetes.io/tls',
    stringData: { 'tls.crt': tls, 'tls.key': privateKey },
  };
}

/** Secrets for servers are taken whatever they hold, and warned of (pkg/registry/core/secret). */
export const tlsSecretSeries: readonly Series[] = [
  {
    name: 'warnings of Secrets with certificates',
    requests: (run) =>
      pairs.flatMap((pair, index): Request[] => {
        const path = '/api/v1/namespaces/default/secrets';
        const name = `${run}-${index}`;
        return [
          { method: 'POST', path, body: secret(name, pair) },
          { method: 'PUT', path: `${path}/${name}`, body: secret(name, pair) },
        ];
      }),
  },
];
