import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getKey } from '#shared/apimachinery/json/json.ts';

export interface VerificationKey {
  /** SHA-256 of the public key's DER form, base64url: what the reference writes into `kid`. */
  readonly keyId: string;
  readonly algorithm: string;
  readonly publicKey: KeyObject;
}

export interface SigningKey extends VerificationKey {
  readonly privateKey: KeyObject;
}

/** All keys of PEM files, public or private. @throws Error naming a file without keys */
export function readVerificationKeys(paths: readonly string[]): VerificationKey[] {
  return paths.flatMap((path) => {
    const blocks =
      readFileSync(path, 'utf8').match(
        /-----BEGIN (?:(?:RSA |EC )?(?:PRIVATE|PUBLIC) KEY|CERTIFICATE)-----[^]*?-----END [^-]+-----/g,
      ) ?? [];
    if (blocks.length === 0) throw new Error(`data does not contain any valid RSA or ECDSA public keys: ${path}`);
    return blocks.map((block) => verificationKey(createPublicKey(block)));
  });
}

/** @throws Error when the file holds no private key that can sign */
export function readSigningKey(path: string): SigningKey {
  const privateKey = createPrivateKey(readFileSync(path, 'utf8'));
  return { ...verificationKey(createPublicKey(privateKey)), privateKey };
}

function verificationKey(publicKey: KeyObject): VerificationKey {
  const der = publicKey.export({ type: 'spki', format: 'der' });
  const algorithm = algorithmOf(publicKey);
  if (algorithm === undefined)
    throw new Error(`unknown public key type ${String(publicKey.asymmetricKeyType)}, want RSA or ECDSA`);
  return { keyId: createHash('sha256').update(der).digest('base64url'), algorithm, publicKey };
}

const curves: Readonly<Record<string, string>> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' };

/** The algorithm of new tokens by a key; undefined for a kind of key that signs no tokens. */
export function algorithmOf(key: KeyObject): string | undefined {
  return key.asymmetricKeyType === 'rsa' ? 'RS256' : getKey(curves, key.asymmetricKeyDetails?.namedCurve ?? '');
}
