import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import {
  anyValue,
  boolean,
  double,
  field,
  fieldHead,
  list,
  message,
  named,
  namedValue,
  text,
  wrapped,
  type Encode,
  type DocumentMessage,
} from './proto-message.ts';

/**
 * Encodes OpenAPI v3 documents as `openapi.v3` messages (github.com/google/gnostic-models, OpenAPIv3.proto), from their
 * JSON. Covers only the fields that documents of the API have; fields are in the order of their numbers, as Go marshals
 * them.
 */
const schemaFields: DocumentMessage = {
  nullable: [1],
  readOnly: [3],
  writeOnly: [4],
  example: [7, anyValue],
  deprecated: [8],
  title: [9],
  multipleOf: [10, 'double'],
  maximum: [11, 'double'],
  exclusiveMaximum: [12],
  minimum: [13, 'double'],
  exclusiveMinimum: [14],
  maxLength: [15, 'int'],
  minLength: [16, 'int'],
  pattern: [17],
  maxItems: [18, 'int'],
  minItems: [19, 'int'],
  uniqueItems: [20],
  maxProperties: [21, 'int'],
  minProperties: [22, 'int'],
  required: [23],
  enum: [24, anyValue],
  type: [25],
  allOf: [26, schemaOrReference],
  oneOf: [27, schemaOrReference],
  anyOf: [28, schemaOrReference],
  not: [29, schema],
  items: [30, wrapped(1, schemaOrReference)],
  properties: [31, named(schemaOrReference)],
  additionalProperties: [32, additionalProperties],
  default: [33, defaultValue],
  description: [34],
  format: [35],
};

const mediaFields: DocumentMessage = { schema: [1, schemaOrReference] };
const media = named((value) => message(value, mediaFields, 5));
const parameterFields: DocumentMessage = {
  name: [1],
  in: [2],
  description: [3],
  required: [4],
  schema: [10, schemaOrReference],
};
const bodyFields: DocumentMessage = { description: [1], content: [2, media], required: [3] };
const responseFields: DocumentMessage = { description: [1], content: [3, media] };
const parameter = wrapped(1, (value) => message(value, parameterFields, 14));
const requirement = named((value) => Buffer.concat(list(value).map((scope) => text(1, String(scope)))));

const operationFields: DocumentMessage = {
  tags: [1],
  description: [3],
  operationId: [5],
  parameters: [6, parameter],
  requestBody: [7, wrapped(1, (value) => message(value, bodyFields, 4))],
  responses: [8, responses],
  deprecated: [10],
  security: [11, requirement],
};

const pathFields: DocumentMessage = {
  description: [3],
  get: [4, operation],
  put: [5, operation],
  post: [6, operation],
  delete: [7, operation],
  options: [8, operation],
  head: [9, operation],
  patch: [10, operation],
  parameters: [13, parameter],
};

const infoFields: DocumentMessage = { title: [1], description: [2], version: [6] };
const securitySchemeFields: DocumentMessage = { type: [1], description: [2], name: [3], in: [4] };

function operation(value: JsonValue): Buffer {
  return message(value, operationFields, 13);
}

function responses(value: JsonValue): Buffer {
  const response = wrapped(1, (one) => message(one, responseFields, 5));
  return Buffer.concat(
    entriesOf(value).map(([code, one]) =>
      code === 'default' ? field(1, response(one)) : field(2, namedValue(code, response(one))),
    ),
  );
}

function schema(value: JsonValue): Buffer {
  return message(value, schemaFields, 36);
}

function schemaOrReference(value: JsonValue): Buffer {
  const reference = isObject(value) ? value['$ref'] : undefined;
  return typeof reference === 'string' ? field(2, text(1, reference)) : field(1, schema(value));
}

function additionalProperties(value: JsonValue): Buffer {
  return typeof value === 'boolean' ? boolean(2, value) : field(1, schemaOrReference(value));
}

/** The message holds scalars only; any other default is left out, as in gnostic. */
function defaultValue(value: JsonValue): Buffer {
  if (typeof value === 'boolean') return boolean(2, value);
  if (typeof value === 'string') return text(3, value);
  return typeof value === 'number' || typeof value === 'bigint' ? double(1, Number(value)) : Buffer.alloc(0);
}

function entriesOf(value: JsonValue | undefined): [string, JsonValue][] {
  return Object.entries(isObject(value) ? value : {});
}

function* entries(number: number, value: JsonValue | undefined, encode: Encode): Steps<Buffer[]> {
  const parts: Buffer[] = [];
  for (const [name, one] of entriesOf(value)) {
    parts.push(field(number, namedValue(name, encode(one))));
    yield;
  }
  return parts;
}

/** A Document in pieces, a step for each path and schema. */
export function* v3Message(document: JsonObject): Steps<Buffer[]> {
  const components = isObject(document['components']) ? document['components'] : {};
  const paths = yield* entries(1, document['paths'], (value) => message(value, pathFields, 14));
  const schemas = yield* entries(1, components['schemas'], schemaOrReference);
  const security =
    components['securitySchemes'] === undefined
      ? Buffer.alloc(0)
      : field(7, named(wrapped(1, (value) => message(value, securitySchemeFields, 9)))(components['securitySchemes']));
  const inComponents = [...(schemas.length === 0 ? [] : [fieldHead(1, schemas), ...schemas]), security];
  return [
    text(1, String(document['openapi'])),
    field(2, message(document['info'] ?? {}, infoFields, 7)),
    fieldHead(4, paths),
    ...paths,
    ...(document['components'] === undefined ? [] : [fieldHead(5, inComponents), ...inComponents]),
  ];
}
