// Compares the OpenAPI documents with those of the reference, document by document: structure, and apart from it
// texts.
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/openapi/run.ts [--texts]
// Needs the bundles of dist (or QUARTERDECK_DIST). Fails for differences in structure; texts of every version are
// counted in a table, since they come from other sources than the reference's. `--texts` prints those that differ.
import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { startPair, type Pair } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { TwoServers } from '#test/compare/two-servers.ts';
import type { JsonClient } from '#test/json-client.ts';
import { createCustomKind } from './custom-kind.ts';
import { strip } from './strip.ts';
import { TextCounts } from './texts.ts';

const texts = new TextCounts();
const report = new Report();
const every = '--runtime-config=api/all=true';
const withEverything = [every];
const sets = {
  'by default': [],
  'with every version': withEverything,
  ...Object.fromEntries(
    ['1.35', '1.34', '1.33'].map((release) => [
      `emulated ${release}, with every version`,
      [`--emulated-version=${release}`, every],
    ]),
  ),
};
for (const [name, flags] of Object.entries(sets)) await compareAll(name, flags);
if (process.argv.includes('--texts')) for (const sample of texts.samples) console.log(sample);
for (const line of texts.table()) console.log(line);
process.exit(report.finish());

async function compareAll(name: string, flags: readonly string[]): Promise<void> {
  const pair = await startPair({ flags });
  try {
    if (flags === withEverything) await createCustomKind(pair);
    const servers = new TwoServers(name, report, pair.ours.server, pair.theirs.server);
    const [ours = [], theirs = []] = await Promise.all([pair.ours.json, pair.theirs.json].map(documentPaths));
    servers.equal('the index of /openapi/v3', ours.toSorted(), theirs.toSorted());
    for (const path of ['/openapi/v2', ...theirs.map((found) => `/openapi/v3/${found}`)])
      await compareDocument(pair, servers, path, flags === withEverything);
  } finally {
    await pair.close();
  }
}

async function documentPaths(client: JsonClient): Promise<string[]> {
  const { paths } = (await client.call('GET', '/openapi/v3')).body as { paths: JsonObject };
  return Object.keys(paths);
}

async function compareDocument(
  { ours, theirs }: Pair,
  servers: TwoServers,
  path: string,
  countsTexts: boolean,
): Promise<void> {
  const [have, want] = await Promise.all(
    [ours.json, theirs.json].map(async (client) => strip((await client.call('GET', path)).body as JsonObject)),
  );
  if (have === undefined || want === undefined) return;
  for (const part of new Set([...Object.keys(have.structure), ...Object.keys(want.structure)]))
    compareParts(servers, `${path} ${part}`, have.structure[part], want.structure[part]);
  if (countsTexts) texts.add(path, have.descriptions, want.descriptions);
}

/** Paths and models one by one, so that each that differs is told. */
function compareParts(
  servers: TwoServers,
  what: string,
  have: JsonValue | undefined,
  want: JsonValue | undefined,
): void {
  const depth = what.split(' ').length;
  if (depth < 4 && isObject(have) && isObject(want) && !isDeepStrictEqual(have, want)) {
    for (const key of new Set([...Object.keys(have), ...Object.keys(want)]))
      compareParts(servers, `${what} ${key}`, have[key], want[key]);
  } else servers.equal(what, have ?? null, want ?? null);
}
