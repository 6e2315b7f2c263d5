import { textOfPlainType } from '#shared/apimachinery/errors/field-error-type.ts';
import {
  duplicate,
  invalid,
  notSupported,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { int64At, stringAt } from '#shared/apimachinery/object.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { errorsOfEach } from '#shared/apimachinery/validation/errors-of-each.ts';
import { messages, optionalOneOf } from '#shared/apimachinery/validation/field-rules.ts';
import { isLabelValue, isQualifiedName } from '#shared/apimachinery/validation/names.ts';
import { withNamedString } from '#shared/registry/named-strings.ts';

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** @param compares whether tolerations may compare taints as numbers (KEP-5471) */
export function validateTolerations(
  tolerations: readonly JsonObject[],
  compares: boolean,
  field: Path,
): Steps<FieldError[]> {
  return errorsOfEach(tolerations, (toleration, index) => validateToleration(toleration, compares, field.index(index)));
}

function validateToleration(toleration: JsonObject, compares: boolean, field: Path): FieldError[] {
  const [key = '', operator = '', effect = ''] = ['key', 'operator', 'effect'].map((name) =>
    stringAt(toleration, name),
  );
  const errors = key === '' ? [] : messages(isQualifiedName(key), field.child('key'), key);
  if (key === '' && operator !== 'Exists') {
    errors.push(
      invalid(
        field.child('operator'),
        operator,
        'operator must be Exists when `key` is empty, which means "match all values and all keys"',
      ),
    );
  }
  if (int64At(toleration, 'tolerationSeconds') !== undefined && effect !== 'NoExecute')
    errors.push(invalid(field.child('effect'), effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"));
  errors.push(...validateTolerationOperator(operator, stringAt(toleration, 'value'), compares, field));
  return [...errors, ...optionalOneOf(effect, effects, field.child('effect'))];
}

function validateTolerationOperator(
  operator: string,
  value: string,
  compares: boolean,
  toleration: Path,
): FieldError[] {
  const field = toleration.child('operator');
  switch (operator) {
    case '':
    case 'Equal': {
      const texts = isLabelValue(value);
      return texts.length === 0 ? [] : [invalid(field, textOfPlainType(value), texts.join(';'))];
    }
    case 'Exists':
      return value === ''
        ? []
        : [invalid(field, textOfPlainType(value), "value must be empty when `operator` is 'Exists'")];
    case 'Lt':
    case 'Gt':
      return compares
        ? validateInteger(value, toleration.child('value'))
        : [notSupported(field, operator, ['Equal', 'Exists', 'Lt', 'Gt'])];
    default:
      return [notSupported(field, operator, ['Equal', 'Exists'])];
  }
}

/** Validates a 64-bit integer without a plus sign or leading zeros. */
function validateInteger(value: string, field: Path): FieldError[] {
  const isNumber = /^[+-]?\d+$/.test(value);
  const fits = isNumber && BigInt.asIntN(64, BigInt(value.replace('+', ''))) === BigInt(value.replace('+', ''));
  return [
    ...(value === ''
      ? [invalid(field, value, 'must be non-empty')]
      : /^(0|-?[1-9]\d*)$/.test(value)
        ? []
        : [invalid(field, value, 'must be a valid decimal integer in canonical form')]),
    ...(fits
      ? []
      : [
          invalid(
            field,
            value,
            `strconv.ParseInt: parsing ${goQuote(value)}: ${isNumber ? 'value out of range' : 'invalid syntax'}`,
          ),
        ]),
  ];
}

/** `taints` of a node. */
export function validateTaints(taints: readonly JsonObject[], field: Path): FieldError[] {
  const seen = new Set<string>();
  return taints.flatMap((taint, index) => {
    const [key = '', value = '', effect = ''] = ['key', 'value', 'effect'].map((name) => stringAt(taint, name));
    const at = field.index(index);
    const errors = messages(isQualifiedName(key), at.child('key'), key);
    const texts = isLabelValue(value);
    if (texts.length > 0) errors.push(invalid(at.child('value'), value, texts.join(';')));
    errors.push(
      // For the taints of a node, the reference uses a path below the metadata.
      ...(effect === ''
        ? [required(at.child('effect'), '')]
        : optionalOneOf(effect, effects, at.child('effect')).map(withNamedString)),
    );
    const pair = `${effect}/${key}`;
    if (seen.has(pair))
      errors.push({
        ...duplicate(at, { Key: key, Value: value, Effect: effect, TimeAdded: taint['timeAdded'] ?? null }),
        detail: 'taints must be unique by key and effect pair',
      });
    seen.add(pair);
    return errors;
  });
}
