import { isObject } from '#shared/apimachinery/json/json.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import {
  anyValue,
  field,
  fieldHead,
  list,
  message,
  named,
  namedValue,
  text,
  wrapped,
  type DocumentMessage,
} from './proto-message.ts';

const propertiesNumber = 25;

/**
 * Encodes parts of an OpenAPI v2 document as `openapi.v2` messages (github.com/google/gnostic-models, OpenAPIv2.proto),
 * from their JSON. Covers only the fields that documents of this server have.
 */
const schemaFields: DocumentMessage = {
  $ref: [1],
  format: [2],
  title: [3],
  description: [4],
  multipleOf: [6, 'double'],
  maximum: [7, 'double'],
  exclusiveMaximum: [8],
  minimum: [9, 'double'],
  exclusiveMinimum: [10],
  maxLength: [11, 'int'],
  minLength: [12, 'int'],
  pattern: [13],
  maxItems: [14, 'int'],
  minItems: [15, 'int'],
  uniqueItems: [16],
  maxProperties: [17, 'int'],
  minProperties: [18, 'int'],
  required: [19],
  enum: [20, anyValue],
  additionalProperties: [21, wrapped(1, schema)],
  type: [22, typeItem],
  items: [23, wrapped(1, schema)],
  allOf: [24, schema],
  properties: [propertiesNumber, named(schema)],
  example: [30, anyValue],
};

const pathParameterFields: DocumentMessage = {
  required: [1],
  in: [2],
  description: [3],
  name: [4],
  type: [5],
  uniqueItems: [19],
};
const queryParameterFields: DocumentMessage = {
  required: [1],
  in: [2],
  description: [3],
  name: [4],
  type: [6],
  uniqueItems: [20],
};
const bodyParameterFields: DocumentMessage = {
  description: [1],
  name: [2],
  in: [3],
  required: [4],
  schema: [5, schema],
};

const operationFields: DocumentMessage = {
  tags: [1],
  description: [3],
  operationId: [5],
  produces: [6],
  consumes: [7],
  parameters: [8, parametersItem],
  responses: [9, named(wrapped(1, response))],
  schemes: [10],
};

const pathItemFields: DocumentMessage = {
  get: [2, operation],
  put: [3, operation],
  post: [4, operation],
  delete: [5, operation],
  options: [6, operation],
  head: [7, operation],
  patch: [8, operation],
  parameters: [9, parametersItem],
};

const responseFields: DocumentMessage = { description: [1], schema: [2, wrapped(1, schema)] };
const infoFields: DocumentMessage = { title: [1], version: [2] };
const apiKeyFields: DocumentMessage = { type: [1], name: [2], in: [3], description: [4] };

/**
 * A `NamedSchema` of Definitions. Schemas of custom resources can be large: takes a step for each schema with
 * properties.
 */
export function* definitionEntry(name: string, value: JsonObject): Steps<Buffer> {
  return field(1, namedValue(name, yield* schemaInSteps(value)));
}

function* schemaInSteps(value: JsonValue): Steps<Buffer> {
  if (sliceIsOver()) yield;
  if (!isObject(value) || !isObject(value['properties'])) return schema(value);
  const properties: Buffer[] = [];
  for (const [name, property] of Object.entries(value['properties']))
    properties.push(field(1, namedValue(name, yield* schemaInSteps(property))));
  // In the order of their field numbers.
  const others = Object.entries(value).filter(([key]) => key !== 'properties');
  const [extensions, fields] = [true, false].map((wanted) =>
    Object.fromEntries(others.filter(([key]) => key.startsWith('x-') === wanted)),
  );
  return Buffer.concat([
    schema(fields ?? {}),
    fieldHead(propertiesNumber, properties),
    ...properties,
    schema(extensions ?? {}),
  ]);
}

/** A `NamedPathItem` of Paths. */
export function pathEntry(name: string, value: JsonObject): Buffer {
  return field(2, namedValue(name, message(value, pathItemFields, 10)));
}

/** A `NamedParameter` of ParameterDefinitions. */
export function parameterEntry(name: string, value: JsonObject): Buffer {
  return field(1, namedValue(name, parameter(value)));
}

/** The encoded entries of a document. */
export interface DocumentEntries {
  readonly paths: readonly Buffer[];
  readonly definitions: readonly Buffer[];
  readonly parameters: readonly Buffer[];
}

/** The Document around entries that are encoded already; in pieces, since it can have megabytes. */
export function documentChunks(head: JsonObject, { paths, definitions, parameters }: DocumentEntries): Buffer[] {
  const security = named(wrapped(2, (value) => message(value, apiKeyFields, 5)));
  const requirement = named(() => Buffer.alloc(0));
  return [
    text(1, String(head['swagger'])),
    field(2, message(head['info'] ?? {}, infoFields, 7)),
    fieldHead(8, paths),
    ...paths,
    fieldHead(9, definitions),
    ...definitions,
    ...(parameters.length === 0 ? [] : [fieldHead(10, parameters), ...parameters]),
    ...list(head['security']).map((one) => field(12, requirement(one))),
    field(13, security(head['securityDefinitions'] ?? {})),
  ];
}

function schema(value: JsonValue): Buffer {
  return message(value, schemaFields, 31);
}

function operation(value: JsonValue): Buffer {
  return message(value, operationFields, 13);
}

function response(value: JsonValue): Buffer {
  return message(value, responseFields, 5);
}

function typeItem(value: JsonValue): Buffer {
  return text(1, String(value));
}

/** A reference, or the parameter itself. */
function parametersItem(value: JsonValue): Buffer {
  const reference = isObject(value) ? value['$ref'] : undefined;
  return typeof reference === 'string' ? field(2, text(1, reference)) : field(1, parameter(value));
}

/** Body, query and path parameters are messages of their own, inside one or two levels of `oneof`. */
function parameter(value: JsonValue): Buffer {
  const place = isObject(value) ? value['in'] : undefined;
  if (place === 'body') return field(1, message(value, bodyParameterFields, 6));
  const choice =
    place === 'path'
      ? field(4, message(value, pathParameterFields, 22))
      : field(3, message(value, queryParameterFields, 23));
  return field(2, choice);
}
