// Records what the reference says to the cases: `node --import tsx record.ts https://HOST:PORT TOKEN` with an
// administrator's token and NODE_TLS_REJECT_UNAUTHORIZED=0 for its own certificate. The definition that it makes goes
// again.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { definitionCases } from './definition-cases.ts';
import { formatNames, formatTexts } from './format-cases.ts';
import { updateCases, updatedDefinition } from './update-cases.ts';
import { valueCases, valueProperties } from './value-cases.ts';

const [server = '', token = ''] = process.argv.slice(2);
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const values = '/apis/recorded.example.com/v1/namespaces/default/recordeds';

interface Answer {
  readonly status: number;
  readonly body: {
    readonly details?: {
      readonly causes?: readonly { readonly field?: string; readonly message?: string; readonly reason?: string }[];
    };
    readonly message?: string;
  };
}

async function send(method: string, path: string, body?: object): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`${server}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? (JSON.parse(text) as Answer['body']) : {} };
}

/** Causes as sorted texts: `field: reason: message`; empty where nothing was refused. */
function causes({ status, body }: Answer): string[] {
  if (status < 300) return [];
  const list = body.details?.causes ?? [{ field: '', reason: String(status), message: body.message ?? '' }];
  return list.map(({ field = '', reason = '', message = '' }) => `${field}: ${reason}: ${message}`).toSorted();
}

const recorded = {
  definitions: {} as Record<string, string[]>,
  updates: {} as Record<string, string[]>,
  values: [] as string[][],
  formats: {} as Record<string, string[]>,
};
for (const [name, definition] of Object.entries(definitionCases)) {
  recorded.definitions[name] = causes(
    await send('POST', `${definitions}?dryRun=All`, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      ...definition,
    }),
  );
}
await recordUpdates();
const listsOfFormats = Object.fromEntries(
  formatNames.map((format) => [`all-${format}`, { type: 'array', items: { type: 'string', format } }]),
);
const schema = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { ...valueProperties, ...listsOfFormats } } },
};
const made = await send('POST', definitions, {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'recordeds.recorded.example.com' },
  spec: {
    group: 'recorded.example.com',
    scope: 'Namespaced',
    names: { plural: 'recordeds', kind: 'Recorded' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
});
if (made.status !== 201) throw new Error(JSON.stringify(made.body));
while ((await send('GET', values)).status !== 200) await sleep(100);
for (const [property, value] of valueCases) {
  recorded.values.push(
    causes(
      await send('POST', `${values}?dryRun=All`, {
        apiVersion: 'recorded.example.com/v1',
        kind: 'Recorded',
        metadata: { name: 'a' },
        spec: { [property]: value },
      }),
    ),
  );
}
for (const format of formatNames) {
  const object = {
    apiVersion: 'recorded.example.com/v1',
    kind: 'Recorded',
    metadata: { name: 'a' },
    spec: { [`all-${format}`]: formatTexts },
  };
  const refused = causes(await send('POST', `${values}?dryRun=All`, object)).map((text) =>
    Number(/^spec\.all-[^[]*\[(\d+)\]/.exec(text)?.[1] ?? -1),
  );
  if (refused.includes(-1)) throw new Error(`${format}: refused for another reason`);
  recorded.formats[format] = formatTexts.filter((_, index) => !refused.includes(index));
}
await send('DELETE', `${definitions}/recordeds.recorded.example.com`);
writeFileSync(join(import.meta.dirname, 'recorded.json'), `${JSON.stringify(recorded, undefined, 1)}\n`);

async function recordUpdates(): Promise<void> {
  const path = `${definitions}/olds.updated.example.com`;
  const made = await send('POST', definitions, updatedDefinition);
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  while ((await send('GET', '/apis/updated.example.com/v1/olds')).status !== 200) await sleep(100);
  for (const [name, { spec, metadata, status }] of Object.entries(updateCases)) {
    const { body } = await send('GET', path);
    const object = body as { metadata: object; spec: object; status: object };
    const updated = {
      ...object,
      metadata: { ...object.metadata, ...metadata },
      spec: { ...object.spec, ...spec },
      status: { ...object.status, ...status },
    };
    recorded.updates[name] = causes(
      await send('PUT', `${path}${status === undefined ? '' : '/status'}?dryRun=All`, updated),
    );
  }
  await send('DELETE', path);
}
