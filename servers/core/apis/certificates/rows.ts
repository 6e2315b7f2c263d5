import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import type { Cell } from '#shared/serializer/table/cells.ts';
import { NONE, ageOf, cellsOf, formatMap, nameOf, textOr } from '#shared/serializer/table/cells.ts';
import { humanDuration } from '#shared/serializer/table/human-duration.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';

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

export const certificateSigningRequestRows: KindRows = {
  print: cellsOf(printCertificateSigningRequest),
};

export const clusterTrustBundleRows: KindRows = {
  print: cellsOf((object) => [nameOf(object), textOr(NONE, object, 'spec', 'signerName')]),
};

export const podCertificateRequestRows: KindRows = {
  print: cellsOf(printPodCertificateRequest),
};
