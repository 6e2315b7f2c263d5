import { Buffer } from 'node:buffer';
import type { Facts } from '../../shared/api/facts.ts';
import { asKubeObject } from '../../shared/apimachinery/object.ts';
import type { JsonObject } from '../../shared/apimachinery/json.ts';
import { apiGroup, apiGroupList, apiResourceList } from '../../shared/endpoints/discovery/legacy-documents.ts';
import { negotiateDiscovery } from '../../shared/endpoints/discovery/negotiate-discovery.ts';
import type { RegisteredVersion } from '../../shared/endpoints/discovery/api-group-discovery.ts';
import { encodeObject } from '../../shared/endpoints/forms/object-forms.ts';
import { sendBody } from '../../shared/endpoints/responders/send-body.ts';
import { isPretty } from '../../shared/endpoints/responders/write-error.ts';
import type { RequestContext } from '../../shared/request/request-context.ts';
import { builtinMediaTypes, negotiateOutput } from '../../shared/serializer/negotiate.ts';
import type { DiscoveryMerger } from './merged-discovery.ts';

/** Serves `/apis`, `/apis/<group>` and the resource list of the gateway's own group version. */
export class DiscoveryHandler {
  readonly #facts: Facts;
  readonly #merger: DiscoveryMerger;

  constructor(facts: Facts, merger: DiscoveryMerger) {
    this.#facts = facts;
    this.#merger = merger;
  }

  async root(context: RequestContext): Promise<void> {
    const { exchange } = context;
    // The answer depends on it whatever it is.
    exchange.setHeader('vary', 'Accept');
    const form = negotiateDiscovery(exchange.headers['accept'] as string | undefined);
    if (form.form === 'legacy' || form.encoding !== 'json') return this.#legacy(context, 'APIGroupList', apiGroupList(this.#merger.groups()));
    const { list, etag } = await this.#merger.current();
    const headers = { etag, 'cache-control': 'public' };
    if (exchange.headers['if-none-match'] === etag) {
      exchange.send(304, headers);
      return;
    }
    for (const [name, value] of Object.entries(headers)) exchange.setHeader(name, value);
    sendBody(context, 200, form.contentType, [Buffer.from(`${JSON.stringify({ ...list, apiVersion: `apidiscovery.k8s.io/${form.version}` })}\n`)]);
  }

  /** False where nobody serves the group. */
  group(context: RequestContext, name: string): boolean {
    const group = this.#merger.groups().find((candidate) => candidate.group === name);
    if (group === undefined) return false;
    this.#legacy(context, 'APIGroup', apiGroup(group));
    return true;
  }

  resources(context: RequestContext, version: RegisteredVersion): void {
    this.#legacy(context, 'APIResourceList', apiResourceList(version));
  }

  #legacy(context: RequestContext, kind: string, document: JsonObject): void {
    const { mediaType, pretty } = negotiateOutput(context.exchange.headers['accept'] as string | undefined, builtinMediaTypes);
    const schema = this.#facts.schema('', 'v1', kind);
    if (schema === undefined) throw new Error(`no schema of ${kind}`);
    sendBody(context, 200, mediaType, [encodeObject(schema, { group: '', version: 'v1', kind }, asKubeObject(document), mediaType, pretty || isPretty(context))].flat());
  }
}
