// Compares how long after a definition is established its group is registered, told by discovery, and served:
//   REFERENCE_BIN=FOLDER node --import tsx test/benchmark/new-definitions.ts [definitions]
// The median over so many definitions (20) may be that of the reference and 20 ms. Needs the bundles of dist (or
// QUARTERDECK_DIST).
import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt } from '#shared/apimachinery/object.ts';
import { startPair } from '#test/compare/pair.ts';
import type { JsonClient } from '#test/json-client.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const count = Number(process.argv[2] ?? 20);
const withinMs = 30_000;
/** A check takes about so long on a busy machine. */
const toleranceMs = 20;

/** What is looked for: the path, and when it is there. */
type Check = readonly [path: string, isThere: (body: JsonObject) => boolean];

function checks(group: string): Readonly<Record<string, Check>> {
  const available = (body: JsonObject): boolean =>
    objectsAt(objectAt(body, 'status'), 'conditions').some(
      (one) => one['type'] === 'Available' && one['status'] === 'True',
    );
  return {
    'its APIService is there': [`/apis/apiregistration.k8s.io/v1/apiservices/v1.${group}`, () => true],
    'its APIService is available': [`/apis/apiregistration.k8s.io/v1/apiservices/v1.${group}`, available],
    'its group is told of': ['/apis', (body) => objectsAt(body, 'groups').some(({ name }) => name === group)],
    'its resource is told of': [
      `/apis/${group}/v1`,
      (body) => objectsAt(body, 'resources').some(({ name }) => name === 'odds'),
    ],
    'it is served': [`/apis/${group}/v1/namespaces/default/odds`, () => true],
  };
}

async function until(client: JsonClient, [path, isThere]: Check): Promise<number> {
  for (const deadline = performance.now() + withinMs; ;) {
    const { status, body } = (await client.call('GET', path)) as { readonly status: number; readonly body: JsonValue };
    const now = performance.now();
    if (status === 200 && isObject(body) && isThere(body)) return now;
    if (now > deadline)
      throw new Error(
        `${path} did not come within ${withinMs / 1000} s: ${status} ${JSON.stringify(body).slice(0, 300)}`,
      );
  }
}

/** Milliseconds behind the definition's `Established`, by what is looked for. */
async function timesOf(client: JsonClient, number: number): Promise<ReadonlyMap<string, number>> {
  const group = `new${number}.example.com`;
  const name = `odds.${group}`;
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }];
  const { status, body } = await client.call('POST', definitions, {
    metadata: { name },
    spec: { group, scope: 'Namespaced', names: { plural: 'odds', kind: 'Odd' }, versions },
  });
  if (status !== 201) throw new Error(`${name}: ${status} ${JSON.stringify(body)}`);
  const established = await until(client, [
    `${definitions}/${name}`,
    (definition) =>
      objectsAt(objectAt(definition, 'status'), 'conditions').some(
        (one) => one['type'] === 'Established' && one['status'] === 'True',
      ),
  ]);
  return new Map(
    await Promise.all(
      Object.entries(checks(group)).map(
        async ([what, check]) => [what, (await until(client, check)) - established] as const,
      ),
    ),
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

const pair = await startPair();
let delayed = 0;
try {
  const [ours, theirs]: ReadonlyMap<string, number>[][] = [[], []];
  for (let number = 0; number < count; number++) {
    ours?.push(await timesOf(pair.ours.json, number));
    theirs?.push(await timesOf(pair.theirs.json, number));
  }
  for (const what of Object.keys(checks(''))) {
    const [have, want] = [ours, theirs].map((times) => median((times ?? []).map((one) => one.get(what) ?? 0))) as [
      number,
      number,
    ];
    const isDelayed = have > want + toleranceMs;
    if (isDelayed) delayed++;
    console.log(`${isDelayed ? 'FAILED' : 'ok'}: ${what} after ${have.toFixed(0)} ms, reference ${want.toFixed(0)} ms`);
  }
} finally {
  await pair.close();
}
process.exitCode = delayed > 0 ? 1 : 0;
