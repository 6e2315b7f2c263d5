// Records the cells that the reference prints for each path and type of column-cases.ts:
//   NODE_TLS_REJECT_UNAUTHORIZED=0 node --import tsx record.ts https://HOST:PORT TOKEN
// with an administrator's token. A path that the reference cannot read hides the columns after it, so each path has a
// version of its own. The definition goes again.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { looseText } from '#shared/serializer/json/loose.ts';
import { columnPaths, columnSpec, columnTypes } from './column-cases.ts';

const [server = '', token = ''] = process.argv.slice(2);
const group = 'columns.example.com';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

async function send(method: string, path: string, body?: string, accept = 'application/json'): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept };
  const response = await fetch(`${server}${path}`, { method, headers, ...(body !== undefined && { body }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
  return text;
}

/** Made with one version first: the reference may not serve a new definition at once. */
async function served(path: string): Promise<void> {
  for (;;) {
    const answer = await send('GET', path).catch(() => undefined);
    if (answer !== undefined) return;
    await sleep(100);
  }
}

const versions = columnPaths.map((jsonPath, index) => ({
  name: `v${index + 1}`,
  served: true,
  storage: index === 0,
  schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  additionalPrinterColumns: columnTypes.map((type) => ({ name: type, type, jsonPath })),
}));
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `shows.${group}` },
  spec: { group, scope: 'Cluster', names: { plural: 'shows', kind: 'Show' }, versions },
};
await send('POST', definitions, JSON.stringify(definition));
await served(`/apis/${group}/v${versions.length}/shows`);
const object = { apiVersion: `${group}/v1`, kind: 'Show', metadata: { name: 'shown' }, spec: columnSpec };
await send('POST', `/apis/${group}/v1/shows`, looseText(object));
const recorded: Record<string, string> = {};
for (const [index, path] of columnPaths.entries()) {
  const table = `/apis/${group}/v${index + 1}/shows/shown`;
  const text = await send('GET', table, undefined, 'application/json;as=Table;v=v1;g=meta.k8s.io');
  const cells = /"cells":\["shown",?(.*)\],"object":/.exec(text)?.[1];
  if (cells === undefined) throw new Error(`${path}: no cells in ${text}`);
  recorded[path] = `[${cells}]`.replaceAll(/"\d{1,2}y\d*d?"/g, '"<age>"');
}
await send('DELETE', `${definitions}/shows.${group}`);
writeFileSync(join(import.meta.dirname, 'recorded.json'), `${JSON.stringify(recorded, undefined, 1)}\n`);
