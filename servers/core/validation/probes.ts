import { forbidden, invalid, notSupported, required, type FieldError, type Path } from '../../../shared/apimachinery/field-error.ts';
import type { JsonObject } from '../../../shared/apimachinery/json.ts';
import { isHTTPHeaderName } from '../../../shared/apimachinery/names.ts';
import { numberAt, objectAt, objectsAt, stringAt, stringsAt } from '../../../shared/apimachinery/object.ts';
import { messages, nonNegativeFields } from './field-rules.ts';
import { validatePortNumberOrName } from './ports.ts';

type ActionRule = (action: JsonObject, field: Path, graceSeconds: number | undefined) => FieldError[];

const actions: Readonly<Record<string, ActionRule>> = {
  exec: (exec, field) => (stringsAt(exec, 'command').length === 0 ? [required(field.child('command'), '')] : []),
  httpGet: validateHttpGet,
  tcpSocket: (socket, field) => validatePortNumberOrName(socket['port'], field.child('port')),
  grpc: (grpc, field) => validatePortNumberOrName(grpc['port'] ?? 0, field.child('port')),
  sleep: validateSleep,
};

function validateHttpGet(get: JsonObject, field: Path): FieldError[] {
  const scheme = stringAt(get, 'scheme');
  return [
    ...(stringAt(get, 'path') === '' ? [required(field.child('path'), '')] : []),
    ...validatePortNumberOrName(get['port'], field.child('port')),
    ...(scheme === 'HTTP' || scheme === 'HTTPS' ? [] : [notSupported(field.child('scheme'), scheme, ['HTTP', 'HTTPS'])]),
    ...objectsAt(get, 'httpHeaders').flatMap((header) => messages(isHTTPHeaderName(stringAt(header, 'name')), field.child('httpHeaders'), stringAt(header, 'name'))),
  ];
}

function validateSleep(sleep: JsonObject, field: Path, graceSeconds: number | undefined): FieldError[] {
  const seconds = numberAt(sleep, 'seconds') ?? 0;
  if (graceSeconds === undefined || (seconds >= 0 && seconds <= graceSeconds)) return [];
  return [invalid(field, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`)];
}

/** One of the ways to ask or tell a container something; `kinds` are those that fit the place. */
function validateHandler(handler: JsonObject, kinds: readonly string[], field: Path, graceSeconds: number | undefined): FieldError[] {
  const given = kinds.filter((kind) => objectAt(handler, kind));
  if (given.length === 0) return [required(field, 'must specify a handler type')];
  return given.flatMap((kind, index) =>
    index > 0 ? [forbidden(field.child(kind), 'may not specify more than 1 handler type')] : actions[kind]?.(objectAt(handler, kind) ?? {}, field.child(kind), graceSeconds) ?? []);
}

/** The three probes of a container. */
export function validateProbes(container: JsonObject, field: Path): FieldError[] {
  return ['livenessProbe', 'readinessProbe', 'startupProbe'].flatMap((name) => {
    const probe = objectAt(container, name);
    return probe ? validateProbe(probe, name === 'readinessProbe', field.child(name)) : [];
  });
}

function validateProbe(probe: JsonObject, isReadiness: boolean, field: Path): FieldError[] {
  const errors = [
    ...validateHandler(probe, ['exec', 'httpGet', 'tcpSocket', 'grpc'], field, undefined),
    ...nonNegativeFields(probe, ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'], field),
  ];
  const grace = numberAt(probe, 'terminationGracePeriodSeconds');
  if (grace !== undefined && grace <= 0) errors.push(invalid(field.child('terminationGracePeriodSeconds'), grace, 'must be greater than 0'));
  const successes = numberAt(probe, 'successThreshold') ?? 0;
  if (!isReadiness && successes !== 1) errors.push(invalid(field.child('successThreshold'), successes, 'must be 1'));
  if (isReadiness && grace !== undefined) errors.push(invalid(field.child('terminationGracePeriodSeconds'), grace, 'must not be set for readinessProbes'));
  return errors;
}

/** `lifecycle` of a container. */
export function validateLifecycle(lifecycle: JsonObject | undefined, graceSeconds: number | undefined, field: Path): FieldError[] {
  return ['postStart', 'preStop'].flatMap((name) => {
    const handler = objectAt(lifecycle, name);
    return handler ? validateHandler(handler, ['exec', 'httpGet', 'tcpSocket', 'sleep'], field.child(name), graceSeconds) : [];
  });
}
