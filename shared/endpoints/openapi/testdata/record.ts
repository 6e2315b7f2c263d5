/**
 * Records digests of the OpenAPI documents of a running kube-apiserver (default settings):
 *   node record.ts URL BEARER-TOKEN > reference.json
 * A digest is enough to tell that a document differs; test/conformance/openapi says where.
 */
import { digestsOf, type Digests } from './normal-form.ts';

process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
const [url, token] = process.argv.slice(2);

async function get<T>(path: string): Promise<T> {
  const answer = await fetch(`${url}${path}`, {
    headers: { accept: 'application/json', authorization: `Bearer ${token}` },
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return (await answer.json()) as T;
}

const { paths } = await get<{ paths: Record<string, { serverRelativeURL: string }> }>('/openapi/v3');
const digests: Record<string, Digests> = { v2: digestsOf(await get('/openapi/v2')) };
for (const [name, { serverRelativeURL }] of Object.entries(paths))
  digests[name] = digestsOf(await get(serverRelativeURL));
process.stdout.write(`${JSON.stringify(digests, null, 1)}\n`);
