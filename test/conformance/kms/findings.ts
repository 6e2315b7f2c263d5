import { isDeepStrictEqual } from 'node:util';
import { expectedOf } from './explained.ts';
import type { Seen } from './look.ts';

/** What was compared, and what differed. */
export class Findings {
  compared = 0;
  readonly complaints: string[] = [];

  complain(text: string): void {
    this.complaints.push(text);
  }

  /** Compares what is seen of the reference with what is seen of this server. */
  compare(at: string, theirs: Seen, ours: Seen): void {
    const expected = expectedOf(theirs, ours);
    for (const name of new Set([...theirs.keys(), ...ours.keys()])) {
      this.compared++;
      const [there, here] = [expected.get(name), ours.get(name)];
      if (isDeepStrictEqual(there, here)) continue;
      this.complain(`${at}: ${name}\n  reference ${shown(there, here)}\n  here      ${shown(here, there)}`);
    }
  }
}

/** Of lists, what the other one lacks. */
function shown(value: unknown, other: unknown): string {
  if (!Array.isArray(value) || !Array.isArray(other)) return JSON.stringify(value) ?? 'nothing';
  return JSON.stringify(value.filter((item) => !other.includes(item)));
}
