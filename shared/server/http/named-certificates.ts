import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { isDNS1123Subdomain } from '#shared/apimachinery/validation/names.ts';
import { lastInSubject, parseCertificate } from '#shared/x509/certificate.ts';
import { nameTypes } from '#shared/x509/distinguished-name.ts';

/** A certificate for some of the host names that clients use. */
export interface NamedCertificate {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
  /** Empty: the names in the certificate. */
  readonly names: readonly string[];
}

/**
 * Chooses the certificate for a host name (apiserver/pkg/server/dynamiccertificates). Of several certificates for one
 * name the first is used; configured names take precedence over names in certificates. IP addresses among the names are
 * for clients that send no host name.
 */
export class NamedCertificates<Named extends NamedCertificate> {
  readonly #byName = new Map<string, Named>();
  readonly #all: readonly (readonly [X509Certificate, Named])[];

  constructor(all: readonly Named[]) {
    this.#all = all.map((named) => [new X509Certificate(named.cert), named]);
    const add = (names: readonly string[], named: Named): void => {
      for (const name of names) if (!this.#byName.has(name)) this.#byName.set(name, named);
    };
    for (const named of all) add(named.names, named);
    for (const [certificate, named] of this.#all) if (named.names.length === 0) add(namesOf(certificate), named);
  }

  /** The certificate for a client that sends a host name (SNI); undefined means the default certificate. */
  forHost(host: string, usual: X509Certificate): Named | undefined {
    const name = host.toLowerCase();
    const known = this.#byName.get(name) ?? this.#byName.get(['*', ...name.split('.').slice(1)].join('.'));
    if (known !== undefined || covers(usual, name)) return known;
    return this.#all.find(([certificate]) => covers(certificate, name))?.[1];
  }

  /** The addresses that have a certificate of their own. */
  byAddress(): ReadonlyMap<string, Named> {
    return new Map([...this.#byName].filter(([name]) => isIP(name) !== 0));
  }
}

function covers(certificate: X509Certificate, host: string): boolean {
  return certificate.checkHost(host, { subject: 'never' }) !== undefined;
}

/** The host names in a certificate, without addresses: a client cannot send an address as its host name. */
function namesOf({ raw }: X509Certificate): string[] {
  const certificate = parseCertificate(raw);
  const commonName = lastInSubject(certificate, nameTypes.commonName);
  const isHost =
    isIP(commonName) === 0 && (commonName === '*' || isDNS1123Subdomain(commonName.replace(/^\*\./, '')).length === 0);
  return [...(isHost ? [commonName] : []), ...certificate.dnsNames];
}
