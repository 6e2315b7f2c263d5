// Records the model of document-cases.ts in the reference's documents, v2 and v3:
//   NODE_TLS_REJECT_UNAUTHORIZED=0 node --import tsx record.ts https://HOST:PORT TOKEN
// with an administrator's token. The definition goes again.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { documentDefinition } from './document-cases.ts';

const [server = '', token = ''] = process.argv.slice(2);
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const model = 'com.example.documents.v1.Shape';

interface Document {
  readonly definitions?: Record<string, object>;
  readonly components?: { readonly schemas: Record<string, object> };
}

async function send(method: string, path: string, body?: object): Promise<Document | undefined> {
  const response = await fetch(`${server}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return (await response.json()) as Document;
}

/** The documents follow the definitions after a while. */
async function modelAt(path: string): Promise<object> {
  for (;;) {
    const document = await send('GET', path);
    const found = (document?.definitions ?? document?.components?.schemas)?.[model];
    if (found !== undefined) return found;
    await sleep(200);
  }
}

await send('POST', definitions, documentDefinition);
const recorded = {
  v2: await modelAt('/openapi/v2'),
  v3: await modelAt('/openapi/v3/apis/documents.example.com/v1'),
};
await send('DELETE', `${definitions}/shapes.documents.example.com`);
writeFileSync(join(import.meta.dirname, 'recorded.json'), `${JSON.stringify(recorded, undefined, 1)}\n`);
