import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectsAt, stringAt, valueAt } from '#shared/apimachinery/object.ts';
import type { MigratedSide } from './migrated-side.ts';
import { customObject, customResources, group, migration, migrationsPath, secret } from './objects.ts';

const askEveryMs = 500;

/** Asks again until there is an answer: controllers act when they like. @throws an error that names `subject` */
export async function until<T>(subject: string, seconds: number, probe: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const found = await probe();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`${subject}: not within ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, askEveryMs));
  }
}

/** Asks again while the cache of a resource is filled, as clients do. @throws an error for any other refusal */
export async function must(
  side: MigratedSide,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: JsonObject,
): Promise<JsonObject> {
  return until(`${side.name}: ${method} ${path}`, 30, async () => {
    const answer = await side.json.call(method, path, body);
    if (answer.status === 429) return undefined;
    if (answer.status < 300) return answer.body as JsonObject;
    throw new Error(`${side.name}: ${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  });
}

/**
 * Migrates resources (`plural.group`), and resolves with how each of the migrations ended. Meanwhile objects come and
 * go: the controller waits for its cache to be as new as the migration, and a quiet cluster tells it nothing for
 * minutes.
 */
export async function migrate(side: MigratedSide, resources: Readonly<Record<string, string>>): Promise<JsonObject> {
  for (const [name, resource] of Object.entries(resources))
    await must(side, 'POST', migrationsPath, migration(name, resource));
  const ends = await until('migrations', 180, async () => {
    await stir(side);
    const found = await Promise.all(
      Object.keys(resources).map((name) => must(side, 'GET', `${migrationsPath}/${name}`)),
    );
    return found.every(isOver) ? found : undefined;
  });
  return Object.fromEntries(ends.map((end) => [stringAt(end, 'metadata', 'name'), summaryOf(end)]));
}

async function stir(side: MigratedSide): Promise<void> {
  const collections = [
    { path: '/api/v1/namespaces/default/secrets', object: secret('passing') },
    ...customResources.map((plural) => ({
      path: `/apis/${group}/v1/namespaces/default/${plural}`,
      object: customObject(plural, 'passing'),
    })),
  ];
  for (const { path, object } of collections) {
    await must(side, 'POST', path, object);
    await must(side, 'DELETE', `${path}/passing`);
  }
}

/** Over, with the condition Running taken back by the other controller. */
function isOver(one: JsonObject): boolean {
  const statuses = new Map(
    objectsAt(one, 'status', 'conditions').map((condition) => [
      stringAt(condition, 'type'),
      stringAt(condition, 'status'),
    ]),
  );
  const hasEnded = statuses.get('Succeeded') === 'True' || statuses.get('Failed') === 'True';
  return hasEnded && statuses.get('Running') !== 'True';
}

/** What does not differ from run to run. */
function summaryOf(one: JsonObject): JsonObject {
  return {
    spec: valueAt(one, 'spec') ?? null,
    generation: valueAt(one, 'metadata', 'generation') ?? null,
    hasResourceVersion: /^[1-9]\d*$/.test(stringAt(one, 'status', 'resourceVersion')),
    conditions: objectsAt(one, 'status', 'conditions').map(({ lastTransitionTime, ...rest }) => ({
      ...rest,
      hasTime: typeof lastTransitionTime === 'string',
    })),
    managers: managersOf(one),
  };
}

/** Who manages which fields; those of one second come in any order. */
export function managersOf(one: JsonObject): JsonObject[] {
  return objectsAt(one, 'metadata', 'managedFields')
    .map(({ time: _time, ...rest }) => rest)
    .sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
}
