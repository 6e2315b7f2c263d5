import { validatePortNumberOrName } from '#servers/core/validation/ports.ts';
import {
  forbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { int64At, numberAt, objectAt, objectsAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import { messages, nonNegativeFields } from '#shared/apimachinery/validation/field-rules.ts';
import { isHTTPHeaderName } from '#shared/apimachinery/validation/names.ts';
import type { ContainerScope } from './container-scope.ts';

/** What the validation of a hook needs of its pod; probes are validated without it. */
type HookScope = Pick<ContainerScope, 'graceSeconds' | 'os' | 'rules'>;

type ActionRule = (action: JsonObject, field: Path, scope: HookScope | undefined) => FieldError[];

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
    ...(scheme === 'HTTP' || scheme === 'HTTPS'
      ? []
      : [notSupported(field.child('scheme'), scheme, ['HTTP', 'HTTPS'])]),
    ...objectsAt(get, 'httpHeaders').flatMap((header) =>
      messages(isHTTPHeaderName(stringAt(header, 'name')), field.child('httpHeaders'), stringAt(header, 'name')),
    ),
  ];
}

function validateSleep(sleep: JsonObject, field: Path, scope: HookScope | undefined): FieldError[] {
  const seconds = int64At(sleep, 'seconds') ?? 0;
  const { graceSeconds, rules } = scope ?? {};
  const zeroSleep = rules?.zeroSleep !== false;
  if (graceSeconds === undefined || (seconds >= (zeroSleep ? 0 : 1) && seconds <= graceSeconds)) return [];
  return [
    invalid(
      field,
      seconds,
      zeroSleep
        ? `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`
        : `must be greater than 0 and less than terminationGracePeriodSeconds (${graceSeconds}). Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.`,
    ),
  ];
}

/** Validates the handler of a probe or hook: one action, of one of the `kinds`. */
function validateHandler(
  handler: JsonObject,
  kinds: readonly string[],
  field: Path,
  scope: HookScope | undefined,
): FieldError[] {
  const given = kinds.filter((kind) => objectAt(handler, kind));
  if (given.length === 0) return [required(field, 'must specify a handler type')];
  return given.flatMap((kind, index) =>
    index > 0
      ? [forbidden(field.child(kind), 'may not specify more than 1 handler type')]
      : (getKey(actions, kind)?.(objectAt(handler, kind) ?? {}, field.child(kind), scope) ?? []),
  );
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
    ...nonNegativeFields(
      probe,
      ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'],
      field,
    ),
  ];
  const grace = int64At(probe, 'terminationGracePeriodSeconds');
  if (grace !== undefined && grace <= 0)
    errors.push(invalid(field.child('terminationGracePeriodSeconds'), grace, 'must be greater than 0'));
  const successes = numberAt(probe, 'successThreshold') ?? 0;
  if (!isReadiness && successes !== 1) errors.push(invalid(field.child('successThreshold'), successes, 'must be 1'));
  if (isReadiness && grace !== undefined)
    errors.push(invalid(field.child('terminationGracePeriodSeconds'), grace, 'must not be set for readinessProbes'));
  return errors;
}

/** `lifecycle` of a container. */
export function validateLifecycle(lifecycle: JsonObject | undefined, scope: HookScope, field: Path): FieldError[] {
  const hooks = ['postStart', 'preStop'].flatMap((name) => {
    const handler = objectAt(lifecycle, name);
    return handler ? validateHandler(handler, ['exec', 'httpGet', 'tcpSocket', 'sleep'], field.child(name), scope) : [];
  });
  const signal = lifecycle?.['stopSignal'];
  return typeof signal === 'string'
    ? [...hooks, ...validateStopSignal(signal, scope.os, field.child('stopSignal'))]
    : hooks;
}

const windowsSignals = ['SIGKILL', 'SIGTERM'];
const realTimeSignals = [
  'SIGRTMIN',
  'SIGRTMAX',
  ...Array.from({ length: 15 }, (_, index) => `SIGRTMIN+${index + 1}`),
  ...Array.from({ length: 14 }, (_, index) => `SIGRTMAX-${index + 1}`),
];
const linuxSignals = [
  'ABRT',
  'ALRM',
  'BUS',
  'CHLD',
  'CLD',
  'CONT',
  'FPE',
  'HUP',
  'ILL',
  'INT',
  'IO',
  'IOT',
  'KILL',
  'PIPE',
  'POLL',
  'PROF',
  'PWR',
  'QUIT',
  'SEGV',
  'STKFLT',
  'STOP',
  'SYS',
  'TERM',
  'TRAP',
  'TSTP',
  'TTIN',
  'TTOU',
  'URG',
  'USR1',
  'USR2',
  'VTALRM',
  'WINCH',
  'XCPU',
  'XFSZ',
]
  .map((name) => `SIG${name}`)
  .concat(realTimeSignals)
  .toSorted();

/** Validates the stop signal, whose values depend on the pod's operating system (KEP-4960). */
function validateStopSignal(signal: string, os: JsonObject | undefined, field: Path): FieldError[] {
  if (os === undefined) return [forbidden(field, 'may not be set for containers with empty `spec.os.name`')];
  const name = stringAt(os, 'name');
  const known = name === 'windows' ? windowsSignals : name === 'linux' ? linuxSignals : undefined;
  return known === undefined || known.includes(signal) ? [] : [notSupported(field, signal, known)];
}
