import type { Facts, ResourceFacts } from '#shared/api/facts.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { Describe } from '#shared/endpoints/openapi/model-schema.ts';
import { describeOperation } from '#shared/endpoints/openapi/operation-description.ts';
import type { Operation, Parameter, Paths } from '#shared/endpoints/openapi/operation.ts';
import type { PathOptions } from '#shared/endpoints/openapi/resource-operations.ts';
import { resourceOperations } from '#shared/endpoints/openapi/resource-operations.ts';
import { modelName } from './custom-models.ts';

const objectMedia = ['application/json', 'application/yaml'];
const patchMedia = ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml'];

/**
 * The paths of custom resources: like those of built-in resources, without the parts that only built-in resources have,
 * and with the resource's kind on every path. Yields after each resource.
 */
export function* customPaths({ facts, describe }: PathOptions, resources: readonly ResourceFacts[]): Steps<Paths> {
  const paths = new Map<string, Operation[]>();
  for (const resource of resources) {
    const options = { facts: withKinds(facts, resource), describe };
    for (const [path, operation] of resourceOperations(options, resource)) {
      if (path.includes(`/${resource.version}/watch/`)) continue;
      const known = paths.get(path);
      const list = operation.action === 'deletecollection' ? known?.find(({ action }) => action === 'list') : undefined;
      const own = customOperation(list === undefined ? operation : likeList(operation, list), resource, describe);
      if (known === undefined) paths.set(path, [own]);
      else known.push(own);
    }
    yield;
  }
  return new Map([...paths].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Adds the models of a custom kind to the facts, so that the builder of paths finds them. */
function withKinds(facts: Facts, { group, version, kind, listKind }: ResourceFacts): Facts {
  const named = (name: string): StructSchema => ({
    kind: 'struct',
    name,
    goName: kind,
    fields: [],
    flat: [],
    byName: new Map(),
  });
  const object = named(modelName(group, version, kind));
  const list = named(modelName(group, version, listKind));
  return {
    groups: () => facts.groups(),
    registeredVersions: () => facts.registeredVersions(),
    resource: (...of) => facts.resource(...of),
    byKind: (...of) => facts.byKind(...of),
    model: (name) => facts.model(name),
    schema(ofGroup, ofVersion, ofKind) {
      if (ofGroup !== group || ofVersion !== version) return facts.schema(ofGroup, ofVersion, ofKind);
      return ofKind === kind ? object : ofKind === listKind ? list : undefined;
    },
  };
}

/** Gives the deletion of a collection the parameters of the list operation, as the reference documents it. */
function likeList({ body: _body, ...operation }: Operation, { parameters }: Operation): Operation {
  return { ...operation, parameters };
}

function customOperation(operation: Operation, { group, version, kind }: ResourceFacts, describe: Describe): Operation {
  const { method, action, body, parameters, responses } = operation;
  const isRead = method === 'get' && action === 'get';
  const mediaTypes = method === 'patch' ? patchMedia : objectMedia;
  return {
    ...operation,
    gvk: { group, version, kind },
    ...(action === 'list' && { description: describeOperation(action, method, { kind }) }),
    parameters: [
      ...parameters.map((one) => (one.name === 'name' ? { ...one, description: `name of the ${kind}` } : one)),
      ...(isRead ? [resourceVersion(describe)] : []),
    ],
    ...(body === undefined ? {} : { body: { ...body, mediaTypes } }),
    responses: method === 'patch' ? onlyOk(responses) : responses,
    consumes: mediaTypes,
    produces: objectMedia,
  };
}

function resourceVersion(describe: Describe): Parameter {
  // GetOptions has the text of ListOptions.
  const description = describe('io.k8s.apimachinery.pkg.apis.meta.v1.ListOptions', 'resourceVersion');
  return { name: 'resourceVersion', in: 'query', type: 'string', ...(description !== undefined && { description }) };
}

function onlyOk(responses: Operation['responses']): Operation['responses'] {
  return { 200: responses[200] };
}
