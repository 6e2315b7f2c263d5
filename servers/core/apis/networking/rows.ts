import { loadBalancerAddresses } from '#servers/core/apis/core/services/service-rows.ts';
import { formatGroupResource } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, stringMapAt, stringsAt } from '#shared/apimachinery/object.ts';
import type { Cell } from '#shared/serializer/table/cells.ts';
import { NONE, ageOf, cellsOf, formatSelector, nameOf, textOr } from '#shared/serializer/table/cells.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';

function printIngress(object: JsonObject): Cell[] {
  const ports = objectsAt(object, 'spec', 'tls').length === 0 ? '80' : '80, 443';
  return [
    nameOf(object),
    textOr(NONE, object, 'spec', 'ingressClassName'),
    hosts(object),
    loadBalancerAddresses(object).join(','),
    ports,
    ageOf(object),
  ];
}

/** The first three hosts and the number of further rules; rules without a host are not listed. */
function hosts(ingress: JsonObject): string {
  const rules = objectsAt(ingress, 'spec', 'rules');
  const shown: string[] = [];
  let more = false;
  for (const rule of rules) {
    if (shown.length === 3) more = true;
    const host = stringAt(rule, 'host');
    if (!more && host !== '') shown.push(host);
  }
  if (shown.length === 0) return '*';
  return more ? `${shown.join(',')} + ${rules.length - 3} more...` : shown.join(',');
}

function printIngressClass(object: JsonObject): Cell[] {
  const isDefault =
    stringMapAt(object, 'metadata', 'annotations').get('ingressclass.kubernetes.io/is-default-class') === 'true';
  const parameters = objectAt(object, 'spec', 'parameters');
  const group = objectAt(object, 'spec', 'parameters')?.['apiGroup'];
  const kind = stringAt(parameters, 'kind') + (typeof group === 'string' ? `.${group}` : '');
  return [
    nameOf(object) + (isDefault ? ' (default)' : ''),
    stringAt(object, 'spec', 'controller'),
    parameters === undefined ? NONE : `${kind}/${stringAt(parameters, 'name')}`,
    ageOf(object),
  ];
}

/** The reference prints an age although it declares no column for it. */
function printIPAddress(object: JsonObject): Cell[] {
  const parent = objectAt(object, 'spec', 'parentRef');
  return [nameOf(object), parent === undefined ? NONE : parentName(parent), ageOf(object)];
}

function parentName(parent: JsonObject): string {
  const resource = formatGroupResource({
    group: stringAt(parent, 'group'),
    resource: stringAt(parent, 'resource'),
  }).toLowerCase();
  const namespace = stringAt(parent, 'namespace');
  return `${resource}${namespace === '' ? '' : `/${namespace}`}/${stringAt(parent, 'name')}`;
}

export const ingressRows: KindRows = {
  print: cellsOf(printIngress),
};

export const ingressClassRows: KindRows = {
  print: cellsOf(printIngressClass),
};

export const ipAddressRows: KindRows = {
  print: cellsOf(printIPAddress),
};

export const networkPolicyRows: KindRows = {
  print: cellsOf((object) => [nameOf(object), networkPolicySelector(object), ageOf(object)]),
};

export const serviceCidrRows: KindRows = {
  print: cellsOf((object) => [nameOf(object), stringsAt(object, 'spec', 'cidrs').join(','), ageOf(object)]),
};

/** An absent pod selector is an empty one. */
function networkPolicySelector(object: JsonObject): string {
  return formatSelector(objectAt(object, 'spec', 'podSelector') ?? {});
}
