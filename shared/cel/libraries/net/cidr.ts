import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import {
  addBounds,
  exactly,
  scaleBounds,
  type Bounds,
  type CallEstimate,
  type EstimateContext,
  type EstimateNode,
} from '#shared/cel/contract/estimate.ts';
import type { FunctionDeclaration, Overload } from '#shared/cel/contract/function-declaration.ts';
import type { Library } from '#shared/cel/contract/library.ts';
import {
  costOfCharacter,
  costOfTraversal,
  costsOne,
  costsTraversal,
  estimatesOne,
  estimatesTraversal,
  traversalBounds,
} from '#shared/cel/libraries/sizes.ts';
import { CelObject } from '#shared/cel/values/cel-type.ts';
import { boolType, intType, opaqueType, stringType, type CelType } from '#shared/cel/values/cel-type.ts';
import { costSize } from '#shared/cel/values/sizes.ts';
import { CelError, type Value } from '#shared/cel/values/value.ts';
import {
  AddressError,
  formatAddress,
  isMappedAddress,
  maskAddress,
  parseAddress,
  sharePrefix,
  type Address,
} from './address.ts';
import { CelIp, ipFrom, ipType } from './ip.ts';

export const cidrType = opaqueType('net.CIDR');

/** An address with a prefix length. */
export class CelCidr extends CelObject {
  readonly address: Address;
  readonly bits: number;

  constructor(address: Address, bits: number) {
    super();
    this.address = address;
    this.bits = bits;
  }

  get type(): CelType {
    return cidrType;
  }

  override get costSize(): number {
    return Math.ceil(this.bits / 8);
  }

  override toString(): string {
    return `${formatAddress(this.address)}/${this.bits}`;
  }

  override equals(other: unknown): boolean | CelError {
    return other instanceof CelCidr ? this.toString() === other.toString() : new CelError('no such overload');
  }
}

/** Parses a text as a CIDR range; returns an error if it is none. */
export function cidrFrom(text: string): CelCidr | CelError {
  const [address, bits] = readRange(text);
  if (address === undefined)
    return new CelError(`${conversion}: ${conversion}: netip.ParsePrefix(${goQuote(text)}): ${bits}`);
  return isMappedAddress(address)
    ? new CelError(`${conversion}: IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`)
    : new CelCidr(address, bits);
}

const conversion = 'network address parse error during conversion from string';

function readRange(text: string): [Address, number] | [undefined, string] {
  const slash = text.lastIndexOf('/');
  if (slash < 0) return [undefined, "no '/'"];
  let address: Address;
  try {
    address = parseAddress(text.slice(0, slash));
  } catch (error) {
    if (error instanceof AddressError) return [undefined, error.message];
    throw error;
  }
  if (address.zone !== '') return [undefined, 'IPv6 zones cannot be present in a prefix'];
  const bits = text.slice(slash + 1);
  if (!/^(?:[1-9][0-9]{0,18}|[0-9])$/.test(bits)) return [undefined, `bad bits after slash: ${goQuote(bits)}`];
  return Number(bits) > address.bytes.length * 8 ? [undefined, 'prefix length out of range'] : [address, Number(bits)];
}

function containsIp(range: CelCidr, ip: CelIp | CelError): boolean | CelError {
  if (ip instanceof CelError) return new CelError('no such overload');
  const { bytes } = ip.address;
  return bytes.length === range.address.bytes.length && sharePrefix(bytes, range.address.bytes, range.bits);
}

function containsCidr(range: CelCidr, other: CelCidr | CelError): boolean | CelError {
  if (other instanceof CelError) return other;
  const { bytes } = other.address;
  return (
    bytes.length === range.address.bytes.length &&
    range.bits <= other.bits &&
    sharePrefix(bytes, range.address.bytes, range.bits)
  );
}

/** The bytes of an address of either family. */
const addressBytes: Bounds = { min: 4, max: 16 };

function containment(
  id: string,
  parameter: CelType,
  implementation: NonNullable<Overload['implementation']>,
  ofRange: boolean,
): Overload {
  const parses = parameter === stringType;
  return {
    id,
    member: true,
    parameters: [cidrType, parameter],
    result: boolType,
    implementation,
    cost: ([range, other]) => compareCost(range, ofRange) + (parses ? costOfTraversal(other ?? null) : 0),
    estimate(
      context: EstimateContext,
      _: EstimateNode | undefined,
      [other]: readonly EstimateNode[],
    ): CallEstimate | undefined {
      if (other === undefined) return undefined;
      let cost = scaleBounds(addBounds(addressBytes, addressBytes), costOfCharacter);
      if (ofRange) cost = addBounds(cost, addBounds(scaleBounds(addressBytes, costOfCharacter), exactly(1)));
      return { cost: parses ? addBounds(cost, traversalBounds(context, other)) : cost };
    },
  };
}

/** The cost of a comparison with a range, without that of parsing the other operand, which `containment` adds. */
function compareCost(range: Value | undefined, ofRange: boolean): number {
  const size = costSize(range ?? null);
  return Math.ceil(size * 2 * costOfCharacter) + (ofRange ? Math.ceil(size * costOfCharacter) + 1 : 0);
}

const parsing = { cost: costsTraversal(), estimate: estimatesTraversal() };
const accessor = { cost: costsOne, estimate: estimatesOne };

const functions: readonly FunctionDeclaration[] = [
  {
    name: 'cidr',
    ...parsing,
    overloads: [{ id: 'string_to_cidr', parameters: [stringType], result: cidrType, implementation: cidrFrom }],
  },
  {
    name: 'containsIP',
    unknownCost: ([range]) => compareCost(range, false),
    overloads: [
      containment(
        'cidr_contains_ip_string',
        stringType,
        (range: CelCidr, text: string): Value => containsIp(range, ipFrom(text)),
        false,
      ),
      containment('cidr_contains_ip_ip', ipType, (range: CelCidr, ip: CelIp): Value => containsIp(range, ip), false),
    ],
  },
  {
    name: 'containsCIDR',
    unknownCost: ([range]) => compareCost(range, true),
    overloads: [
      containment(
        'cidr_contains_cidr_string',
        stringType,
        (range: CelCidr, text: string): Value => containsCidr(range, cidrFrom(text)),
        true,
      ),
      containment(
        'cidr_contains_cidr',
        cidrType,
        (range: CelCidr, other: CelCidr): Value => containsCidr(range, other),
        true,
      ),
    ],
  },
  {
    name: 'ip',
    overloads: [
      {
        id: 'cidr_ip',
        member: true,
        parameters: [cidrType],
        result: ipType,
        implementation: (range: CelCidr) => new CelIp(range.address),
        ...accessor,
      },
    ],
  },
  {
    name: 'prefixLength',
    ...accessor,
    overloads: [
      {
        id: 'cidr_prefix_length',
        member: true,
        parameters: [cidrType],
        result: intType,
        implementation: (range: CelCidr) => range.bits,
      },
    ],
  },
  {
    name: 'masked',
    ...accessor,
    overloads: [
      {
        id: 'cidr_masked',
        member: true,
        parameters: [cidrType],
        result: cidrType,
        implementation: (range: CelCidr) => new CelCidr(maskAddress(range.address, range.bits), range.bits),
      },
    ],
  },
  {
    name: 'isCIDR',
    ...parsing,
    overloads: [
      {
        id: 'is_cidr',
        parameters: [stringType],
        result: boolType,
        implementation: (text: string) => cidrFrom(text) instanceof CelCidr,
      },
    ],
  },
  {
    name: 'string',
    overloads: [{ id: 'cidr_to_string', parameters: [cidrType], result: stringType, implementation: String }],
  },
];

export const cidrLibrary: Library = { name: 'kubernetes.net.cidr', types: [cidrType], functions };
