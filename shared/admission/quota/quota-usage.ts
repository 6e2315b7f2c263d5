import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import { setKey, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { ensureObject } from '#shared/apimachinery/set-default.ts';
import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';
import type { Quantity } from '#shared/apimachinery/values/quantity-parse.ts';
import {
  compareQuantities,
  formatQuantity,
  quantityOf,
  quantitySign,
  subtractQuantities,
} from '#shared/apimachinery/values/quantity.ts';
import { addAmounts, amountsOf, type Amounts } from '#shared/objects/pod-resources.ts';

/** A quota while requests are charged to it. */
export interface QuotaUsage {
  /** The quota as stored; never changed. */
  readonly object: KubeObject;
  readonly hard: Amounts;
  readonly used: Amounts;
}

export function usageOf(object: KubeObject): QuotaUsage {
  return {
    object,
    hard: amountsOf(objectAt(object, 'status', 'hard')),
    used: amountsOf(objectAt(object, 'status', 'used')),
  };
}

/** A copy of the quota object with the present usage in its status. */
export function withUsed({ object, used }: QuotaUsage): KubeObject {
  const copy = cloneJson(object);
  const list: JsonObject = {};
  for (const [name, quantity] of used) setKey(list, name, formatQuantity(quantity));
  ensureObject(copy, 'status')['used'] = list;
  return copy;
}

export function sameAmounts(a: Amounts, b: Amounts): boolean {
  return (
    a.size === b.size &&
    [...a].every(([name, quantity]) => {
      const other = b.get(name);
      return other !== undefined && compareQuantities(quantity, other) === 0;
    })
  );
}

export function sumOf(a: Amounts, b: Amounts): Amounts {
  const sum = new Map(a);
  addAmounts(sum, b);
  return sum;
}

/** `a` minus `b`; negative differences become zero. */
export function increase(a: Amounts, b: Amounts): Amounts {
  return new Map(
    [...a].map(([name, quantity]) => {
      const before = b.get(name);
      const difference = before === undefined ? quantity : subtractQuantities(quantity, before);
      return [name, quantitySign(difference) > 0 ? difference : quantityOf(0)];
    }),
  );
}

export function pick(amounts: Amounts, keep: (name: string, quantity: Quantity) => boolean): Amounts {
  return new Map([...amounts].filter(([name, quantity]) => keep(name, quantity)));
}

/** `cpu=1,pods=2`, sorted. */
export function printAmounts(amounts: Amounts): string {
  return [...amounts]
    .sort(([a], [b]) => compareUtf8(a, b))
    .map(([name, quantity]) => `${name}=${formatQuantity(quantity)}`)
    .join(',');
}
