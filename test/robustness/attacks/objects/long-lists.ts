/**
 * `node --import tsx test/robustness/attacks/objects/long-lists.ts [--only TEXT]… [--share N] [--offset N]
 * [--bytes N]`: each list and map of a valid object of every built-in kind is made long, in a dry run of a create and of an update of
 * the object and its status. Where that takes seconds, it is made twice as long: work that grows with more than the
 * length is told, and so is a process that ends, and the script ends with 1. `--share 20` plays each twentieth.
 */
import { parseArgs } from 'node:util';
import { loadFacts } from '#shared/api/load-facts.ts';
import { parseGroupVersion } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { http2Client } from '#test/api-client.ts';
import { processOf } from '#test/cluster-processes.ts';
import { startCluster } from '#test/cluster.ts';
import { seeds, type Seed } from '#test/conformance/differential/seeds.ts';
import { longCollections, type Collection } from './long-collections.ts';
import { processCpuMs } from './process-cpu.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    share: { type: 'string', default: '1' },
    offset: { type: 'string', default: '0' },
    bytes: { type: 'string', default: '700000' },
  },
});
const bytes = Number(values.bytes);
/** Of processor time: what is worth a second look, and what is a finding there. */
const suspiciousMs = 800;
const mostMs = 3_000;
/** Of twice the length; 2 is in proportion, 4 the square. */
const mostGrowth = 3;

interface Question {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly text: (bytes: number) => string;
}

const cluster = await startCluster({ bundled: true });
const servers = (): number[] =>
  (['core', 'extensions', 'gateway'] as const).map((name) => processOf(cluster, name) ?? 0);
const cpuMs = (): number => servers().reduce((sum, pid) => sum + processCpuMs(pid), 0);
let [asked, findings] = [0, 0];
try {
  const pids = servers().join();
  for (const seed of seeds().filter(isBuiltIn)) {
    for (const question of questionsOf(seed, await keep(seed))) {
      if (values.only.length > 0 && !values.only.some((text) => question.name.includes(text))) continue;
      if (asked++ % Number(values.share) !== Number(values.offset)) continue;
      await judge(question);
      if (servers().join() === pids) continue;
      tell(`${question.name}: a process ended\n${cluster.output().slice(-2_000)}`);
      throw new Error('no more can be asked');
    }
  }
} finally {
  await cluster.close();
}
console.log(`${asked} long lists and maps, one of ${values.share} of them played: ${findings} findings`);
process.exitCode = findings > 0 ? 1 : 0;

function isBuiltIn({ object }: Seed): boolean {
  const { group, version } = parseGroupVersion(String(object.apiVersion));
  return loadFacts().schema(group, version, String(object.kind)) !== undefined;
}

/** The valid object, as it is stored; undefined where the server has another one of the name, such as a default. */
async function keep({ path, namespace, object }: Seed): Promise<JsonObject | undefined> {
  const client = http2Client(cluster);
  const own = `/api/v1/namespaces/${namespace}`;
  if (namespace !== '') {
    await client.send('POST', '/api/v1/namespaces', { body: { metadata: { name: namespace } } });
    await client.send('POST', `${own}/serviceaccounts`, { body: { metadata: { name: 'default' } } });
  }
  const { status, json } = await client.send('POST', path, { body: object });
  client.close();
  return status === 201 ? (json as JsonObject) : undefined;
}

function* questionsOf({ path, object, subresources }: Seed, stored: JsonObject | undefined): Generator<Question> {
  const { group, version } = parseGroupVersion(String(object.apiVersion));
  const [kind, name] = [String(object.kind), String(object.metadata.name)];
  const schema = loadFacts().schema(group, version, kind);
  if (schema === undefined) return;
  const created = { ...object, metadata: { ...object.metadata, name: stored === undefined ? name : `${name}-long` } };
  /** Metadata is the same everywhere, and so are the specs of pods. */
  const isOwn = ({ name: place }: Collection): boolean =>
    (kind === 'ConfigMap' || !place.startsWith('metadata')) &&
    (kind === 'PodTemplate' || !/\btemplate\.(?:metadata|spec)\./i.test(place));
  for (const { name: place, text } of longCollections(schema, created).filter(isOwn)) {
    if (!place.startsWith('status')) yield { name: `create ${kind} ${name} ${place}`, method: 'POST', path, text };
  }
  if (stored === undefined) return;
  const item = `${path}/${name}`;
  for (const { name: place, text } of longCollections(schema, stored).filter(isOwn)) {
    const what = `update ${kind} ${name} ${place}`;
    if (!place.startsWith('status')) yield { name: what, method: 'PUT', path: item, text };
    else if (subresources.includes('status')) yield { name: what, method: 'PUT', path: `${item}/status`, text };
  }
}

async function judge({ name, method, path, text }: Question): Promise<void> {
  const ask = async (size: number): Promise<readonly [status: string, ms: number]> => {
    const before = cpuMs();
    const client = http2Client(cluster);
    const answer = await client
      .send(method, `${path}?dryRun=All`, { body: text(size), headers: { 'content-type': 'application/json' } })
      .catch((error: unknown) => ({ status: String(error) }));
    client.close();
    return [String(answer.status), cpuMs() - before];
  };
  const [status, once] = await ask(bytes);
  if (once < suspiciousMs) return;
  const [, twice] = await ask(bytes * 2);
  const line = `${name}: ${status}, ${once} ms, ${twice} ms for twice as much`;
  if (twice > mostMs && twice > once * mostGrowth) tell(line);
  else console.log(`slow ${line}`);
}

function tell(finding: string): void {
  findings++;
  console.log(finding);
}
