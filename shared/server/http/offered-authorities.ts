import { readCertificate } from '#shared/x509/certificate.ts';
import { pemBlocks } from '#shared/x509/pem.ts';

const tags = { integer: 0x02, bitString: 0x03, objectIdentifier: 0x06, utcTime: 0x17, sequence: 0x30 } as const;

/**
 * X25519 (RFC 8410): a key for key agreement that cannot sign, so that OpenSSL accepts its certificate as the issuer of
 * no other.
 */
const keyAlgorithm = sequence(element(tags.objectIdentifier, Buffer.from('2b656e', 'hex')));
const key = sequence(keyAlgorithm, bits(Buffer.alloc(32, 9)));
/** Ed25519, with an invalid signature: OpenSSL does not verify the signature of a trusted certificate. */
const signatureAlgorithm = sequence(element(tags.objectIdentifier, Buffer.from('2b6570', 'hex')));
const signature = bits(Buffer.alloc(64));
const validity = sequence(
  element(tags.utcTime, Buffer.from('700101000000Z')),
  element(tags.utcTime, Buffer.from('491231235959Z')),
);

/**
 * Certificates, each in PEM, that have the names of the given CAs but cannot verify any certificate. TLS asks clients
 * for certificates from the CAs that OpenSSL trusts. If OpenSSL trusted the real CAs, it would verify chains in the
 * handshake, by rules of its own, and a refusal could end the connection.
 */
export function offeredAuthorities(bundles: readonly (string | Buffer)[]): string[] {
  return bundles.flatMap((bundle) =>
    [...pemBlocks(bundle.toString())].flatMap(({ type, bytes }) => {
      const authority = type === 'CERTIFICATE' ? readCertificate(bytes) : undefined;
      return authority === undefined ? [] : [nameOnly(authority.subject)];
    }),
  );
}

function nameOnly(name: Buffer): string {
  const serialNumber = element(tags.integer, Buffer.from([1]));
  const toBeSigned = sequence(serialNumber, signatureAlgorithm, name, validity, name, key);
  const der = sequence(toBeSigned, signatureAlgorithm, signature);
  return `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return element(tags.sequence, ...parts);
}

function bits(bytes: Buffer): Buffer {
  return element(tags.bitString, Buffer.from([0]), bytes);
}

/** An element of DER (X.690 section 8.1). */
function element(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const digits = length.toString(16);
  const size = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | size.length]), size, content]);
}
