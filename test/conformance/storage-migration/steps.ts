import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectsAt, stringAt, stringsAt, valueAt } from '#shared/apimachinery/object.ts';
import { startMigrated, type MigratedSide, type Places, type SideName } from './migrated-side.ts';
import { managersOf, migrate, must, until } from './migrations.ts';
import { customObject, customResources, definition, fileWith, group, migrationsPath, secret } from './objects.ts';

/** What was seen at one server, by what was looked at; the same at both. */
export type Facts = Map<string, unknown>;

const secrets = '/api/v1/namespaces/default/secrets';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const custom = (plural: string): string => `/apis/${group}/v1/namespaces/default/${plural}`;
const names = ['a', 'b', 'c'];
const reloads = /^apiserver_encryption_config_controller_automatic_reloads_total\{.*status="success".*\} (\d+)$/m;

/** Turns the key, migrates, and takes the old key away. */
export async function playSteps(name: SideName, places: Places): Promise<Facts> {
  const facts: Facts = new Map();
  const before = await startMigrated(name, fileWith('a'), places);
  try {
    await writeObjects(before);
    facts.set('discovery of the group', await must(before, 'GET', '/apis/storagemigration.k8s.io'));
    facts.set('discovery of the version', await must(before, 'GET', '/apis/storagemigration.k8s.io/v1beta1'));
    facts.set('stored before', await storedHeads(before));
    await turnKey(before);
    await changeStorageVersions(before);
    await migrateStale(before, facts);
    await lookAtStatusWrites(before, facts);
  } finally {
    await before.close();
  }
  const after = await startMigrated(name, fileWith('b'), places);
  try {
    facts.set('read without the old key', withoutVersions(await readAll(after)));
  } finally {
    await after.close();
  }
  return facts;
}

async function writeObjects(side: MigratedSide): Promise<void> {
  for (const plural of customResources) {
    await must(side, 'POST', definitions, definition(plural, 'v1'));
    await until(plural, 30, async () =>
      (await side.json.call('GET', custom(plural))).status === 200 ? true : undefined,
    );
  }
  for (const name of names) {
    await must(side, 'POST', secrets, secret(name));
    for (const plural of customResources) await must(side, 'POST', custom(plural), customObject(plural, name));
  }
}

/** The new key writes from now on. The reference looks at its file once a minute. */
async function turnKey(side: MigratedSide): Promise<void> {
  side.writeFile(fileWith('ba'));
  await until('the reload', 90, async () =>
    reloads.test(String((await side.json.call('GET', '/metrics')).body)) ? true : undefined,
  );
}

async function changeStorageVersions(side: MigratedSide): Promise<void> {
  for (const plural of customResources) {
    const hash = async (): Promise<string> =>
      stringAt(
        objectsAt(await must(side, 'GET', `/apis/${group}/v1`), 'resources').find(
          (one) => stringAt(one, 'name') === plural,
        ) ?? {},
        'storageVersionHash',
      );
    const first = await hash();
    const { spec } = definition(plural, 'v2');
    await must(side, 'PATCH', `${definitions}/${plural}.${group}`, { spec: spec ?? null });
    await until('the new storage version', 30, async () => ((await hash()) === first ? undefined : true));
  }
}

async function migrateStale(side: MigratedSide, facts: Facts): Promise<void> {
  const first = await readAll(side);
  facts.set(
    'objects',
    first.map(({ resourceVersion: _version, ...rest }) => rest),
  );
  const resources = {
    secrets: 'secrets',
    pandas: `pandas.${group}`,
    koalas: `koalas.${group}`,
    'without-patch': 'componentstatuses',
    unknown: 'nothing.bears.example',
  };
  facts.set('migrations', await migrate(side, resources));
  const second = await readAll(side);
  facts.set('stored after', await storedHeads(side));
  facts.set(
    'objects that only have another resourceVersion',
    second.map((one, index) => ({
      name: one.name,
      isWritten: one.resourceVersion !== first[index]?.resourceVersion,
      isSame:
        JSON.stringify({ ...one, resourceVersion: '' }) === JSON.stringify({ ...first[index], resourceVersion: '' }),
    })),
  );
  facts.set('definitions', await definitionStatuses(side));
  facts.set('migrations of what is new', await migrate(side, { again: 'secrets', 'again-pandas': `pandas.${group}` }));
  facts.set(
    'objects that were written again',
    (await readAll(side)).filter((one, index) => one.resourceVersion !== second[index]?.resourceVersion),
  );
}

interface Read {
  readonly name: string;
  readonly resourceVersion: string;
  readonly contents: unknown;
  readonly managers: readonly string[];
  readonly generation: unknown;
}

/** All objects of the three resources, without what differs between servers. */
async function readAll(side: MigratedSide): Promise<Read[]> {
  const lists = await Promise.all([secrets, ...customResources.map(custom)].map((path) => must(side, 'GET', path)));
  return lists.flatMap((list) =>
    objectsAt(list, 'items').map((item) => ({
      name: `${stringAt(list, 'kind')}: ${stringAt(item, 'metadata', 'name')}`,
      resourceVersion: stringAt(item, 'metadata', 'resourceVersion'),
      contents: valueAt(item, 'data') ?? valueAt(item, 'spec'),
      managers: objectsAt(item, 'metadata', 'managedFields').map((one) => stringAt(one, 'manager')),
      generation: valueAt(item, 'metadata', 'generation'),
    })),
  );
}

function withoutVersions(all: readonly Read[]): Omit<Read, 'resourceVersion'>[] {
  return all.map(({ resourceVersion: _version, ...rest }) => rest);
}

/** How stored values begin: the key's name, or the version in which a custom resource lies in the clear. */
async function storedHeads(side: MigratedSide): Promise<Record<string, string>> {
  const prefixes = ['/secrets/default/', ...customResources.map((plural) => `/${group}/${plural}/default/`)];
  const values = await Promise.all(prefixes.map((prefix) => side.stored(prefix)));
  return Object.fromEntries(
    values.flatMap((some) =>
      [...some].map(([key, text]) => [
        key,
        /^k8s:enc:\w+:v1:[\w-]+:/.exec(text)?.[0] ?? stringAt(JSON.parse(text) as JsonObject, 'apiVersion'),
      ]),
    ),
  );
}

async function definitionStatuses(side: MigratedSide): Promise<unknown[]> {
  const found = await Promise.all(
    customResources.map((plural) => must(side, 'GET', `${definitions}/${plural}.${group}`)),
  );
  return found.map((one) => ({
    storedVersions: stringsAt(one, 'status', 'storedVersions'),
    conditions: objectsAt(one, 'status', 'conditions').map(({ lastTransitionTime: _time, ...rest }) => rest),
    managers: managersOf(one),
  }));
}

/** Writes of what has ended, most of which the servers refuse. */
async function lookAtStatusWrites(side: MigratedSide, facts: Facts): Promise<void> {
  const path = `${migrationsPath}/secrets`;
  const done = await must(side, 'GET', path);
  const patches: Record<string, JsonObject> = {
    'without conditions': { status: { conditions: null } },
    'another resourceVersion': { status: { resourceVersion: '1' } },
    'no number': { status: { resourceVersion: 'one' } },
    'another resource': { spec: { resource: { resource: 'configmaps' } } },
  };
  for (const [name, patch] of Object.entries(patches)) {
    facts.set(`status with ${name}`, await refusal(side, 'PATCH', `${path}/status`, patch));
    facts.set(`object with ${name}`, await refusal(side, 'PATCH', path, patch));
  }
  const { resourceVersion: _version, ...metadata } = valueAt(done, 'metadata') as JsonObject;
  facts.set('update without resourceVersion', await refusal(side, 'PUT', path, { ...done, metadata }));
}

/** Status and message, without times and revisions. */
async function refusal(side: MigratedSide, method: 'PUT' | 'PATCH', path: string, body: JsonObject): Promise<unknown> {
  const { status, body: answer } = await side.json.call(method, path, body);
  const message = (answer as { message?: unknown }).message;
  return { status, message: String(message).replaceAll(/\d{4}-\d\d-\d\dT[\d:]+Z|"\d+"/g, '…') };
}
