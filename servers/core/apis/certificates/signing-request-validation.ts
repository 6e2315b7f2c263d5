import { validateSignerName } from '#servers/core/validation/signer-name.ts';
import {
  duplicate,
  forbidden,
  invalid,
  notSupported,
  path,
  required,
  type FieldError,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectAt, objectsAt, stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { certificateRequestError } from './certificate-request.ts';

const statusField = path('status', 'conditions');
const specField = path('spec');
const decided = ['Approved', 'Denied'];
const final = [...decided, 'Failed'];
const minSeconds = 600;
const usages = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];

/** CertificateSigningRequests (pkg/apis/certificates/validation). */
export function validateSigningRequest(request: KubeObject): FieldError[] {
  const seconds = numberAt(request, 'spec', 'expirationSeconds');
  return [
    ...validateRequest(objectAt(request, 'spec')?.['request']),
    ...validateUsages(stringsAt(request, 'spec', 'usages')),
    ...validateSigner(stringAt(request, 'spec', 'signerName')),
    ...(seconds !== undefined && seconds < minSeconds
      ? [
          invalid(
            specField.child('expirationSeconds'),
            seconds,
            'may not specify a duration less than 600 seconds (10 minutes)',
          ),
        ]
      : []),
    ...validateRequestConditions(request),
  ];
}

function validateRequest(base64: JsonValue | undefined): FieldError[] {
  const pem = Buffer.from(typeof base64 === 'string' ? base64 : '', 'base64').toString('latin1');
  const fault = certificateRequestError(pem);
  return fault === undefined ? [] : [invalid(specField.child('request'), base64 ?? null, fault)];
}

function validateUsages(given: readonly string[]): FieldError[] {
  const field = specField.child('usages');
  if (given.length === 0) return [required(field, '')];
  const seen = new Set<string>();
  const errors = given.flatMap((usage, index) =>
    usages.includes(usage) ? [] : [notSupported(field.index(index), usage, usages)],
  );
  for (const [index, usage] of given.entries()) {
    if (seen.has(usage)) errors.push(duplicate(field.index(index), usage));
    seen.add(usage);
  }
  return errors;
}

/** Validates the signer's name. The default of the removed v1beta1 API is refused. */
function validateSigner(name: string): FieldError[] {
  const field = specField.child('signerName');
  return name === 'kubernetes.io/legacy-unknown'
    ? [invalid(field, name, 'the legacy signerName is not allowed via this API version')]
    : validateSignerName(name, field);
}

export function validateRequestConditions(request: KubeObject): FieldError[] {
  const seen = new Set<string>();
  return objectsAt(request, 'status', 'conditions').flatMap((condition, index) => {
    const field = statusField.index(index);
    const [type, status] = [stringAt(condition, 'type'), stringAt(condition, 'status')];
    const known = final.includes(type) ? ['True'] : ['False', 'True', 'Unknown'];
    const errors: FieldError[] = type === '' ? [required(field.child('type'), '')] : [];
    if (status === '') errors.push(required(field.child('status'), ''));
    else if (!known.includes(status)) errors.push(notSupported(field.child('status'), status, known));
    if (decided.includes(type) && decided.some((other) => other !== type && seen.has(other)))
      errors.push(invalid(statusField, type, 'Approved and Denied conditions are mutually exclusive'));
    if (seen.has(type)) errors.push(duplicate(field.child('type'), type));
    seen.add(type);
    return errors;
  });
}

/** Approved, Denied and Failed are never removed. Only the `approval` subresource may add a decision. */
export function validateConditionChange(request: KubeObject, old: KubeObject, mayDecide: boolean): FieldError[] {
  const count = (one: KubeObject, type: string) =>
    objectsAt(one, 'status', 'conditions').filter((condition) => stringAt(condition, 'type') === type).length;
  const removed = final
    .filter((type) => count(request, type) < count(old, type))
    .map((type) => forbidden(statusField, `updates may not remove a condition of type ${goQuote(type)}`));
  const added = mayDecide
    ? []
    : decided
        .filter((type) => count(request, type) > count(old, type))
        .map((type) => forbidden(statusField, `updates may not add a condition of type ${goQuote(type)}`));
  return [...removed, ...added];
}

export function validateCertificate(request: KubeObject, old: KubeObject, maySet: boolean): FieldError[] {
  const field = path('status', 'certificate');
  const [now, before] = [stringAt(request, 'status', 'certificate'), stringAt(old, 'status', 'certificate')];
  if (now === before) return [];
  const text = certificateError(Buffer.from(now, 'base64').toString('latin1'));
  const errors = text === '' ? [] : [invalid(field, '<certificate data>', text)];
  if (!maySet) return [...errors, forbidden(field, 'updates may not set certificate content')];
  return before === '' ? errors : [...errors, forbidden(field, 'updates may not modify existing certificate content')];
}

function certificateError(pem: string): string {
  const types = [...pem.matchAll(/-----BEGIN ([^-]+)-----/g)].map(([, type]) => type ?? '');
  const other = types.find((type) => type !== 'CERTIFICATE');
  if (other !== undefined) return `only CERTIFICATE PEM blocks are allowed, found ${goQuote(other)}`;
  return types.length === 0 && pem !== '' ? 'must contain at least one CERTIFICATE PEM block' : '';
}
