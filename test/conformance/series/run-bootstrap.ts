// Compares what this server and the reference make of their own accord on empty data: namespaces, the Service kubernetes, RBAC,
// flow control, APIServices and the rest, managed fields included:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/series/run-bootstrap.ts
// Needs the bundles of dist (or QUARTERDECK_DIST).
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, type JsonObject, type JsonValue } from '../../../shared/apimachinery/json.ts';
import { objectsAt, stringAt } from '../../../shared/apimachinery/object.ts';
import { adminToken } from '../../tokens.ts';
import { differencesFromAll, normalForm } from '../differential/normal-form.ts';
import { serverAt, type Exchange, type Server } from '../differential/play.ts';
import { startPair } from '../versions/pair.ts';

const get = (server: Server, path: string): Promise<Exchange> => server.send({ method: 'GET', path, headers: { accept: 'application/json' }, body: undefined });

async function documentAt(server: Server, path: string): Promise<JsonObject> {
  const { body } = await get(server, path);
  return isObject(body) ? body : {};
}

/** Collections of everything that is stored, each in its preferred version. */
async function collections(server: Server): Promise<string[]> {
  const groups = objectsAt(await documentAt(server, '/apis'), 'groups');
  const roots = ['/api/v1', ...groups.map((group) => `/apis/${stringAt(group, 'preferredVersion', 'groupVersion')}`)];
  const lists = await Promise.all(roots.map(async (root) => {
    const resources = objectsAt(await documentAt(server, root), 'resources');
    return resources.filter((resource) => Array.isArray(resource['verbs']) && resource['verbs'].includes('list')).map((resource) => `${root}/${stringAt(resource, 'name')}`);
  }));
  return lists.flat();
}

/** What is another one on each server. */
const ofOneServer = /^(?:client-ca-file|requestheader-client-ca-file|holderIdentity|port|renewTime|acquireTime|targetPort|kubernetes\.io\/peer-advertise-address|kubernetes\.io\/hostname|resourceVersion|uid)$/;

function common(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(common);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, typeof child !== 'object' && ofOneServer.test(key) ? `<${key}>` : common(child)]));
}

/** The objects of a collection by name; leases of servers are named after a hash. */
async function contents(server: Server, path: string): Promise<ReadonlyMap<string, JsonObject>> {
  const list = await get(server, path);
  const items = isObject(list.body) ? objectsAt(list.body, 'items') : [];
  return new Map(items.map((item) => {
    const name = `${stringAt(item, 'metadata', 'namespace')}/${stringAt(item, 'metadata', 'name')}`.replace(/apiserver-[a-z2-7]{26}/, 'apiserver-<hash>');
    return [name, normalForm({ ...list, body: common(item) }, false)];
  }));
}

const pair = await startPair(['--requestheader-uid-headers', 'X-Remote-Uid']);
const [ours, theirs] = [serverAt(pair.oursUrl, adminToken), serverAt(pair.theirsUrl, adminToken)];
// Both go on for a while after they are ready.
await sleep(8000);
let [compared, different] = [0, 0];
for (const path of await collections(theirs)) {
  const [have, want] = await Promise.all([contents(ours, path), contents(theirs, path)]);
  for (const name of new Set([...want.keys(), ...have.keys()])) {
    compared += 1;
    const [one, other] = [want.get(name), have.get(name)];
    const lines = one === undefined || other === undefined ? [`${one === undefined ? 'only here' : 'missing'}: ${JSON.stringify(one ?? other).slice(0, 600)}`] : differencesFromAll([one], other);
    if (lines.length === 0) continue;
    different += 1;
    console.log(`DIFFERS ${path} ${name}`);
    for (const line of lines) console.log(`  ${line}`);
  }
}
console.log(`${compared} objects compared, ${different} differ`);
await pair.close();
process.exitCode = different > 0 ? 1 : 0;
process.exit();
