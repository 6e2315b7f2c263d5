import { noNames, readAlternativeNames, type AlternativeNames } from './alternative-names.ts';
import { DerError, DerReader, derTags } from './der.ts';
import { readNameConstraints, type NameConstraints } from './name-constraints.ts';
import { noPolicies, readPolicies, readPolicyConstraints, readPolicyMappings, type PolicyRules } from './policies.ts';

/** The extensions of a certificate (RFC 5280, 4.2), as far as the verification of chains uses them. */
export interface CertificateExtensions extends AlternativeNames {
  /** Undefined without the extension. */
  readonly basicConstraints: { readonly isAuthority: boolean; readonly pathLength: number | undefined } | undefined;
  /** Whether the key may sign certificates; undefined if its usage is not restricted. */
  readonly maySignCertificates: boolean | undefined;
  /** Object identifiers in hexadecimal; empty if every usage is allowed. */
  readonly extendedKeyUsages: readonly string[];
  /** Empty without the extension. */
  readonly subjectKeyId: Buffer;
  readonly authorityKeyId: Buffer;
  /** The value of the extension; undefined without alternative names. */
  readonly alternativeNames: Buffer | undefined;
  readonly nameConstraints: NameConstraints | undefined;
  readonly policies: PolicyRules;
  /** Whether there is a critical extension that is not handled here. */
  readonly hasUnknownCritical: boolean;
}

interface Extension {
  readonly isCritical: boolean;
  readonly value: Buffer;
}

const uniqueIdTags = [0x81, 0x82];
const extensionsTag = 0xa3;
const none = Buffer.alloc(0);
const keyCertSignBit = 5;
/** The largest pathLenConstraint that Go accepts. */
const longestPath = 2n ** 63n - 1n;

/** Object identifiers of the extensions that are read, in hexadecimal: 2.5.29.x, and authority information access. */
const ids = {
  subjectKeyId: '551d0e',
  keyUsage: '551d0f',
  alternativeNames: '551d11',
  basicConstraints: '551d13',
  nameConstraints: '551d1e',
  revocationLists: '551d1f',
  policies: '551d20',
  policyMappings: '551d21',
  authorityKeyId: '551d23',
  policyConstraints: '551d24',
  extendedKeyUsage: '551d25',
  inhibitAnyPolicy: '551d36',
  authorityAccess: '2b06010505070101',
} as const;
const known: ReadonlySet<string> = new Set(Object.values(ids));
const neverCritical: readonly string[] = [ids.subjectKeyId, ids.authorityKeyId, ids.authorityAccess];

/** Reads the part of a certificate after its key; only version 3 has extensions. */
export function readExtensions(inner: DerReader, isVersion3: boolean): CertificateExtensions {
  const found = isVersion3 ? readAll(inner) : new Map<string, Extension>();
  const value = (id: string): Buffer | undefined => found.get(id)?.value;
  const read = <Value>(id: string, parse: (content: Buffer) => Value): Value | undefined => {
    const content = value(id);
    return content === undefined ? undefined : parse(content);
  };
  for (const id of neverCritical)
    if (found.get(id)?.isCritical === true) throw new DerError('x509: extension incorrectly marked critical');
  const names = read(ids.alternativeNames, readAlternativeNames);
  const nameConstraints = read(ids.nameConstraints, readNameConstraints);
  read(ids.revocationLists, checkSequences);
  read(ids.authorityAccess, checkAccess);
  const isUnjudged = (id: string): boolean =>
    !known.has(id) ||
    (id === ids.alternativeNames && names !== undefined && Object.values(names).every(({ length }) => length === 0)) ||
    (id === ids.nameConstraints && nameConstraints?.hasOthers === true);
  return {
    ...(names ?? noNames),
    basicConstraints: read(ids.basicConstraints, readBasicConstraints),
    maySignCertificates: read(ids.keyUsage, readMaySign),
    extendedKeyUsages: read(ids.extendedKeyUsage, readIdentifiers) ?? [],
    subjectKeyId: read(ids.subjectKeyId, (content) => new DerReader(content).take(derTags.octetString).content) ?? none,
    authorityKeyId: read(ids.authorityKeyId, readAuthorityKeyId) ?? none,
    alternativeNames: value(ids.alternativeNames),
    nameConstraints,
    policies: {
      ...noPolicies,
      ...read(ids.policies, readPolicies),
      ...read(ids.policyMappings, readPolicyMappings),
      ...read(ids.policyConstraints, readPolicyConstraints),
      inhibitAnyPolicy: read(ids.inhibitAnyPolicy, (content) =>
        Number(BigInt.asIntN(64, new DerReader(content).integer())),
      ),
    },
    hasUnknownCritical: [...found].some(([id, { isCritical }]) => isCritical && isUnjudged(id)),
  };
}

function readAll(inner: DerReader): ReadonlyMap<string, Extension> {
  for (const tag of uniqueIdTags) inner.optional(tag);
  const found = new Map<string, Extension>();
  const given = inner.optional(extensionsTag);
  if (given === undefined) return found;
  const list = new DerReader(given.content).sequence();
  while (!list.isAtEnd()) {
    const extension = list.sequence();
    const id = extension.identifier();
    if (found.has(id)) throw new DerError('x509: certificate contains duplicate extension');
    const isCritical = extension.optionalBoolean() === true;
    found.set(id, { isCritical, value: extension.take(derTags.octetString).content });
  }
  return found;
}

function readBasicConstraints(value: Buffer): CertificateExtensions['basicConstraints'] {
  const constraints = new DerReader(value).sequence();
  const isAuthority = constraints.optionalBoolean() === true;
  const length = constraints.optional(derTags.integer);
  if (length === undefined) return { isAuthority, pathLength: undefined };
  const number = new DerReader(length.whole).integer();
  if (number < 0n || number > longestPath) throw new DerError('x509: invalid basic constraints');
  return { isAuthority, pathLength: Number(number) };
}

/** Whether the bit keyCertSign is set; undefined if no bit is set, as in Go. */
function readMaySign(value: Buffer): boolean | undefined {
  const bits = new DerReader(value).take(derTags.bitString);
  new DerReader(bits.whole).bits();
  const [first = 0, second = 0] = bits.content.subarray(1);
  // The extension has nine named bits.
  if (first === 0 && (second & 0x80) === 0) return undefined;
  return (first & (0x80 >> keyCertSignBit)) !== 0;
}

function readIdentifiers(value: Buffer): string[] {
  const found: string[] = [];
  for (const list = new DerReader(value).sequence(); !list.isAtEnd();) found.push(list.identifier());
  return found;
}

function readAuthorityKeyId(value: Buffer): Buffer {
  return new DerReader(value).sequence().optional(0x80)?.content ?? none;
}

function checkSequences(value: Buffer): void {
  for (const list = new DerReader(value).sequence(); !list.isAtEnd();) list.sequence();
}

function checkAccess(value: Buffer): void {
  for (const list = new DerReader(value).sequence(); !list.isAtEnd();) list.sequence().identifier();
}
