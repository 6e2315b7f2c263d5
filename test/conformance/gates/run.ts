// Sends objects with every field that waits for a feature to this server and to the reference, started with the same
// feature gates and emulated version, and compares every answer:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/gates/run.ts [--only TEXT-IN-THE-NAME-OF-AN-OBJECT] [TEXT-IN-THE-NAME-OF-A-SET…]
// Needs the bundles of dist (or QUARTERDECK_DIST). Each set of flags starts both servers once.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isObject, type JsonObject } from '../../../shared/apimachinery/json.ts';
import { referenceProgram, startEtcd, type EtcdServer } from '../../reference.ts';
import { adminToken } from '../../tokens.ts';
import { differencesFromAll, normalForm } from '../differential/normal-form.ts';
import { serverAt, type Exchange, type Server } from '../differential/play.ts';
import { startPair, type Pair, type Stores } from '../versions/pair.ts';
import { everyGate, flagSets, noGate } from './flag-sets.ts';
import { gatedObjects, namespace, type GatedObject } from './gated-objects.ts';

const {
  values: { only },
  positionals: chosen,
} = parseArgs({ allowPositionals: true, options: { only: { type: 'string', default: '' } } });
const objects = gatedObjects().filter(({ name }) => name.includes(only));
const headers = { 'content-type': 'application/json', accept: 'application/json' };

function serversOf({ oursUrl, theirsUrl }: Pair): readonly [ours: Server, theirs: Server] {
  return [serverAt(oursUrl, adminToken), serverAt(theirsUrl, adminToken)];
}

function send(server: Server, method: string, path: string, body?: JsonObject): Promise<Exchange> {
  return server.send({ method, path, headers, body: body === undefined ? undefined : JSON.stringify(body) });
}

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

/** The names of the objects whose answers differ, with what differs. */
async function differencesOf(servers: readonly [Server, Server], play: typeof create): Promise<string[]> {
  const differences: string[] = [];
  for (const gated of objects) {
    const [have, want] = await Promise.all(servers.map((server) => play(server, gated)));
    const lines = (want ?? []).flatMap((exchange, index) => {
      const other = have?.[index];
      const found =
        other === undefined
          ? [`not sent here`]
          : differencesFromAll([normalForm(exchange, false)], normalForm(other, false));
      return found.length === 0
        ? []
        : [
            `${exchange.sent.method} ${exchange.sent.path} (${exchange.status})`,
            ...found.slice(0, 8).map((line) => `  ${line.slice(0, 700)}`),
          ];
    });
    if (lines.length > 0) differences.push(`  ${gated.name}`, ...lines.map((line) => `    ${line}`));
  }
  return differences;
}

async function compareSet(name: string, flags: readonly string[], play = create, stores?: Stores): Promise<boolean> {
  const pair = await startPair(flags, stores);
  try {
    const servers = serversOf(pair);
    await Promise.all(servers.map(prepare));
    const differences = await differencesOf(servers, play);
    const count = differences.filter((line) => /^ {2}\S/.test(line)).length;
    console.log(`${count === 0 ? 'equal  ' : 'DIFFERS'} ${name}: ${objects.length} objects, ${count} differ`);
    for (const line of differences) console.log(line);
    return count === 0;
  } finally {
    await pair.close();
  }
}

/** Objects that use every feature are updated by servers that have none of them. */
async function compareTurnedOff(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'gates-'));
  const program = referenceProgram('etcd') ?? '';
  const [ours, theirs] = (await Promise.all(
    ['ours', 'theirs'].map((name) => startEtcd(program, join(folder, name))),
  )) as [EtcdServer, EtcdServer];
  const stores = { ours: ours.url, theirs: theirs.url };
  try {
    const isMade = await compareSet('turned off: before', everyGate, create, stores);
    return (await compareSet('turned off', noGate, update, stores)) && isMade;
  } finally {
    await Promise.all([ours.close(), theirs.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

let isEqual = true;
for (const [name, flags] of Object.entries(flagSets)) {
  if (chosen.length > 0 && !chosen.some((part) => name.includes(part))) continue;
  isEqual = (await compareSet(name, flags)) && isEqual;
}
if (chosen.length === 0 || chosen.some((part) => 'turned off'.includes(part)))
  isEqual = (await compareTurnedOff()) && isEqual;
process.exitCode = isEqual ? 0 : 1;
process.exit();
