import { createHash } from 'node:crypto';
import type { Certificate } from './certificate.ts';
import { constrainedName } from './name-constraints.ts';
import { policiesHold } from './policy-check.ts';
import { isSignedBy } from './signature.ts';

/** Identifiers of extended key usages in hexadecimal. */
export const keyUsages = { any: '551d2500', clientAuth: '2b06010505070302', serverAuth: '2b06010505070301' } as const;

/**
 * The most signatures that are checked for one leaf, as in Go; this bounds the cost of many certificates with the same
 * name.
 */
const maxSignatureChecks = 100;

/** The reason why a certificate could not be verified for the required usage. */
export class ChainError extends Error {
  override readonly name = 'ChainError';
}

/** Certificates by subject: CA certificates, or those that a client sent in addition to its own. */
export class CertificatePool {
  readonly #bySubject = new Map<string, Certificate[]>();
  readonly #digests = new Set<string>();

  constructor(certificates: readonly Certificate[]) {
    for (const certificate of certificates) {
      const digest = digestOf(certificate);
      if (this.#digests.has(digest)) continue;
      this.#digests.add(digest);
      const name = certificate.subject.toString('latin1');
      const same = this.#bySubject.get(name);
      if (same) same.push(certificate);
      else this.#bySubject.set(name, [certificate]);
    }
  }

  has(certificate: Certificate): boolean {
    return this.#digests.has(digestOf(certificate));
  }

  /** The certificates that may have issued this one, likely ones first. */
  issuersOf({ issuer, authorityKeyId }: Certificate): readonly Certificate[] {
    const unlikeliness = ({ subjectKeyId }: Certificate): number =>
      subjectKeyId.equals(authorityKeyId) ? 0 : (subjectKeyId.length === 0) !== (authorityKeyId.length === 0) ? 1 : 2;
    const found = this.#bySubject.get(issuer.toString('latin1')) ?? [];
    return [0, 1, 2].flatMap((step) => found.filter((certificate) => unlikeliness(certificate) === step));
  }
}

export interface ChainQuestion {
  readonly roots: CertificatePool;
  /** The certificates that the client sent after its own. */
  readonly intermediates: CertificatePool;
  readonly nowMs: number;
  /** The extended key usage that every certificate of the chain must allow, in hexadecimal. */
  readonly usage: string;
}

/**
 * Resolves with a chain from the leaf to one of the roots that Go would accept (crypto/x509 Verify). Checks signatures,
 * validity, basic constraints, path length, critical extensions, names, policies and usages. Rejects with {@link
 * ChainError}.
 */
export async function verifyChain(leaf: Certificate, question: ChainQuestion): Promise<readonly Certificate[]> {
  const fault = faultOf(leaf, [], false, question.nowMs);
  if (fault !== undefined) throw new ChainError(fault);
  const search = new ChainSearch(question);
  const chains = question.roots.has(leaf) ? [[leaf]] : await search.chainsFrom([leaf]);
  if (chains.length === 0)
    throw new ChainError(
      `x509: certificate signed by unknown authority${search.hint === undefined ? '' : ` (possibly because of ${JSON.stringify(search.hint)})`}`,
    );
  const faults = chains.map((chain) => chainFault(chain, question.usage));
  const good = chains[faults.indexOf(undefined)];
  if (good === undefined) throw new ChainError(faults[0]);
  return good;
}

/** Searches for all chains, since the first one that reaches a root may be refused for its names or usages. */
class ChainSearch {
  readonly #question: ChainQuestion;
  #checks = 0;
  /** Why the first candidate for an issuer was refused. */
  hint: string | undefined;

  constructor(question: ChainQuestion) {
    this.#question = question;
  }

  async chainsFrom(chain: readonly Certificate[]): Promise<Certificate[][]> {
    const { roots, intermediates, nowMs } = this.#question;
    const last = chain.at(-1);
    if (last === undefined) return [];
    const found: Certificate[][] = [];
    for (const [pool, isRoot] of [
      [roots, true],
      [intermediates, false],
    ] as const) {
      for (const issuer of pool.issuersOf(last)) {
        if (++this.#checks > maxSignatureChecks) return found;
        if (issuer.key === 'unknown' || chain.some((one) => isSameEntity(one, issuer))) continue;
        const fault = (await signatureFault(last, issuer)) ?? faultOf(issuer, chain, !isRoot, nowMs);
        if (fault !== undefined) this.hint ??= fault;
        else if (isRoot) found.push([...chain, issuer]);
        else found.push(...(await this.chainsFrom([...chain, issuer])));
      }
    }
    return found;
  }
}

async function signatureFault(certificate: Certificate, issuer: Certificate): Promise<string | undefined> {
  const constraints = issuer.basicConstraints;
  const mayBeAuthority = constraints === undefined ? issuer.version !== 3 : constraints.isAuthority;
  if (!mayBeAuthority || issuer.maySignCertificates === false)
    return 'x509: invalid signature: parent certificate cannot sign this kind of certificate';
  if (typeof issuer.key === 'string') return 'x509: cannot verify signature: algorithm unimplemented';
  if (certificate.signatureAlgorithm === undefined)
    return 'x509: cannot verify signature: insecure or unknown algorithm';
  const isGood = await isSignedBy(
    certificate.signatureAlgorithm,
    certificate.signed,
    certificate.signature,
    issuer.key,
  );
  return isGood ? undefined : 'x509: verification failure';
}

/**
 * Checks a certificate that would be the next one above the chain `below` (empty for a leaf), apart from its signature.
 * Returns the fault, if any.
 */
function faultOf(
  certificate: Certificate,
  below: readonly Certificate[],
  isIntermediate: boolean,
  nowMs: number,
): string | undefined {
  const { basicConstraints, notBeforeMs, notAfterMs } = certificate;
  if (certificate.hasUnknownCritical) return 'x509: unhandled critical extension';
  if (nowMs < notBeforeMs || nowMs > notAfterMs) return 'x509: certificate has expired or is not yet valid';
  if (isIntermediate && basicConstraints?.isAuthority !== true)
    return 'x509: certificate is not authorized to sign other certificates';
  const longest = basicConstraints?.pathLength;
  return longest !== undefined && below.length - 1 > longest
    ? 'x509: too many intermediates for path length constraint'
    : undefined;
}

function chainFault(chain: readonly Certificate[], usage: string): string | undefined {
  if (!policiesHold(chain)) return 'x509: no valid chains built: candidate chains with invalid policies';
  if (!chain.every(({ extendedKeyUsages }) => allows(extendedKeyUsages, usage)))
    return 'x509: certificate specifies an incompatible key usage';
  for (const [index, { nameConstraints }] of chain.entries()) {
    if (nameConstraints === undefined) continue;
    for (const below of chain.slice(0, index)) {
      const name = below.alternativeNames && constrainedName(nameConstraints, below);
      if (name !== undefined)
        return `x509: a root or intermediate certificate is not authorized to sign for this name: ${name} is not permitted by any constraint`;
    }
  }
  return undefined;
}

function allows(usages: readonly string[], usage: string): boolean {
  return usages.length === 0 || usages.includes(keyUsages.any) || usages.includes(usage);
}

/**
 * Whether two certificates have the same subject, key and alternative names. Such issuers are skipped, since CAs that
 * certify each other would cause cycles.
 */
function isSameEntity(one: Certificate, other: Certificate): boolean {
  if (!one.subject.equals(other.subject) || !one.publicKeyInfo.equals(other.publicKeyInfo)) return false;
  const [names, otherNames] = [one.alternativeNames, other.alternativeNames];
  return names === undefined || otherNames === undefined ? names === otherNames : names.equals(otherNames);
}

function digestOf({ der }: Certificate): string {
  return createHash('sha256').update(der).digest('base64');
}
