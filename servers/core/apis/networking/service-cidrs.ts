import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import { statusLeavesMetadata } from '#servers/core/apis/contract/reset-fields.ts';
import type { Gates } from '#servers/core/gates/gates.ts';
import { goForm } from '#servers/core/validation/go-form.ts';
import { isMapped, isSloppyCidr, validateCidr } from '#servers/core/validation/ip-address.ts';
import { invalid, path, required, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { sloppyAddress, widthOf } from '#shared/apimachinery/net/address-range.ts';
import { objectAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { serviceCidrRows } from './rows.ts';

const field = path('spec', 'cidrs');
const immutable = 'field is immutable';

/** ServiceCIDRs (pkg/apis/networking/validation). */
function serviceCidrStrategy(gates: Gates): Strategy {
  return {
    validate: validateRanges,
    validateUpdate: validateRangesUpdate,
    // With the gate off, writes of the object can change its status, as in older releases.
    ...(gates.ServiceCIDRStatusFieldWiping
      ? {}
      : { hasStatus: false, resetFields: { status: [['metadata'], ['spec']] } }),
  };
}

function rangesOf(serviceCidr: KubeObject): readonly string[] {
  return stringsAt(serviceCidr, 'spec', 'cidrs');
}

function validateRanges(serviceCidr: KubeObject): FieldError[] {
  const ranges = rangesOf(serviceCidr);
  if (ranges.length === 0) return [required(field, 'at least one CIDR required')];
  if (ranges.length > 2)
    return [
      invalid(
        field,
        goForm('io.k8s.api.networking.v1.ServiceCIDRSpec', objectAt(serviceCidr, 'spec') ?? {}),
        'may only hold up to 2 values',
      ),
    ];
  const errors = ranges.flatMap((range, index) => validateCidr(range, field.index(index)));
  const [first, second] = ranges.map(familyOf);
  if (first !== undefined && first === second)
    errors.push(
      invalid(
        field,
        [...ranges],
        'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
      ),
    );
  return errors;
}

/** The family of a CIDR. As in Go, IPv4-mapped addresses are IPv4. Undefined if the text is not a CIDR. */
function familyOf(range: string): 4 | 6 | undefined {
  if (!isSloppyCidr(range)) return undefined;
  const address = sloppyAddress(range.split('/', 1)[0] ?? '') ?? '';
  return widthOf(address) === 32 || isMapped(address) ? 4 : 6;
}

/** The CIDRs are immutable, but a CIDR of the second family may be added. */
function validateRangesUpdate(serviceCidr: KubeObject, old: KubeObject): FieldError[] {
  const [ranges, before] = [rangesOf(serviceCidr), rangesOf(old)];
  const joins = before.length === 1 && ranges.length === 2;
  if (ranges.length !== before.length && !joins)
    return [invalid(field, objectAt(serviceCidr, 'spec')?.['cidrs'] ?? null, immutable)];
  const changed = before.flatMap((range, index) =>
    ranges[index] === range ? [] : [invalid(field.index(index), ranges[index] ?? '', immutable)],
  );
  return joins ? [...changed, ...validateRanges(serviceCidr)] : changed;
}

export const serviceCidrResource = defineBuiltIn({
  group: 'networking.k8s.io',
  resource: 'servicecidrs',
  rows: serviceCidrRows,
  strategy: ({ gates }) => serviceCidrStrategy(gates),
  writes: {
    resetFields: statusLeavesMetadata,
  },
});
