import {
  duplicate,
  forbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { validateLabelSelector } from '#shared/apimachinery/selectors/validate-label-selector.ts';
import { messages, oneOf } from '#shared/apimachinery/validation/field-rules.ts';
import { nameIsDNSSubdomain, nameIsPathSegment } from '#shared/apimachinery/validation/names.ts';
import { repetitions } from '#shared/apimachinery/validation/repetitions.ts';
import { mutableOperations, policySpecField } from './policy-validation.ts';
import { validateMatchResources } from './rule-validation.ts';

export function validateValidatingBinding(binding: KubeObject): FieldError[] {
  return [
    ...validateBinding(binding),
    ...validateActions(stringsAt(binding, 'spec', 'validationActions'), policySpecField.child('validationActions')),
  ];
}

export function validateMutatingBinding(binding: KubeObject): FieldError[] {
  return [
    ...validateBinding(binding),
    ...mutableOperations(objectAt(binding, 'spec', 'matchResources'), policySpecField.child('matchResources')),
  ];
}

function validateBinding(binding: KubeObject): FieldError[] {
  const spec = objectAt(binding, 'spec') ?? {};
  const policy = stringAt(spec, 'policyName');
  return [
    ...(policy === ''
      ? [required(policySpecField.child('policyName'), '')]
      : messages(nameIsDNSSubdomain(policy, false), policySpecField.child('policyName'), policy)),
    ...validateParamRef(objectAt(spec, 'paramRef'), policySpecField.child('paramRef')),
    ...validateMatchResources(objectAt(spec, 'matchResources'), policySpecField.child('matchResources')),
  ];
}

function validateParamRef(reference: JsonObject | undefined, field: Path): FieldError[] {
  if (!reference) return [];
  const [name, selector] = [stringAt(reference, 'name'), objectAt(reference, 'selector')];
  const both = 'name and selector are mutually exclusive';
  return [
    ...(name === '' ? [] : messages(nameIsPathSegment(name, false), field.child('name'), name)),
    ...(name !== '' && selector ? [forbidden(field.child('name'), both)] : []),
    ...validateLabelSelector(selector, field.child('selector')),
    ...(name !== '' && selector ? [forbidden(field.child('selector'), both)] : []),
    ...(name === '' && !selector ? [required(field, 'one of name or selector must be specified')] : []),
    ...oneOf(stringAt(reference, 'parameterNotFoundAction'), ['Deny', 'Allow'], field.child('parameterNotFoundAction')),
  ];
}

function validateActions(actions: readonly string[], field: Path): FieldError[] {
  const known = ['Audit', 'Deny', 'Warn'];
  const repeated = repetitions(actions);
  const twice =
    'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
  return [
    ...actions.flatMap((action, index) => [
      ...(known.includes(action) ? [] : [notSupported(field.index(index), action, known)]),
      ...(repeated[index] === true ? [duplicate(field.index(index), action)] : []),
    ]),
    ...(actions.includes('Deny') && actions.includes('Warn') ? [invalid(field, [...actions], twice)] : []),
    ...(actions.length === 0 ? [required(field, 'at least one validation action is required')] : []),
  ];
}
