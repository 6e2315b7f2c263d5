/** What one level may get of the seats: as near to `target` as the bounds allow. `lower` is the least of the three. */
export interface Claim {
  readonly target: number;
  readonly lower: number;
  readonly upper: number;
}

export interface Division {
  readonly seats: readonly number[];
  /** The share of its target that each level gets which is not at a bound. */
  readonly fairShare: number;
}

/** Smaller targets count as this one. */
const leastTarget = 0.001;
const epsilon = 1e-7;

/**
 * Divides the sum in proportion to the targets, within the bounds: there is one share of all targets with which the
 * seats, each put within its bounds, give the sum (KEP-1040, "Dispatching"; util/flowcontrol/conc_alloc.go
 * states the problem). Undefined if the bounds leave no division.
 */
export function divideSeats(sum: number, claims: readonly Claim[]): Division | undefined {
  const isWrong = ({ target, lower, upper }: Claim): boolean => lower < 0 || target < lower || upper < lower;
  const lowest = sumOf(claims, ({ lower }) => lower);
  const highest = sumOf(claims, ({ upper }) => upper);
  if (sum < 0 || claims.some(isWrong) || lowest - sum > epsilon || sum - highest > epsilon) return undefined;
  if (sum === 0) return { seats: claims.map(() => 0), fairShare: 0 };
  const shares = claims.map(({ target, lower, upper }) => {
    const positive = Math.max(target, leastTarget);
    return { target: positive, lower: lower / positive, upper: upper / positive };
  });
  if (lowest - sum > -epsilon)
    return { seats: claims.map(({ lower }) => lower), fairShare: Math.min(...shares.map(({ lower }) => lower)) };
  if (sum - highest > -epsilon)
    return { seats: claims.map(({ upper }) => upper), fairShare: Math.max(...shares.map(({ upper }) => upper)) };
  const fairShare = shareThatSumsTo(sum, lowest, shares);
  const seats = claims.map(({ lower, upper }, i) =>
    Math.max(lower, Math.min(upper, fairShare * (shares[i] as Claim).target)),
  );
  return { seats, fairShare };
}

/**
 * The sum of seats grows with the share, piece by piece in a straight line: its slope changes where a level leaves its
 * lower bound or reaches its upper one. Walks along these places until the sum is reached.
 */
function shareThatSumsTo(sum: number, lowest: number, shares: readonly Claim[]): number {
  const places = shares
    .flatMap(({ target, lower, upper }) => [
      { share: lower, slope: target, levels: 1 },
      { share: upper, slope: -target, levels: -1 },
    ])
    .sort((a, b) => a.share - b.share);
  let share = Math.min(...shares.map(({ lower }) => lower));
  let sumSoFar = lowest;
  let slope = 0;
  /** Levels that are at neither bound: where there are none, rounding may leave a slope. */
  let levels = 0;
  for (const place of places) {
    const next = sumSoFar + (levels > 0 ? (place.share - share) * slope : 0);
    if (levels > 0 && next >= sum) break;
    [sumSoFar, share] = [next, place.share];
    slope += place.slope;
    levels += place.levels;
  }
  return levels > 0 ? share + (sum - sumSoFar) / slope : share;
}

function sumOf(claims: readonly Claim[], value: (claim: Claim) => number): number {
  return claims.reduce((sum, claim) => sum + value(claim), 0);
}
