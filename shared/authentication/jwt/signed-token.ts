import { constants, createPublicKey, type KeyObject, type VerifyKeyObjectInput } from 'node:crypto';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { goSpace } from '#shared/apimachinery/text/trim-space.ts';
import { safeParse } from '#shared/serializer/json/safe-parse.ts';
import { JsonDepthError, maxJsonDepth, scanJson } from '#shared/serializer/json/scan.ts';
import { readCertificate } from '#shared/x509/certificate.ts';
import { derElement, derTags } from '#shared/x509/der.ts';
import { verifyInPool } from '#shared/x509/signature.ts';
import { jsonKind } from './json-members.ts';

/** A JSON Web Signature in its compact form (RFC 7515), as go-jose reads it. Its contents are not verified. */
export interface SignedToken {
  /** `kid`; empty without one. */
  readonly keyId: string;
  readonly algorithm: string;
  /** The text of the claims. */
  readonly payload: string;
  readonly signed: Buffer;
  readonly signature: Buffer;
  /** The `crit` header, unchecked: it is checked together with the signature. */
  readonly critical: unknown;
}

/** Why the signature of a token is not accepted. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
}

const failed = 'go-jose/go-jose: error in cryptographic primitive';
const embeddedKey = 'jwk';
const certificates = 'x5c';
const texts: ReadonlySet<string> = new Set(['alg', 'kid', 'nonce']);

/**
 * Decodes unpadded base64url; undefined for other texts. Line ends are ignored and unused bits may have any value, as
 * in Go.
 */
export function decodeRawUrl(text: string): Buffer | undefined {
  const bare = text.replace(/[\r\n]/g, '');
  return /^[\w-]*$/.test(bare) && bare.length % 4 !== 1 ? Buffer.from(bare, 'base64url') : undefined;
}

const spaces = new RegExp(goSpace, 'g');

/** Undefined if go-jose would not accept the text as a signed token. */
export function readSignedToken(token: string): SignedToken | undefined {
  const parts = token.replace(spaces, '').split('.').map(decodeRawUrl);
  const [header, payload, signature] = parts;
  if (parts.length !== 3 || header === undefined || payload === undefined || signature === undefined) return undefined;
  const members = readHeader(header);
  if (members === undefined) return undefined;
  const text = (name: string): string => (members.get(name) as string | null | undefined) ?? '';
  const head = Buffer.from(`${header.toString('base64url')}.`);
  return {
    keyId: text('kid'),
    algorithm: text('alg'),
    payload: payload.toString('utf8'),
    signature,
    critical: members.get('crit'),
    signed: Buffer.concat([head, members.get('b64') === false ? payload : Buffer.from(payload.toString('base64url'))]),
  };
}

/** Undefined if the header repeats a name or has a value of a wrong type. */
function readHeader(header: Buffer): ReadonlyMap<string, unknown> | undefined {
  // Without an algorithm the signature will not be accepted.
  if (header.length === 0) return new Map();
  try {
    const value = safeParse(header.toString('utf8'));
    if (value === null) return new Map();
    if (typeof value !== 'object' || Array.isArray(value)) return undefined;
    if (atOnce(scanJson(header, { maxDepth: maxJsonDepth })).strictErrors.length > 0) return undefined;
    const members = Object.entries(value);
    return members.every(([name, member]) => isSound(name, member)) ? new Map(members) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof JsonDepthError) return undefined;
    throw error;
  }
}

function isSound(name: string, value: unknown): boolean {
  if (value === null) return true;
  if (texts.has(name)) return typeof value === 'string';
  return name === embeddedKey ? isPublicKey(value) : name !== certificates || areCertificates(value);
}

function isPublicKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Object.hasOwn(value, 'd')) return false;
  try {
    return createPublicKey({ key: value, format: 'jwk' }).type === 'public';
  } catch {
    return false;
  }
}

function areCertificates(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((one) => typeof one === 'string' && readCertificate(Buffer.from(one, 'base64')) !== undefined)
  );
}

const hashes: ReadonlyMap<string, string> = new Map([
  ['256', 'sha256'],
  ['384', 'sha384'],
  ['512', 'sha512'],
]);
/** Length in bytes of each of the two numbers of an ECDSA signature. */
const ecdsaBytes: ReadonlyMap<string, number> = new Map([
  ['ES256', 32],
  ['ES384', 48],
  ['ES512', 66],
]);

/**
 * Resolves if the key made the signature, by any algorithm for this kind of key. Rejects with {@link SignatureError}.
 */
export async function verifySignedToken(
  { algorithm, signed, signature, critical }: SignedToken,
  key: KeyObject,
): Promise<void> {
  checkCritical(critical);
  const family = algorithm.slice(0, 2);
  const hash = hashes.get(algorithm.slice(2));
  const isRsa = key.asymmetricKeyType === 'rsa';
  const fits = isRsa ? family === 'RS' || family === 'PS' : ecdsaBytes.has(algorithm);
  if (!fits || hash === undefined) throw new SignatureError(failed);
  const input: VerifyKeyObjectInput =
    family === 'PS'
      ? { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO }
      : { key };
  const value = isRsa ? signature : ecdsaSignature(signature, ecdsaBytes.get(algorithm) ?? 0);
  const isGood = value !== undefined && (await verifyInPool(hash, signed, input, value).catch(() => false));
  if (!isGood) throw new SignatureError(failed);
}

/** Checks the `crit` header: extensions that a reader of the token must understand. */
function checkCritical(critical: unknown): void {
  if (critical === undefined || critical === null) return;
  if (!Array.isArray(critical))
    throw new SignatureError(`json: cannot unmarshal ${kindOf(critical)} into Go value of type []string`);
  const other: unknown = critical.find((name) => name !== null && typeof name !== 'string');
  if (other !== undefined)
    throw new SignatureError(`json: cannot unmarshal ${kindOf(other)} into Go value of type string`);
  if (critical.some((name) => name !== 'b64')) throw new SignatureError(failed);
}

function kindOf(value: unknown): string {
  return jsonKind(JSON.stringify(value));
}

/** The two numbers of the signature in DER; the curve of the key may differ from that of the algorithm. */
function ecdsaSignature(signature: Buffer, size: number): Buffer | undefined {
  if (signature.length !== 2 * size) return undefined;
  return derElement(
    derTags.sequence,
    Buffer.concat([derNumber(signature.subarray(0, size)), derNumber(signature.subarray(size))]),
  );
}

function derNumber(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const shortest = first < 0 ? Buffer.alloc(1) : bytes.subarray(first);
  return derElement(
    derTags.integer,
    (shortest[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.alloc(1), shortest]) : shortest,
  );
}
