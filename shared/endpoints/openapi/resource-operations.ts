import type { Facts, ResourceFacts, SubresourceFacts } from '#shared/api/facts.ts';
import { patchModel } from '#shared/api/scalar-models.ts';
import { rootOf, tagOf, title, titleOf } from './group-names.ts';
import type { Describe } from './model-schema.ts';
import { describeOperation } from './operation-description.ts';
import type { OperationObject } from './operation-description.ts';
import { objectMedia, watchMedia } from './operation.ts';
import type { Method, Operation, Parameter } from './operation.ts';
import { generalParameter, nameInPath, parametersOf, sortedParameters } from './parameters.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const status = `${meta}.Status`;
const anyMedia = ['*/*'];
const patchMedia = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];

/** The inputs of all paths. */
export interface PathOptions {
  readonly facts: Facts;
  readonly describe: Describe;
}

type Gvk = NonNullable<Operation['gvk']>;

/** The values that all operations of one resource or subresource share. */
interface Target extends PathOptions, OperationObject {
  readonly group: string;
  readonly version: string;
  /** Kind of the parent and title of the subresource: `PodEviction`. */
  readonly noun: string;
  readonly gvk: Gvk;
  readonly model: string;
  readonly namespaced: boolean;
  readonly parameters: readonly Parameter[];
}

/** The operations of a resource with its subresources, as path and operation. */
export function* resourceOperations(
  { facts, describe }: PathOptions,
  resource: ResourceFacts,
): Generator<[path: string, operation: Operation]> {
  const { group, version, kind, namespaced } = resource;
  const root = `/${rootOf(group, version)}`;
  const collection = namespaced ? `namespaces/{namespace}/${resource.resource}` : resource.resource;
  const gvk = { group, version, kind };
  const pretty: Parameter = generalParameter(describe, 'pretty', 'query');
  const target: Target = {
    facts,
    describe,
    group,
    version,
    kind,
    watchable: resource.verbs.includes('watch'),
    noun: kind,
    gvk,
    model: modelOf(facts, gvk),
    namespaced,
    parameters: namespaced ? [generalParameter(describe, 'namespace', 'path'), pretty] : [pretty],
  };
  for (const operation of collectionOperations(target, resource)) yield [`${root}/${collection}`, operation];
  for (const operation of itemOperations(target, resource)) yield [`${root}/${collection}/{name}`, operation];
  yield* listOperations(target, resource, root, collection);
  for (const subresource of resource.subresources)
    yield* subresourceOperations(target, subresource, root, resource.resource);
}

function* collectionOperations(target: Target, { verbs, listKind }: ResourceFacts): Generator<Operation> {
  const listModel = modelOf(target.facts, { ...target.gvk, kind: listKind });
  if (verbs.includes('list')) {
    // Also applies to lists that cannot be watched (componentstatuses): the reference routes every lister this way.
    yield {
      ...base(target, 'get', 'list', 'list'),
      parameters: [...target.parameters, ...parseListOptions(target)],
      responses: { 200: listModel },
      produces: watchMedia,
    };
  }
  if (verbs.includes('create')) yield create(target);
  if (verbs.includes('deletecollection')) {
    const selection = parseListOptions(target).filter(({ name }) => name !== 'allowWatchBookmarks' && name !== 'watch');
    yield {
      ...base(target, 'delete', 'deletecollection', 'delete', { infix: 'Collection' }),
      parameters: sortedParameters([...target.parameters, ...deleteOptions(target), ...selection]),
      body: deleteBody,
      responses: { 200: status },
    };
  }
}

function* itemOperations(parent: Target, { verbs, deleteReturnsObject }: ResourceFacts): Generator<Operation> {
  const target = { ...parent, parameters: [nameInPath(parent.gvk), ...parent.parameters] };
  if (verbs.includes('get')) yield read(target);
  if (verbs.includes('update')) yield replace(target);
  if (verbs.includes('delete')) {
    const answer = deleteReturnsObject === true ? target.model : status;
    yield {
      ...base(target, 'delete', 'delete', 'delete'),
      parameters: [...target.parameters, ...deleteOptions(target)],
      body: deleteBody,
      responses: { 200: answer, 202: answer },
    };
  }
  if (verbs.includes('patch')) yield patch(target);
}

/** The operations that list over all namespaces, and those of the deprecated watch paths. */
function* listOperations(
  target: Target,
  resource: ResourceFacts,
  root: string,
  collection: string,
): Generator<[string, Operation]> {
  const { verbs, namespaced, listKind } = resource;
  const lists = verbs.includes('list');
  const watches = lists && verbs.includes('watch');
  const everywhere = {
    ...target,
    namespaced: false,
    parameters: sortedParameters([
      ...target.parameters.filter(({ name }) => name === 'pretty'),
      ...parseListOptions(target),
    ]),
  };
  const everywhereSuffix = namespaced ? 'ForAllNamespaces' : '';
  if (lists && namespaced) {
    const responses = { 200: modelOf(target.facts, { ...target.gvk, kind: listKind }) };
    yield [
      `${root}/${resource.resource}`,
      { ...base(everywhere, 'get', 'list', 'list', { suffix: everywhereSuffix }), responses, produces: watchMedia },
    ];
  }
  if (!watches) return;
  const watch = { responses: { 200: `${meta}.WatchEvent` }, produces: watchMedia };
  yield [
    `${root}/watch/${resource.resource}`,
    { ...base(everywhere, 'get', 'watchlist', 'watch', { suffix: `List${everywhereSuffix}` }), ...watch },
  ];
  const inNamespace = { ...target, parameters: sortedParameters([...target.parameters, ...parseListOptions(target)]) };
  if (namespaced)
    yield [
      `${root}/watch/${collection}`,
      { ...base(inNamespace, 'get', 'watchlist', 'watch', { suffix: 'List' }), ...watch },
    ];
  const one = { ...inNamespace, parameters: sortedParameters([nameInPath(target.gvk), ...inNamespace.parameters]) };
  yield [`${root}/watch/${collection}/{name}`, { ...base(one, 'get', 'watch', 'watch'), ...watch }];
}

function* subresourceOperations(
  parent: Target,
  { name, kind, verbs }: SubresourceFacts,
  root: string,
  resource: string,
): Generator<[string, Operation]> {
  const parents = parent.namespaced ? `namespaces/{namespace}/${resource}` : resource;
  const path = `${root}/${parents}/{name}/${name}`;
  const noun = parent.noun + title(name);
  const target: Target = {
    ...parent,
    noun,
    gvk: kind,
    model: modelOf(parent.facts, kind),
    subresource: name,
    parameters: [nameInPath(kind), ...parent.parameters],
  };
  if (kind.kind.endsWith('Options')) {
    yield* connectOperations(target, verbs, path);
    return;
  }
  if (verbs.includes('get')) yield [path, name === 'log' ? log(target) : read(target)];
  if (verbs.includes('update')) yield [path, replace(target)];
  if (verbs.includes('create')) yield [path, create(target)];
  if (verbs.includes('patch')) yield [path, patch(target)];
}

function* connectOperations(target: Target, verbs: readonly string[], path: string): Generator<[string, Operation]> {
  const proxy = target.noun.endsWith('Proxy');
  const all: readonly Method[] = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];
  const methods: readonly Method[] = proxy && verbs.includes('delete') ? all : ['get', 'post'];
  const options = parametersOf(target, target.facts.model(target.model));
  const connected = {
    ...target,
    parameters: sortedParameters([...target.parameters.filter((one) => one.name !== 'pretty'), ...options]),
  };
  for (const method of methods) {
    const operation = {
      ...base(connected, method, 'connect', 'connect', { infix: title(method) }),
      responses: { 200: undefined },
      produces: anyMedia,
    };
    yield [path, operation];
    if (!proxy) continue;
    const parameters = sortedParameters([...connected.parameters, generalParameter(target.describe, 'path', 'path')]);
    yield [`${path}/{path}`, { ...operation, operationId: `${operation.operationId}WithPath`, parameters }];
  }
}

function base(
  target: Target,
  method: Method,
  action: string,
  verb: string,
  { infix = '', suffix = '' } = {},
): Operation {
  const scope = target.namespaced ? 'Namespaced' : '';
  return {
    method,
    operationId: `${verb}${titleOf(target.group, target.version)}${infix}${scope}${target.noun}${suffix}`,
    description: describeOperation(action, method, target),
    tag: tagOf(target.group, target.version),
    action,
    gvk: target.gvk,
    parameters: target.parameters,
    responses: {},
    produces: objectMedia,
  };
}

const deleteBody = { model: `${meta}.DeleteOptions`, required: false, mediaTypes: anyMedia };

function read(target: Target): Operation {
  return { ...base(target, 'get', 'get', 'read'), responses: { 200: target.model } };
}

function log(target: Target): Operation {
  const options = parametersOf(target, target.facts.schema('', 'v1', 'PodLogOptions'));
  const parameters = sortedParameters([...target.parameters, ...options]);
  return {
    ...base(target, 'get', 'get', 'read'),
    parameters,
    responses: { 200: undefined },
    produces: ['text/plain', ...objectMedia],
  };
}

function create(target: Target): Operation {
  const { model } = target;
  const body = { model, required: true, mediaTypes: anyMedia };
  return {
    ...base(target, 'post', 'post', 'create'),
    parameters: writing(target, 'CreateOptions'),
    body,
    responses: { 200: model, 201: model, 202: model },
  };
}

function replace(target: Target): Operation {
  const { model } = target;
  const body = { model, required: true, mediaTypes: anyMedia };
  return {
    ...base(target, 'put', 'put', 'replace'),
    parameters: writing(target, 'UpdateOptions'),
    body,
    responses: { 200: model, 201: model },
  };
}

function patch(target: Target): Operation {
  const { model } = target;
  const body = { model: patchModel, required: true, mediaTypes: patchMedia };
  return {
    ...base(target, 'patch', 'patch', 'patch'),
    parameters: writing(target, 'PatchOptions'),
    body,
    responses: { 200: model, 201: model },
  };
}

function writing(target: Target, options: string): Parameter[] {
  return [...target.parameters, ...parametersOf(target, target.facts.model(`${meta}.${options}`))];
}

function parseListOptions(target: Target): Parameter[] {
  return parametersOf(target, target.facts.model(`${meta}.ListOptions`));
}

function deleteOptions(target: Target): Parameter[] {
  return parametersOf(target, target.facts.model(`${meta}.DeleteOptions`));
}

function modelOf(facts: Facts, { group, version, kind }: Gvk): string {
  return facts.schema(group, version, kind)?.name ?? '';
}
