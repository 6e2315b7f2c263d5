import { isIP } from 'node:net';
import { AddressRanges, isPrefixMask } from './address-ranges.ts';
import type { AlternativeNames } from './alternative-names.ts';
import { DerError, DerReader, onlySequence } from './der.ts';
import { DomainTrees, isDomain } from './domain-names.ts';
import { readMailbox, type Mailbox } from './mailbox.ts';
import { constrainedDomain } from './uri-host.ts';

/** The names of one of the two lists of the extension; kinds of names that it does not mention are not constrained. */
interface Subtrees {
  readonly dns: DomainTrees | undefined;
  readonly uris: DomainTrees | undefined;
  readonly addresses: AddressRanges | undefined;
  readonly mail: MailTrees | undefined;
}

/** The constraints of a CA certificate on the names of certificates below it (RFC 5280, 4.2.1.10). */
export interface NameConstraints {
  readonly permitted: Subtrees;
  readonly excluded: Subtrees;
  /** Whether there are constraints on kinds of names that are not checked here, such as directory names. */
  readonly hasOthers: boolean;
}

const [permittedTag, excludedTag] = [0xa0, 0xa1];
const tags = { mail: 0x81, dns: 0x82, uri: 0x86, address: 0x87 } as const;

/**
 * Reads the value of the extension. Throws DerError if Go does not accept the value (crypto/x509
 * parseNameConstraintsExtension).
 */
export function readNameConstraints(value: Buffer): NameConstraints {
  const lists = onlySequence(value);
  const given = [permittedTag, excludedTag].map((tag) => lists.optional(tag));
  if (!lists.isAtEnd()) throw new DerError('x509: invalid NameConstraints extension');
  if (given.every((list) => list === undefined || list.content.length === 0))
    throw new DerError('x509: empty name constraints extension');
  const others = { found: false };
  const [permitted, excluded] = given.map((list) =>
    readSubtrees(new DerReader(list?.content ?? Buffer.alloc(0)), others),
  ) as [Subtrees, Subtrees];
  return { permitted, excluded, hasOthers: others.found };
}

function readSubtrees(list: DerReader, others: { found: boolean }): Subtrees {
  const [dns, uris, mail, addresses]: [string[], string[], string[], Buffer[]] = [[], [], [], []];
  while (!list.isAtEnd()) {
    const { tag, content } = list.sequence().next();
    switch (tag) {
      case tags.dns:
        dns.push(domainIn(content));
        break;
      case tags.uri:
        uris.push(uriDomainIn(content));
        break;
      case tags.mail:
        mail.push(mailIn(content));
        break;
      case tags.address:
        addresses.push(rangeIn(content));
        break;
      default:
        others.found = true;
    }
  }
  return {
    dns: unlessNone(dns, (domains) => new DomainTrees(domains)),
    uris: unlessNone(uris, (domains) => new DomainTrees(domains)),
    mail: unlessNone(mail, (addressed) => new MailTrees(addressed)),
    addresses: unlessNone(addresses, (ranges) => new AddressRanges(ranges)),
  };
}

function unlessNone<Item, Trees>(items: readonly Item[], make: (items: readonly Item[]) => Trees): Trees | undefined {
  return items.length === 0 ? undefined : make(items);
}

function asciiIn(content: Buffer): string {
  if (content.some((byte) => byte >= 0x80)) throw new DerError('x509: invalid constraint value');
  return content.toString('latin1');
}

function domainIn(content: Buffer): string {
  const domain = asciiIn(content);
  if (!isDomain(domain, true)) throw new DerError('x509: failed to parse dnsName constraint');
  return domain;
}

function uriDomainIn(content: Buffer): string {
  const domain = domainIn(content);
  if (isIP(domain) !== 0) throw new DerError('x509: failed to parse URI constraint: cannot be IP address');
  return domain;
}

function mailIn(content: Buffer): string {
  const text = asciiIn(content);
  if (text.includes('@') ? readMailbox(text) === undefined : !isDomain(text, true))
    throw new DerError('x509: failed to parse rfc822Name constraint');
  return text;
}

function rangeIn(content: Buffer): Buffer {
  if ((content.length !== 8 && content.length !== 32) || !isPrefixMask(content.subarray(content.length / 2)))
    throw new DerError('x509: IP constraint contained an invalid range');
  return content;
}

/** Constraints on mail addresses: single addresses, and domains. */
class MailTrees {
  readonly #addresses = new Set<string>();
  readonly #domains: DomainTrees;

  constructor(texts: readonly string[]) {
    this.#domains = new DomainTrees(texts.filter((text) => !text.includes('@')));
    for (const mailbox of texts.filter((text) => text.includes('@')).map(readMailbox))
      if (mailbox) this.#addresses.add(mailKey(mailbox));
  }

  covers(mailbox: Mailbox): boolean {
    return this.#addresses.has(mailKey(mailbox)) || this.#domains.covers(mailbox.domain);
  }
}

/** A text for comparing mailboxes. It is unambiguous, since a domain has no `@`. */
function mailKey({ local, domain }: Mailbox): string {
  return `${local}@${domain.toLowerCase()}`;
}

/** The first name that violates the constraints; undefined if all are allowed. */
export function constrainedName({ permitted, excluded }: NameConstraints, names: AlternativeNames): string | undefined {
  const isOut =
    <Trees, Name>(
      inside: Trees | undefined,
      outside: Trees | undefined,
      covers: (trees: Trees, name: Name) => boolean,
    ) =>
    (name: Name): boolean =>
      (inside !== undefined && !covers(inside, name)) || (outside !== undefined && covers(outside, name));
  const dnsIsOut = isOut(
    permitted.dns,
    excluded.dns,
    (trees: DomainTrees, name: string) => trees.covers(name) || (trees === excluded.dns && trees.wildcardMeets(name)),
  );
  const uriIsOut = isOut(permitted.uris, excluded.uris, (trees: DomainTrees, name: string) => trees.covers(name));
  const mailIsOut = isOut(permitted.mail, excluded.mail, (trees: MailTrees, mailbox: Mailbox) => trees.covers(mailbox));
  const addressIsOut = isOut(permitted.addresses, excluded.addresses, (ranges: AddressRanges, address: Buffer) =>
    ranges.covers(address),
  );
  const wrongAddress = names.addresses.find(addressIsOut);
  if (wrongAddress !== undefined) return `IP address ${wrongAddress.toString('hex')}`;
  const wrongDns = names.dnsNames.find((name) => !isDomain(name) || dnsIsOut(name));
  if (wrongDns !== undefined) return `DNS name ${JSON.stringify(wrongDns)}`;
  for (const host of names.uriHosts) {
    const domain = constrainedDomain(host);
    if (domain === undefined || uriIsOut(domain)) return `URI of host ${JSON.stringify(host)}`;
  }
  return names.emailAddresses.find((text) => {
    const mailbox = readMailbox(text);
    return mailbox === undefined || mailIsOut(mailbox);
  });
}
