import {
  duplicate,
  invalid,
  notSupported,
  path,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { int64At, type KubeObject, objectAt, objectsAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import { givenOneOf } from '#shared/apimachinery/validation/field-rules.ts';
import { validateImmutableField } from '#shared/apimachinery/validation/meta-validation.ts';

const minTokenSeconds = 600;
const minUpdatePeriodSeconds = 10;

/** Validates a CSIDriver (pkg/apis/storage/validation), after defaults have set its optional flags. */
export function validateCsiDriver(driver: KubeObject): FieldError[] {
  const spec = objectAt(driver, 'spec') ?? {};
  const field = path('spec');
  const modes = ['Persistent', 'Ephemeral'];
  const period = int64At(spec, 'nodeAllocatableUpdatePeriodSeconds');
  const tokens = objectsAt(spec, 'tokenRequests');
  return [
    ...givenOneOf(spec['fsGroupPolicy'], ['File', 'None', 'ReadWriteOnceWithFSType'], field.child('fsGroupPolicy')),
    ...validateTokenRequests(tokens, field.child('tokenRequests')),
    ...stringsAt(spec, 'volumeLifecycleModes').flatMap((mode) =>
      modes.includes(mode) ? [] : [notSupported(field.child('volumeLifecycleModes'), mode, modes)],
    ),
    ...(period !== undefined && period < minUpdatePeriodSeconds
      ? [
          invalid(
            field.child('nodeAllocatableUpdatePeriodSeconds'),
            period,
            `must be greater than or equal to ${minUpdatePeriodSeconds} seconds`,
          ),
        ]
      : []),
    ...(typeof spec['serviceAccountTokenInSecrets'] === 'boolean' && tokens.length === 0
      ? [
          invalid(
            field.child('serviceAccountTokenInSecrets'),
            spec['serviceAccountTokenInSecrets'],
            'serviceAccountTokenInSecrets is set but no tokenRequests are specified',
          ),
        ]
      : []),
  ];
}

function validateTokenRequests(requests: readonly JsonObject[], field: Path): FieldError[] {
  const audiences = new Set<string>();
  return requests.flatMap((request, index) => {
    const [audience, seconds] = [stringAt(request, 'audience'), int64At(request, 'expirationSeconds')];
    if (audiences.has(audience)) return [duplicate(field.index(index).child('audience'), audience)];
    audiences.add(audience);
    const at = field.index(index).child('expirationSeconds');
    if (seconds !== undefined && seconds < minTokenSeconds)
      return [invalid(at, seconds, 'may not specify a duration less than 10 minutes')];
    return seconds !== undefined && seconds > 2 ** 32
      ? [invalid(at, seconds, 'may not specify a duration larger than 2^32 seconds')]
      : [];
  });
}

export function validateCsiDriverUpdate(driver: KubeObject, old: KubeObject): FieldError[] {
  const [spec, before] = [objectAt(driver, 'spec'), objectAt(old, 'spec')];
  return [
    ...validateCsiDriver(driver),
    ...validateImmutableField(spec?.['attachRequired'], before?.['attachRequired'], path('spec', 'attachedRequired')),
    ...validateImmutableField(
      spec?.['volumeLifecycleModes'],
      before?.['volumeLifecycleModes'],
      path('spec', 'volumeLifecycleModes'),
    ),
  ];
}
