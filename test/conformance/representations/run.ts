// Lists of some 2,000 objects of all stored kinds in every representation, byte for byte beside the reference: both
// serve one etcd.
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/representations/run.ts [--copies 40]
// Needs the bundles of dist (or QUARTERDECK_DIST), etcd and openssl.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import { collectionPath, listedResources, type ListedResource } from '#test/compare/listed-resources.ts';
import { startOurs, startTheirs, type Side } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { referenceProgram, startEtcd } from '#test/reference.ts';
import { adminToken } from '#test/tokens.ts';
import { configMapOfTexts, manyObjects } from './many-objects.ts';
import { comparable, isExplained, leftOut, representations, type Representation } from './representation.ts';

const { values: flags } = parseArgs({
  options: { copies: { type: 'string', default: '40' }, keep: { type: 'string', default: '' } },
});
const leastKinds = 40;
/** Answers with ages are asked for again, until both fall into one second. */
const attempts = 6;
const agent = new Agent({ connect: { rejectUnauthorized: false } });

async function ask(
  server: Side,
  path: string,
  accept: string,
  object?: object,
): Promise<{ status: number; bytes: Buffer }> {
  const { statusCode, body } = await request(server.url + path, {
    method: object === undefined ? 'GET' : 'POST',
    dispatcher: agent,
    body: object === undefined ? null : JSON.stringify(object),
    headers: {
      authorization: `Bearer ${adminToken}`,
      accept,
      'accept-encoding': 'identity',
      'user-agent': 'representations',
      ...(object === undefined ? {} : { 'content-type': 'application/json' }),
    },
  });
  return { status: statusCode, bytes: Buffer.from(await body.arrayBuffer()) };
}

async function json<T>(server: Side, path: string): Promise<T> {
  return JSON.parse((await ask(server, path, 'application/json')).bytes.toString()) as T;
}

async function createAll(server: Side, resources: readonly ListedResource[]): Promise<void> {
  const objects = manyObjects(folder, Number(flags.copies));
  let created = 0;
  const kinds = new Set<string>();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let object = objects.shift(); object !== undefined; object = objects.shift()) {
        const { apiVersion, kind } = object;
        const resource = resources.find(
          (candidate) => candidate.groupVersion === apiVersion && candidate.kind === kind,
        );
        if (resource === undefined) continue;
        // Some kinds have one object only, or names of a form of their own.
        if ((await ask(server, collectionPath(resource, 'kept'), 'application/json', object)).status !== 201) continue;
        created++;
        kinds.add(`${apiVersion} ${kind}`);
      }
    }),
  );
  await ask(server, '/api/v1/namespaces/kept/configmaps', 'application/json', configMapOfTexts());
  console.log(`${created} objects of ${kinds.size} kinds`);
  if (kinds.size < leastKinds) throw new Error(`fewer than ${leastKinds} kinds`);
}

async function compare(
  servers: readonly [Side, Side],
  path: string,
  form: Representation,
): Promise<string | undefined> {
  const full = form.query === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}${form.query}`;
  for (let attempt = 1; ; attempt++) {
    const [ours, theirs] = (await Promise.all(servers.map((server) => ask(server, full, form.accept)))) as [
      Awaited<ReturnType<typeof ask>>,
      Awaited<ReturnType<typeof ask>>,
    ];
    [ours.bytes, theirs.bytes] = [comparable(form, ours.bytes), comparable(form, theirs.bytes)];
    if ((ours.status === theirs.status && ours.bytes.equals(theirs.bytes)) || isExplained(path, form)) return undefined;
    if (form.ages === true && attempt < attempts) continue;
    if (flags.keep !== '')
      for (const [name, { bytes }] of Object.entries({ ours, theirs }))
        writeFileSync(
          join(
            flags.keep,
            `${path.replaceAll(/[^a-z0-9]/gi, '_').slice(0, 60)}.${form.name.replaceAll(/\W/g, '_')}.${name}`,
          ),
          bytes,
        );
    return `${form.name} of ${full}: ${difference(ours, theirs)}`;
  }
}

function difference(ours: { status: number; bytes: Buffer }, theirs: { status: number; bytes: Buffer }): string {
  if (ours.status !== theirs.status) return `${ours.status} / ${theirs.status}`;
  let at = 0;
  while (at < ours.bytes.length && ours.bytes[at] === theirs.bytes[at]) at++;
  const around = (bytes: Buffer): string => JSON.stringify(bytes.toString('latin1', Math.max(0, at - 60), at + 60));
  return `at byte ${at}\n    ours   ${around(ours.bytes)}\n    theirs ${around(theirs.bytes)}`;
}

const folder = mkdtempSync(join(tmpdir(), 'representations-'));
const program = referenceProgram('etcd');
if (program === undefined) throw new Error('REFERENCE_BIN holds no etcd');
const etcd = await startEtcd(program, join(folder, 'etcd'));
const reference = await startTheirs([], etcd.url);
const report = new Report();
try {
  const resources = (await listedResources(reference.json)).filter(({ verbs }) => verbs.includes('list'));
  await ask(reference, '/api/v1/namespaces', 'application/json', { metadata: { name: 'kept' } });
  await ask(reference, '/api/v1/namespaces/kept/serviceaccounts', 'application/json', {
    metadata: { name: 'default' },
  });
  await createAll(reference, resources);
  const ours = await startOurs({ etcdUrl: etcd.url });
  try {
    const servers = [ours, reference] as const;
    for (const { root, name } of resources) {
      const path = `${root}/${name}`;
      if (leftOut.has(path)) continue;
      const { metadata, items } = await json<{
        metadata: { resourceVersion: string };
        items: { metadata: { name: string; namespace?: string } }[] | null;
      }>(reference, path);
      const one = items?.at(-1)?.metadata;
      for (const form of representations) {
        const found = [
          await compare(
            servers,
            `${path}?resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=Exact`,
            form,
          ),
        ];
        if (one !== undefined)
          found.push(
            await compare(
              servers,
              one.namespace === undefined
                ? `${path}/${one.name}`
                : path.replace(/\/([^/]+)$/, `/namespaces/${one.namespace}/$1/${one.name}`),
              { ...form, accept: form.accept.replace('MetadataList', 'Metadata') },
            ),
          );
        for (const difference of found) report.note(form.name, path, difference === undefined ? [] : [difference]);
      }
    }
  } finally {
    await ours.close();
  }
} finally {
  await reference.close();
  await etcd.close();
  await agent.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(report.finish());
