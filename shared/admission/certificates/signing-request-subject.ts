/** The parts of the subject that plugins look at. */
export interface RequestSubject {
  readonly organizations: readonly string[];
  readonly commonName: string;
}

/** `request`: the PEM text in base64, as the field holds it. Throws for what is no request. */
export async function requestSubject(request: string): Promise<RequestSubject> {
  const text = Buffer.from(request, 'base64').toString('utf8');
  if (!text.includes('-----BEGIN CERTIFICATE REQUEST-----')) throw new Error('PEM block type must be CERTIFICATE REQUEST');
  // Few requests come, and the library is large.
  await import('reflect-metadata');
  const { Pkcs10CertificateRequest } = await import('@peculiar/x509');
  const { subjectName } = new Pkcs10CertificateRequest(text);
  return { organizations: subjectName.getField('O'), commonName: subjectName.getField('CN').at(-1) ?? '' };
}
