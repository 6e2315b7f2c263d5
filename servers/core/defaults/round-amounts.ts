import { getKey, setKey, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt } from '#shared/apimachinery/object.ts';
import { formatQuantity, parseQuantity, roundUpQuantity } from '#shared/apimachinery/values/quantity.ts';

/** Matches canonical amounts with a fraction finer than a thousandth. */
const isFine = /[nu]$|e-/;

/**
 * Amounts of resources are rounded up to thousandths, for compatibility with older releases (SetDefaults_ResourceList).
 */
export function roundAmounts(amounts: JsonObject | undefined): void {
  if (amounts === undefined) return;
  for (const name of Object.keys(amounts)) {
    const amount = getKey(amounts, name);
    if (typeof amount === 'string' && isFine.test(amount))
      setKey(amounts, name, formatQuantity(roundUpQuantity(parseQuantity(amount), -3)));
  }
}

/** Rounds the requests and limits of a ResourceRequirements. */
export function roundResources(resources: JsonObject | undefined): void {
  if (resources === undefined) return;
  for (const list of ['limits', 'requests']) roundAmounts(objectAt(resources, list));
}
