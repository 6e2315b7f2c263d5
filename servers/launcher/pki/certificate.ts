import { Buffer } from 'node:buffer';
import { createHash, createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import { addressToNumber } from '#shared/apimachinery/net/address-range.ts';
import {
  bitString,
  derBoolean,
  context,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  time,
  utf8String,
} from '#shared/x509/der-writer.ts';
import { encodePem } from '#shared/x509/pem.ts';
import { keyPem } from './key-form.ts';
import type { Validity } from './validity.ts';

/** A certificate with its private key. */
export interface Credential {
  readonly certificatePem: string;
  readonly keyPem: string;
}

export interface Subject {
  readonly commonName: string;
  readonly organizations?: readonly string[];
}

export interface LeafOptions {
  readonly subject: Subject;
  readonly usage: 'serverAuth' | 'clientAuth';
  /** DNS names and IP addresses of a serving certificate. */
  readonly hosts?: readonly string[];
  /**
   * Whether to use an RSA key, for clients whose cipher suites need one; creating it takes 20 to 110 ms. Default:
   * P-256.
   */
  readonly rsa?: boolean;
  readonly validity: Validity;
}

const oid = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
} as const;

/** A self-signed certificate authority on P-256 (RFC 5280). */
export function createAuthority(subject: Subject, validity: Validity): Credential {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const extensions = [
    extension(oid.keyUsage, true, bitString(Buffer.from([0b1010_0100]), 2)),
    extension(oid.basicConstraints, true, sequence(derBoolean(true))),
    extension(oid.subjectKeyIdentifier, false, octetString(keyIdentifier(spki))),
  ];
  const certificatePem = issue({ subject, issuer: subject, spki, extensions, signer: privateKey, validity });
  return { certificatePem, keyPem: keyPem(privateKey) };
}

/** Creates a serving or client certificate signed by `authority`, whose subject must be that of its certificate. */
export function createLeaf(
  authority: { readonly subject: Subject; readonly key: KeyObject },
  options: LeafOptions,
): Credential {
  const { privateKey, publicKey } =
    options.rsa === true
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const authoritySpki = createPublicKey(authority.key).export({ type: 'spki', format: 'der' });
  const extensions = [
    extension(oid.keyUsage, true, bitString(Buffer.from([0b1010_0000]), 5)),
    extension(oid.extendedKeyUsage, false, sequence(objectIdentifier(oid[options.usage]))),
    extension(oid.basicConstraints, true, sequence()),
    extension(oid.authorityKeyIdentifier, false, sequence(context(0, keyIdentifier(authoritySpki), false))),
  ];
  if (options.hosts && options.hosts.length > 0)
    extensions.push(extension(oid.subjectAltName, false, sequence(...options.hosts.map(generalName))));
  const certificatePem = issue({
    subject: options.subject,
    issuer: authority.subject,
    spki,
    extensions,
    signer: authority.key,
    validity: options.validity,
  });
  return { certificatePem, keyPem: keyPem(privateKey) };
}

interface Issue {
  readonly subject: Subject;
  readonly issuer: Subject;
  readonly spki: Uint8Array;
  readonly extensions: readonly Uint8Array[];
  readonly signer: KeyObject;
  readonly validity: Validity;
}

function issue(request: Issue): string {
  const algorithm = sequence(objectIdentifier(oid.ecdsaWithSha256));
  const serial = randomBytes(16);
  serial[0] = (serial[0]! & 0x7f) | 0x40;
  const toBeSigned = sequence(
    context(0, integer(Buffer.from([2])), true),
    integer(serial),
    algorithm,
    distinguishedName(request.issuer),
    sequence(time(request.validity.from), time(request.validity.to)),
    distinguishedName(request.subject),
    request.spki,
    context(3, sequence(...request.extensions), true),
  );
  const signature = sign('sha256', toBeSigned, request.signer);
  return encodePem('CERTIFICATE', sequence(toBeSigned, algorithm, bitString(signature)));
}

function extension(id: string, critical: boolean, value: Uint8Array): Buffer {
  return critical
    ? sequence(objectIdentifier(id), derBoolean(true), octetString(value))
    : sequence(objectIdentifier(id), octetString(value));
}

function distinguishedName(subject: Subject): Buffer {
  const attributes: Buffer[] = [];
  for (const organization of subject.organizations ?? [])
    attributes.push(set(sequence(objectIdentifier(oid.organization), utf8String(organization))));
  attributes.push(set(sequence(objectIdentifier(oid.commonName), utf8String(subject.commonName))));
  return sequence(...attributes);
}

/**
 * The subject key identifier (RFC 5280 section 4.2.1.2): SHA-1 over the whole SubjectPublicKeyInfo, as any unique value
 * is allowed.
 */
function keyIdentifier(spki: Uint8Array): Buffer {
  return createHash('sha1').update(spki).digest();
}

function generalName(host: string): Buffer {
  if (isIPv4(host)) return context(7, Buffer.from(host.split('.').map(Number)), false);
  // isIPv6 compiles a pattern, which takes milliseconds; the test for a colon avoids that for names.
  if (host.includes(':') && isIPv6(host)) return context(7, ipv6Octets(host), false);
  return context(2, Buffer.from(host, 'ascii'), false);
}

function ipv6Octets(address: string): Buffer {
  return Buffer.from(addressToNumber(address).toString(16).padStart(32, '0'), 'hex');
}
