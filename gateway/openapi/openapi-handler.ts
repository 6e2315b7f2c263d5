import { Buffer } from 'node:buffer';
import { loadDescriptions } from '../../shared/api/descriptions.ts';
import type { Facts } from '../../shared/api/facts.ts';
import { OpenApiDocuments, v3Index } from '../../shared/endpoints/openapi/openapi-documents.ts';
import type { ServedVersion } from '../../shared/endpoints/openapi/document-paths.ts';
import { sendBody } from '../../shared/endpoints/responders/send-body.ts';
import type { Handler } from '../../shared/request/request-context.ts';
import type { BackendPool } from '../proxy/backend-pool.ts';
import { forward } from '../proxy/forward.ts';
import { internalFetch } from '../proxy/internal-fetch.ts';

interface IndexDocument {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}

/**
 * `/openapi/v3` joins the backends' indexes with the gateway's own entry; each document comes from who serves its group
 * version. `/openapi/v2` comes from core for now.
 */
export function createOpenApiHandler(facts: Facts, own: ServedVersion, core: BackendPool, build: string): Handler {
  let documents: OpenApiDocuments | undefined;
  const made = (): OpenApiDocuments => (documents ??= new OpenApiDocuments({ facts, describe: loadDescriptions(), apiVersion: '1.36' }, [own], build));
  const ownName = `apis/${own.group}/${own.version}`;
  return async (context) => {
    const { path } = context.info;
    if (path === '/openapi/v3' || path === '/openapi/v3/') {
      const { body } = await internalFetch(core, '/openapi/v3', 'application/json');
      const { paths } = JSON.parse(body.toString('utf8')) as IndexDocument;
      const entries = new Map(Object.entries(paths).map(([name, entry]) => [name, entry.serverRelativeURL]));
      for (const [name, url] of made().v3Entries()) if (name === ownName || !entries.has(name)) entries.set(name, url);
      sendBody(context, 200, 'application/json', [Buffer.from(v3Index(entries))]);
      return;
    }
    if (path !== `/openapi/v3/${ownName}`) return forward(context, core);
    const document = await made().v3(ownName);
    if (document === undefined) return forward(context, core);
    context.exchange.setHeader('etag', document.etag);
    if (context.exchange.headers['if-none-match'] === document.etag) context.exchange.send(304, {});
    else sendBody(context, 200, 'application/json', [document.bytes]);
  };
}
