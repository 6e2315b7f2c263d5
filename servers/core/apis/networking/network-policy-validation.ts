import type { Gates } from '#servers/core/gates/gates.ts';
import { validateLegacyCidr } from '#servers/core/validation/ip-address.ts';
import {
  forbidden,
  invalid,
  notSupported,
  path,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { parseRange, type AddressRange } from '#shared/apimachinery/net/address-range.ts';
import { sloppyAddress } from '#shared/apimachinery/net/address-range.ts';
import { numberAt, objectAt, objectsAt, stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { validateLabelSelector } from '#shared/apimachinery/selectors/validate-label-selector.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { errorsOfEach } from '#shared/apimachinery/validation/errors-of-each.ts';
import { messages, givenOneOf } from '#shared/apimachinery/validation/field-rules.ts';
import { isValidPortName, isValidPortNumber } from '#shared/apimachinery/validation/names.ts';

const specField = path('spec');

/** NetworkPolicies (pkg/apis/networking/validation). */
export function* validateNetworkPolicy(policy: KubeObject, gates: Gates): Steps<FieldError[]> {
  const spec = objectAt(policy, 'spec') ?? {};
  const types = [...stringsAt(spec, 'policyTypes')];
  const known = ['Ingress', 'Egress'];
  const errors = [
    ...validateLabelSelector(objectAt(spec, 'podSelector'), specField.child('podSelector')),
    ...(yield* validateRules(spec, gates, 'ingress', 'from')),
    ...(yield* validateRules(spec, gates, 'egress', 'to')),
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

function validateRules(spec: JsonObject, gates: Gates, direction: string, peers: string): Steps<FieldError[]> {
  return errorsOfEach(objectsAt(spec, direction), function* ofRule(rule, index) {
    const at = specField.child(direction).index(index);
    const ofPorts = yield* errorsOfEach(objectsAt(rule, 'ports'), (port, position) =>
      validatePort(port, at.child('ports').index(position)),
    );
    const ofPeers = yield* errorsOfEach(objectsAt(rule, peers), (peer, position) =>
      validatePeer(peer, gates, at.child(peers).index(position)),
    );
    return [...ofPorts, ...ofPeers];
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

function* validatePeer(peer: JsonObject, gates: Gates, field: Path): Steps<FieldError[]> {
  const block = objectAt(peer, 'ipBlock');
  const selectors = ['podSelector', 'namespaceSelector'].filter((name) => objectAt(peer, name));
  const errors = selectors.flatMap((name) => validateLabelSelector(objectAt(peer, name), field.child(name)));
  if (block) errors.push(...(yield* validateBlock(block, gates, field.child('ipBlock'))));
  if (!block && selectors.length === 0) errors.push(required(field, 'must specify a peer'));
  return block && selectors.length > 0
    ? [...errors, forbidden(field, 'may not specify both ipBlock and another peer')]
    : errors;
}

function* validateBlock(block: JsonObject, gates: Gates, field: Path): Steps<FieldError[]> {
  const cidr = stringAt(block, 'cidr');
  if (cidr === '') return [required(field.child('cidr'), '')];
  const range = sloppyRange(cidr);
  const errors = validateLegacyCidr(cidr, gates, field.child('cidr'));
  if (!range) return errors;
  const ofExceptions = yield* errorsOfEach(stringsAt(block, 'except'), (text, index) =>
    validateException(text, gates, range, field.child('except').index(index)),
  );
  return [...errors, ...ofExceptions];
}

function validateException(text: string, gates: Gates, range: AddressRange, field: Path): FieldError[] {
  const errors = validateLegacyCidr(text, gates, field);
  const inner = sloppyRange(text);
  const within =
    inner &&
    inner.family === range.family &&
    inner.first >= range.first &&
    inner.last <= range.last &&
    inner.last - inner.first < range.last - range.first;
  return inner && !within ? [...errors, invalid(field, text, 'must be a strict subset of `cidr`')] : errors;
}

/** Parses a range that may have leading zeros: they get an error of their own, and the range is still checked. */
function sloppyRange(cidr: string): AddressRange | undefined {
  const [address = '', bits = ''] = cidr.split('/');
  const plain = sloppyAddress(address);
  return plain === undefined ? undefined : parseRange(`${plain}/${bits.replace(/^0+(?=\d)/, '')}`);
}
