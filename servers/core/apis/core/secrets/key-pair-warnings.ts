import { createPrivateKey, createPublicKey, X509Certificate, type KeyObject } from 'node:crypto';
import { pemBlocks } from '#shared/x509/pem.ts';

/**
 * The error message of Go's tls.X509KeyPair for a certificate and a key that a server cannot use together; undefined
 * for a usable pair.
 */
export function keyPairFault(certificates: Buffer, keys: Buffer): string | undefined {
  const certificate = firstCertificate(certificates.toString('latin1'));
  if (typeof certificate === 'string') return certificate;
  const key = firstKey(keys.toString('latin1'));
  if (typeof key === 'string') return key;
  const publicKey = certifiedKey(certificate);
  if (typeof publicKey === 'string') return publicKey;
  const privateKey = parseKey(key);
  return typeof privateKey === 'string' ? privateKey : mismatch(publicKey, privateKey);
}

const isKey = (type: string): boolean => type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY');

function firstCertificate(text: string): Buffer | string {
  const skipped: string[] = [];
  for (const { type, bytes } of pemBlocks(text)) {
    if (type === 'CERTIFICATE') return bytes;
    skipped.push(type);
  }
  if (skipped.length === 0) return 'tls: failed to find any PEM data in certificate input';
  if (skipped.length === 1 && skipped[0]?.endsWith('PRIVATE KEY') === true) {
    return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  }
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${skipped.join(' ')}]`;
}

function firstKey(text: string): Buffer | string {
  const skipped: string[] = [];
  for (const { type, bytes } of pemBlocks(text)) {
    if (isKey(type)) return bytes;
    skipped.push(type);
  }
  if (skipped.length === 0) return 'tls: failed to find any PEM data in key input';
  if (skipped.length === 1 && skipped[0] === 'CERTIFICATE')
    return 'tls: found a certificate rather than a key in the PEM for the private key';
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${skipped.join(' ')}]`;
}

function certifiedKey(der: Buffer): KeyObject | string {
  try {
    return new X509Certificate(der).publicKey;
  } catch {
    // Go has many error texts for an invalid certificate; these two stand for all of them.
    return isSequence(der) && !isSequence(der.subarray(headerBytes(der)))
      ? 'x509: malformed tbs certificate'
      : 'x509: malformed certificate';
  }
}

/** Whether the bytes begin with the complete header of a DER SEQUENCE (X.690). */
function isSequence(der: Buffer): boolean {
  return der[0] === 0x30 && der.length >= headerBytes(der);
}

function headerBytes(der: Buffer): number {
  const length = der[1] ?? 0;
  return length < 0x80 ? 2 : 2 + (length & 0x7f);
}

/** Parses a key. Like Go, it tries these formats in turn, whatever the type of the PEM block. */
function parseKey(der: Buffer): KeyObject | string {
  for (const type of ['pkcs1', 'pkcs8', 'sec1'] as const) {
    try {
      return createPrivateKey({ key: der, format: 'der', type });
    } catch {
      // The key has another format, or the bytes are not a key.
    }
  }
  return 'tls: failed to parse private key';
}

const known: readonly (string | undefined)[] = ['rsa', 'ec', 'ed25519'];

function mismatch(publicKey: KeyObject, privateKey: KeyObject): string | undefined {
  if (!known.includes(privateKey.asymmetricKeyType)) return 'tls: found unknown private key type in PKCS#8 wrapping';
  if (!known.includes(publicKey.asymmetricKeyType)) return 'tls: unknown public key algorithm';
  if (publicKey.asymmetricKeyType !== privateKey.asymmetricKeyType)
    return 'tls: private key type does not match public key type';
  return createPublicKey(privateKey).equals(publicKey) ? undefined : 'tls: private key does not match public key';
}
