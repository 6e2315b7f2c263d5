// Sends objects with every field that waits for a feature to this server and to the reference, started with the same
// feature gates and emulated version, and compares every answer:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/gates/run.ts [--only TEXT-IN-THE-NAME-OF-AN-OBJECT] [TEXT-IN-THE-NAME-OF-A-SET…]
// Needs the bundles of dist (or QUARTERDECK_DIST). Each set of flags starts both servers once.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isObject } from '#shared/apimachinery/json/json.ts';
import { differencesFromAll } from '#test/compare/differences.ts';
import { sendJson as send, type Exchange, type Server } from '#test/compare/exchange.ts';
import { normalForm } from '#test/compare/normal-form.ts';
import { startPair, type Stores } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { referenceProgram, startEtcd, type EtcdServer } from '#test/reference.ts';
import { everyGate, flagSets, noGate } from './flag-sets.ts';
import { gatedObjects, namespace, type GatedObject } from './gated-objects.ts';

const {
  values: { only },
  positionals: chosen,
} = parseArgs({ allowPositionals: true, options: { only: { type: 'string', default: '' } } });
const objects = gatedObjects().filter(({ name }) => name.includes(only));
/** Administrators may ask for devices there. */
async function prepare(server: Server): Promise<void> {
  await send(server, 'POST', '/api/v1/namespaces', {
    metadata: { name: namespace, labels: { 'resource.kubernetes.io/admin-access': 'true' } },
  });
  await send(server, 'POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'default' } });
}

function revisionIn({ body }: Exchange): string {
  return isObject(body) && isObject(body['metadata']) ? String(body['metadata']['resourceVersion']) : '';
}

/** Made, written again with a new label, its status written, read, and written back as it was read. */
async function create(server: Server, { path, object, isStored }: GatedObject): Promise<Exchange[]> {
  const made = await send(server, 'POST', path, object);
  return made.status === 201 && isStored
    ? [made, ...(await update(server, { path, object, isStored, name: '' }))]
    : [made];
}

async function update(server: Server, { path, object, isStored }: GatedObject): Promise<Exchange[]> {
  if (!isStored) return [];
  const item = `${path}/${object.metadata.name ?? ''}`;
  const found = await send(server, 'GET', item);
  // It was refused before.
  if (found.status === 404) return [found];
  const again = async (target: string, labels: Record<string, string>): Promise<Exchange> => {
    const resourceVersion = revisionIn(await send(server, 'GET', item));
    return send(server, 'PUT', target, {
      ...object,
      metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...labels }, resourceVersion },
    });
  };
  const written = await again(item, { changed: 'yes' });
  const status = object['status'] === undefined ? [] : [await again(`${item}/status`, {})];
  const read = await send(server, 'GET', item);
  return [written, ...status, read, await send(server, 'PUT', item, isObject(read.body) ? read.body : {})];
}

const report = new Report();

/** What both answer to each object. */
async function compareObjects(
  name: string,
  [ours, theirs]: readonly [Server, Server],
  play: typeof create,
): Promise<void> {
  for (const gated of objects) {
    const [have, want] = await Promise.all([play(ours, gated), play(theirs, gated)]);
    const lines = want.flatMap((exchange, index) => {
      const other = have[index];
      const found =
        other === undefined
          ? [`not sent here`]
          : differencesFromAll([normalForm(exchange, false)], normalForm(other, false));
      return found.map((line) => `${exchange.sent.method} ${exchange.sent.path} (${exchange.status}): ${line}`);
    });
    report.note(name, gated.name, lines);
  }
}

async function compareSet(name: string, flags: readonly string[], play = create, stores?: Stores): Promise<void> {
  const pair = await startPair({ flags, ...(stores && { stores }) });
  try {
    const servers = [pair.ours.server, pair.theirs.server] as const;
    await Promise.all(servers.map(prepare));
    await compareObjects(name, servers, play);
  } finally {
    await pair.close();
  }
}

/** Objects that use every feature are updated by servers that have none of them. */
async function compareTurnedOff(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gates-'));
  const program = referenceProgram('etcd') ?? '';
  const [ours, theirs] = (await Promise.all(
    ['ours', 'theirs'].map((name) => startEtcd(program, join(folder, name))),
  )) as [EtcdServer, EtcdServer];
  const stores = { ours: ours.url, theirs: theirs.url };
  try {
    await compareSet('turned off: before', everyGate, create, stores);
    await compareSet('turned off', noGate, update, stores);
  } finally {
    await Promise.all([ours.close(), theirs.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

for (const [name, flags] of Object.entries(flagSets))
  if (chosen.length === 0 || chosen.some((part) => name.includes(part))) await compareSet(name, flags);
if (chosen.length === 0 || chosen.some((part) => 'turned off'.includes(part))) await compareTurnedOff();
process.exit(report.finish());
