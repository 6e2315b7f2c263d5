import { invalid, notFound, notSupported, required, type FieldError, type Path } from '../../../shared/apimachinery/field-error.ts';
import type { JsonObject } from '../../../shared/apimachinery/json.ts';
import { isConfigMapKey, isDNS1123Label, isEnvVarName, isQualifiedName, isRelaxedEnvVarName, nameIsDNSSubdomain } from '../../../shared/apimachinery/names.ts';
import { objectAt, objectsAt, stringAt } from '../../../shared/apimachinery/object.ts';
import { messages } from './field-rules.ts';
import { validateNoBacksteps } from './paths.ts';
import type { PodRules } from './pod-rules.ts';

const environmentFields = ['metadata.name', 'metadata.namespace', 'metadata.uid', 'spec.nodeName', 'spec.serviceAccountName', 'status.hostIP', 'status.hostIPs', 'status.podIP', 'status.podIPs'];
const volumeFields = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'];
/** What the downward API can convert at all (pkg/apis/core/pods, ConvertDownwardAPIFieldLabel). */
const convertible = [...new Set([...environmentFields, ...volumeFields, 'spec.restartPolicy', 'spec.schedulerName', 'status.phase'])];
const containerResources = ['cpu', 'ephemeral-storage', 'memory'].flatMap((name) => `limits.${name}`).concat(['cpu', 'ephemeral-storage', 'memory'].map((name) => `requests.${name}`));
const byteDivisors = ['1', ...['k', 'M', 'G', 'T', 'P', 'E'].map((unit) => `1${unit}`), ...['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((unit) => `1${unit}`)];

/** `env` of a container. */
export function validateEnvironment(variables: readonly JsonObject[], rules: PodRules, field: Path): FieldError[] {
  return variables.flatMap((variable, index) => {
    const at = field.index(index);
    const name = stringAt(variable, 'name');
    const errors = name === '' ? [required(at.child('name'), '')] : messages(nameErrors(name, rules), at.child('name'), name);
    const source = objectAt(variable, 'valueFrom');
    return source ? [...errors, ...validateSource(source, stringAt(variable, 'value'), rules, at.child('valueFrom'))] : errors;
  });
}

function nameErrors(name: string, rules: PodRules): string[] {
  return rules.relaxedVariables ? isRelaxedEnvVarName(name) : isEnvVarName(name);
}

function validateSource(source: JsonObject, value: string, { fileVariables }: PodRules, field: Path): FieldError[] {
  const rules: Readonly<Record<string, (body: JsonObject, at: Path) => FieldError[]>> = {
    fieldRef: (body, at) => validateFieldRef(body, environmentFields, at),
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
  if (sources === 0) return [...errors, invalid(field, '', `must specify one of: \`fieldRef\`, \`resourceFieldRef\`, \`configMapKeyRef\`${fileVariables ? ', `secretKeyRef` or `fileKeyRef`' : ' or `secretKeyRef`'}`)];
  if (value !== '') return [...errors, invalid(field, '', 'may not be specified when `value` is not empty')];
  return sources > 1 ? [...errors, invalid(field, '', 'may not have more than one field specified at a time')] : errors;
}

/** `a['b']` in its two parts. */
function subscripted(text: string): { readonly base: string; readonly subscript: string | undefined } {
  // What is before the bracket is one line.
  const lineEnd = text.search(/[\n\r\u2028\u2029]/);
  const at = text.endsWith("']") ? text.lastIndexOf("['", Math.min(text.length - 4, lineEnd < 0 ? text.length : lineEnd)) : -1;
  return at < 1 ? { base: text, subscript: undefined } : { base: text.slice(0, at), subscript: text.slice(at + 2, -2) };
}

/** A field of the pod, for a variable or a file of the downward API. */
export function validateFieldRef(reference: JsonObject, known: readonly string[], field: Path): FieldError[] {
  const version = stringAt(reference, 'apiVersion');
  const text = stringAt(reference, 'fieldPath');
  if (version === '') return [required(field.child('apiVersion'), '')];
  if (text === '') return [required(field.child('fieldPath'), '')];
  const { base, subscript } = subscripted(text);
  const convertError = conversionError(version, base, text, subscript);
  if (convertError !== '') return [invalid(field.child('fieldPath'), text, `error converting fieldPath: ${convertError}`)];
  if (subscript !== undefined) {
    if (base === 'metadata.annotations') return messages(isQualifiedName(subscript.toLowerCase()), field, subscript.toLowerCase());
    return base === 'metadata.labels' ? messages(isQualifiedName(subscript), field, subscript) : [invalid(field, base, 'does not support subscript')];
  }
  return known.includes(base) ? [] : [notSupported(field.child('fieldPath'), base, known)];
}

function conversionError(version: string, base: string, text: string, subscript: string | undefined): string {
  if (version !== 'v1') return `unsupported pod version: ${version}`;
  if (subscript !== undefined) return base === 'metadata.annotations' || base === 'metadata.labels' ? '' : `field label does not support subscript: ${text}`;
  return convertible.includes(base) || base === 'spec.host' ? '' : `field label not supported: ${text}`;
}

export function validateVolumeFieldRef(reference: JsonObject, field: Path): FieldError[] {
  return validateFieldRef(reference, volumeFields, field);
}

/** A resource of a container, for a variable or a file of the downward API. */
export function validateResourceRef(reference: JsonObject, inVolume: boolean, field: Path): FieldError[] {
  const resource = stringAt(reference, 'resource');
  const hugePages = /^(requests|limits)\.hugepages-/.test(resource);
  const errors: FieldError[] = [];
  if (inVolume && stringAt(reference, 'containerName') === '') errors.push(required(field.child('containerName'), ''));
  else if (resource === '') errors.push(required(field.child('resource'), ''));
  else if (!containerResources.includes(resource) && !hugePages) errors.push(notSupported(field.child('resource'), resource, containerResources));
  return [...errors, ...validateDivisor(resource, String(reference['divisor'] ?? '0'), field.child('divisor'))];
}

function validateDivisor(resource: string, divisor: string, field: Path): FieldError[] {
  if (divisor === '0') return [];
  const kind = /^(?:requests|limits)\.(cpu|memory|ephemeral-storage|hugepages-)/.exec(resource)?.[1];
  if (kind === undefined) return [];
  if (kind === 'cpu') return ['1m', '1'].includes(divisor) ? [] : [invalid(field, resource, "only divisor's values 1m and 1 are supported with the cpu resource")];
  const name = kind === 'ephemeral-storage' ? 'local ephemeral storage' : kind === 'memory' ? 'memory' : 'hugepages';
  return byteDivisors.includes(divisor) ? [] : [invalid(field, resource, `only divisor's values ${byteDivisors.join(', ')} are supported with the ${name} resource`)];
}

function validateKeyRef(reference: JsonObject, field: Path): FieldError[] {
  const name = stringAt(reference, 'name');
  const key = stringAt(reference, 'key');
  const keyErrors = key === '' ? [required(field.child('key'), '')] : messages(isConfigMapKey(key), field.child('key'), key);
  return [...messages(nameIsDNSSubdomain(name, false), field.child('name'), name), ...keyErrors];
}

function validateFileKeyRef(reference: JsonObject, field: Path): FieldError[] {
  const [key = '', volume = '', path = ''] = ['key', 'volumeName', 'path'].map((name) => stringAt(reference, name));
  return [
    ...(key === '' ? [required(field.child('key'), '')] : messages(isRelaxedEnvVarName(key), field.child('key'), key)),
    ...(volume === '' ? [required(field.child('volumeName'), '')] : messages(isDNS1123Label(volume), field.child('volumeName'), volume)),
    ...(path === '' ? [required(field.child('path'), '')] : validateNoBacksteps(path, field.child('path'))),
  ];
}

/** `envFrom` of a container. */
export function validateEnvironmentSources(sources: readonly JsonObject[], rules: PodRules, field: Path): FieldError[] {
  return sources.flatMap((source, index) => {
    const at = field.index(index);
    const prefix = stringAt(source, 'prefix');
    const errors = prefix === '' ? [] : messages(nameErrors(prefix, rules), at.child('prefix'), prefix);
    const given = ['configMapRef', 'secretRef'].filter((name) => objectAt(source, name));
    for (const kind of given) {
      const name = stringAt(objectAt(source, kind), 'name');
      errors.push(...(name === '' ? [required(at.child(kind, 'name'), '')] : messages(nameIsDNSSubdomain(name, true), at.child(kind, 'name'), name)));
    }
    if (given.length === 0) errors.push(invalid(field, '', 'must specify one of: `configMapRef` or `secretRef`'));
    return given.length > 1 ? [...errors, invalid(field, '', 'may not have more than one field specified at a time')] : errors;
  });
}

/** Variables from files: their volume is an emptyDir of the pod. */
export function validateFileVariables(spec: JsonObject, field: Path): FieldError[] {
  const volumes = new Map(objectsAt(spec, 'volumes').map((volume) => [stringAt(volume, 'name'), volume]));
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) => objectsAt(spec, list).flatMap((container, index) =>
    objectsAt(container, 'env').flatMap((variable, position) => {
      const reference = objectAt(variable, 'valueFrom', 'fileKeyRef');
      if (reference === undefined) return [];
      const name = stringAt(reference, 'volumeName');
      const at = field.child(list).index(index).child('env').index(position).child('valueFrom', 'fileKeyRef', 'volumeName');
      const volume = volumes.get(name);
      if (volume === undefined) return [notFound(at, name)];
      return objectAt(volume, 'emptyDir') ? [] : [invalid(at, name, 'referenced volume must be of type emptyDir')];
    })));
}
