// The definitions of well-known projects against this server and, where it can be had, the reference beside it:
//   node --import tsx test/conformance/published-crds/check.ts [--breaks N] [part of a definition's name…]
// Each kind is installed, documented and explained, takes objects made from its schema, and refuses what breaks one of
// its rules with the reference's Status. Needs Go, which fetches the modules of go.mod, and what `npm run build` makes.
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { startOurs, startTheirs } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { TwoServers } from '#test/compare/two-servers.ts';
import { referenceProgram } from '#test/reference.ts';
import { adminToken } from '#test/tokens.ts';
import { breaksOf, withBreaks, type Break } from './break-value.ts';
import { compareDocuments } from './compare-documents.ts';
import { publishedDefinitions, type Definition, type PublishedDefinition } from './definitions.ts';
import { makeValue, type Extent } from './make-value.ts';

const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const kubectl = referenceProgram('kubectl');
const { values: flags, positionals: chosen } = parseArgs({
  allowPositionals: true,
  options: { breaks: { type: 'string', default: '40' } },
});
/** Rules broken in each version of a kind, spread evenly over all that its schema has. */
const maxBreaks = Number(flags.breaks);

const published = publishedDefinitions().filter(
  ({ definition }) => chosen.length === 0 || chosen.some((part) => definition.metadata.name.includes(part)),
);
const cluster = await startOurs();
const reference = referenceProgram('kube-apiserver') === undefined ? undefined : await startTheirs();
if (reference === undefined) console.log('no reference: statuses are looked at, texts are not compared');
const clients = [cluster, reference].flatMap((side) => side?.json ?? []);
const report = new Report();
const servers = new TwoServers('published definitions', report, cluster.server, reference?.server);
let counts = { kinds: 0, valid: 0, invalid: 0 };
try {
  for (const one of published) await install(one.definition);
  await Promise.all(published.map(({ definition }) => established(definition)));
  for (const one of published) await checkDefinition(one);
  if (clients.length > 1)
    await compareDocuments(
      servers,
      clients,
      published.map(({ definition }) => definition),
    );
} finally {
  await cluster.close();
  await reference?.close();
}
const rules = published.reduce((sum, one) => sum + one.rules, 0);
console.log(
  `${published.length} definitions with ${rules} validation rules, ${counts.kinds} versions, ${counts.valid} valid objects, ${counts.invalid} invalid ones`,
);
process.exitCode = report.finish();

async function install(definition: Definition): Promise<void> {
  await servers.ask(`${definition.metadata.name}: install`, [201], 'POST', definitionsPath, definition);
}

async function established({ metadata }: Definition): Promise<void> {
  for (const client of clients) {
    for (const deadline = performance.now() + 60_000; ; await sleep(50)) {
      const { body } = await client.call('GET', `${definitionsPath}/${metadata.name}`);
      const conditions =
        (body as { status?: { conditions?: { type: string; status: string }[] | null } }).status?.conditions ?? [];
      if (conditions.some(({ type, status }) => type === 'Established' && status === 'True')) break;
      if (performance.now() > deadline)
        throw new Error(`${metadata.name} was not established: ${JSON.stringify(conditions)}`);
    }
  }
}

async function checkDefinition({ definition, project }: PublishedDefinition): Promise<void> {
  const { metadata, spec } = definition;
  await servers.ask(`${metadata.name}: definition`, [200], 'GET', `${definitionsPath}/${metadata.name}`);
  for (const { name, served, schema } of spec.versions) {
    if (!served) continue;
    counts.kinds++;
    const what = `${project} ${metadata.name}/${name}`;
    const path = `/apis/${spec.group}/${name}${spec.scope === 'Namespaced' ? '/namespaces/default' : ''}/${spec.names.plural}`;
    await explain(what, spec.names.plural, `${spec.group}/${name}`);
    await checkObjects(
      what,
      path,
      { apiVersion: `${spec.group}/${name}`, kind: spec.names.kind },
      schema.openAPIV3Schema,
    );
  }
}

async function explain(what: string, resource: string, apiVersion: string): Promise<void> {
  if (kubectl === undefined) return;
  const [ours, theirs] = await Promise.all(
    [cluster, reference].map(async (server) => {
      if (server === undefined) return undefined;
      const options = [
        `--server=${server.url}`,
        `--token=${adminToken}`,
        '--insecure-skip-tls-verify',
        `--api-version=${apiVersion}`,
      ];
      const run = promisify(execFile)(kubectl, ['explain', resource, '--recursive', ...options], {
        maxBuffer: 1 << 26,
      });
      return run.then(
        ({ stdout }) => stdout,
        (error: unknown) => String(error),
      );
    }),
  );
  if (ours !== undefined && theirs !== undefined) servers.equal(`${what}: explain`, ours, theirs);
}

async function checkObjects(what: string, path: string, type: JsonObject, schema: JsonObject): Promise<void> {
  const make = (extent: Extent): JsonObject => {
    const { status: _status, ...value } = makeValue(schema, extent) as JsonObject;
    return { ...value, ...type, metadata: { name: extent } };
  };
  const made = { least: make('least'), full: make('full') };
  // What a schema allows may break a rule in it.
  const answers = JSON.stringify(schema).includes('x-kubernetes-validations') ? [201, 422] : [201];
  for (const object of Object.values(made)) {
    counts.valid++;
    await servers.ask(
      `${what}: create ${JSON.stringify(object).slice(0, 300)}`,
      answers,
      'POST',
      `${path}?fieldValidation=Strict`,
      object,
    );
  }
  await checkStatus(what, path, made.full, schema);
  await servers.ask(`${what}: table`, [200], 'GET', path, undefined, table);
  await servers.ask(`${what}: list`, [200], 'GET', path);
  const breaks = breaksOf(schema, made.full).filter(({ path: at }) => at[0] !== 'metadata');
  const step = Math.max(1, breaks.length / maxBreaks);
  const picked = breaks.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
  await inTurns(picked, (one) => refuse(what, path, made.full, [one]));
  const leaves = breaks.filter(
    ({ rule, path: at }) =>
      rule !== 'null' &&
      rule !== 'unknown' &&
      !breaks.some((other) => other.path.length > at.length && at.every((key, index) => other.path[index] === key)),
  );
  await refuse(
    what,
    path,
    made.full,
    [...new Map(leaves.map((leaf) => [leaf.path.join('.'), leaf])).values()].slice(0, 30),
  );
  for (const name of ['least', 'full'])
    await servers.ask(`${what}: delete`, answers.includes(422) ? [200, 404] : [200], 'DELETE', `${path}/${name}`);
}

async function refuse(what: string, path: string, object: JsonObject, breaks: readonly Break[]): Promise<void> {
  counts.invalid++;
  const broken = withBreaks({ ...object, metadata: { name: 'broken' } }, breaks);
  // A null where a default stands, or where it is dropped, and a format that nobody knows are no errors.
  await servers.ask(
    `${what}: broken ${breaks
      .map(({ name }) => name)
      .join(' + ')
      .slice(0, 400)}`,
    [201, 400, 422, 500],
    'POST',
    `${path}?dryRun=All&fieldValidation=Strict`,
    broken,
  );
}

async function checkStatus(what: string, path: string, object: JsonObject, schema: JsonObject): Promise<void> {
  const { properties } = schema;
  const status = isObject(properties) ? properties['status'] : undefined;
  if (!isObject(status)) return;
  const known = await clients[0]?.call('GET', `${path}/full/status`);
  if (known?.status !== 200) return;
  const body = { ...object, status: makeValue(status, 'full') };
  await servers.ask(
    `${what}: status ${JSON.stringify(body.status).slice(0, 300)}`,
    [200, 422],
    'PATCH',
    `${path}/full/status`,
    { status: body.status } satisfies JsonObject,
  );
  const breaks = breaksOf(status, body.status, ['status']).slice(0, maxBreaks);
  await inTurns(breaks, (one) =>
    servers.ask(`${what}: broken ${one.name}`, [200, 422, 500], 'PATCH', `${path}/full/status?dryRun=All`, {
      status: withBreaks(body, [one])['status'] ?? null,
    }),
  );
}

/** A few at a time. */
async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const left = [...items];
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
    }),
  );
}
