import { validateFileMode, validateUnreservedPath } from '#servers/core/validation/paths.ts';
import { forbidden, invalid, required, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { int64At, numberAt, objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import type { TakePath } from './certificate-projections.ts';
import { validatePodCertificate, validateTrustBundle } from './certificate-projections.ts';
import { validateDownwardFile, validateItems } from './volume-files.ts';

// Projected volumes (pkg/apis/core/validation validateProjectionSources).

const minTokenSeconds = 600;
const maxTokenSeconds = 2 ** 32;

export function validateProjected(source: JsonObject, field: Path): FieldError[] {
  const taken = new Set<string>();
  const take: TakePath = (path, owner) => {
    const conflicts = taken.has(path);
    taken.add(path);
    return conflicts ? [invalid(field, owner, 'conflicting duplicate paths')] : [];
  };
  return [
    ...validateFileMode(numberAt(source, 'defaultMode'), field.child('defaultMode')),
    ...objectsAt(source, 'sources').flatMap((part, index) =>
      validateSource(part, take, field, field.child('sources').index(index)),
    ),
  ];
}

function validateSource(part: JsonObject, take: TakePath, volume: Path, field: Path): FieldError[] {
  const sources = [
    'secret',
    'configMap',
    'downwardAPI',
    'serviceAccountToken',
    'clusterTrustBundle',
    'podCertificate',
  ].map((name) => objectAt(part, name));
  const [secret, configMap, downward, token, bundle, certificate] = sources;
  const takeGiven: TakePath = (path, owner) => (path === '' ? [] : take(path, owner));
  const given = sources.filter((body) => body !== undefined).length;
  return [
    ...(secret ? validateKeys(secret, takeGiven, field.child('secret')) : []),
    ...(configMap ? validateKeys(configMap, takeGiven, field.child('configMap')) : []),
    ...objectsAt(downward, 'items').flatMap((file) => [
      ...validateDownwardFile(file, field.child('downwardAPI')),
      ...takeGiven(stringAt(file, 'path'), stringAt(file, 'path')),
    ]),
    ...(token ? validateToken(token, volume, field.child('serviceAccountToken')) : []),
    ...(bundle ? validateTrustBundle(bundle, take, field.child('clusterTrustBundle')) : []),
    ...(certificate ? validatePodCertificate(certificate, take, field.child('podCertificate')) : []),
    ...(given > 1 ? [forbidden(field, 'may not specify more than 1 volume type per source')] : []),
  ];
}

function validateKeys(body: JsonObject, take: TakePath, field: Path): FieldError[] {
  const name = stringAt(body, 'name');
  return [
    ...(name === '' ? [required(field.child('name'), '')] : []),
    ...validateItems(body, field, (item) => take(stringAt(item, 'path'), name)),
  ];
}

/** Validates a token projection. As in the reference, errors about `path` leave the source out of their path. */
function validateToken(body: JsonObject, volume: Path, field: Path): FieldError[] {
  const [seconds, path] = [int64At(body, 'expirationSeconds') ?? 0, stringAt(body, 'path')];
  const at = field.child('expirationSeconds');
  return [
    ...(seconds < minTokenSeconds ? [invalid(at, seconds, 'may not specify a duration less than 10 minutes')] : []),
    ...(seconds > maxTokenSeconds ? [invalid(at, seconds, 'may not specify a duration larger than 2^32 seconds')] : []),
    ...(path === '' ? [required(volume.child('path'), '')] : validateUnreservedPath(path, volume.child('path'))),
  ];
}
