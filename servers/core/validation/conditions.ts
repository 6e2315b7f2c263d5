import {
  duplicate,
  invalid,
  notSupported,
  required,
  tooLong,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { int64At, stringAt } from '#shared/apimachinery/object.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { isQualifiedName } from '#shared/apimachinery/validation/names.ts';
import { repetitions } from '#shared/apimachinery/validation/repetitions.ts';

const statuses = ['False', 'True', 'Unknown'];
const maxReasonBytes = 1024;
const maxMessageBytes = 32 * 1024;
const reasonForm = /^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;

/** Conditions of the common form (apimachinery/pkg/apis/meta/v1/validation, ValidateConditions). */
export function validateConditions(conditions: readonly JsonObject[], field: Path): FieldError[] {
  const types = conditions.map((condition) => stringAt(condition, 'type'));
  const repeated = repetitions(types);
  return conditions.flatMap((condition, index) => [
    ...(repeated[index] === true ? [duplicate(field.index(index).child('type'), types[index] ?? '')] : []),
    ...validateCondition(condition, field.index(index)),
  ]);
}

function validateCondition(condition: JsonObject, field: Path): FieldError[] {
  const [type, status, message] = ['type', 'status', 'message'].map((name) => stringAt(condition, name)) as [
    string,
    string,
    string,
  ];
  const generation = int64At(condition, 'observedGeneration') ?? 0;
  return [
    ...messages(isQualifiedName(type), field.child('type'), type),
    ...(statuses.includes(status) ? [] : [notSupported(field.child('status'), status, statuses)]),
    ...(generation < 0
      ? [invalid(field.child('observedGeneration'), generation, 'must be greater than or equal to zero')]
      : []),
    ...(stringAt(condition, 'lastTransitionTime') === '' ? [required(field.child('lastTransitionTime'), '')] : []),
    ...validateReason(stringAt(condition, 'reason'), field.child('reason')),
    ...(Buffer.byteLength(message) > maxMessageBytes ? [tooLong(field.child('message'), '', maxMessageBytes)] : []),
  ];
}

function validateReason(reason: string, field: Path): FieldError[] {
  if (reason === '') return [required(field, '')];
  const text =
    "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')";
  return [
    ...(reasonForm.test(reason) ? [] : [invalid(field, reason, text)]),
    ...(Buffer.byteLength(reason) > maxReasonBytes ? [tooLong(field, '', maxReasonBytes)] : []),
  ];
}
