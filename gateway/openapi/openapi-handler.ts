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
import { mergeV2, mergeV2Protobuf } from './merge-v2.ts';

interface IndexDocument {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}

/**
 * `/openapi/v3`: the backends' index joined with the gateway's own entries; each document comes from who serves its group
 * version. `/openapi/v2`: one document of all, made anew when core's has changed.
 */
export function createOpenApiHandler(facts: Facts, own: ServedVersion, core: BackendPool, build: string): Handler {
  const documents = new OpenApiDocuments({ facts, describe: loadDescriptions(), apiVersion: '1.36' }, [own], build);
  const handler = new OpenApiHandler(documents);
  const ownName = `apis/${own.group}/${own.version}`;
  const ownRoots = new Set([ownName, `apis/${own.group}`]);
  const merged = new Map<string, { readonly of: string; readonly document: OpenApiDocument }>();
  const mergedV2 = async (type: string): Promise<OpenApiDocument> => {
    const { status, headers, body } = await internalFetch(core, '/openapi/v2', type);
    if (status !== 200) throw newServiceUnavailable(`the ${core.name} server has no OpenAPI document yet`);
    const of = String(headers['etag']);
    const known = merged.get(type);
    if (known?.of === of) return known.document;
    const bytes = type === v2ProtobufType ? mergeV2Protobuf(body, (await documents.v2Protobuf()).bytes) : mergeV2(body, (await documents.v2()).bytes);
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
      return ownRoots.has(path.slice('/openapi/v3/'.length)) ? handler.v3(context) : forward(context, core);
    }
    const { body } = await internalFetch(core, '/openapi/v3', 'application/json');
    const { paths } = JSON.parse(body.toString('utf8')) as IndexDocument;
    const entries = new Map(Object.entries(paths).map(([name, entry]) => [name, entry.serverRelativeURL]));
    for (const [name, url] of documents.v3Entries()) if (ownRoots.has(name)) entries.set(name, url);
    sendBody(context, 200, 'text/plain; charset=utf-8', [Buffer.from(v3Index(entries))]);
  };
}
