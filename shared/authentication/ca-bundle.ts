import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { DetailedPeerCertificate } from 'node:tls';
import { AuthenticationError } from './authenticator.ts';

const clientAuth = '1.3.6.1.5.5.7.3.2';
const anyUsage = '2.5.29.37.0';
const maxChain = 8;
const recheckMs = 60_000;

/** The certificate authorities of a file, read again when it changes. */
export class CaBundle {
  readonly #path: string;
  #roots: readonly X509Certificate[] = [];
  #pem = '';
  #changedMs = -1;
  #checkedAtMs = 0;
  /** Rises with every change, so that verdicts can be thrown away. */
  generation = 0;

  /** @throws Error when the file cannot be read or holds no certificate */
  constructor(path: string) {
    this.#path = path;
    this.#load();
  }

  get pem(): string {
    return this.#pem;
  }

  /** @throws AuthenticationError unless the certificate is good for client authentication now */
  verify(peer: DetailedPeerCertificate, nowMs: number): void {
    this.refresh(nowMs);
    let current: DetailedPeerCertificate | undefined = peer;
    for (let depth = 0; current && depth < maxChain; depth++) {
      const certificate: X509Certificate = new X509Certificate(current.raw);
      checkValidity(certificate, nowMs, depth > 0);
      if (this.#roots.some((root) => root.fingerprint256 === certificate.fingerprint256 || isIssuedBy(certificate, root, nowMs))) return;
      const issuer: DetailedPeerCertificate | undefined = current.issuerCertificate;
      if (!issuer?.raw || issuer === current || !isIssuedBy(certificate, new X509Certificate(issuer.raw), nowMs)) break;
      current = issuer;
    }
    throw new AuthenticationError(`verifying certificate CN=${String(peer.subject.CN)} failed: x509: certificate signed by unknown authority`);
  }

  /** Looks once a minute whether the file changed; cheap otherwise. */
  refresh(nowMs: number): void {
    if (nowMs - this.#checkedAtMs < recheckMs) return;
    try {
      this.#load();
    } catch {
      // A file that is being replaced: the old authorities stay until the new ones can be read.
    }
  }

  #load(): void {
    this.#checkedAtMs = Date.now();
    const { mtimeMs } = statSync(this.#path);
    if (mtimeMs === this.#changedMs) return;
    const pem = readFileSync(this.#path, 'utf8');
    const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g) ?? [];
    if (blocks.length === 0) throw new Error(`${this.#path}: no certificate found`);
    this.#roots = blocks.map((block) => new X509Certificate(block));
    this.#pem = pem;
    this.#changedMs = mtimeMs;
    this.generation++;
  }
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate, nowMs: number): boolean {
  if (!issuer.ca || !certificate.checkIssued(issuer)) return false;
  if (nowMs < issuer.validFromDate.getTime() || nowMs > issuer.validToDate.getTime()) return false;
  return certificate.verify(issuer.publicKey);
}

function checkValidity(certificate: X509Certificate, nowMs: number, isIntermediate: boolean): void {
  if (nowMs < certificate.validFromDate.getTime() || nowMs > certificate.validToDate.getTime()) {
    throw new AuthenticationError('x509: certificate has expired or is not yet valid');
  }
  const usages = certificate.keyUsage as readonly string[] | undefined;
  if (usages !== undefined && usages.length > 0 && !usages.includes(clientAuth) && !usages.includes(anyUsage)) {
    throw new AuthenticationError(`x509: certificate specifies an incompatible key usage${isIntermediate ? ' (intermediate)' : ''}`);
  }
}
