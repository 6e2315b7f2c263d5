import type { Change } from './timeline.ts';

/**
 * Whether this server's process ends with the same code, and earlier. The reference looks every half second whether
 * its connections are gone, and waits five seconds for one that has sent nothing (`Shutdown` of Go's net/http).
 */
export function endsEarlier([want]: readonly Change[], [have]: readonly Change[]): boolean {
  return want !== undefined && have !== undefined && want.answer === have.answer && have.atMs < want.atMs;
}
