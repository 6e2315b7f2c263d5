import { DerError, DerReader, derTags, onlySequence, unlessBroken } from './der.ts';
import { checkName, readTimeMs } from './certificate-parts.ts';
import { readPublicKey } from './public-key.ts';

/** What rules ask of an X.509 certificate. */
export interface Certificate {
  readonly isAuthority: boolean;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly dnsNames: readonly string[];
  readonly emailAddresses: readonly string[];
  /** DER (SubjectPublicKeyInfo). */
  readonly publicKey: Buffer;
}

const context = (number: number): number => 0x80 | number;
const constructedContext = (number: number): number => 0xa0 | number;
/** Mail addresses, names of hosts, URIs. */
const texts: ReadonlySet<number> = new Set([context(1), context(2), context(6)]);
const latestVersion = 3n;
const addressBytes: ReadonlySet<number> = new Set([4, 16]);

/** Extensions that are looked into, by their identifiers (2.5.29.x). */
const ids = { subjectKeyId: '551d0e', keyUsage: '551d0f', alternativeNames: '551d11', basicConstraints: '551d13', authorityKeyId: '551d23', extendedKeyUsage: '551d25' } as const;

/** The certificate in DER; undefined for what Go does not take for one (crypto/x509 ParseCertificate), but for rarer extensions, which are not looked into. */
export function readCertificate(der: Buffer): Certificate | undefined {
  return unlessBroken(() => readSigned(onlySequence(der)));
}

function readSigned(outer: DerReader): Certificate {
  const inner = outer.sequence();
  const given = inner.optional(constructedContext(0));
  const version = given === undefined ? 1n : new DerReader(given.content).integer() + 1n;
  if (version < 1n || version > latestVersion) throw new DerError('x509: invalid version');
  if (inner.integer() < 0n) throw new DerError('x509: negative serial number');
  const algorithm = inner.take(derTags.sequence);
  if (!algorithm.content.equals(outer.take(derTags.sequence).content)) throw new DerError('x509: inner and outer signature algorithm identifiers don\'t match');
  new DerReader(algorithm.whole).algorithm();
  checkName(inner);
  const validity = inner.sequence();
  const [notBeforeMs, notAfterMs] = [readTimeMs(validity), readTimeMs(validity)];
  checkName(inner);
  const info = inner.take(derTags.sequence).whole;
  const key = readPublicKey(info);
  const extensions = version === latestVersion ? readExtensions(inner) : new Map<string, Extension>();
  outer.bits();
  return { notBeforeMs, notAfterMs, publicKey: typeof key === 'string' ? info : key.der, isAuthority: isAuthority(extensions), ...alternativeNames(extensions) };
}

interface Extension {
  readonly isCritical: boolean;
  readonly value: Buffer;
}

function readExtensions(inner: DerReader): ReadonlyMap<string, Extension> {
  for (const number of [1, 2]) inner.optional(context(number));
  const found = new Map<string, Extension>();
  const given = inner.optional(constructedContext(3));
  if (given === undefined) return found;
  const list = new DerReader(given.content).sequence();
  while (!list.isAtEnd()) {
    const extension = list.sequence();
    const id = extension.identifier();
    if (found.has(id)) throw new DerError('x509: certificate contains duplicate extension');
    const isCritical = extension.optionalBoolean() === true;
    found.set(id, { isCritical, value: extension.take(derTags.octetString).content });
  }
  checkExtensions(found);
  return found;
}

function checkExtensions(extensions: ReadonlyMap<string, Extension>): void {
  const usage = extensions.get(ids.keyUsage);
  if (usage !== undefined) new DerReader(usage.value).bits();
  const extended = extensions.get(ids.extendedKeyUsage);
  if (extended !== undefined) for (const list = new DerReader(extended.value).sequence(); !list.isAtEnd();) list.identifier();
  for (const [id, tag] of [[ids.subjectKeyId, derTags.octetString], [ids.authorityKeyId, derTags.sequence]] as const) {
    const extension = extensions.get(id);
    if (extension === undefined) continue;
    if (extension.isCritical) throw new DerError('x509: key identifier incorrectly marked critical');
    new DerReader(extension.value).take(tag);
  }
}

function isAuthority(extensions: ReadonlyMap<string, Extension>): boolean {
  const extension = extensions.get(ids.basicConstraints);
  if (extension === undefined) return false;
  const constraints = new DerReader(extension.value).sequence();
  const isGiven = constraints.optionalBoolean() === true;
  const depth = constraints.optional(derTags.integer);
  if (depth !== undefined && new DerReader(depth.whole).integer() < 0n) throw new DerError('x509: invalid basic constraints');
  return isGiven;
}

function alternativeNames(extensions: ReadonlyMap<string, Extension>): Pick<Certificate, 'dnsNames' | 'emailAddresses'> {
  const [dnsNames, emailAddresses]: [string[], string[]] = [[], []];
  const extension = extensions.get(ids.alternativeNames);
  if (extension === undefined) return { dnsNames, emailAddresses };
  for (const list = new DerReader(extension.value).sequence(); !list.isAtEnd();) {
    const { tag, content } = list.next();
    const text = content.toString('latin1');
    if (texts.has(tag) && content.some((byte) => byte >= 0x80)) throw new DerError('x509: SAN is malformed');
    if (tag === context(7) && !addressBytes.has(content.length)) throw new DerError('x509: cannot parse IP address');
    if (tag === context(1)) emailAddresses.push(text);
    if (tag === context(2)) dnsNames.push(text);
  }
  return { dnsNames, emailAddresses };
}
