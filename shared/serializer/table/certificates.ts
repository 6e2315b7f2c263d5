import type { JsonObject } from '../../apimachinery/json.ts';
import { numberAt, objectsAt, stringAt } from '../../apimachinery/object.ts';
import type { Cell, RowPrinter } from './cells.ts';
import { NONE, ageOf, cellsOf, formatMap, nameOf, textOr } from './cells.ts';
import { humanDuration } from './human-duration.ts';

function printCertificateSigningRequest(object: JsonObject): Cell[] {
  const expiration = numberAt(object, 'spec', 'expirationSeconds');
  return [
    nameOf(object),
    ageOf(object),
    textOr(NONE, object, 'spec', 'signerName'),
    stringAt(object, 'spec', 'username'),
    expiration === undefined ? NONE : humanDuration(expiration * 1000),
    signingStatus(object),
  ];
}

function signingStatus(request: JsonObject): string {
  const types = new Set(objectsAt(request, 'status', 'conditions').map((item) => stringAt(item, 'type')));
  const decision = types.has('Denied') ? 'Denied' : types.has('Approved') ? 'Approved' : 'Pending';
  const issued = stringAt(request, 'status', 'certificate') === '' ? '' : ',Issued';
  return decision + (types.has('Failed') ? ',Failed' : '') + issued;
}

function printPodCertificateRequest(object: JsonObject): Cell[] {
  const known = ['Issued', 'Denied', 'Failed'];
  const state = objectsAt(object, 'status', 'conditions')
    .map((item) => stringAt(item, 'type'))
    .findLast((type) => known.includes(type));
  const fields = ['podName', 'serviceAccountName', 'nodeName', 'signerName'].map((name) =>
    stringAt(object, 'spec', name),
  );
  return [nameOf(object), ...fields, state ?? 'Pending', formatMap(object, 'spec', 'unverifiedUserAnnotations')];
}

export const CERTIFICATES_PRINTERS: Readonly<Record<string, RowPrinter>> = {
  CertificateSigningRequest: cellsOf(printCertificateSigningRequest),
  ClusterTrustBundle: cellsOf((object) => [nameOf(object), textOr(NONE, object, 'spec', 'signerName')]),
  PodCertificateRequest: cellsOf(printPodCertificateRequest),
};
