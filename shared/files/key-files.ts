import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { UnfitFileError, usingFile } from './unfit-file.ts';

/** A certificate and its key. @param remedy what to do if a file is unusable @throws UnfitFileError */
export function readPair(
  certPath: string,
  keyPath: string,
  remedy: string,
): { certificate: X509Certificate; key: KeyObject } {
  const certificate = readCertificateFile(certPath, remedy);
  const key = readPrivateKey(keyPath, remedy);
  if (!certificate.checkPrivateKey(key)) throw new UnfitFileError(keyPath, `is not the key of ${certPath}`, remedy);
  return { certificate, key };
}

/** The first certificate of a file. @throws UnfitFileError */
export function readCertificateFile(path: string, remedy: string): X509Certificate {
  return parsed(path, 'holds no certificate', remedy, (pem) => new X509Certificate(pem));
}

/** @throws UnfitFileError */
export function readPrivateKey(path: string, remedy: string): KeyObject {
  return parsed(path, 'holds no private key', remedy, createPrivateKey);
}

/**
 * Checks that the public keys in the file, with which tokens are verified, include that of the signing key. @throws
 * UnfitFileError
 */
export function checkSigner(publicPath: string, keyPath: string, key: KeyObject): void {
  const remedy = `remove it, and it is made of ${keyPath}`;
  const isSigner = parsed(publicPath, 'holds no public key', remedy, (pem) => {
    const signer = createPublicKey(key);
    const blocks = pem.match(/-----BEGIN [^-]+-----[^]*?-----END [^-]+-----/g) ?? [pem];
    return blocks.some((block) => createPublicKey(block).equals(signer));
  });
  if (!isSigner) throw new UnfitFileError(publicPath, `does not hold the public key of ${keyPath}`, remedy);
}

function parsed<T>(path: string, fault: string, remedy: string, parse: (pem: string) => T): T {
  const pem = usingFile(path, () => readFileSync(path, 'latin1'));
  try {
    return parse(pem);
  } catch (error) {
    throw new UnfitFileError(path, pem.trim() === '' ? 'is empty' : `${fault} that can be read`, remedy, error);
  }
}
