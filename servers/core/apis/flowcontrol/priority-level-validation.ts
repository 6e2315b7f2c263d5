import { goForm } from '#servers/core/validation/go-form.ts';
import { bootstrapFlowControl } from '#shared/api/bootstrap-objects.ts';
import { sameAs } from '#shared/api/same-by-type.ts';
import {
  forbidden,
  invalid,
  path,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { oneOf } from '#shared/apimachinery/validation/field-rules.ts';
import { validateConditionTypes } from './flow-schema-validation.ts';

const specModel = 'io.k8s.api.flowcontrol.v1.PriorityLevelConfigurationSpec';
const maxQueues = 10_000_000;
/** Maximum of hash bits that shuffle sharding may use. */
const maxHashBits = 60;
const exemptName = 'exempt';

/** Said in v1beta3 that no shares are wanted, where zero shares are the default otherwise. */
const zeroShares = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';

/** PriorityLevelConfigurations (pkg/apis/flowcontrol/validation). */
export function validatePriorityLevel(level: KubeObject): FieldError[] {
  const spec = objectAt(level, 'spec') ?? {};
  const field = path('spec');
  const name = level.metadata.name ?? '';
  const type = stringAt(spec, 'type');
  return [
    ...(level.metadata.annotations?.[zeroShares] === undefined
      ? []
      : [forbidden(path('metadata', 'annotations'), `annotation '${zeroShares}' is forbidden`)]),
    ...((name === exemptName) === (type === 'Exempt')
      ? []
      : [invalid(field.child('type'), type, "must be 'Exempt' if and only if `name` is 'exempt'")]),
    ...validateByType(spec, type, field),
    ...validateMandatory(name, spec, field),
    ...validateConditionTypes(level),
  ];
}

function validateByType(spec: JsonObject, type: string, field: Path): FieldError[] {
  const [limited, exempt] = [objectAt(spec, 'limited'), objectAt(spec, 'exempt')];
  switch (type) {
    case 'Exempt':
      return [
        ...(limited ? [forbidden(field.child('limited'), 'must be nil if the type is not Limited')] : []),
        ...(exempt
          ? [...validateShares(exempt, field.child('exempt')), ...validateLendable(exempt, field.child('exempt'))]
          : []),
      ];
    case 'Limited':
      return [
        ...(exempt ? [forbidden(field.child('exempt'), 'must be nil if the type is Limited')] : []),
        ...(limited
          ? validateLimited(limited, field.child('limited'))
          : [required(field.child('limited'), 'must not be empty when type is Limited')]),
      ];
    default:
      return oneOf(type, ['Exempt', 'Limited'], field.child('type'));
  }
}

/** Validates a mandatory level, whose spec is fixed, except `spec.exempt` of the exempt level. */
function validateMandatory(name: string, spec: JsonObject, field: Path): FieldError[] {
  const mandatory = objectAt(
    bootstrapFlowControl().mandatoryPriorityLevels.find((item) => stringAt(item, 'metadata', 'name') === name),
    'spec',
  );
  if (!mandatory) return [];
  const isExempt = name === exemptName;
  const compared = isExempt ? { ...spec, exempt: mandatory['exempt'] ?? null } : spec;
  if (sameAs(specModel, compared, mandatory)) return [];
  return [
    invalid(
      field,
      goForm(specModel, spec),
      `spec of '${name}'${isExempt ? " except the 'spec.exempt' field" : ''} must equal the fixed value`,
    ),
  ];
}

function validateShares(object: JsonObject, field: Path): FieldError[] {
  const shares = numberAt(object, 'nominalConcurrencyShares');
  return shares !== undefined && shares < 0
    ? [invalid(field.child('nominalConcurrencyShares'), shares, 'must be a non-negative integer')]
    : [];
}

function validateLendable(object: JsonObject, field: Path): FieldError[] {
  const percent = numberAt(object, 'lendablePercent');
  return percent !== undefined && (percent < 0 || percent > 100)
    ? [invalid(field.child('lendablePercent'), percent, 'must be between 0 and 100, inclusive')]
    : [];
}

function validateLimited(limited: JsonObject, field: Path): FieldError[] {
  const borrowing = numberAt(limited, 'borrowingLimitPercent');
  return [
    ...validateShares(limited, field),
    ...validateLimitResponse(objectAt(limited, 'limitResponse') ?? {}, field.child('limitResponse')),
    ...validateLendable(limited, field),
    ...(borrowing !== undefined && borrowing < 0
      ? [invalid(field.child('borrowingLimitPercent'), borrowing, 'if specified, must be a non-negative integer')]
      : []),
  ];
}

function validateLimitResponse(response: JsonObject, field: Path): FieldError[] {
  const queuing = objectAt(response, 'queuing');
  const at = field.child('queuing');
  switch (stringAt(response, 'type')) {
    case 'Reject':
      return queuing ? [forbidden(at, 'must be nil if limited.limitResponse.type is not Limited')] : [];
    case 'Queue':
      return queuing
        ? validateQueuing(queuing, at)
        : [required(at, 'must not be empty if limited.limitResponse.type is Limited')];
    default:
      return oneOf(stringAt(response, 'type'), ['Queue', 'Reject'], field.child('type'));
  }
}

function validateQueuing(queuing: JsonObject, field: Path): FieldError[] {
  const [queues, hand, length] = ['queues', 'handSize', 'queueLengthLimit'].map(
    (key) => numberAt(queuing, key) ?? 0,
  ) as [number, number, number];
  const errors: FieldError[] =
    length <= 0 ? [invalid(field.child('queueLengthLimit'), length, 'must be positive')] : [];
  if (queues <= 0) errors.push(invalid(field.child('queues'), queues, 'must be positive'));
  else if (queues > maxQueues)
    errors.push(invalid(field.child('queues'), queues, `must not be greater than ${maxQueues}`));
  const at = field.child('handSize');
  if (hand <= 0) return [...errors, invalid(at, hand, 'must be positive')];
  if (hand > queues) return [...errors, invalid(at, hand, `should not be greater than queues (${queues})`)];
  const bits = Math.ceil(Math.log2(queues) * hand);
  return bits > maxHashBits
    ? [
        ...errors,
        invalid(
          at,
          hand,
          `required entropy bits of deckSize ${queues} and handSize ${hand} should not be greater than ${maxHashBits}`,
        ),
      ]
    : errors;
}
