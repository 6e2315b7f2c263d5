import { dump } from 'js-yaml';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Exchange, Sent, Server } from '#test/compare/exchange.ts';
import { jsonPatchOf, mergePatchOf, mutate, mutateText, withDirective } from './mutate.ts';
import type { Scenario, Step } from './scenario.ts';
import type { Seed } from './seeds.ts';

export interface PlayOptions {
  /** Whether updates and patches see them. */
  readonly managedFields: boolean;
  /** Ask for every answer that a request may have. */
  readonly settled: boolean;
}

const validations = [
  '',
  '',
  '',
  'fieldValidation=Strict',
  'fieldValidation=Ignore',
  'fieldValidation=Warn',
  'fieldManager=one',
  'fieldManager=two',
  'dryRun=All',
  'fieldValidation=Odd',
  'pretty=true',
];
const accepts = [
  'application/json',
  'application/json',
  'application/yaml',
  'application/json;as=Table;g=meta.k8s.io;v=v1',
  'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
  'application/json;as=Table;g=meta.k8s.io;v=v1beta1,application/json',
  'text/html',
  '*/*',
  'application/json;as=Odd;g=a;v=b',
];
const listOptions = [
  '',
  'limit=1',
  'limit=-1',
  'limit=x',
  'resourceVersion=0',
  'resourceVersion=x',
  'resourceVersionMatch=Exact',
  'resourceVersion=1&resourceVersionMatch=Odd',
  'resourceVersion=0&resourceVersionMatch=Exact',
  'labelSelector=a%3Db%2Cnobody%3Dhere',
  'labelSelector=a+in+%28b%2Cc%29%2C%21d%2Cnobody%3Dhere',
  'labelSelector=%3D',
  'labelSelector=a%3Db%3Dc',
  'fieldSelector=metadata.name%3Dnope',
  'fieldSelector=spec.nodeName%3Dx',
  'fieldSelector=a',
  'continue=x',
  'continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTEsInN0YXJ0Ijoia1x1MDAwMCJ9',
  'sendInitialEvents=true',
  'timeoutSeconds=x',
  'watch=1&resourceVersionMatch=Exact',
  'watch=1&sendInitialEvents=true&resourceVersion=1',
];
const deleteOptions: readonly (JsonValue | undefined)[] = [
  undefined,
  undefined,
  {},
  { gracePeriodSeconds: 0 },
  { propagationPolicy: 'Orphan' },
  { propagationPolicy: 'Foreground' },
  { propagationPolicy: 'Odd' },
  { orphanDependents: true },
  { preconditions: { uid: 'x' } },
  { preconditions: { resourceVersion: '1' } },
  { dryRun: ['All'] },
  { dryRun: ['Odd'] },
  { kind: 'Odd', apiVersion: 'v1' },
  { orphanDependents: true, propagationPolicy: 'Orphan' },
  { nope: 1 },
  [],
];

/** Answers without a new one among them that end the asking. */
const askedAgain = 32;

/**
 * The reference walks the maps of an applied object in random order and leaves a map at its first undeclared field, so
 * that of several mistakes it tells others each time (structured-merge-diff/v6/typed/validate.go); so does its
 * conversion to the type (apimachinery/pkg/runtime/converter.go). Such a request changes nothing: it is sent again
 * until each answer was seen, most likely, and any of them is right.
 */
async function settle(server: Server, first: Exchange): Promise<Exchange> {
  const message = isObject(first.body) ? first.body['message'] : undefined;
  if (typeof message !== 'string' || !tellsOneOfSeveral(first.status, message)) return first;
  const others = new Map<string, Exchange>();
  for (let old = 0; old < askedAgain; old++) {
    const other = await server.send(first.sent);
    const text = JSON.stringify(other.body);
    if (!others.has(text)) old = 0;
    others.set(text, other);
  }
  return { ...first, others: [...others.values()] };
}

/** Also of a strategic patch, whose outcome is converted so. */
function tellsOneOfSeveral(status: number, message: string): boolean {
  return status === 500
    ? /typed patch object.*(errors:|not declared)|unable to convert unstructured object/.test(message)
    : status === 422 && /": (error decoding from json|unrecognized type): [^"]*$/.test(message);
}

/** Carries out a scenario; `run` makes names that nobody else has. */
export async function play(
  server: Server,
  seed: Seed,
  scenario: Scenario,
  run: string,
  { managedFields, settled }: PlayOptions,
): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  const name = nameFor(seed, run);
  const origin = cloneJson(seed.object);
  origin.metadata.name = name;
  let current: JsonObject = origin;
  for (const step of scenario.steps) {
    if (seed.dryRun && step.verb !== 'create' && step.verb !== 'list') break;
    const sent = await server.send(requestOf(step, seed, name, current, origin));
    const exchange = settled ? await settle(server, sent) : sent;
    exchanges.push(exchange);
    const { body } = exchange;
    if (exchange.status < 300 && isObject(body) && body['kind'] === origin.kind && isObject(body['metadata']))
      current = managedFields ? body : withoutManagedFields(body, body['metadata']);
  }
  if (!seed.dryRun)
    await server.send({
      method: 'DELETE',
      path: `${seed.path}/${name}?gracePeriodSeconds=0`,
      headers: {},
      body: undefined,
    });
  return exchanges;
}

function withoutManagedFields(
  object: JsonObject,
  { managedFields: _managedFields, ...metadata }: JsonObject,
): JsonObject {
  return { ...object, metadata };
}

/** Kinds whose names say what the objects hold. */
const ownNames: ReadonlySet<unknown> = new Set(['APIService', 'CustomResourceDefinition']);

/** Addresses are their own name. */
function nameFor({ object }: Seed, run: string): string {
  if (object.kind !== 'IPAddress') return ownNames.has(object.kind) ? String(object.metadata.name) : `f-${run}`;
  const number = Number.parseInt(run, 36);
  return `192.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
}

function requestOf(step: Step, seed: Seed, name: string, current: JsonObject, origin: JsonObject): Sent {
  if ('replicas' in step) return subresourceRequest(step, seed, name);
  const { options } = step;
  const query = [validations[options % validations.length] ?? '', ...(seed.dryRun ? ['dryRun=All'] : [])].filter(
    (part) => part !== '',
  );
  const accept = {
    accept:
      step.verb === 'get' || step.verb === 'list'
        ? (accepts[Math.floor(options / 100) % accepts.length] ?? '')
        : 'application/json',
  };
  const subresource =
    'subresource' in step && step.subresource > 0
      ? seed.subresources[step.subresource % Math.max(1, seed.subresources.length)]
      : undefined;
  const item = `${seed.path}/${name}${subresource === undefined ? '' : `/${subresource}`}`;
  const at = (path: string): string => (query.length === 0 ? path : `${path}?${query.join('&')}`);
  switch (step.verb) {
    case 'get':
      return {
        method: 'GET',
        path: `${item}${options % 5 === 0 ? '?pretty=1' : ''}`,
        headers: accept,
        body: undefined,
      };
    case 'list': {
      const chosen = listOptions[options % listOptions.length] ?? '';
      // Others work in the same namespace: only lists that select nothing, or fail, are the same on both.
      const none = 'labelSelector' in step ? '' : chosen.includes('abelSelector') ? '' : '&labelSelector=nobody%3Dhere';
      return { method: 'GET', path: `${seed.path}?${chosen}${none}`, headers: accept, body: undefined };
    }
    case 'delete': {
      const body = deleteOptions[options % deleteOptions.length];
      return {
        method: 'DELETE',
        path: item,
        headers: { 'content-type': 'application/json', ...accept },
        body: body === undefined ? undefined : JSON.stringify(body),
      };
    }
    case 'create':
    case 'update': {
      const changed = mutate(step.verb === 'create' ? origin : current, step.mutations);
      const json = JSON.stringify(changed);
      const isYaml = options % 13 === 0;
      const text = step.text === undefined ? (isYaml ? dump(changed) : json) : mutateText(json, step.text);
      return {
        method: step.verb === 'create' ? 'POST' : 'PUT',
        path: at(step.verb === 'create' ? seed.path : item),
        headers: { 'content-type': isYaml ? 'application/yaml' : 'application/json', ...accept },
        body: text,
      };
    }
    case 'json':
      return patchRequest(at(item), 'application/json-patch+json', jsonPatchOf(current, step.mutations), accept);
    case 'merge':
      return patchRequest(at(item), 'application/merge-patch+json', mergePatchOf(current, step.mutations), accept);
    case 'strategic': {
      const patch = mergePatchOf(current, step.mutations);
      const [first] = step.mutations;
      return patchRequest(
        at(item),
        'application/strategic-merge-patch+json',
        first === undefined || options % 2 === 0 ? patch : withDirective(patch, first),
        accept,
      );
    }
    case 'apply': {
      const manager = `fieldManager=${['one', 'two', 'three'][options % 3] ?? ''}${options % 4 === 0 ? '&force=true' : ''}`;
      return patchRequest(
        `${item}?${manager}${seed.dryRun ? '&dryRun=All' : ''}`,
        'application/apply-patch+yaml',
        mutate(origin, step.mutations),
        accept,
      );
    }
  }
}

/** Members of many kinds' status; a kind ignores those of others. */
function statusOf(replicas: number): JsonObject {
  const time = '2026-01-02T03:04:05Z';
  return {
    replicas,
    readyReplicas: replicas,
    observedGeneration: replicas,
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'True', reason: 'Kept', message: '', lastTransitionTime: time }],
  };
}

function subresourceRequest(
  { verb, replicas }: Extract<Step, { verb: 'status' | 'scale' }>,
  seed: Seed,
  name: string,
): Sent {
  return patchRequest(
    `${seed.path}/${name}/${verb}`,
    'application/merge-patch+json',
    verb === 'scale' ? { spec: { replicas } } : { status: statusOf(replicas) },
    { accept: 'application/json' },
  );
}

function patchRequest(path: string, type: string, patch: JsonValue, accept: Readonly<Record<string, string>>): Sent {
  return { method: 'PATCH', path, headers: { 'content-type': type, ...accept }, body: JSON.stringify(patch) };
}
