import { createPublicKey, verify } from 'node:crypto';

// PKCS #10 (RFC 2986), as much as it takes to see that whoever asks has the key.

/** Hash of a signature algorithm by its identifier in hexadecimal DER; null where the algorithm has its own. */
const hashes: Readonly<Record<string, string | null>> = {
  '2a8648ce3d0401': 'sha1', '2a8648ce3d040302': 'sha256', '2a8648ce3d040303': 'sha384', '2a8648ce3d040304': 'sha512',
  '2a864886f70d010105': 'sha1', '2a864886f70d01010b': 'sha256', '2a864886f70d01010c': 'sha384', '2a864886f70d01010d': 'sha512',
  '2b6570': null,
};

const failures: Readonly<Record<string, string>> = {
  ec: 'x509: ECDSA verification failure', rsa: 'crypto/rsa: verification error', ed25519: 'x509: Ed25519 verification failure',
};

/** Curves by their identifiers, with the length of a coordinate. */
const curves: Readonly<Record<string, { readonly name: string; readonly bytes: number }>> = {
  '2b81040021': { name: 'P224', bytes: 28 }, '2a8648ce3d030107': { name: 'P256', bytes: 32 }, '2b81040022': { name: 'P384', bytes: 48 }, '2b81040023': { name: 'P521', bytes: 66 },
};
/** Before both coordinates of a point (SEC 1, 2.3.3). */
const uncompressed = 4;

interface Element {
  readonly whole: Buffer;
  readonly content: Buffer;
}

/** The DER of the first block of certificate requests; undefined where there is none. */
function blockOf(pem: string): Buffer | undefined {
  const body = /-----BEGIN CERTIFICATE REQUEST-----([^]*?)-----END CERTIFICATE REQUEST-----/.exec(pem)?.[1]?.replaceAll(/\s/g, '');
  return body !== undefined && body.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(body) ? Buffer.from(body, 'base64') : undefined;
}

/** Why a PEM text is no request that its key signed, in the reference's words (pkg/apis/certificates/validation, validateCSR). */
export function certificateRequestError(pem: string): string | undefined {
  const der = blockOf(pem);
  if (der === undefined) return 'PEM block type must be CERTIFICATE REQUEST';
  const [info, algorithm, signature] = elementsOf(elementsOf(der)?.[0]?.content) ?? [];
  const [, , key] = elementsOf(info?.content) ?? [];
  const identifier = elementsOf(algorithm?.content)?.[0]?.content.toString('hex');
  if (info === undefined || key === undefined || identifier === undefined || signature === undefined) return 'asn1: syntax error: data truncated';
  const hash = hashes[identifier];
  if (hash === undefined) return 'x509: cannot verify signature: algorithm unimplemented';
  return signatureError(hash, info.whole, key.whole, signature.content.subarray(1));
}

function signatureError(hash: string | null, signed: Buffer, key: Buffer, signature: Buffer): string | undefined {
  try {
    const publicKey = createPublicKey({ key, format: 'der', type: 'spki' });
    return verify(hash, signed, publicKey, signature) ? undefined : failures[publicKey.asymmetricKeyType ?? ''];
  } catch {
    return keyError(key);
  }
}

/** Why no key can be made of it (crypto/x509, parsePublicKey). */
function keyError(key: Buffer): string {
  const [algorithm, bits] = elementsOf(elementsOf(key)?.[0]?.content) ?? [];
  const [, parameters] = elementsOf(algorithm?.content) ?? [];
  const curve = curves[parameters?.content.toString('hex') ?? ''];
  if (curve === undefined) return 'x509: unsupported elliptic curve';
  // Of a bit string the first byte tells how many bits of the last one are left over.
  const point = bits?.content.subarray(1) ?? Buffer.alloc(0);
  if (point[0] !== uncompressed) return 'ecdsa: invalid uncompressed public key';
  return point.length === 1 + 2 * curve.bytes ? `${curve.name} point not on curve` : `invalid ${curve.name} point encoding`;
}

/** What stands one behind the other in DER; undefined where it is cut off. */
function elementsOf(der: Buffer | undefined): Element[] | undefined {
  const elements: Element[] = [];
  if (der === undefined) return elements;
  for (let at = 0; at < der.length;) {
    const first = der[at + 1] ?? 0;
    const longForm = first & 0x80 ? first & 0x7f : 0;
    if (longForm > 4) return undefined;
    const length = longForm === 0 ? first : Number.parseInt(der.subarray(at + 2, at + 2 + longForm).toString('hex'), 16);
    const start = at + 2 + longForm;
    if (!(start + length <= der.length)) return undefined;
    elements.push({ whole: der.subarray(at, start + length), content: der.subarray(start, start + length) });
    at = start + length;
  }
  return elements;
}
