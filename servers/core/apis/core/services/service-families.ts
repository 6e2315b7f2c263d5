import type { Gates } from '#servers/core/gates/gates.ts';
import { invalid, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { ensureObject } from '#shared/apimachinery/set-default.ts';
import { validateAddressFields } from './service-address-validation.ts';

export type IPFamily = 'IPv4' | 'IPv6';

function serviceFamilyOf(ip: string): IPFamily {
  return ip.includes(':') ? 'IPv6' : 'IPv4';
}

const policyField = path('spec', 'ipFamilyPolicy');

/**
 * Fills `ipFamilyPolicy` and `ipFamilies` (KEP-563): the families of the given addresses, else those of the cluster.
 * `families` are the cluster's, the primary first. Returns errors for values that do not fit together.
 */
export function assignFamilies(
  service: KubeObject,
  old: KubeObject | undefined,
  gates: Gates,
  families: readonly IPFamily[],
): FieldError[] {
  const spec = ensureObject(service, 'spec');
  if (stringAt(spec, 'type') === 'ExternalName' || keepsPreferredStacks(spec, objectAt(old, 'spec'))) return [];
  if (spec['ipFamilyPolicy'] === undefined) spec['ipFamilyPolicy'] = inferredPolicy(spec, old);
  const errors = validateAddressFields(service, gates, old);
  if (errors.length > 0) return errors;
  errors.push(
    ...(old ? followRelease(spec, ensureObject(old, 'spec')) : []),
    ...validatePolicy(spec),
    ...inferFamilies(spec, families),
  );
  if (errors.length > 0) return errors;
  if (isFreeOfStacks(spec)) {
    chooseFamilies(spec, families, true);
    return [];
  }
  const unfit = validateCluster(spec, families);
  if (unfit.length === 0) chooseFamilies(spec, families, families.length === 2);
  return unfit;
}

/**
 * Gives a stored Service of an old release the families of its addresses; where it has none, those of the cluster
 * (`families`, the primary first).
 */
export function completeFamilies(service: KubeObject, families: readonly IPFamily[]): void {
  const spec = ensureObject(service, 'spec');
  if (stringAt(spec, 'type') === 'ExternalName' || stringsAt(spec, 'ipFamilies').length > 0) return;
  const [primary = 'IPv4'] = families;
  const both: readonly IPFamily[] = primary === 'IPv4' ? ['IPv4', 'IPv6'] : ['IPv6', 'IPv4'];
  const held = stringsAt(spec, 'clusterIPs').map(serviceFamilyOf);
  const found = stringAt(spec, 'clusterIP') === 'None' ? both.slice(0, isFreeOfStacks(spec) ? 2 : 1) : held;
  if (found.length === 0) return;
  spec['ipFamilies'] = [...found];
  spec['ipFamilyPolicy'] = found.length === 1 ? 'SingleStack' : 'RequireDualStack';
}

/** Whether an update keeps PreferDualStack and the rest: then a changed cluster does not change the Service. */
function keepsPreferredStacks(spec: JsonObject, before: JsonObject | undefined): boolean {
  if (!before || stringAt(before, 'type') !== stringAt(spec, 'type')) return false;
  const prefers = (body: JsonObject) => stringAt(body, 'ipFamilyPolicy') === 'PreferDualStack';
  return (
    prefers(spec) &&
    prefers(before) &&
    sameStrings(spec, before, 'clusterIPs') &&
    sameStrings(spec, before, 'ipFamilies')
  );
}

function inferredPolicy(spec: JsonObject, old: KubeObject | undefined): string {
  return stringAt(old, 'spec', 'ipFamilyPolicy') || (isFreeOfStacks(spec) ? 'RequireDualStack' : 'SingleStack');
}

/** Whether the Service is headless without selector: its endpoints are not the server's and may have both families. */
function isFreeOfStacks(spec: JsonObject): boolean {
  return stringAt(spec, 'clusterIP') === 'None' && Object.keys(objectAt(spec, 'selector') ?? {}).length === 0;
}

/** SingleStack releases the secondary address and family; with another policy a write may not drop them. */
function followRelease(spec: JsonObject, before: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, what] of [
    ['clusterIPs', 'cluster IP'],
    ['ipFamilies', 'IP family'],
  ] as const) {
    const values = stringsAt(spec, key);
    if (stringAt(spec, 'ipFamilyPolicy') === 'SingleStack') {
      if (sameStrings(spec, before, key) && values.length > 1) spec[key] = values.slice(0, 1);
    } else if (values.length > 0 && values.length < stringsAt(before, key).length) {
      errors.push(
        invalid(
          policyField,
          stringAt(spec, 'ipFamilyPolicy'),
          `must be 'SingleStack' to release the secondary ${what}`,
        ),
      );
    }
  }
  return errors;
}

function validatePolicy(spec: JsonObject): FieldError[] {
  if (stringAt(spec, 'ipFamilyPolicy') !== 'SingleStack') return [];
  const detail = (what: string) =>
    `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`;
  return [
    ...(stringsAt(spec, 'clusterIPs').length === 2 ? [invalid(policyField, 'SingleStack', detail('cluster IPs'))] : []),
    ...(stringsAt(spec, 'ipFamilies').length === 2 ? [invalid(policyField, 'SingleStack', detail('IP families'))] : []),
  ];
}

function inferFamilies(spec: JsonObject, families: readonly IPFamily[]): FieldError[] {
  const errors: FieldError[] = [];
  const ips = stringsAt(spec, 'clusterIPs');
  const chosen = [...stringsAt(spec, 'ipFamilies')];
  for (const [index, ip] of ips.entries()) {
    if (ip === 'None') break;
    if (index < chosen.length) continue;
    const family = serviceFamilyOf(ip);
    if (families.includes(family)) chosen.push(family);
    else
      errors.push(
        invalid(path('spec', 'clusterIPs').index(index), [...ips], `${family} is not configured on this cluster`),
      );
  }
  if (chosen.length > 0) spec['ipFamilies'] = chosen;
  return errors;
}

function validateCluster(spec: JsonObject, families: readonly IPFamily[]): FieldError[] {
  const errors: FieldError[] = [];
  const policy = stringAt(spec, 'ipFamilyPolicy');
  if (policy === 'RequireDualStack' && families.length < 2)
    errors.push(invalid(policyField, policy, 'this cluster is not configured for dual-stack services'));
  for (const [index, family] of stringsAt(spec, 'ipFamilies').entries()) {
    if (!families.includes(family as IPFamily))
      errors.push(invalid(path('spec', 'ipFamilies').index(index), family, 'not configured on this cluster'));
  }
  return errors;
}

/** Sets the families: by default the cluster's first, and a second one if the policy wants it and it is allowed. */
function chooseFamilies(spec: JsonObject, families: readonly IPFamily[], mayHaveBoth: boolean): void {
  const chosen = [...stringsAt(spec, 'ipFamilies')];
  if (chosen.length === 0) chosen.push(families[0] ?? 'IPv4');
  if (chosen.length === 1 && mayHaveBoth && stringAt(spec, 'ipFamilyPolicy') !== 'SingleStack')
    chosen.push(chosen[0] === 'IPv4' ? 'IPv6' : 'IPv4');
  spec['ipFamilies'] = chosen;
}

function sameStrings(a: JsonObject, b: JsonObject, key: string): boolean {
  const left = stringsAt(a, key);
  const right = stringsAt(b, key);
  return left.length === right.length && left.every((item, index) => item === right[index]);
}
