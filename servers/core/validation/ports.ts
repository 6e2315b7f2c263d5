import {
  duplicate,
  invalid,
  notSupported,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { numberAt, stringAt } from '#shared/apimachinery/object.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { errorsOfEach } from '#shared/apimachinery/validation/errors-of-each.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { isValidPortName, isValidPortNumber } from '#shared/apimachinery/validation/names.ts';

const protocols = ['SCTP', 'TCP', 'UDP'];

/** An IntOrString that is a port: a number in range or the name of one. */
export function validatePortNumberOrName(value: JsonValue | undefined, field: Path): FieldError[] {
  if (typeof value === 'string') return messages(isValidPortName(value), field, value);
  const number = Number(value ?? 0);
  return messages(isValidPortNumber(number), field, number);
}

/** `ports` of a container (validateContainerPorts). */
export function validateContainerPorts(ports: readonly JsonObject[], field: Path): Steps<FieldError[]> {
  const names = new Set<string>();
  return errorsOfEach(ports, (port, index) => validateContainerPort(port, names, field.index(index)));
}

function validateContainerPort(port: JsonObject, names: Set<string>, field: Path): FieldError[] {
  const errors: FieldError[] = [];
  const name = stringAt(port, 'name');
  if (name !== '') {
    const texts = isValidPortName(name);
    errors.push(...messages(texts, field.child('name'), name));
    if (texts.length === 0 && names.has(name)) errors.push(duplicate(field.child('name'), name));
    names.add(name);
  }
  const number = numberAt(port, 'containerPort') ?? 0;
  if (number === 0) errors.push(required(field.child('containerPort'), ''));
  else errors.push(...messages(isValidPortNumber(number), field.child('containerPort'), number));
  const host = numberAt(port, 'hostPort') ?? 0;
  if (host !== 0) errors.push(...messages(isValidPortNumber(host), field.child('hostPort'), host));
  const protocol = stringAt(port, 'protocol');
  if (protocol === '') errors.push(required(field.child('protocol'), ''));
  else if (!protocols.includes(protocol)) errors.push(notSupported(field.child('protocol'), protocol, protocols));
  return errors;
}

/** In the host's network, the host port of a container must equal its container port. */
export function validateHostPorts(ports: readonly JsonObject[], field: Path): FieldError[] {
  return ports.flatMap((port, index) => {
    const host = numberAt(port, 'hostPort') ?? 0;
    return host === (numberAt(port, 'containerPort') ?? 0)
      ? []
      : [invalid(field.index(index).child('hostPort'), host, 'must match `containerPort` when `hostNetwork` is true')];
  });
}
