import { constants, verify } from 'node:crypto';
import {
  invalid,
  tooLong,
  type BadValue,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import { undefinedIfMalformed } from '#shared/x509/der.ts';
import { readPublicKey, type PublicKey } from '#shared/x509/public-key.ts';
import { readCertificateRequest, signatureError } from './certificate-request.ts';

const maxBytes = 10 * 1024;
const moduli: ReadonlySet<number> = new Set([3072, 4096]);
const unknownKey = 'unknown public key type; supported types are Ed25519, ECDSA, and RSA';

/** Checks that a certificate request in DER is signed with its own key. The signer validates the rest. */
export function validateCertificateRequest(der: Buffer, field: Path): FieldError[] {
  if (der.length > maxBytes) return [tooLong(field, '', maxBytes)];
  const request = undefinedIfMalformed(() => readCertificateRequest(der));
  if (request === undefined) return [invalid(field, undefined, 'must be a valid PKCS#10 CSR')];
  if (typeof request.publicKey === 'string') return [invalid(field, undefined, unknownKey)];
  const errors = validateSize(request.publicKey, 'elliptic public keys must use curve P256, P384, or P521', field);
  if (errors.length > 0) return errors;
  return signatureError(request) === undefined ? [] : [invalid(field, undefined, 'invalid signature')];
}

/** Validates a public key in DER and its signature of the pod's UID. `spec` is the path of the spec. */
export function validatePublicKey(der: Buffer, proof: Buffer, podUid: string, spec: Path): FieldError[] {
  const [keyField, proofField] = [spec.child('pkixPublicKey'), spec.child('proofOfPossession')];
  if (der.length > maxBytes) return [tooLong(keyField, '', maxBytes)];
  if (proof.length > maxBytes) return [tooLong(proofField, '', maxBytes)];
  const shown: BadValue = der.toString('base64');
  const key = undefinedIfMalformed(() => readPublicKey(der));
  if (key === undefined || key === 'unknown')
    return [invalid(keyField, shown, 'must be a valid PKIX-serialized public key')];
  if (key === 'unused') return [invalid(keyField, shown, unknownKey)];
  const errors = validateSize(key, 'elliptic public keys must use curve P256 or P384', keyField);
  if (errors.length > 0) return errors;
  return isProof(key, podUid, proof)
    ? []
    : [invalid(proofField, undefined, 'could not verify proof-of-possession signature')];
}

function validateSize({ kind, curve, modulusBits }: PublicKey, curveDetail: string, field: Path): FieldError[] {
  if (kind === 'ecdsa' && curve === 'P-224') return [invalid(field, `curve ${curve}`, curveDetail)];
  if (kind === 'rsa' && !moduli.has(modulusBits))
    return [invalid(field, `${modulusBits}-bit modulus`, 'RSA keys must have modulus size 3072 or 4096')];
  return [];
}

function isProof({ kind, key }: PublicKey, text: string, signature: Buffer): boolean {
  const padding = kind === 'rsa' ? { padding: constants.RSA_PKCS1_PSS_PADDING } : {};
  return verify(kind === 'ed25519' ? null : 'sha256', Buffer.from(text), { key, ...padding }, signature);
}
