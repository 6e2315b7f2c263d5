import 'reflect-metadata';
import { webcrypto, randomBytes } from 'node:crypto';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  X509CertificateGenerator,
  type Extension,
  type JsonName,
} from '@peculiar/x509';

export type Algorithm =
  | 'ES256'
  | 'ES384'
  | 'ES512'
  | 'RS1'
  | 'RS256'
  | 'RS384'
  | 'RS512'
  | 'PS256'
  | 'PS512'
  | 'Ed25519';

export interface Issued {
  readonly pem: string;
  readonly key: string;
  readonly keys: webcrypto.CryptoKeyPair;
  readonly subject: JsonName;
  readonly algorithm: Algorithm;
}

export interface IssueOptions {
  readonly subject: JsonName;
  /** Without one it signs itself. */
  readonly issuer?: Issued | undefined;
  readonly algorithm?: Algorithm;
  readonly rsaBits?: number;
  /** In seconds from now. */
  readonly from?: number;
  readonly to?: number;
  /** Default: a client's. */
  readonly extensions?: readonly Extension[];
  /** The issuer's name, where it is not that of its certificate. */
  readonly issuerName?: JsonName;
}

export const clientAuth = '1.3.6.1.5.5.7.3.2';
export const clientExtensions: readonly Extension[] = [new ExtendedKeyUsageExtension([clientAuth])];

export function authorityExtensions(pathLength?: number): readonly Extension[] {
  return [
    new BasicConstraintsExtension(true, pathLength, true),
    new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
  ];
}

const rsa = (name: string, hash: string, modulusLength: number) => ({
  name,
  hash,
  modulusLength,
  publicExponent: new Uint8Array([1, 0, 1]),
});

function algorithmOf(algorithm: Algorithm, bits: number): webcrypto.RsaHashedKeyGenParams & webcrypto.EcKeyGenParams {
  const parameters = {
    ES256: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
    ES384: { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' },
    ES512: { name: 'ECDSA', namedCurve: 'P-521', hash: 'SHA-512' },
    RS1: rsa('RSASSA-PKCS1-v1_5', 'SHA-1', bits),
    RS256: rsa('RSASSA-PKCS1-v1_5', 'SHA-256', bits),
    RS384: rsa('RSASSA-PKCS1-v1_5', 'SHA-384', bits),
    RS512: rsa('RSASSA-PKCS1-v1_5', 'SHA-512', bits),
    PS256: { ...rsa('RSA-PSS', 'SHA-256', bits), saltLength: 32 },
    PS512: { ...rsa('RSA-PSS', 'SHA-512', bits), saltLength: 64 },
    Ed25519: { name: 'Ed25519' },
  }[algorithm];
  return parameters as webcrypto.RsaHashedKeyGenParams & webcrypto.EcKeyGenParams;
}

export async function issue(options: IssueOptions): Promise<Issued> {
  const { subject, issuer, algorithm = 'ES256', rsaBits = 2048, from = -3600, to = 86_400 } = options;
  const keys = await webcrypto.subtle.generateKey(algorithmOf(algorithm, rsaBits), true, ['sign', 'verify']);
  const signer = issuer ?? { keys, subject, algorithm };
  const certificate = await X509CertificateGenerator.create({
    serialNumber: `4${randomBytes(8).toString('hex').slice(1)}`,
    subject,
    issuer: options.issuerName ?? signer.subject,
    notBefore: new Date(Date.now() + from * 1000),
    notAfter: new Date(Date.now() + to * 1000),
    signingAlgorithm: algorithmOf(signer.algorithm, rsaBits),
    publicKey: keys.publicKey,
    signingKey: signer.keys.privateKey,
    extensions: [...(options.extensions ?? clientExtensions)],
  });
  const key = PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY');
  return { pem: `${certificate.toString('pem')}\n`, key: `${key}\n`, keys, subject, algorithm };
}
