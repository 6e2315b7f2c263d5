import {
  forbidden,
  invalid,
  notSupported,
  path,
  required,
  type FieldError,
  type Path,
} from '../../../../shared/apimachinery/field-error.ts';
import type { JsonObject } from '../../../../shared/apimachinery/json.ts';
import { isValidPortName, isValidPortNumber } from '../../../../shared/apimachinery/names.ts';
import {
  numberAt,
  objectAt,
  objectsAt,
  stringAt,
  stringsAt,
  type KubeObject,
} from '../../../../shared/apimachinery/object.ts';
import { parseRange, type AddressRange } from '../../../../shared/apimachinery/net/address-range.ts';
import { messages, givenOneOf } from '../../validation/field-rules.ts';
import { sloppyAddress } from '../../../../shared/apimachinery/net/address-range.ts';
import { validateLegacyCidr } from '../../validation/ip-address.ts';
import { validateLabelSelector } from '../../validation/label-selector.ts';

const specField = path('spec');

/** NetworkPolicies (pkg/apis/networking/validation). */
export function validateNetworkPolicy(policy: KubeObject): FieldError[] {
  const spec = objectAt(policy, 'spec') ?? {};
  const types = [...stringsAt(spec, 'policyTypes')];
  const known = ['Ingress', 'Egress'];
  const errors = [
    ...validateLabelSelector(objectAt(spec, 'podSelector'), specField.child('podSelector')),
    ...validateRules(spec, 'ingress', 'from'),
    ...validateRules(spec, 'egress', 'to'),
  ];
  if (types.length > known.length)
    return [...errors, invalid(specField.child('policyTypes'), types, 'may not specify more than two policyTypes')];
  return [
    ...errors,
    ...types.flatMap((type, index) =>
      known.includes(type) ? [] : [notSupported(specField.child('policyTypes').index(index), type, known)],
    ),
  ];
}

function validateRules(spec: JsonObject, direction: string, peers: string): FieldError[] {
  return objectsAt(spec, direction).flatMap((rule, index) => {
    const at = specField.child(direction).index(index);
    return [
      ...objectsAt(rule, 'ports').flatMap((port, position) => validatePort(port, at.child('ports').index(position))),
      ...objectsAt(rule, peers).flatMap((peer, position) => validatePeer(peer, at.child(peers).index(position))),
    ];
  });
}

function validatePort(port: JsonObject, field: Path): FieldError[] {
  const [number, end] = [port['port'], numberAt(port, 'endPort')];
  const errors = givenOneOf(port['protocol'], ['TCP', 'UDP', 'SCTP'], field.child('protocol'));
  const at = field.child('endPort');
  if (number === undefined)
    return end === undefined
      ? errors
      : [...errors, invalid(at, end, 'may not be specified when `port` is not specified')];
  if (typeof number === 'string') {
    if (end !== undefined) errors.push(invalid(at, end, 'may not be specified when `port` is non-numeric'));
    return [...errors, ...messages(isValidPortName(number), field.child('port'), number)];
  }
  errors.push(...messages(isValidPortNumber(Number(number)), field.child('port'), Number(number)));
  if (end === undefined) return errors;
  if (end < Number(number)) errors.push(invalid(at, Number(number), 'must be greater than or equal to `port`'));
  return [...errors, ...messages(isValidPortNumber(end), at, end)];
}

function validatePeer(peer: JsonObject, field: Path): FieldError[] {
  const block = objectAt(peer, 'ipBlock');
  const selectors = ['podSelector', 'namespaceSelector'].filter((name) => objectAt(peer, name));
  const errors = selectors.flatMap((name) => validateLabelSelector(objectAt(peer, name), field.child(name)));
  if (block) errors.push(...validateBlock(block, field.child('ipBlock')));
  if (!block && selectors.length === 0) errors.push(required(field, 'must specify a peer'));
  return block && selectors.length > 0
    ? [...errors, forbidden(field, 'may not specify both ipBlock and another peer')]
    : errors;
}

function validateBlock(block: JsonObject, field: Path): FieldError[] {
  const cidr = stringAt(block, 'cidr');
  if (cidr === '') return [required(field.child('cidr'), '')];
  const errors = validateLegacyCidr(cidr, field.child('cidr'));
  const range = sloppyRange(cidr);
  if (!range) return errors;
  for (const [index, text] of stringsAt(block, 'except').entries()) {
    const at = field.child('except').index(index);
    errors.push(...validateLegacyCidr(text, at));
    const inner = sloppyRange(text);
    const within =
      inner &&
      inner.family === range.family &&
      inner.first >= range.first &&
      inner.last <= range.last &&
      inner.last - inner.first < range.last - range.first;
    if (inner && !within) errors.push(invalid(at, text, 'must be a strict subset of `cidr`'));
  }
  return errors;
}

/** Leading zeros are a mistake of its own; what the range holds is looked at all the same. */
function sloppyRange(cidr: string): AddressRange | undefined {
  const [address = '', bits = ''] = cidr.split('/');
  const plain = sloppyAddress(address);
  return plain === undefined ? undefined : parseRange(`${plain}/${bits.replace(/^0+(?=\d)/, '')}`);
}
