import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { conform } from '#shared/serializer/json/conform.ts';
import { encodeJson } from '#shared/serializer/json/encode.ts';
import { parseJson } from '#shared/serializer/json/parse.ts';
import { decodeProtobuf } from '#shared/serializer/protobuf/decode.ts';
import { encodeProtobuf } from '#shared/serializer/protobuf/encode.ts';
import { envelopeKind, unwrapUnknown, wrapUnknown } from '#shared/serializer/protobuf/envelope.ts';
import { protobufOfJson } from '#shared/serializer/protobuf/from-json.ts';
import { parseYaml } from '#shared/serializer/yaml/parse.ts';

/** The three forms of one kind. */
interface Fixture {
  readonly name: string;
  readonly json: Buffer;
  readonly yaml: Buffer;
  readonly protobuf: Buffer;
}

function fixtureFolder(): string {
  const cache = execFileSync('go', ['env', 'GOMODCACHE'], { encoding: 'utf8' }).trim();
  return join(cache, 'k8s.io', 'api@v0.36.3', 'testdata', 'HEAD');
}

function fixtures(folder: string): Fixture[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length));
  const read = (name: string): Buffer => readFileSync(join(folder, name));
  return names.map((name) => ({
    name,
    json: read(`${name}.json`),
    yaml: read(`${name}.yaml`),
    protobuf: read(`${name}.pb`),
  }));
}

/** Kind and apiVersion travel in the envelope, not in the message. */
function fromProtobuf(schema: StructSchema, bytes: Buffer): JsonObject {
  const envelope = unwrapUnknown(bytes);
  const object = decodeProtobuf(schema, envelope.raw);
  // A WatchEvent has neither.
  return envelope.kind === '' ? object : { ...object, apiVersion: envelope.apiVersion, kind: envelope.kind };
}

function fromJson(schema: StructSchema, value: JsonValue): JsonObject {
  const { object, strictErrors } = atOnce(conform(schema, value, { strict: true }));
  if (strictErrors.length > 0) throw new Error(strictErrors.join(', '));
  return object;
}

/** What is wrong with one fixture; empty when all holds. */
function problems(fixture: Fixture, schema: StructSchema): string[] {
  const fromText = fromJson(schema, atOnce(parseJson(fixture.json)));
  const fromYaml = fromJson(schema, parseYaml(fixture.yaml).value);
  const fromWire = fromProtobuf(schema, fixture.protobuf);
  const out: string[] = [];
  if (!isDeepStrictEqual(fromText, fromYaml)) out.push('JSON and YAML decode to different values');
  if (!isDeepStrictEqual(fromText, fromWire))
    out.push(`JSON and protobuf decode to different values: ${firstDifference(fromText, fromWire)}`);
  const printed = encodeJson(schema, fromWire);
  const expected = JSON.stringify(JSON.parse(fixture.json.toString('utf8')));
  if (!isDeepStrictEqual(JSON.parse(printed.toString('utf8')), JSON.parse(expected))) out.push('JSON value differs');
  if (JSON.stringify(JSON.parse(printed.toString('utf8'))) !== expected) out.push('order of JSON keys differs');
  for (const [form, object] of Object.entries({ JSON: fromText, YAML: fromYaml, protobuf: fromWire })) {
    const bytes = wrapUnknown(envelopeKind(unwrapUnknown(fixture.protobuf)), encodeProtobuf(schema, object));
    if (!bytes.equals(fixture.protobuf)) out.push(`protobuf bytes differ when encoded from ${form}`);
  }
  const fromBytes = wrapUnknown(envelopeKind(unwrapUnknown(fixture.protobuf)), protobufOfJson(schema, printed));
  if (!fromBytes.equals(fixture.protobuf)) out.push('protobuf bytes differ when made from the bytes of the JSON');
  return out;
}

function firstDifference(a: JsonValue | undefined, b: JsonValue | undefined, path = ''): string {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return `${path}: ${String(a)} / ${String(b)}`;
  const left = a as JsonObject;
  const right = b as JsonObject;
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    if (!isDeepStrictEqual(left[key], right[key])) return firstDifference(left[key], right[key], `${path}.${key}`);
  }
  return path;
}

/** Group, version and kind by the name of the file (`apps.v1.Deployment`; the core group is `core`). */
function kindOf(name: string): { group: string; version: string; kind: string } {
  const parts = name.split('.');
  const group = parts.slice(0, -2).join('.');
  return { group: group === 'core' ? '' : group, version: parts.at(-2) ?? '', kind: parts.at(-1) ?? '' };
}

/** Runs every fixture of the k8s.io/api module; exit code 1 when one fails or none was found. */
function main(): void {
  const facts = loadFacts();
  const served = new Set(
    facts.groups().flatMap((group) => group.versions.map((version) => `${group.name}/${version.version}`)),
  );
  let passed = 0;
  let failed = 0;
  const skipped: string[] = [];
  for (const fixture of fixtures(process.argv[2] ?? fixtureFolder())) {
    const gvk = kindOf(fixture.name);
    const schema = facts.schema(gvk.group, gvk.version, gvk.kind);
    if (schema === undefined && !served.has(`${gvk.group}/${gvk.version}`)) {
      skipped.push(fixture.name);
      continue;
    }
    const found = checkOne(fixture, schema);
    if (found.length === 0) passed++;
    else failed++;
    if (found.length > 0) console.log(`${fixture.name}: ${found.join('; ')}`);
  }
  console.log(`${passed} of ${passed + failed} kinds pass; not served: ${skipped.join(', ')}`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}

function checkOne(fixture: Fixture, schema: StructSchema | undefined): string[] {
  if (schema === undefined) return ['no schema'];
  try {
    return problems(fixture, schema);
  } catch (error) {
    return [String(error instanceof Error ? error.stack?.split('\n').slice(0, 4).join(' ') : error)];
  }
}

main();
