import { DerError, DerReader } from './der.ts';
import { uriHost } from './uri-host.ts';

/** The names of a certificate besides its subject (RFC 5280, 4.2.1.6), as far as they are checked. */
export interface AlternativeNames {
  readonly dnsNames: readonly string[];
  readonly emailAddresses: readonly string[];
  /** 4 or 16 bytes each. */
  readonly addresses: readonly Buffer[];
  /** Hosts of the URIs with their ports, empty for a URI without one. */
  readonly uriHosts: readonly string[];
}

export const noNames: AlternativeNames = { dnsNames: [], emailAddresses: [], addresses: [], uriHosts: [] };

const tags = { mail: 0x81, dns: 0x82, uri: 0x86, address: 0x87 } as const;

/**
 * Reads the value of the extension. Throws DerError if Go does not accept the value (crypto/x509 parseSANExtension).
 */
export function readAlternativeNames(value: Buffer): AlternativeNames {
  const [dnsNames, emailAddresses, addresses, uriHosts]: [string[], string[], Buffer[], string[]] = [[], [], [], []];
  for (const list = new DerReader(value).sequence(); !list.isAtEnd();) {
    const { tag, content } = list.next();
    switch (tag) {
      case tags.mail:
        emailAddresses.push(asciiIn(content));
        break;
      case tags.dns:
        dnsNames.push(asciiIn(content));
        break;
      case tags.uri:
        uriHosts.push(hostIn(content));
        break;
      case tags.address:
        if (content.length !== 4 && content.length !== 16)
          throw new DerError(`x509: cannot parse IP address of length ${content.length}`);
        addresses.push(content);
        break;
      default: // Other kinds of names are ignored.
    }
  }
  return { dnsNames, emailAddresses, addresses, uriHosts };
}

function asciiIn(content: Buffer): string {
  if (content.some((byte) => byte >= 0x80)) throw new DerError('x509: SAN is malformed');
  return content.toString('latin1');
}

function hostIn(content: Buffer): string {
  const host = uriHost(asciiIn(content));
  if (host === undefined) throw new DerError('x509: cannot parse URI');
  return host;
}
