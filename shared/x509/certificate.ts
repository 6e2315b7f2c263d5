import { DerError, DerReader, derTags, onlySequence, undefinedIfMalformed } from './der.ts';
import { readName, type NameAttribute } from './distinguished-name.ts';
import { readExtensions, type CertificateExtensions } from './extensions.ts';
import { readPublicKey, type PublicKey } from './public-key.ts';
import { readSignatureAlgorithm, type SignatureAlgorithm } from './signature.ts';
import { readTimeMs } from './time.ts';

/** The parts of an X.509 certificate that verification uses. */
export interface Certificate extends CertificateExtensions {
  readonly der: Buffer;
  readonly version: number;
  readonly serialNumber: bigint;
  /** The signed bytes, the signature algorithm (undefined if unknown) and the signature. */
  readonly signed: Buffer;
  readonly signatureAlgorithm: SignatureAlgorithm | undefined;
  readonly signature: Buffer;
  /** Names in DER: two names are equal if their bytes are. */
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly subjectAttributes: readonly NameAttribute[];
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  /** SubjectPublicKeyInfo as encoded in the certificate. */
  readonly publicKeyInfo: Buffer;
  /** The certificate's public key; `unused` and `unknown` keys cannot verify a signature. */
  readonly key: PublicKey | 'unknown' | 'unused';
}

const latestVersion = 3n;
const versionTag = 0xa0;

/** Reads a certificate in DER; undefined if Go does not accept it (crypto/x509 ParseCertificate). */
export function readCertificate(der: Buffer): Certificate | undefined {
  return undefinedIfMalformed(() => parseCertificate(der));
}

/** Reads a certificate in DER. Throws DerError if Go does not accept it. */
export function parseCertificate(der: Buffer): Certificate {
  const outer = onlySequence(der);
  const toBeSigned = outer.take(derTags.sequence);
  const inner = new DerReader(toBeSigned.content);
  const given = inner.optional(versionTag);
  const version = given === undefined ? 1n : new DerReader(given.content).integer() + 1n;
  if (version < 1n || version > latestVersion) throw new DerError('x509: invalid version');
  const serialNumber = inner.integer();
  if (serialNumber < 0n) throw new DerError('x509: negative serial number');
  const algorithm = inner.take(derTags.sequence);
  if (!algorithm.content.equals(outer.take(derTags.sequence).content))
    throw new DerError("x509: inner and outer signature algorithm identifiers don't match");
  const signatureAlgorithm = readSignatureAlgorithm(algorithm.whole);
  const issuer = readWholeName(inner);
  const validity = inner.sequence();
  const [notBeforeMs, notAfterMs] = [readTimeMs(validity), readTimeMs(validity)];
  const subject = readWholeName(inner);
  const publicKeyInfo = inner.take(derTags.sequence).whole;
  const key = readPublicKey(publicKeyInfo);
  return {
    der,
    version: Number(version),
    serialNumber,
    signed: toBeSigned.whole,
    signatureAlgorithm,
    issuer: issuer.der,
    subject: subject.der,
    subjectAttributes: subject.attributes,
    notBeforeMs,
    notAfterMs,
    publicKeyInfo,
    key,
    ...readExtensions(inner, version === latestVersion),
    signature: outer.bits(),
  };
}

function readWholeName(from: DerReader): { readonly der: Buffer; readonly attributes: readonly NameAttribute[] } {
  const der = from.take(derTags.sequence).whole;
  return { der, attributes: readName(new DerReader(der)) };
}

/** The last value of a type in the subject, as Go's pkix.Name has it; empty without one. */
export function lastInSubject({ subjectAttributes }: Certificate, type: string): string {
  return subjectAttributes.findLast((attribute) => attribute.type === type)?.value ?? '';
}

/** All values of a type in the subject. */
export function allInSubject({ subjectAttributes }: Certificate, type: string): string[] {
  return subjectAttributes.filter((attribute) => attribute.type === type).map(({ value }) => value);
}
