import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, stringMapAt } from '#shared/apimachinery/object.ts';
import type { Quantity } from '#shared/apimachinery/values/quantity-parse.ts';
import { addQuantities, compareQuantities, parseQuantity } from '#shared/apimachinery/values/quantity.ts';

/** Amounts by name of the resource. */
export type Amounts = ReadonlyMap<string, Quantity>;

/** The amounts of a resource list in JSON shape. */
export function amountsOf(list: JsonObject | undefined): Map<string, Quantity> {
  return new Map([...stringMapAt(list)].map(([name, text]) => [name, parseQuantity(text)]));
}

/** Adds `more` to `sum` in place. */
export function addAmounts(sum: Map<string, Quantity>, more: Amounts): void {
  for (const [name, quantity] of more) {
    const present = sum.get(name);
    sum.set(name, present === undefined ? quantity : addQuantities(present, quantity));
  }
}

function raise(amounts: Map<string, Quantity>, name: string, least: Quantity): void {
  const present = amounts.get(name);
  if (present === undefined || compareQuantities(least, present) > 0) amounts.set(name, least);
}

export function isPodLevelResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');
}

/**
 * The requests or limits of a whole pod: the sum of containers and sidecars, or the largest need of an init container
 * with the sidecars before it. Pod-level amounts replace these (component-helpers/resource). `overhead` adds the pod's
 * overhead, to limits only where a limit is set.
 */
export function podAmounts(
  spec: JsonObject,
  what: 'requests' | 'limits',
  overhead: boolean,
  isPodLevel: (name: string) => boolean = isPodLevelResource,
): Map<string, Quantity> {
  const sum = new Map<string, Quantity>();
  for (const container of objectsAt(spec, 'containers'))
    addAmounts(sum, amountsOf(objectAt(container, 'resources', what)));
  const sidecars = new Map<string, Quantity>();
  const peak = new Map<string, Quantity>();
  for (const container of objectsAt(spec, 'initContainers')) {
    const own = amountsOf(objectAt(container, 'resources', what));
    const isSidecar = stringAt(container, 'restartPolicy') === 'Always';
    if (isSidecar) for (const amounts of [sum, sidecars]) addAmounts(amounts, own);
    // The peak includes the sidecars' amounts of other resources already.
    for (const [name, quantity] of own) {
      const ofSidecars = sidecars.get(name);
      const together = isSidecar || ofSidecars === undefined ? ofSidecars : addQuantities(quantity, ofSidecars);
      raise(peak, name, together ?? quantity);
    }
  }
  for (const [name, quantity] of peak) raise(sum, name, quantity);
  for (const [name, quantity] of amountsOf(objectAt(spec, 'resources', what)))
    if (isPodLevel(name)) sum.set(name, quantity);
  if (overhead) addOverhead(sum, amountsOf(objectAt(spec, 'overhead')), what);
  return sum;
}

function addOverhead(sum: Map<string, Quantity>, overhead: Amounts, what: 'requests' | 'limits'): void {
  if (what === 'requests') addAmounts(sum, overhead);
  else addAmounts(sum, new Map([...overhead].filter(([name]) => sum.has(name))));
}
