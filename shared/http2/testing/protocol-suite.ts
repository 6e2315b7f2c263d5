import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { preface, RawClient, settings } from './raw-client.ts';

/** The server goes on without an error. */
export const accepted = 'accepted';
/** It ends the connection without a GOAWAY. */
export const closed = 'closed';

export type ProtocolCase = readonly [name: string, frames: readonly Uint8Array[], outcome: string];

/** GOAWAY, RST_STREAM or the end of the connection, whichever the frames cause. */
export async function outcomeOf(t: TestContext, client: RawClient, ...frames: readonly Uint8Array[]): Promise<string> {
  t.after(() => client.destroy());
  await client.send(...frames);
  const errors = client.answers.filter((answer) => /^(GOAWAY|RST_STREAM)/.test(answer));
  return errors.length > 0 ? errors.join(', ') : client.closed ? closed : accepted;
}

export function protocolSuite(section: string, cases: readonly ProtocolCase[]): void {
  describe(`HTTP/2 server, RFC 9113 section ${section}`, () => {
    for (const [name, frames, outcome] of cases) {
      test(titleOf(name, outcome), async (t) => {
        assert.equal(await outcomeOf(t, new RawClient(), preface, settings(), ...frames), outcome);
      });
    }
  });
}

function titleOf(name: string, outcome: string): string {
  if (outcome === accepted) return `accepts ${name}`;
  return outcome === closed ? `closes the connection without GOAWAY at ${name}` : `answers ${name} with ${outcome}`;
}
