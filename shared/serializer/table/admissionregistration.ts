import { compareUtf8 } from '../../apimachinery/go-format.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { objectAt, objectsAt, stringAt, stringMapAt, stringsAt } from '../../apimachinery/object.ts';
import type { Cell, RowPrinter } from './cells.ts';
import { UNSET, ageOf, cellsOf, nameOf } from './cells.ts';

function printWebhooks(object: JsonObject): Cell[] {
  return [nameOf(object), objectsAt(object, 'webhooks').length, ageOf(object)];
}

function printPolicy(object: JsonObject, rules: string): Cell[] {
  const kind = objectAt(object, 'spec', 'paramKind');
  const text = kind === undefined ? UNSET : `${stringAt(kind, 'apiVersion')}/${stringAt(kind, 'kind')}`;
  return [nameOf(object), objectsAt(object, 'spec', rules).length, text, ageOf(object)];
}

function printBinding(object: JsonObject): Cell[] {
  return [
    nameOf(object),
    stringAt(object, 'spec', 'policyName'),
    parameterName(objectAt(object, 'spec', 'paramRef')),
    ageOf(object),
  ];
}

function parameterName(reference: JsonObject | undefined): string {
  const name = stringAt(reference, 'name');
  if (name !== '') {
    const namespace = stringAt(reference, 'namespace');
    return `${namespace === '' ? '*' : namespace}/${name}`;
  }
  const selector = objectAt(reference, 'selector');
  return selector === undefined ? UNSET : debugSelector(selector);
}

/** The reference prints the selector as its generated String method does. */
function debugSelector(selector: JsonObject): string {
  const labels = [...stringMapAt(selector, 'matchLabels')].sort(([a], [b]) => compareUtf8(a, b));
  const expressions = objectsAt(selector, 'matchExpressions').map(
    (item) =>
      `LabelSelectorRequirement{Key:${stringAt(item, 'key')},Operator:${stringAt(item, 'operator')},Values:[${stringsAt(item, 'values').join(' ')}],},`,
  );
  const map = labels.map(([key, value]) => `${key}: ${value},`).join('');
  return `&LabelSelector{MatchLabels:map[string]string{${map}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}

export const ADMISSIONREGISTRATION_PRINTERS: Readonly<Record<string, RowPrinter>> = {
  MutatingAdmissionPolicy: cellsOf((object) => printPolicy(object, 'mutations')),
  MutatingAdmissionPolicyBinding: cellsOf(printBinding),
  MutatingWebhookConfiguration: cellsOf(printWebhooks),
  ValidatingAdmissionPolicy: cellsOf((object) => printPolicy(object, 'validations')),
  ValidatingAdmissionPolicyBinding: cellsOf(printBinding),
  ValidatingWebhookConfiguration: cellsOf(printWebhooks),
};
