import type { RecordedRequest } from '#servers/core/testdata/recorded-request.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { JsonClient } from '#test/json-client.ts';

/** What a write led to: no errors and the object, or the causes of its refusal. */
export interface Outcome {
  readonly errors: readonly string[];
  readonly object?: JsonObject;
}

interface Status extends JsonObject {
  readonly message: string;
  readonly details: { causes?: { field: string; message: string }[] };
}

function collection({ group, version, resource, namespaced }: RecordedRequest): string {
  return `${group === '' ? '/api' : `/apis/${group}`}/${version}${namespaced ? '/namespaces/default' : ''}/${resource}`;
}

/** What a kube-apiserver makes of writes. */
export class Reference {
  readonly #client: JsonClient;

  constructor(client: JsonClient) {
    this.#client = client;
  }

  /** Asks for a creation, as a dry run. */
  create(request: RecordedRequest): Promise<Outcome> {
    return this.#write('POST', `${collection(request)}?dryRun=All`, request.body);
  }

  /** Creates the object of a request and asks for an update of it, as a dry run. */
  async update(request: RecordedRequest, change: (object: JsonObject) => JsonObject): Promise<Outcome> {
    const made = await this.#write('POST', collection(request), request.body);
    if (made.object === undefined) return made;
    const path = `${collection(request)}/recorded`;
    try {
      return await this.#write('PUT', `${path}?dryRun=All`, change(made.object));
    } finally {
      await this.#write('DELETE', path, { propagationPolicy: 'Background' });
      // No controller removes what protects volumes.
      await this.#write('PATCH', path, { metadata: { finalizers: null } });
    }
  }

  async #write(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, object: JsonObject): Promise<Outcome> {
    const answer = await this.#client.call(method, path, object);
    const body = answer.body as JsonObject;
    if (answer.status < 300) return { errors: [], object: body };
    const { message, details } = body as Status;
    const causes = details?.causes?.map((cause) => `${cause.field}: ${cause.message}`);
    return { errors: causes === undefined ? [`${answer.status} ${message}`] : [...new Set(causes)].toSorted() };
  }
}
