/**
 * Adds a number to a sum that loses nothing: its parts do not overlap, the smallest first (Shewchuk, Adaptive Precision
 * Floating-Point Arithmetic, 1997). The sum of numbers is then the same in whatever order they were added.
 */
export function addExactly(parts: number[], addend: number): void {
  let kept = 0;
  let sum = addend;
  for (const part of parts) {
    const [large, small] = Math.abs(sum) < Math.abs(part) ? [part, sum] : [sum, part];
    sum = large + small;
    const lost = small - (sum - large);
    if (lost !== 0) parts[kept++] = lost;
  }
  parts.length = kept;
  parts.push(sum);
}

/** The number that is nearest to a sum: it never falls while an addend grows. */
export function roundedSum(parts: readonly number[]): number {
  let at = parts.length - 1;
  let sum = parts[at] ?? 0;
  let lost = 0;
  while (at > 0 && lost === 0) {
    const part = parts[--at] ?? 0;
    const before = sum;
    sum = before + part;
    lost = part - (sum - before);
  }
  // Between two numbers, what is left decides.
  const next = parts[at - 1] ?? 0;
  if (lost === 0 || lost < 0 !== next < 0 || next === 0) return sum;
  const twice = lost * 2;
  const other = sum + twice;
  return twice === other - sum ? other : sum;
}
