/** Whether Go decodes the number as an int64: larger ones, and those with an exponent, become float64. */
export function isInteger(value: number | bigint): boolean {
  return typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value);
}
