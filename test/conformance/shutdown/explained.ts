import type { Change } from './timeline.ts';

/**
 * Health checks of the reference that have nothing to check here: this server has no priority and fairness yet, whose
 * hooks these are (apiserver/pkg/server/config.go).
 */
const absentChecks: ReadonlySet<string> = new Set([
  'poststarthook/priority-and-fairness-config-consumer',
  'poststarthook/priority-and-fairness-filter',
]);

/** An answer without the lines of checks that are absent for a reason. */
export function withoutAbsentChecks(answer: string): string {
  return answer
    .split('\n')
    .filter((line) => !absentChecks.has(/^\[[+-]\](\S+)/.exec(line)?.[1] ?? ''))
    .join('\n');
}

/**
 * Whether this server's process ends with the same code, and earlier. The reference looks every half second whether
 * its connections are gone, and waits five seconds for one that has sent nothing (`Shutdown` of Go's net/http).
 */
export function endsEarlier([want]: readonly Change[], [have]: readonly Change[]): boolean {
  return want !== undefined && have !== undefined && want.answer === have.answer && have.atMs < want.atMs;
}
