import { Buffer } from 'node:buffer';
import type { Facts } from '#shared/api/facts.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject } from '#shared/apimachinery/object.ts';
import { encodeObject, objectBytes } from '#shared/endpoints/forms/object-forms.ts';
import { textBody } from '#shared/endpoints/forms/text-pieces.ts';
import { refuseOtherMethods } from '#shared/endpoints/get-only.ts';
import { sendBody } from '#shared/endpoints/responders/send-body.ts';
import { isPretty } from '#shared/endpoints/responders/write-error.ts';
import { countedPath } from '#shared/request/counted-as.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import {
  builtinMediaTypes,
  checkRepresentations,
  jsonType,
  negotiateOutput,
  protobufType,
  yamlType,
  type MediaType,
} from '#shared/serializer/negotiate.ts';
import type { APIGroupDiscoveryList, RegisteredVersion } from './api-group-discovery.ts';
import { apiGroup, apiGroupList, apiResourceList, apiVersions, type GroupVersions } from './legacy-documents.ts';
import { negotiateDiscovery, type Encoding } from './negotiate-discovery.ts';

const discoveryGroup = 'apidiscovery.k8s.io';

/** An aggregated document with its entity tag, quoted. */
export interface TaggedDiscovery {
  readonly list: APIGroupDiscoveryList;
  readonly etag: string;
}

/** The discovery served below one of the two roots: all registered versions, or the merged result of a gateway. */
export interface DiscoveryRoot {
  /** The groups in order of priority. */
  groups(): readonly GroupVersions[];
  /** @param isLocal without what other API servers of the cluster serve, where the document has it otherwise */
  current(isLocal?: boolean): TaggedDiscovery | Promise<TaggedDiscovery>;
}

/** Serves discovery at `/api`, `/apis` and below, in every negotiable form. */
export class DiscoveryHandler {
  readonly #facts: Facts;
  readonly #mediaTypes: readonly MediaType[];
  readonly #showsHashes: boolean;

  /**
   * @param mediaTypes media types of the resource lists of built-in groups; all other documents are JSON, YAML and
   *   protobuf
   * @param showsHashes whether resource lists have the hashes of storage versions (the feature StorageVersionHash)
   */
  constructor(facts: Facts, mediaTypes = builtinMediaTypes, showsHashes = true) {
    this.#facts = facts;
    this.#showsHashes = showsHashes;
    this.#mediaTypes = mediaTypes;
  }

  /** `/apis`. */
  async groups(context: RequestContext, source: DiscoveryRoot): Promise<void> {
    await this.#root(context, source, 'APIGroupList', () => apiGroupList(source.groups()));
  }

  /** `/api`. `serverAddress` is host and port under which the server advertises itself. */
  async versions(context: RequestContext, source: DiscoveryRoot, serverAddress: string): Promise<void> {
    refuseOtherMethods(context);
    checkRepresentations(acceptOf(context), builtinMediaTypes);
    await this.#root(context, source, 'APIVersions', () =>
      apiVersions(
        source.groups().flatMap(({ versions }) => versions),
        serverAddress,
      ),
    );
  }

  /** `/apis/<group>`; false where no server serves the group. */
  group(context: RequestContext, source: DiscoveryRoot, name: string): boolean {
    const group = source.groups().find((candidate) => candidate.group === name);
    if (group === undefined) return false;
    this.#legacy(context, 'APIGroup', apiGroup(group));
    return true;
  }

  /** `/apis/<group>/<version>` and `/api/v1`. */
  resources(context: RequestContext, version: RegisteredVersion): void {
    const isBuiltin = version.namesOwnKinds !== true;
    if (isBuiltin) {
      refuseOtherMethods(context);
      checkRepresentations(acceptOf(context), this.#mediaTypes);
    }
    this.#legacy(
      context,
      'APIResourceList',
      apiResourceList(version, this.#showsHashes),
      isBuiltin ? this.#mediaTypes : builtinMediaTypes,
    );
  }

  async #root(context: RequestContext, source: DiscoveryRoot, kind: string, legacy: () => JsonObject): Promise<void> {
    const { exchange } = context;
    const form = negotiateDiscovery(acceptOf(context));
    if (form.form === 'legacy') {
      this.#legacy(context, kind, legacy());
      return;
    }
    context.countedAs = countedPath(kind === 'APIVersions' ? 'api' : 'apis', 'apiserver');
    const { list, etag } = await source.current(form.isLocal);
    const headers = { etag, 'cache-control': 'public', vary: 'Accept' };
    if (exchange.headers['if-none-match'] === etag) {
      exchange.send(304, headers);
      return;
    }
    for (const [name, value] of Object.entries(headers)) exchange.setHeader(name, value);
    note(context, () => this.#aggregatedBody(list, form.version, 'json'));
    sendBody(context, 200, form.contentType, this.#aggregatedBody(list, form.version, form.encoding));
  }

  #aggregatedBody(list: APIGroupDiscoveryList, version: string, encoding: Encoding): Buffer[] {
    const json = JSON.stringify({ ...list, apiVersion: `${discoveryGroup}/${version}` });
    if (encoding !== 'protobuf') return textBody(Buffer.from(json), encoding === 'yaml' ? yamlType : jsonType, false);
    const schema = this.#facts.schema(discoveryGroup, version, list.kind);
    if (schema === undefined) throw new Error(`no schema of ${list.kind} ${version}`);
    return [
      objectBytes(
        schema,
        { group: discoveryGroup, version, kind: list.kind },
        JSON.parse(json) as JsonObject,
        protobufType,
      ),
    ];
  }

  #legacy(context: RequestContext, kind: string, document: JsonObject, mediaTypes = builtinMediaTypes): void {
    const { mediaType, pretty } = negotiateOutput(acceptOf(context), mediaTypes);
    const schema = this.#facts.schema('', 'v1', kind);
    if (schema === undefined) throw new Error(`no schema of ${kind}`);
    // Some of the oldest kinds carry no version.
    const gvk = { group: '', version: document['apiVersion'] === undefined ? '' : 'v1', kind };
    note(context, () => [encodeObject(schema, gvk, asKubeObject(document), jsonType, false)].flat());
    sendBody(
      context,
      200,
      mediaType,
      [encodeObject(schema, gvk, asKubeObject(document), mediaType, pretty || isPretty(context))].flat(),
    );
  }
}

/** Notes a document for the audit event of its request. */
function note({ audit }: RequestContext, asJson: () => readonly Uint8Array[]): void {
  if (audit?.keepsResponse === true) for (const part of asJson()) audit.noteResponse(part);
}

function acceptOf({ exchange }: RequestContext): string | undefined {
  return exchange.headers['accept'] as string | undefined;
}
