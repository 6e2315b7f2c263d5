import type { Path } from '#shared/apimachinery/errors/field-error.ts';
import { getKey, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import { isLabelValue } from '#shared/apimachinery/validation/names.ts';
import { firstWarnings } from './first-warnings.ts';

// Node labels that newer ones have replaced (pkg/api/node/util.go).

const replaced: JsonObject = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  'app.kubernetes.io/created-by': 'deprecated since v1.9',
  'scheduler.alpha.kubernetes.io/preferAvoidPods': 'deprecated since v1.22; use Taints and Tolerations instead',
  'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead',
};

/** Warnings about the labels that have been replaced; `warning` makes a warning from its text and the label. */
export function nodeLabelWarnings(
  labels: Iterable<string>,
  warning: (text: string, label: string) => string,
): string[] {
  const warnings: string[] = [];
  for (const label of labels) {
    const text = getKey(replaced, label);
    if (typeof text === 'string') warnings.push(warning(text, label));
  }
  return warnings;
}

/** Warnings about a node selector term. A preferred one may have values that no label can have. */
export function nodeSelectorTermWarnings(term: JsonObject | undefined, field: Path, isPreference: boolean): string[] {
  return firstWarnings(objectsAt(term, 'matchExpressions'), (expression, index) => {
    const at = field.child('matchExpressions').index(index);
    return [
      ...expressionWarnings(expression, at),
      ...(isPreference ? valueWarnings(expression, at.child('values')) : []),
    ];
  });
}

/** Warnings about a LabelSelector for nodes. */
export function nodeSelectorWarnings(selector: JsonObject | undefined, field: Path): string[] {
  return [
    ...firstWarnings(objectsAt(selector, 'matchExpressions'), (expression, index) =>
      expressionWarnings(expression, field.child('matchExpressions').index(index)),
    ),
    ...nodeLabelWarnings(
      Object.keys(objectAt(selector, 'matchLabels') ?? {}),
      (text, label) => `${field.child('matchLabels', label).toString()}: ${text}`,
    ),
  ];
}

function expressionWarnings(expression: JsonObject, field: Path): string[] {
  return nodeLabelWarnings(
    [stringAt(expression, 'key')],
    (text, label) => `${field.child('key').toString()}: ${label} is ${text}`,
  );
}

function valueWarnings(expression: JsonObject, field: Path): string[] {
  return firstWarnings(stringsAt(expression, 'values'), (value, index) =>
    isLabelValue(value).map((fault) => `${field.index(index).toString()}: ${value} is invalid, ${fault}`),
  );
}
