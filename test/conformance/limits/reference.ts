import type { RecordedRequest } from '#servers/core/testdata/recorded-request.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';

const { REFERENCE_URL: url = '', REFERENCE_TOKEN: token = '' } = process.env;

/** What a write led to: no errors and the object, or the causes of its refusal. */
export interface Outcome {
  readonly errors: readonly string[];
  readonly object?: JsonObject;
}

interface Status extends JsonObject {
  readonly message: string;
  readonly details: { causes?: { field: string; message: string }[] };
}

async function send(
  method: string,
  path: string,
  body: JsonObject,
  contentType = 'application/json',
): Promise<Outcome> {
  const answer = await fetch(url + path, {
    method,
    headers: { 'content-type': contentType, authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  const object = (await answer.json()) as JsonObject;
  if (answer.ok) return { errors: [], object };
  const { message, details } = object as Status;
  const causes = details?.causes?.map((cause) => `${cause.field}: ${cause.message}`);
  return { errors: causes === undefined ? [`${answer.status} ${message}`] : [...new Set(causes)].toSorted() };
}

function collection({ group, version, resource, namespaced }: RecordedRequest): string {
  return `${group === '' ? '/api' : `/apis/${group}`}/${version}${namespaced ? '/namespaces/default' : ''}/${resource}`;
}

/** Asks for a creation, as a dry run. */
export function create(request: RecordedRequest): Promise<Outcome> {
  return send('POST', `${collection(request)}?dryRun=All`, request.body);
}

/** Creates the object of a request and asks for an update of it, as a dry run. */
export async function update(request: RecordedRequest, change: (object: JsonObject) => JsonObject): Promise<Outcome> {
  const made = await send('POST', collection(request), request.body);
  if (made.object === undefined) return made;
  const path = `${collection(request)}/recorded`;
  try {
    return await send('PUT', `${path}?dryRun=All`, change(made.object));
  } finally {
    await send('DELETE', path, { propagationPolicy: 'Background' });
    // No controller removes what protects volumes.
    await send('PATCH', path, { metadata: { finalizers: null } }, 'application/merge-patch+json');
  }
}
