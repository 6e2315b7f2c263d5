import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { UnusableFileError, usingFile } from './unusable-file.ts';

/** A certificate and its key. @param remedy what to do if a file is unusable @throws UnusableFileError */
export function readPair(
  certPath: string,
  keyPath: string,
  remedy: string,
): { certificate: X509Certificate; key: KeyObject } {
  const certificate = readCertificateFile(certPath, remedy);
  const key = readPrivateKey(keyPath, remedy);
  if (!certificate.checkPrivateKey(key)) throw new UnusableFileError(keyPath, `is not the key of ${certPath}`, remedy);
  return { certificate, key };
}

/** The first certificate of a file. @throws UnusableFileError */
export function readCertificateFile(path: string, remedy: string): X509Certificate {
  return parsed(path, 'holds no certificate', remedy, (pem) => new X509Certificate(pem));
}

/** @throws UnusableFileError */
export function readPrivateKey(path: string, remedy: string): KeyObject {
  return parsed(path, 'holds no private key', remedy, createPrivateKey);
}

/**
 * Checks that the public keys in the file, with which tokens are verified, include that of the signing key. @throws
 * UnusableFileError
 */
export function checkSigner(publicPath: string, keyPath: string, key: KeyObject): void {
  const remedy = `remove it, and it is made of ${keyPath}`;
  const isSigner = parsed(publicPath, 'holds no public key', remedy, (pem) => {
    const signer = createPublicKey(key);
    const blocks = pem.match(/-----BEGIN [^-]+-----[^]*?-----END [^-]+-----/g) ?? [pem];
    return blocks.some((block) => createPublicKey(block).equals(signer));
  });
  if (!isSigner) throw new UnusableFileError(publicPath, `does not hold the public key of ${keyPath}`, remedy);
}

function parsed<T>(path: string, fault: string, remedy: string, parse: (pem: string) => T): T {
  const pem = usingFile(path, () => readFileSync(path, 'latin1'));
  try {
    return parse(pem);
  } catch (error) {
    throw new UnusableFileError(path, pem.trim() === '' ? 'is empty' : `${fault} that can be read`, remedy, error);
  }
}
