import type { Gates } from '#servers/core/gates/gates.ts';
import { validateLegacyAddress } from '#servers/core/validation/ip-address.ts';
import {
  duplicate,
  invalid,
  notSupported,
  path,
  required,
  type FieldError,
} from '#shared/apimachinery/errors/field-error.ts';
import { objectAt, stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { givenOneOf } from '#shared/apimachinery/validation/field-rules.ts';

// Rules of clusterIP, clusterIPs, ipFamilies and ipFamilyPolicy (pkg/apis/core/validation).

const ipsField = path('spec', 'clusterIPs');
const familiesField = path('spec', 'ipFamilies');
const policyField = path('spec', 'ipFamilyPolicy');

export function isHeadless(service: KubeObject): boolean {
  const ips = stringsAt(service, 'spec', 'clusterIPs');
  return ips.length === 1 && ips[0] === 'None';
}

export function validateAddressFields(service: KubeObject, gates: Gates, old: KubeObject | undefined): FieldError[] {
  if (stringAt(service, 'spec', 'type') === 'ExternalName') return [];
  const ips = [...stringsAt(service, 'spec', 'clusterIPs')];
  const errors = [...validatePair(stringAt(service, 'spec', 'clusterIP'), ips), ...validateStacks(service)];
  const before = new Set(stringsAt(old, 'spec', 'clusterIPs'));
  const invalidIps = ips.flatMap((ip, index) => {
    if (index === 0 && ip === 'None')
      return ips.length > 1 ? [invalid(ipsField, ips, "'None' must be the first and only value")] : [];
    return validateLegacyAddress(ip, gates, ipsField.index(index), before);
  });
  errors.push(...invalidIps);
  if (ips.length > 2) errors.push(invalid(ipsField, ips, 'may only hold up to 2 values'));
  if (invalidIps.length > 0) return errors;
  if (ips.length > 1 && new Set(ips.map((ip) => ip.includes(':'))).size < 2)
    errors.push(invalid(ipsField, ips, 'may specify no more than one IP for each IP family'));
  return isHeadless(service)
    ? errors
    : [...errors, ...validateFamiliesOf(ips, stringsAt(service, 'spec', 'ipFamilies'))];
}

/** `clusterIP` must be the first of `clusterIPs`. */
function validatePair(ip: string, ips: string[]): FieldError[] {
  if (ip === '')
    return ips.length > 0 ? [invalid(ipsField, ips, 'must be empty when `clusterIP` is not specified')] : [];
  if (ips.length === 0) return [required(ipsField, '')];
  return ips[0] === ip ? [] : [invalid(ipsField, ips, 'first value must match `clusterIP`')];
}

function validateStacks(service: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, family] of stringsAt(service, 'spec', 'ipFamilies').entries()) {
    if (!['IPv4', 'IPv6'].includes(family))
      errors.push(notSupported(familiesField.index(index), family, ['IPv4', 'IPv6']));
    if (seen.has(family)) errors.push(duplicate(familiesField.index(index), family));
    seen.add(family);
  }
  errors.push(
    ...givenOneOf(
      objectAt(service, 'spec')?.['ipFamilyPolicy'],
      ['PreferDualStack', 'RequireDualStack', 'SingleStack'],
      policyField,
    ),
  );
  return errors;
}

function validateFamiliesOf(ips: readonly string[], families: readonly string[]): FieldError[] {
  return ips.flatMap((ip, index) => {
    const family = families[index];
    const fits = family === undefined || (family === 'IPv6') === ip.includes(':');
    return fits
      ? []
      : [invalid(ipsField.index(index), ip, `expected an ${family} value as indicated by \`ipFamilies[${index}]\``)];
  });
}

/** Primary address and family are immutable; the policy can add or remove the secondary ones. */
export function validateAddressChange(service: KubeObject, old: KubeObject): FieldError[] {
  if ([service, old].some((one) => stringAt(one, 'spec', 'type') === 'ExternalName')) return [];
  const headless = [isHeadless(service), isHeadless(old)];
  const errors = headless[0] && headless[1] ? [] : validateIpChange(service, old);
  return headless[0] || headless[1] ? errors : [...errors, ...validateFamilyChange(service, old)];
}

function validateIpChange(service: KubeObject, old: KubeObject): FieldError[] {
  const ips = [...stringsAt(service, 'spec', 'clusterIPs')];
  const before = stringsAt(old, 'spec', 'clusterIPs');
  if (before.length === ips.length) {
    return before.flatMap((ip, index) =>
      ip === ips[index] ? [] : [invalid(ipsField.index(index), ips, 'may not change once set')],
    );
  }
  const errors: FieldError[] = [];
  if (ips.length === 0) errors.push(invalid(ipsField.index(0), ips, 'primary clusterIP can not be unset'));
  if (before.length > 0 && ips.length > 0 && ips[0] !== before[0])
    errors.push(invalid(ipsField.index(0), ips, 'may not change once set'));
  if (ips.length < before.length && ips.length === 1) errors.push(...validateRelease(service, 'clusterIP'));
  return errors;
}

function validateFamilyChange(service: KubeObject, old: KubeObject): FieldError[] {
  const families = [...stringsAt(service, 'spec', 'ipFamilies')];
  const before = stringsAt(old, 'spec', 'ipFamilies');
  if (before.length === families.length) {
    return before.flatMap((family, index) =>
      family === families[index] ? [] : [invalid(familiesField.index(0), families, 'may not change once set')],
    );
  }
  const errors: FieldError[] = [];
  const ips = [...stringsAt(service, 'spec', 'clusterIPs')];
  if (families.length < before.length && ips.length === 0)
    errors.push(invalid(familiesField.index(0), families, 'primary ipFamily can not be unset'));
  if (before.length > 0 && families.length > 0 && families[0] !== before[0])
    errors.push(invalid(familiesField.index(0), ips, 'may not change once set'));
  if (families.length < before.length && families.length === 1) errors.push(...validateRelease(service, 'ipFamily'));
  return errors;
}

function validateRelease(service: KubeObject, what: string): FieldError[] {
  const policy = stringAt(service, 'spec', 'ipFamilyPolicy');
  return policy === 'SingleStack'
    ? []
    : [
        invalid(
          policyField,
          policy === '' ? null : policy,
          `must be set to 'SingleStack' when releasing the secondary ${what}`,
        ),
      ];
}
