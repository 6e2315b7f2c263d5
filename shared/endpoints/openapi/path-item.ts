import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { refTo } from './model-schema.ts';
import type { Dialect } from './model-schema.ts';
import { methods, same, sharedParameters } from './operation.ts';
import type { Operation, Parameter } from './operation.ts';
import type { V2Parameters } from './v2-parameters.ts';

/** Notes what path items refer to. */
export type PathReferences = {
  /** Gets the names of models. */
  readonly models: Set<string>;
} & ({ readonly dialect: 'v2'; readonly parameters: V2Parameters } | { readonly dialect: 'v3' });

/** The operations of one path, in the form of a document. */
export function pathItem(operations: readonly Operation[], references: PathReferences): JsonObject {
  const shared = sharedParameters(operations);
  const item: JsonObject = {};
  for (const method of methods) {
    const operation = operations.find((candidate) => candidate.method === method);
    if (operation === undefined) continue;
    const own = operation.parameters.filter((one) => !shared.some((other) => same(one, other)));
    item[method] =
      references.dialect === 'v3'
        ? v3Operation(operation, own, references.models)
        : v2Operation(operation, own, references);
  }
  if (shared.length > 0)
    item['parameters'] = shared.map((one) =>
      references.dialect === 'v3' ? v3Parameter(one) : references.parameters.refer(v2Parameter(one)),
    );
  return item;
}

function v3Operation(operation: Operation, own: readonly Parameter[], models: Set<string>): JsonObject {
  const { tag, description, operationId, body } = operation;
  const content = (model: string | undefined, mediaTypes: readonly string[]): JsonObject =>
    Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema: schemaOf(model, 'v3', models) }]));
  return {
    tags: [tag],
    description,
    operationId,
    ...(own.length > 0 && { parameters: own.map(v3Parameter) }),
    ...(body !== undefined && {
      requestBody: { content: content(body.model, body.mediaTypes), ...(body.required && { required: true }) },
    }),
    responses: responses(operation, (model) => ({ content: content(model, operation.produces) })),
    ...extensions(operation),
  };
}

function v2Operation(
  operation: Operation,
  own: readonly Parameter[],
  references: PathReferences & { dialect: 'v2' },
): JsonObject {
  const { tag, description, operationId, body, produces, consumes = body?.mediaTypes ?? ['*/*'] } = operation;
  const { models, parameters: shared } = references;
  const parameters = own.map(v2Parameter);
  if (body !== undefined) {
    const schema = schemaOf(body.model, 'v2', models);
    parameters.unshift({ name: 'body', in: 'body', ...(body.required && { required: true }), schema });
  }
  return {
    description,
    ...(consumes.length > 0 && { consumes: [...consumes] }),
    produces: [...produces],
    schemes: ['https'],
    tags: [tag],
    operationId,
    ...(parameters.length > 0 && { parameters: parameters.map((one) => shared.refer(one)) }),
    responses: responses(operation, (model) => ({ schema: schemaOf(model, 'v2', models) })),
    ...extensions(operation),
  };
}

const reasons: Readonly<Record<string, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted', 401: 'Unauthorized' };

function responses(operation: Operation, form: (model: string | undefined) => JsonObject): JsonObject {
  const all = Object.entries(operation.responses).map(([code, model]) => [
    code,
    { description: getKey(reasons, code) ?? '', ...form(model) },
  ]);
  return { ...Object.fromEntries(all), 401: { description: 'Unauthorized' } };
}

function extensions({ action, gvk }: Operation): JsonObject {
  return {
    ...(action !== undefined && { 'x-kubernetes-action': action }),
    ...(gvk !== undefined && { 'x-kubernetes-group-version-kind': { ...gvk } }),
  };
}

function schemaOf(model: string | undefined, dialect: Dialect, models: Set<string>): JsonObject {
  if (model === undefined) return { type: 'string' };
  models.add(model);
  return { $ref: refTo(model, dialect) };
}

function v3Parameter({ name, in: place, type, required, description }: Parameter): JsonObject {
  return {
    name,
    in: place,
    ...(description !== undefined && { description }),
    ...(required === true && { required }),
    schema: { type, uniqueItems: true },
  };
}

/** Its members are in the order of kube-openapi, which makes names of it. */
function v2Parameter({ name, in: place, type, required, description }: Parameter): JsonObject {
  return {
    uniqueItems: true,
    type,
    ...(description !== undefined && { description }),
    name,
    in: place,
    ...(required === true && { required }),
  };
}
