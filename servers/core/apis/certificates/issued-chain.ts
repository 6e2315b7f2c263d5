import { invalid, path, required, tooLong, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { numberAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { readCertificate, type Certificate } from '#shared/x509/certificate.ts';
import { undefinedIfMalformed } from '#shared/x509/der.ts';
import { pemBlocks } from '#shared/x509/pem.ts';
import { readPublicKey } from '#shared/x509/public-key.ts';
import { readCertificateRequest } from './certificate-request.ts';
import { isMailAddress } from './mail-address.ts';

const status = path('status');
const chainField = status.child('certificateChain');
const maxChainBytes = 100 * 1024;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** The longest Go duration, in nanoseconds. */
const maxDuration = 2n ** 63n - 1n;

/**
 * Validates the issued chain of a PodCertificateRequest, and the status fields that describe its first certificate.
 * Reports the first fault only (pkg/apis/certificates/validation). `nowMs`: milliseconds since the epoch.
 */
export function validateIssuedChain(request: KubeObject, old: KubeObject, nowMs: number): FieldError[] {
  const chain = stringAt(request, 'status', 'certificateChain');
  const fault = (detail: string): FieldError[] => [invalid(chainField, chain, detail)];
  if (Buffer.byteLength(chain) > maxChainBytes) return [tooLong(chainField, '', maxChainBytes)];
  const [leafBlock, ...others] = pemBlocks(chain);
  if (leafBlock === undefined) return fault('issued certificate chain must contain at least one certificate');
  if (leafBlock.type !== 'CERTIFICATE')
    return fault('issued certificate chain must consist entirely of CERTIFICATE PEM blocks');
  const leaf = readCertificate(leafBlock.bytes);
  if (leaf === undefined) return fault('leaf certificate does not parse as valid X.509');
  const nameErrors = validateNames(leaf);
  if (!publicKeyOf(leaf).equals(wantedKey(old)))
    return [...nameErrors, ...fault('leaf certificate was not issued to the requested public key')];
  const timeErrors = [...nameErrors, ...validateTimesGiven(request)];
  if (timeErrors.length > 0) return timeErrors;
  const errors = validateTimes(request, leaf, nowMs);
  if (errors.length > 0) return errors;
  for (const { type, bytes } of others) {
    // The misspelled text is the reference's.
    if (type !== 'CERTIFICATE') return fault('issued certificate chain must consist entirely of CERTFICATE PEM blocks');
    if (readCertificate(bytes) === undefined) return fault('intermediate certificate does not parse as valid X.509');
  }
  return [];
}

function validateNames({ dnsNames, emailAddresses }: Certificate): FieldError[] {
  return [
    ...dnsNames.flatMap((name) => [
      ...(name === '' ? [invalid(chainField, name, 'leaf certificate should not contain empty DNSName')] : []),
      ...(name.includes('..') ? [invalid(chainField, name, "leaf certificate's DNSName should not contain '..'")] : []),
      ...(name.startsWith('.') || name.endsWith('.')
        ? [invalid(chainField, name, "leaf certificate's DNSName should not start or end with '.'")]
        : []),
    ]),
    ...emailAddresses
      .filter((address) => !isMailAddress(address))
      .map((address) => invalid(chainField, address, 'leaf certificate should not contain invalid EmailAddress')),
  ];
}

/** The public key in DER; in the canonical form if its kind is one that pods may use. */
function publicKeyOf({ key, publicKeyInfo }: Certificate): Buffer {
  return typeof key === 'string' ? publicKeyInfo : key.der;
}

/** The requested public key in DER. Empty if it cannot be read, which creation would have refused. */
function wantedKey(old: KubeObject): Buffer {
  const [stub, der] = ['stubPKCS10Request', 'pkixPublicKey'].map((name) =>
    Buffer.from(stringAt(old, 'spec', name), 'base64'),
  ) as [Buffer, Buffer];
  const key = undefinedIfMalformed(() =>
    stub.length > 0 ? readCertificateRequest(stub).publicKey : readPublicKey(der),
  );
  return key === undefined || typeof key === 'string' ? Buffer.alloc(0) : key.der;
}

function validateTimesGiven(request: KubeObject): FieldError[] {
  const consistent = 'must be present and consistent with the issued certificate';
  const details = {
    notBefore: consistent,
    notAfter: consistent,
    beginRefreshAt: 'must be present and in the range [notbefore+10min, notafter-10min]',
  };
  return Object.entries(details)
    .filter(([name]) => stringAt(request, 'status', name) === '')
    .map(([name, detail]) => required(status.child(name), detail));
}

function validateTimes(request: KubeObject, leaf: Certificate, nowMs: number): FieldError[] {
  const [notBefore, notAfter, refresh] = ['notBefore', 'notAfter', 'beginRefreshAt'].map((name) =>
    Date.parse(stringAt(request, 'status', name)),
  ) as [number, number, number];
  const fault = (name: string, detail: string): FieldError[] => [
    invalid(status.child(name), stringAt(request, 'status', name), detail),
  ];
  if (notBefore !== leaf.notBeforeMs)
    return fault('notBefore', 'must be set to the NotBefore time encoded in the leaf certificate');
  if (Math.abs(notBefore - nowMs) >= 5 * minuteMs)
    return fault('notBefore', "must be set to within 5 minutes of kube-apiserver's current time");
  if (notAfter !== leaf.notAfterMs)
    return fault('notAfter', 'must be set to the NotAfter time encoded in the leaf certificate');
  const [lifetimeMs, maxSeconds] = [notAfter - notBefore, numberAt(request, 'spec', 'maxExpirationSeconds') ?? 0];
  if (lifetimeMs < hourMs)
    return [invalid(chainField, nanoseconds(lifetimeMs), 'leaf certificate lifetime must be >= 1 hour')];
  if (lifetimeMs > maxSeconds * 1000)
    return [
      invalid(
        chainField,
        nanoseconds(lifetimeMs),
        `leaf certificate lifetime must be <= spec.maxExpirationSeconds (${maxSeconds})`,
      ),
    ];
  if (refresh < notBefore + 10 * minuteMs)
    return fault('beginRefreshAt', 'must be at least 10 minutes after status.notBefore');
  return refresh > notAfter - 10 * minuteMs
    ? fault('beginRefreshAt', 'must be at least 10 minutes before status.notAfter')
    : [];
}

function nanoseconds(ms: number): bigint {
  const value = BigInt(ms) * 1_000_000n;
  return value > maxDuration ? maxDuration : value;
}
