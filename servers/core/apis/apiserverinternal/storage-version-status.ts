import {
  duplicate,
  invalid,
  path,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { isQualifiedName, nameIsDNSSubdomain } from '#shared/apimachinery/validation/names.ts';
import { apiVersionErrors } from './api-version.ts';

const status = path('status');

/** Validates the versions in which each server reports to store a resource (pkg/apis/apiserverinternal/validation). */
export function validateStorageVersionStatus(object: KubeObject): FieldError[] {
  const servers = objectsAt(object, 'status', 'storageVersions');
  const seen = new Set<string>();
  const errors = servers.flatMap((server, index) => {
    const field = status.child('storageVersions').index(index);
    const id = stringAt(server, 'apiServerID');
    const repeated = seen.has(id) ? [duplicate(field.child('apiServerID'), id)] : [];
    seen.add(id);
    return [...repeated, ...validateServer(server, field)];
  });
  return [...errors, ...validateCommonVersion(object, servers), ...validateConditions(object)];
}

function validateServer(server: JsonObject, field: Path): FieldError[] {
  const [id, encoding] = [stringAt(server, 'apiServerID'), stringAt(server, 'encodingVersion')];
  const [decodable, served] = [stringsAt(server, 'decodableVersions'), stringsAt(server, 'servedVersions')];
  const known = new Set(decodable);
  const listed = served.every((version) => known.has(version)) ? '' : decodable.join(' ');
  const decodableField = field.child('decodableVersions');
  return [
    ...messages(nameIsDNSSubdomain(id, false), field.child('apiServerID'), id),
    ...validateVersion(encoding, field.child('encodingVersion')),
    ...decodable.flatMap((version, index) => validateVersion(version, decodableField.index(index))),
    ...(known.has(encoding)
      ? []
      : [
          invalid(
            decodableField,
            Array.isArray(server['decodableVersions']) ? [...decodable] : null,
            `decodableVersions must include encodingVersion ${encoding}`,
          ),
        ]),
    ...served.flatMap((version, index) => {
      const at = field.child('servedVersions').index(index);
      const detail = `individual served version : ${version} must be included in decodableVersions : [${listed}]`;
      return [...validateVersion(version, at), ...(known.has(version) ? [] : [invalid(at, version, detail)])];
    }),
  ];
}

function validateVersion(version: string, field: Path): FieldError[] {
  const texts = apiVersionErrors(version);
  return texts.length === 0 ? [] : [invalid(field, version, texts.join(','))];
}

/** `commonEncodingVersion` must be the version that all servers encode, and unset if they differ or none is listed. */
function validateCommonVersion(object: KubeObject, servers: readonly JsonObject[]): FieldError[] {
  const field = status.child('commonEncodingVersion');
  const given = objectAt(object, 'status')?.['commonEncodingVersion'];
  const [actual, ...others] = new Set(servers.map((server) => stringAt(server, 'encodingVersion')));
  if (actual === undefined || others.length > 0) {
    return typeof given === 'string'
      ? [
          invalid(
            field,
            given,
            'should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet',
          ),
        ]
      : [];
  }
  if (typeof given !== 'string') return [invalid(field, null, `the common encoding version is ${actual}`)];
  return given === actual ? [] : [invalid(field, given, `the actual common encoding version is ${actual}`)];
}

/** Validates the conditions. As in the reference, their paths lack the field name `conditions`. */
function validateConditions(object: KubeObject): FieldError[] {
  const indexes = new Map<string, number>();
  return objectsAt(object, 'status', 'conditions').flatMap((condition, index) => {
    const field = status.index(index);
    const [type, value] = [stringAt(condition, 'type'), stringAt(condition, 'status')];
    const other = indexes.get(type);
    indexes.set(type, index);
    return [
      ...(other === undefined
        ? []
        : [
            invalid(
              field.child('type'),
              type,
              `the type of the condition is not unique, it also appears in conditions[${other}]`,
            ),
          ]),
      ...messages(isQualifiedName(type), field.child('type'), type),
      ...messages(isQualifiedName(value), field.child('status'), value),
      ...['reason', 'message']
        .filter((name) => stringAt(condition, name) === '')
        .map((name) => required(field.child(name), '')),
    ];
  });
}
