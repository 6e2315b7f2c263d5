import { validateResourceRef, validateVariableFieldRef } from '#servers/core/validation/downward-references.ts';
import { validateNoBacksteps } from '#servers/core/validation/paths.ts';
import { invalid, notFound, required, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { errorsOfEach } from '#shared/apimachinery/validation/errors-of-each.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import {
  isConfigMapKey,
  isDNS1123Label,
  isEnvVarName,
  isRelaxedEnvVarName,
  nameIsDNSSubdomain,
} from '#shared/apimachinery/validation/names.ts';
import type { PodRules } from './pod-rules.ts';

/** `env` of a container. */
export function validateEnvironment(
  variables: readonly JsonObject[],
  rules: PodRules,
  field: Path,
): Steps<FieldError[]> {
  return errorsOfEach(variables, (variable, index) => {
    const at = field.index(index);
    const name = stringAt(variable, 'name');
    const errors =
      name === '' ? [required(at.child('name'), '')] : messages(nameErrors(name, rules), at.child('name'), name);
    const source = objectAt(variable, 'valueFrom');
    return source
      ? [...errors, ...validateSource(source, stringAt(variable, 'value'), rules, at.child('valueFrom'))]
      : errors;
  });
}

function nameErrors(name: string, rules: PodRules): string[] {
  return rules.relaxedVariables ? isRelaxedEnvVarName(name) : isEnvVarName(name);
}

function validateSource(source: JsonObject, value: string, { fileVariables }: PodRules, field: Path): FieldError[] {
  const rules: Readonly<Record<string, (body: JsonObject, at: Path) => FieldError[]>> = {
    fieldRef: validateVariableFieldRef,
    resourceFieldRef: (body, at) => validateResourceRef(body, false, at),
    configMapKeyRef: validateKeyRef,
    secretKeyRef: validateKeyRef,
    fileKeyRef: validateFileKeyRef,
  };
  const errors: FieldError[] = [];
  let sources = 0;
  for (const [name, rule] of Object.entries(rules)) {
    const body = objectAt(source, name);
    if (!body) continue;
    sources += 1;
    errors.push(...rule(body, field.child(name)));
  }
  if (sources === 0)
    return [
      ...errors,
      invalid(
        field,
        '',
        `must specify one of: \`fieldRef\`, \`resourceFieldRef\`, \`configMapKeyRef\`${fileVariables ? ', `secretKeyRef` or `fileKeyRef`' : ' or `secretKeyRef`'}`,
      ),
    ];
  if (value !== '') return [...errors, invalid(field, '', 'may not be specified when `value` is not empty')];
  return sources > 1 ? [...errors, invalid(field, '', 'may not have more than one field specified at a time')] : errors;
}

function validateKeyRef(reference: JsonObject, field: Path): FieldError[] {
  const name = stringAt(reference, 'name');
  const key = stringAt(reference, 'key');
  const keyErrors =
    key === '' ? [required(field.child('key'), '')] : messages(isConfigMapKey(key), field.child('key'), key);
  return [...messages(nameIsDNSSubdomain(name, false), field.child('name'), name), ...keyErrors];
}

function validateFileKeyRef(reference: JsonObject, field: Path): FieldError[] {
  const [key = '', volume = '', path = ''] = ['key', 'volumeName', 'path'].map((name) => stringAt(reference, name));
  return [
    ...(key === '' ? [required(field.child('key'), '')] : messages(isRelaxedEnvVarName(key), field.child('key'), key)),
    ...(volume === ''
      ? [required(field.child('volumeName'), '')]
      : messages(isDNS1123Label(volume), field.child('volumeName'), volume)),
    ...(path === '' ? [required(field.child('path'), '')] : validateNoBacksteps(path, field.child('path'))),
  ];
}

/** `envFrom` of a container. */
export function validateEnvironmentSources(
  sources: readonly JsonObject[],
  rules: PodRules,
  field: Path,
): Steps<FieldError[]> {
  return errorsOfEach(sources, (source, index) => {
    const at = field.index(index);
    const prefix = stringAt(source, 'prefix');
    const errors = prefix === '' ? [] : messages(nameErrors(prefix, rules), at.child('prefix'), prefix);
    const given = ['configMapRef', 'secretRef'].filter((name) => objectAt(source, name));
    for (const kind of given) {
      const name = stringAt(objectAt(source, kind), 'name');
      errors.push(
        ...(name === ''
          ? [required(at.child(kind, 'name'), '')]
          : messages(nameIsDNSSubdomain(name, true), at.child(kind, 'name'), name)),
      );
    }
    if (given.length === 0) errors.push(invalid(field, '', 'must specify one of: `configMapRef` or `secretRef`'));
    return given.length > 1
      ? [...errors, invalid(field, '', 'may not have more than one field specified at a time')]
      : errors;
  });
}

/** Validates variables from files: their volume must be an emptyDir of the pod. */
export function* validateFileVariables(spec: JsonObject, field: Path): Steps<FieldError[]> {
  const volumes = new Map(objectsAt(spec, 'volumes').map((volume) => [stringAt(volume, 'name'), volume]));
  return yield* errorsOfEach(['initContainers', 'containers', 'ephemeralContainers'], (list) =>
    errorsOfEach(objectsAt(spec, list), (container, index) =>
      errorsOfEach(objectsAt(container, 'env'), (variable, position) => {
        const reference = objectAt(variable, 'valueFrom', 'fileKeyRef');
        if (reference === undefined) return [];
        const at = field.child(list).index(index).child('env').index(position).child('valueFrom', 'fileKeyRef');
        return validateFileVolume(volumes.get(stringAt(reference, 'volumeName')), reference, at.child('volumeName'));
      }),
    ),
  );
}

function validateFileVolume(volume: JsonObject | undefined, reference: JsonObject, field: Path): FieldError[] {
  const name = stringAt(reference, 'volumeName');
  if (volume === undefined) return [notFound(field, name)];
  return objectAt(volume, 'emptyDir') ? [] : [invalid(field, name, 'referenced volume must be of type emptyDir')];
}
