import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, stringMapAt, stringsAt } from '#shared/apimachinery/object.ts';
import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';
import type { Cell } from '#shared/serializer/table/cells.ts';
import { UNSET, ageOf, cellsOf, nameOf } from '#shared/serializer/table/cells.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';

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

export const mutatingAdmissionPolicyRows: KindRows = {
  print: cellsOf((object) => printPolicy(object, 'mutations')),
};

export const mutatingAdmissionPolicyBindingRows: KindRows = {
  print: cellsOf(printBinding),
};

export const mutatingWebhookConfigurationRows: KindRows = {
  print: cellsOf(printWebhooks),
};

export const validatingAdmissionPolicyRows: KindRows = {
  print: cellsOf((object) => printPolicy(object, 'validations')),
};

export const validatingAdmissionPolicyBindingRows: KindRows = {
  print: cellsOf(printBinding),
};

export const validatingWebhookConfigurationRows: KindRows = {
  print: cellsOf(printWebhooks),
};
