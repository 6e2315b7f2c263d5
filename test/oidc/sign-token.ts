import { sign, type KeyObject } from 'node:crypto';

/** By the type of the key: RS256, or ES256, ES384 and ES512. */
export function algorithmOf(key: KeyObject): string {
  const curves: Readonly<Record<string, string>> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' };
  return curves[key.asymmetricKeyDetails?.namedCurve ?? ''] ?? 'RS256';
}

/** A JWT of any claims, given as an object or as the text that is signed. */
export function signToken(
  key: KeyObject,
  claims: Readonly<Record<string, unknown>> | string,
  header: Readonly<Record<string, unknown>> = {},
): string {
  const algorithm = algorithmOf(key);
  const texts = [
    JSON.stringify({ alg: algorithm, ...header }),
    typeof claims === 'string' ? claims : JSON.stringify(claims),
  ];
  const signed = texts.map((text) => Buffer.from(text).toString('base64url')).join('.');
  const signature = sign(`sha${algorithm.slice(2)}`, Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}
