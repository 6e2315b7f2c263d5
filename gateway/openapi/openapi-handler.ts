import type { BackendPool } from '#gateway/proxy/backend-pool.ts';
import { forward } from '#gateway/proxy/forward.ts';
import { loadDescriptions } from '#shared/api/descriptions/load-descriptions.ts';
import type { Facts } from '#shared/api/facts.ts';
import { newServiceUnavailable } from '#shared/apimachinery/errors/status.ts';
import type { ServedVersion } from '#shared/endpoints/openapi/document-paths.ts';
import { OpenApiDocuments } from '#shared/endpoints/openapi/openapi-documents.ts';
import { OpenApiHandler, sendV3Index } from '#shared/endpoints/openapi/openapi-handler.ts';
import type { Logger } from '#shared/observability/logger.ts';
import { countedPath } from '#shared/request/counted-as.ts';
import type { Handler, RequestContext } from '#shared/request/request-context.ts';
import { MergedV2 } from './merged-v2.ts';
import type { RemoteOpenApi } from './remote-openapi.ts';
import { V3Index } from './v3-index.ts';

export interface OpenApiHandlerOptions {
  readonly facts: Facts;
  readonly own: ServedVersion;
  readonly core: BackendPool;
  readonly extensions: BackendPool;
  /** The documents of registered servers. */
  readonly remote: RemoteOpenApi;
  /** Sends a request to the registered server of the APIService with that name. */
  readonly forwardRemote: (context: RequestContext, name: string) => void | Promise<void>;
  /** The backends that serve a group version; undefined if no backend does. */
  readonly poolOf: (group: string, version: string) => BackendPool | undefined;
  /** The Kubernetes version for `info` in the documents. */
  readonly apiVersion: string;
  /** Version of the program's build. */
  readonly build: string;
  /** Whether the server supports CBOR. */
  readonly cbor: boolean;
  readonly logger: Pick<Logger, 'warning'>;
}

/**
 * The group of CustomResourceDefinitions. The v2 document of the extensions server contains custom resources, but not
 * this group.
 */
const countedIndex = countedPath('openapi/v3');
const countedDocument = countedPath('openapi/v3/');
const definitionsGroup = 'apiextensions.k8s.io';

/**
 * `/openapi/v3`: the backends' indexes joined with the gateway's own entries and those of registered servers; the
 * server of a group version serves its document, and for a server with v2 only the gateway converts it. `/openapi/v2`:
 * the documents of all servers merged.
 */
export function createOpenApiHandler({
  facts,
  own,
  core,
  extensions,
  remote,
  forwardRemote,
  poolOf,
  apiVersion,
  build,
  cbor,
  logger,
}: OpenApiHandlerOptions): Handler {
  const context = { facts, describe: loadDescriptions(), apiVersion, cbor };
  const documents = new OpenApiDocuments(context, [own], build);
  const definitions =
    facts
      .groups()
      .find(({ name }) => name === definitionsGroup)
      ?.versions.filter(({ version }) => version === 'v1') ?? [];
  const mergedV2 = new MergedV2({
    core,
    extensions,
    own: new OpenApiDocuments(context, [own, ...definitions], build),
    remote,
    logger,
  });
  const index = new V3Index([core, extensions]);
  const ownName = `apis/${own.group}/${own.version}`;
  const ownRoots = new Set([ownName, `apis/${own.group}`]);
  const handler = new OpenApiHandler({
    v2: () => mergedV2.json(),
    v2Protobuf: () => mergedV2.protobuf(),
    v3Entries: () => documents.v3Entries(),
    v3Hash: (name) => (ownRoots.has(name) ? documents.v3Hash(name) : remote.converted(name)?.hash),
    v3: (name) => (ownRoots.has(name) ? documents.v3(name) : remote.converted(name)?.document()),
  });
  return async (request) => {
    const { path } = request.info;
    if (path === '/openapi/v2') return handler.v2(request);
    request.countedAs = path === '/openapi/v3' ? countedIndex : countedDocument;
    if (path === '/openapi/v3/') return request.exchange.send(404, {});
    if (path !== '/openapi/v3') {
      const name = path.slice('/openapi/v3/'.length);
      if (ownRoots.has(name) || remote.converted(name) !== undefined) return handler.v3(request);
      const owner = remote.ownerOf(name);
      const [, group = '', version = ''] = name.split('/');
      // The document of a whole group (`apis/apps`) has no version; core or extensions serves it.
      return owner === undefined
        ? forward(request, poolOf(group, version) ?? (group === definitionsGroup ? extensions : core))
        : forwardRemote(request, owner);
    }
    const entries = await index.entries();
    if (entries === undefined) throw newServiceUnavailable(`the ${core.name} server has no OpenAPI documents yet`);
    for (const [name, url] of remote.v3Entries()) entries.set(name, url);
    for (const [name, url] of documents.v3Entries()) if (ownRoots.has(name)) entries.set(name, url);
    sendV3Index(request, entries);
  };
}
