import { readPemRequest, type CertificateRequest } from '#servers/core/apis/certificates/certificate-request.ts';
import { DerError } from '#shared/x509/der.ts';
import { nameTypes } from '#shared/x509/distinguished-name.ts';

/** The parts of the subject that admission plugins check. */
export interface RequestSubject {
  readonly organizations: readonly string[];
  readonly commonName: string;
}

/** Parses the base64 PEM text of the field `request`. Returns the reference's error message if it is invalid. */
export function requestSubject(request: string): RequestSubject | string {
  const read = readRequest(Buffer.from(request, 'base64').toString('utf8'));
  if (typeof read === 'string') return read;
  const { subject } = read;
  const valuesOf = (wanted: string): string[] =>
    subject.filter(({ type }) => type === wanted).map(({ value }) => value);
  return { organizations: valuesOf(nameTypes.organization), commonName: valuesOf(nameTypes.commonName).at(-1) ?? '' };
}

function readRequest(pem: string): CertificateRequest | string {
  try {
    return readPemRequest(pem);
  } catch (error) {
    if (error instanceof DerError) return error.message;
    throw error;
  }
}
