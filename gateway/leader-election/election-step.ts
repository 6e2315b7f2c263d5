import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { candidateValidMicros, owesAnswer, type Candidate } from './candidate.ts';
import { chooseLeader, chooseStrategy, oldestEmulationVersion } from './choose-leader.ts';
import { holderOf, isLeaseExpired } from './lease.ts';

/** How long an election waits for answers of candidates, in microseconds. */
const electionMicros = 5 * 1_000_000;

export type ElectionStep =
  /** The leader is the right one, or candidates that were asked may still answer. */
  | { readonly kind: 'wait' }
  /** These candidates are to be asked whether they are there. */
  | { readonly kind: 'ask'; readonly candidates: readonly Candidate[] }
  /** The lease is to be written; without `holder` another controller chooses it. */
  | { readonly kind: 'elect'; readonly strategy: string; readonly holder: string | undefined };

/**
 * The next step of the election for one lease. It follows from the stored objects alone, so that any server can go on
 * with what another has begun (`pkg/controlplane/controller/leaderelection`, `reconcileElectionStep`).
 *
 * @param candidates those that have not expired, at least one
 * @param spec of the lease, undefined if there is none
 * @param now microseconds since 1970
 * @throws Error if the candidates contradict each other, or none of them answered
 */
export function electionStep(
  candidates: readonly Candidate[],
  spec: JsonObject | undefined,
  now: number,
): ElectionStep {
  if (!isElectionNeeded(candidates, spec, now)) return { kind: 'wait' };
  const present = candidates.filter((candidate) => isRecent(candidate.renewed, now));
  const asked = candidates.filter((candidate) => owesAnswer(candidate) && isRecent(candidate.pinged, now));
  const unasked = candidates.filter(
    (candidate) => !isRecent(candidate.renewed, now) && !isRecent(candidate.pinged, now) && !owesAnswer(candidate),
  );
  if (unasked.length > 0) return { kind: 'ask', candidates: unasked };
  if (asked.length > 0) return { kind: 'wait' };
  if (present.length === 0) throw new Error('no candidate has answered');
  const strategy = chooseStrategy(present);
  if (strategy !== oldestEmulationVersion) return { kind: 'elect', strategy, holder: undefined };
  const leader = chooseLeader(present);
  if (leader === undefined) throw new Error('no candidate has valid versions');
  return { kind: 'elect', strategy, holder: leader.name };
}

function isElectionNeeded(candidates: readonly Candidate[], spec: JsonObject | undefined, now: number): boolean {
  if (spec === undefined || isLeaseExpired(spec, now) || holderOf(spec) === '') return true;
  // Candidates are asked at the latest when half of the time has passed after which they are removed.
  if (candidates.some(({ renewed }) => renewed !== undefined && renewed + candidateValidMicros / 2 < now)) return true;
  if (chooseStrategy(candidates) !== oldestEmulationVersion) return false;
  const best = chooseLeader(candidates);
  return best !== undefined && best.name !== holderOf(spec);
}

function isRecent(time: number | undefined, now: number): boolean {
  return time !== undefined && time + electionMicros > now;
}
