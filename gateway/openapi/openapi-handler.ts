import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { newServiceUnavailable } from '../../shared/apimachinery/status.ts';
import { loadDescriptions } from '../../shared/api/descriptions.ts';
import type { Facts } from '../../shared/api/facts.ts';
import type { ServedVersion } from '../../shared/endpoints/openapi/document-paths.ts';
import { OpenApiDocuments, v3Index, type OpenApiDocument } from '../../shared/endpoints/openapi/openapi-documents.ts';
import { acceptsV2Protobuf, OpenApiHandler, sendOpenApi, v2ProtobufType } from '../../shared/endpoints/openapi/openapi-handler.ts';
import { sendBody } from '../../shared/endpoints/responders/send-body.ts';
import type { Handler } from '../../shared/request/request-context.ts';
import type { BackendPool } from '../proxy/backend-pool.ts';
import { forward } from '../proxy/forward.ts';
import { internalFetch } from '../proxy/internal-fetch.ts';
import type { RemoteApiServices } from '../remote/remote-api-services.ts';
import { addRemoteV2 } from './add-remote-v2.ts';
import { mergeV2, mergeV2Protobuf } from './merge-v2.ts';
import type { V2Parts } from './select-v2.ts';

interface IndexDocument {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}

export interface OpenApiHandlerParts {
  readonly facts: Facts;
  readonly own: ServedVersion;
  readonly core: BackendPool;
  /** Its documents are left out of the index while it is away. */
  readonly extensions: BackendPool;
  /** Registered servers. */
  readonly remote: Pick<RemoteApiServices, 'openApi' | 'forward'>;
  /** Who serves a group version; undefined for those that no backend has. */
  readonly poolOf: (group: string, version: string) => BackendPool | undefined;
  /** Names the program's build. */
  readonly build: string;
}

/**
 * `/openapi/v3`: the backends' indexes joined with the gateway's own entries; each document comes from who serves its group
 * version. `/openapi/v2`: one document of all, made anew when core's has changed.
 */
export function createOpenApiHandler({ facts, own, core, extensions, remote, poolOf, build }: OpenApiHandlerParts): Handler {
  const documents = new OpenApiDocuments({ facts, describe: loadDescriptions(), apiVersion: '1.36' }, [own], build);
  const handler = new OpenApiHandler(documents);
  const ownName = `apis/${own.group}/${own.version}`;
  const ownRoots = new Set([ownName, `apis/${own.group}`]);
  const merged = new Map<string, { readonly of: string; readonly document: OpenApiDocument }>();
  const ofCore = async (type: string): Promise<{ readonly tag: string; readonly body: Buffer }> => {
    const { status, headers, body } = await internalFetch(core, '/openapi/v2', type);
    if (status !== 200) throw newServiceUnavailable(`the ${core.name} server has no OpenAPI document yet`);
    return { tag: String(headers['etag']), body };
  };
  const merge = async (type: string, body: Buffer, registered: readonly V2Parts[]): Promise<Buffer> => {
    const isBinary = type === v2ProtobufType;
    const own = isBinary ? mergeV2Protobuf(body, (await documents.v2Protobuf()).bytes) : mergeV2(body, (await documents.v2()).bytes);
    if (registered.length === 0) return own;
    if (!isBinary) return addRemoteV2({ json: own, protobuf: undefined }, registered).json;
    const json = mergeV2((await ofCore('application/json')).body, (await documents.v2()).bytes);
    return addRemoteV2({ json, protobuf: own }, registered).protobuf ?? own;
  };
  const mergedV2 = async (type: string): Promise<OpenApiDocument> => {
    const registered = remote.openApi.v2();
    const { tag, body } = await ofCore(type);
    const of = [tag, ...registered.map((one) => one.tag)].join();
    const known = merged.get(type);
    if (known?.of === of) return known.document;
    const bytes = await merge(type, body, registered.map(({ parts }) => parts));
    const document = { bytes, etag: `"${createHash('sha512').update(bytes).digest('hex').toUpperCase()}"` };
    merged.set(type, { of, document });
    return document;
  };
  return async (context) => {
    const { path } = context.info;
    if (path === '/openapi/v2') {
      const type = acceptsV2Protobuf(context) ? v2ProtobufType : 'application/json';
      context.exchange.setHeader('vary', 'Accept');
      return sendOpenApi(context, await mergedV2(type), type);
    }
    if (path !== '/openapi/v3' && path !== '/openapi/v3/') {
      const name = path.slice('/openapi/v3/'.length);
      if (ownRoots.has(name)) return handler.v3(context);
      const owner = remote.openApi.ownerOf(name);
      const [, group = '', version = ''] = name.split('/');
      return owner === undefined ? forward(context, poolOf(group, version) ?? core) : remote.forward(context, owner);
    }
    const [ofCoreV3, ofExtensions] = await Promise.all([v3EntriesOf(core), v3EntriesOf(extensions).catch(() => new Map<string, string>())]);
    const entries = new Map([...ofExtensions, ...ofCoreV3]);
    for (const [name, url] of remote.openApi.v3Entries()) entries.set(name, url);
    for (const [name, url] of documents.v3Entries()) if (ownRoots.has(name)) entries.set(name, url);
    sendBody(context, 200, 'text/plain; charset=utf-8', [Buffer.from(v3Index(entries))]);
  };
}

async function v3EntriesOf(pool: BackendPool): Promise<Map<string, string>> {
  const { body } = await internalFetch(pool, '/openapi/v3', 'application/json');
  const { paths } = JSON.parse(body.toString('utf8')) as IndexDocument;
  return new Map(Object.entries(paths).map(([name, entry]) => [name, entry.serverRelativeURL]));
}
