import { sameMembers } from '#shared/api/same-by-type.ts';
import {
  duplicate,
  invalid,
  notSupported,
  path,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { errorsOfEach } from '#shared/apimachinery/validation/errors-of-each.ts';
import { messages, oneOf } from '#shared/apimachinery/validation/field-rules.ts';
import { isDNS1035Label, isDNS1123Subdomain, isQualifiedName } from '#shared/apimachinery/validation/names.ts';
import { repetitions } from '#shared/apimachinery/validation/repetitions.ts';
import { isLanguageWord } from '#shared/cel/syntax/reserved-names.ts';
import { PolicyExpressions } from './policy-expressions.ts';
import type { RuleCompilers } from './rule-compilers.ts';
import {
  conditionTexts,
  failurePolicies,
  knownIfSet,
  reinvocationPolicies,
  validateMatchConditions,
  validateMatchResources,
} from './rule-validation.ts';

// Policies and their bindings (pkg/apis/admissionregistration/validation).

export const policySpecField = path('spec');
const maxAuditAnnotations = 20;
const maxValueExpressionBytes = 5 * 1024;
const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const mutatingOperations = ['*', 'CONNECT', 'CREATE', 'UPDATE'];

export function* validateValidatingPolicy(
  policy: KubeObject,
  compilers: RuleCompilers,
  old?: KubeObject,
): Steps<FieldError[]> {
  const spec = objectAt(policy, 'spec') ?? {};
  const expressions = new PolicyExpressions(spec, objectAt(old, 'spec'), compilers);
  return [
    ...(yield* validatePolicySpec(spec, old, expressions, compilers)),
    ...(yield* validateValidations(spec, policy.metadata.name ?? '', expressions)),
  ];
}

export function* validateMutatingPolicy(
  policy: KubeObject,
  compilers: RuleCompilers,
  old?: KubeObject,
): Steps<FieldError[]> {
  const spec = objectAt(policy, 'spec') ?? {};
  const mutations = objectsAt(spec, 'mutations');
  const expressions = new PolicyExpressions(spec, objectAt(old, 'spec'), compilers);
  return [
    ...(yield* validatePolicySpec(spec, old, expressions, compilers)),
    ...mutableOperations(objectAt(spec, 'matchConstraints'), policySpecField.child('matchConstraints')),
    ...(mutations.length === 0
      ? [required(policySpecField.child('mutations'), 'mutations must contain at least one item')]
      : []),
    ...(yield* errorsOfEach(mutations, (mutation, index) =>
      validateMutation(mutation, expressions, policySpecField.child('mutations').index(index)),
    )),
    ...oneOf(stringAt(spec, 'reinvocationPolicy'), reinvocationPolicies, policySpecField.child('reinvocationPolicy')),
  ];
}

function* validatePolicySpec(
  spec: JsonObject,
  old: KubeObject | undefined,
  expressions: PolicyExpressions,
  compilers: RuleCompilers,
): Steps<FieldError[]> {
  const constraints = objectAt(spec, 'matchConstraints');
  const field = policySpecField.child('matchConstraints');
  const before = objectAt(old, 'spec');
  const kept =
    old !== undefined &&
    sameMembers(
      'io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicySpec',
      ['paramKind', 'matchConditions'],
      spec,
      before,
    );
  return [
    ...knownIfSet(spec, 'failurePolicy', failurePolicies, policySpecField),
    ...validateParamKind(objectAt(spec, 'paramKind'), policySpecField.child('paramKind')),
    ...(constraints ? validateMatchResources(constraints, field) : [required(field, '')]),
    ...(constraints && objectsAt(constraints, 'resourceRules').length === 0
      ? [required(field.child('resourceRules'), '')]
      : []),
    ...(kept
      ? []
      : yield* validateMatchConditions(
          compilers,
          objectsAt(spec, 'matchConditions'),
          policySpecField.child('matchConditions'),
          expressions.hasParams,
          conditionTexts(objectsAt(before, 'matchConditions')),
        )),
    ...(yield* errorsOfEach(objectsAt(spec, 'variables'), (variable, index) =>
      validateVariable(variable, expressions, policySpecField.child('variables').index(index)),
    )),
  ];
}

function validateParamKind(kind: JsonObject | undefined, field: Path): FieldError[] {
  if (!kind) return [];
  const name = stringAt(kind, 'kind');
  const texts = isDNS1035Label(name.toLowerCase());
  return [
    ...validateParamVersion(stringAt(kind, 'apiVersion'), field.child('apiVersion')),
    ...(name === ''
      ? [required(field.child('kind'), '')]
      : texts.length > 0
        ? [invalid(field.child('kind'), name, `may have mixed case, but should otherwise match: ${texts.join(',')}`)]
        : []),
  ];
}

function validateParamVersion(text: string, field: Path): FieldError[] {
  if (text === '') return [required(field, '')];
  const parts = text === '/' ? ['', ''] : text.split('/');
  if (parts.length > 2) return [invalid(field, text, `unexpected GroupVersion string: ${text}`)];
  const [group, version] = parts.length === 2 ? [parts[0] ?? '', parts[1] ?? ''] : ['', text];
  const groupTexts = group === '' ? [] : isDNS1123Subdomain(group);
  const errors = groupTexts.length > 0 ? [invalid(field, group, groupTexts.join(','))] : [];
  if (version === '') return [...errors, invalid(field, text, 'version must be specified')];
  const texts = isDNS1035Label(version);
  return texts.length > 0 ? [...errors, invalid(field, version, texts.join(','))] : errors;
}

function* validateVariable(variable: JsonObject, expressions: PolicyExpressions, field: Path): Steps<FieldError[]> {
  const [name, text] = [stringAt(variable, 'name'), stringAt(variable, 'expression')];
  const usable = /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !isLanguageWord(name);
  return [
    ...(name.trim() === ''
      ? [required(field.child('name'), 'name is not specified')]
      : usable
        ? []
        : [invalid(field.child('name'), name, 'must be a valid CEL identifier')]),
    ...(text.trim() === ''
      ? [required(field.child('expression'), 'expression is not specified')]
      : yield* expressions.variable(name, text, field.child('expression'))),
  ];
}

function* validateValidations(
  spec: JsonObject,
  policyName: string,
  expressions: PolicyExpressions,
): Steps<FieldError[]> {
  const [validations, annotations] = [objectsAt(spec, 'validations'), objectsAt(spec, 'auditAnnotations')];
  const [validationsField, annotationsField] = [
    policySpecField.child('validations'),
    policySpecField.child('auditAnnotations'),
  ];
  if (validations.length === 0 && annotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item';
    return [required(validationsField, detail), required(annotationsField, detail)];
  }
  const keys = annotations.map((annotation) => stringAt(annotation, 'key'));
  const repeated = repetitions(keys);
  return [
    ...(yield* errorsOfEach(validations, (validation, index) =>
      validateValidation(validation, expressions, validationsField.index(index)),
    )),
    ...(annotations.length > maxAuditAnnotations
      ? [
          invalid(
            annotationsField,
            yield* printedAnnotations(annotations),
            `must not have more than ${maxAuditAnnotations} auditAnnotations`,
          ),
        ]
      : []),
    ...(yield* errorsOfEach(annotations, (annotation, index) =>
      validateAuditAnnotation(
        annotation,
        policyName,
        expressions,
        annotationsField.index(index),
        repeated[index] === true,
      ),
    )),
  ];
}

function* printedAnnotations(annotations: readonly JsonObject[]): Steps<JsonObject[]> {
  const printed: JsonObject[] = [];
  for (const annotation of annotations) {
    if (sliceIsOver()) yield;
    printed.push({ Key: stringAt(annotation, 'key'), ValueExpression: stringAt(annotation, 'valueExpression') });
  }
  return printed;
}

function* validateValidation(validation: JsonObject, expressions: PolicyExpressions, field: Path): Steps<FieldError[]> {
  const [text, message, messageExpression] = ['expression', 'message', 'messageExpression'].map((key) =>
    stringAt(validation, key),
  ) as [string, string, string];
  const blank = (key: string, text: string): FieldError[] =>
    text !== '' && text.trim() === '' ? [invalid(field.child(key), text, 'must be non-empty if specified')] : [];
  return [
    ...(text.trim() === ''
      ? [required(field.child('expression'), 'expression is not specified')]
      : yield* expressions.validation(text, field.child('expression'))),
    ...blank('messageExpression', messageExpression),
    ...(messageExpression.trim() === ''
      ? []
      : yield* expressions.message(messageExpression, field.child('messageExpression'))),
    ...blank('message', message),
    ...(/[\n\r]/.test(message.trim())
      ? [invalid(field.child('message'), message, 'must not contain line breaks')]
      : []),
    ...knownIfSet(validation, 'reason', reasons, field),
  ];
}

function* validateAuditAnnotation(
  annotation: JsonObject,
  policyName: string,
  expressions: PolicyExpressions,
  field: Path,
  isRepeated: boolean,
): Steps<FieldError[]> {
  return [
    ...(yield* validateAnnotation(annotation, policyName, expressions, field)),
    ...(isRepeated ? [duplicate(field.child('key'), stringAt(annotation, 'key'))] : []),
  ];
}

function* validateAnnotation(
  annotation: JsonObject,
  policyName: string,
  expressions: PolicyExpressions,
  field: Path,
): Steps<FieldError[]> {
  const [key, text] = [stringAt(annotation, 'key'), stringAt(annotation, 'valueExpression')];
  const expression = text.trim();
  const at = field.child('valueExpression');
  const named =
    policyName === ''
      ? [invalid(field.child('key'), key, 'requires metadata.name be non-empty')]
      : messages(isQualifiedName(`${policyName}/${key}`), field.child('key'), `${policyName}/${key}`);
  if (expression === '') return [...named, required(at, 'valueExpression is not specified')];
  if (Buffer.byteLength(expression) > maxValueExpressionBytes)
    return [...named, required(at, `must not exceed ${maxValueExpressionBytes} bytes in length`)];
  return [...named, ...(yield* expressions.auditAnnotation(text, at))];
}

function* validateMutation(mutation: JsonObject, expressions: PolicyExpressions, field: Path): Steps<FieldError[]> {
  const type = stringAt(mutation, 'patchType');
  if (type !== 'ApplyConfiguration' && type !== 'JSONPatch')
    return oneOf(type, ['ApplyConfiguration', 'JSONPatch'], field.child('patchType'));
  const [wanted, other] =
    type === 'JSONPatch' ? ['jsonPatch', 'applyConfiguration'] : ['applyConfiguration', 'jsonPatch'];
  const patch = objectAt(mutation, wanted);
  return [
    ...(patch
      ? yield* validatePatch(stringAt(patch, 'expression'), type, expressions, field.child(wanted, 'expression'))
      : [required(field.child(wanted), `must be specified when patchType is ${type}`)]),
    ...(objectAt(mutation, other)
      ? [invalid(field.child(other), `{${other}}`, `must not be specified when patchType is ${type}`)]
      : []),
  ];
}

function* validatePatch(
  text: string,
  type: 'ApplyConfiguration' | 'JSONPatch',
  expressions: PolicyExpressions,
  field: Path,
): Steps<FieldError[]> {
  return text.trim() === '' ? [required(field, '')] : yield* expressions.patch(text, type, field);
}

/** Refuses operations that a mutating policy cannot match, such as DELETE. */
export function mutableOperations(match: JsonObject | undefined, field: Path): FieldError[] {
  const at = field.child('resourceRules', 'operations');
  return objectsAt(match, 'resourceRules').flatMap((rule) =>
    stringsAt(rule, 'operations').flatMap((operation) =>
      mutatingOperations.includes(operation) ? [] : [notSupported(at, operation, mutatingOperations)],
    ),
  );
}
