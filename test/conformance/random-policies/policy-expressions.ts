import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { RandomExpression, type Reached } from '#test/conformance/random-rules/random-expression.ts';
import type { ScalarKind, Shape } from '#test/conformance/random-rules/random-schema.ts';
import type { Random } from '#test/conformance/random-rules/random.ts';
import type { Target } from './targets.ts';

/** Members that hold any keys. */
const maps: ReadonlySet<string> = new Set([
  'annotations',
  'binaryData',
  'data',
  'labels',
  'limits',
  'matchLabels',
  'nodeSelector',
  'selector',
  'stringData',
  'whole',
]);

export function isMapMember(name: string): boolean {
  return maps.has(name);
}

const shapesOfTypes: Readonly<Record<string, ScalarKind>> = { string: 'string', boolean: 'bool' };

/** The shape of what an example is one of. */
function shapeOf(value: JsonValue, name = ''): Shape {
  if (Array.isArray(value)) return { kind: 'list', items: shapeOf(value[0] ?? ''), keyed: false };
  if (isObject(value))
    return isMapMember(name)
      ? { kind: 'map', values: shapeOf(Object.values(value)[0] ?? '') }
      : { kind: 'object', fields: new Map(Object.entries(value).map(([key, member]) => [key, shapeOf(member, key)])) };
  if (typeof value === 'number') return { kind: Number.isInteger(value) ? 'int' : 'double' };
  return { kind: shapesOfTypes[typeof value] ?? 'string' };
}

const metadata: JsonObject = { name: 'x', namespace: 'x', labels: { a: 'b' }, annotations: { a: 'b' } };

const request: Shape = shapeOf({
  operation: 'CREATE',
  name: 'x',
  namespace: 'x',
  dryRun: true,
  subResource: 'x',
  kind: { group: '', version: '', kind: '' },
  resource: { group: '', version: '', resource: '' },
  requestKind: { group: '', version: '', kind: '' },
  requestResource: { group: '', version: '', resource: '' },
  requestSubResource: 'x',
  userInfo: { username: 'x', groups: ['x'] },
});

const namespaceObject: Shape = shapeOf({
  metadata: { name: 'x', labels: { team: 'a' }, annotations: { a: 'b' } },
  status: { phase: 'x' },
});

const checks: readonly string[] = [
  "authorizer.path('/healthz').check('get')",
  "authorizer.group('').resource('configmaps').namespace('fuzz-a').check('create')",
  "authorizer.group('apps').resource('deployments').subresource('scale').name('x').check('update')",
  "authorizer.group('').resource('pods').labelSelector('a=b').check('list')",
  "authorizer.requestResource.check('approve')",
  "authorizer.requestResource.check('create')",
  "authorizer.serviceAccount('fuzz-a', 'default').group('').resource('secrets').check('get')",
];

/** The authorizer is a variable whose methods answer booleans and texts. */
const authorizations: readonly Reached[] = checks.flatMap((check): Reached[] => [
  { text: `${check}.allowed()`, shape: { kind: 'bool' } },
  { text: `${check}.reason()`, shape: { kind: 'string' } },
  { text: `${check}.errored()`, shape: { kind: 'bool' } },
]);

/** What the expressions of a policy may read besides the request and its objects. */
export interface Readable {
  readonly params?: JsonObject;
  readonly variables?: readonly Reached[];
  /** Only policies can read it. */
  readonly namespaceObject?: boolean;
}

export function rootsOf(random: Random, { body, kind }: Target, more: Readable): Reached[] {
  const object = shapeOf({ apiVersion: 'x', kind, metadata, ...body });
  return [
    { text: 'object', shape: object },
    ...(random.oneOf(3) ? [{ text: 'oldObject', shape: object }] : []),
    ...(random.oneOf(2) ? [{ text: 'request', shape: request }] : []),
    ...(random.oneOf(4) ? [random.pick(authorizations)] : []),
    ...(more.params === undefined ? [] : [{ text: 'params', shape: shapeOf({ kind: 'x', metadata, ...more.params }) }]),
    ...(more.namespaceObject === true && random.oneOf(3) ? [{ text: 'namespaceObject', shape: namespaceObject }] : []),
    ...(more.variables ?? []),
  ];
}

/** An expression that most often does not fail for an object that is not there. */
export function guarded(random: Random, text: string, otherwise: string): string {
  if (random.oneOf(5)) return text;
  const absent = ['object', 'oldObject', 'params', 'namespaceObject'].filter((name) =>
    new RegExp(`(?<![.\\w])${name}\\b`).test(text),
  );
  return absent.length === 0
    ? text
    : `${absent.map((name) => `${name} == null`).join(' || ')} ? ${otherwise} : (${text})`;
}

const oftenTrue: readonly string[] = [
  'true',
  "request.operation != 'CREATE'",
  "!request.name.endsWith('1')",
  'size(object.metadata.name) > 1',
];

/** A condition: of those that are not trivial about half hold. */
export function randomCondition(random: Random, roots: readonly Reached[]): string {
  const made = guarded(random, new RandomExpression(random, roots).of('bool', 2), 'true');
  if (random.oneOf(25)) return edited(random, made);
  return random.oneOf(3) ? made : `(${made}) || ${random.pick(oftenTrue)}`;
}

export function randomText(random: Random, roots: readonly Reached[]): string {
  const made = guarded(random, new RandomExpression(random, roots).of('string', 2), "'nothing'");
  return random.oneOf(25) ? edited(random, made) : made;
}

/** A value of a kind that is known, for a variable. */
export function randomVariable(
  random: Random,
  roots: readonly Reached[],
  name: string,
): Reached & { expression: string } {
  const kind = random.pick(['bool', 'int', 'string', 'list'] as const);
  const shape: Shape = kind === 'list' ? { kind, items: { kind: 'int' }, keyed: false } : { kind };
  return { text: `variables.${name}`, shape, expression: new RandomExpression(random, roots).of(kind, 2) };
}

/** With a character gone, or another. */
function edited(random: Random, text: string): string {
  const at = random.below(text.length);
  return text.slice(0, at) + random.pick(['', "'", ')', ' ', '.x', 'é']) + text.slice(at + 1);
}
