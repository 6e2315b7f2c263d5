import type { Path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { formatQuantity, parseQuantity, quantityValue } from '#shared/apimachinery/values/quantity.ts';

/** Matches the usual amounts: whole numbers whose thousandths fit into 64 bits. */
const plainlyWhole = /^\d{1,14}[kM]?$|^\d{1,6}(?:[KMG]i|G)$/;

/** Warns about fractional amounts of bytes, which are at `steps` below `field`. */
export function fractionWarnings(
  amounts: JsonObject | undefined,
  names: readonly string[],
  field: Path,
  ...steps: readonly string[]
): string[] {
  if (amounts === undefined) return [];
  return names.flatMap((name) => {
    const text = stringAt(amounts, name);
    if (text === '' || plainlyWhole.test(text)) return [];
    const amount = parseQuantity(text);
    const milli = quantityValue(amount, -3);
    // The reference counts thousandths in 64 bits; in larger amounts it sees no fraction, or an overflowed value.
    const kept = BigInt.asIntN(64, milli);
    const isWhole = (kept !== milli && !amount.wide) || kept % 1000n === 0n;
    return isWhole
      ? []
      : [
          `${field
            .child(...steps)
            .key(name)
            .toString()}: fractional byte value ${goQuote(formatQuantity(amount))} is invalid, must be an integer`,
        ];
  });
}
