import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';
import type { Quantity } from '#shared/apimachinery/values/quantity-parse.ts';
import { formatQuantity, parseQuantity, quantityValue } from '#shared/apimachinery/values/quantity.ts';
import type { Amounts } from '#shared/objects/pod-resources.ts';

/** Above this amount the milli-units overflow 64 bits, so whole units are compared. */
const maxMilliValue = (2n ** 63n - 1n) / 1000n;
const zero = parseQuantity('0');

/** A pod or container that limits apply to: its name in messages, its requests and its limits. */
export interface Limited {
  readonly type: string;
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/** Checks a constraint on one resource; returns the error message, or undefined. */
type Constraint = (limited: Limited, resource: string, enforced: Quantity) => string | undefined;

/** The amounts in the order in which they are checked. */
export function inOrder(amounts: Amounts): Amounts {
  return new Map([...amounts].sort(([a], [b]) => compareUtf8(a, b)));
}

/** Checks a constraint for each resource in `enforced`. */
export function* violations(constraint: Constraint, limited: Limited, enforced: Amounts): Generator<string> {
  for (const [resource, quantity] of enforced) {
    const message = constraint(limited, resource, quantity);
    if (message !== undefined) yield message;
  }
}

export const atLeast: Constraint = ({ type, requests, limits }, resource, enforced) => {
  const [request, limit] = [requests.get(resource), limits.get(resource)];
  const head = `minimum ${resource} usage per ${type} is ${formatQuantity(enforced)}`;
  const values = comparable(request, limit, enforced);
  if (request === undefined) return `${head}.  No request is specified`;
  if (values.request < values.enforced) return `${head}, but request is ${formatQuantity(request)}`;
  if (limit !== undefined && values.limit < values.enforced) return `${head}, but limit is ${formatQuantity(limit)}`;
  return undefined;
};

export const atMost: Constraint = ({ type, requests, limits }, resource, enforced) => {
  const [request, limit] = [requests.get(resource), limits.get(resource)];
  const head = `maximum ${resource} usage per ${type} is ${formatQuantity(enforced)}`;
  const values = comparable(request, limit, enforced);
  if (limit === undefined) return `${head}.  No limit is specified`;
  if (values.limit > values.enforced) return `${head}, but limit is ${formatQuantity(limit)}`;
  if (request !== undefined && values.request > values.enforced)
    return `${head}, but request is ${formatQuantity(request)}`;
  return undefined;
};

export const requestAtMost: Constraint = ({ type, requests }, resource, enforced) => {
  const request = requests.get(resource);
  const head = `maximum ${resource} usage per ${type} is ${formatQuantity(enforced)}`;
  const values = comparable(request, undefined, enforced);
  if (request === undefined) return `${head}.  No request is specified`;
  return values.request > values.enforced ? `${head}, but request is ${formatQuantity(request)}` : undefined;
};

export const ratioAtMost: Constraint = ({ type, requests, limits }, resource, enforced) => {
  const head = `${resource} max limit to request ratio per ${type} is ${formatQuantity(enforced)}`;
  const values = comparable(requests.get(resource), limits.get(resource), enforced);
  if (values.request === 0n) return `${head}, but no request is specified or request is 0`;
  if (values.limit === 0n) return `${head}, but no limit is specified or limit is 0`;
  const ratio = Number(values.limit) / Number(values.request);
  const whole = quantityValue(enforced);
  const exceeds = whole <= maxMilliValue ? ratio * 1000 > Number(quantityValue(enforced, -3)) : ratio > Number(whole);
  return exceeds ? `${head}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
};

function comparable(
  request: Quantity = zero,
  limit: Quantity = zero,
  enforced: Quantity = zero,
): { readonly request: bigint; readonly limit: bigint; readonly enforced: bigint } {
  const scale = [request, limit, enforced].every((quantity) => quantityValue(quantity) <= maxMilliValue) ? -3 : 0;
  return {
    request: quantityValue(request, scale),
    limit: quantityValue(limit, scale),
    enforced: quantityValue(enforced, scale),
  };
}
