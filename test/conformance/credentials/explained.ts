import type { CredentialAnswer } from './credential.ts';

/** Why an answer may differ from the reference's; undefined where it may not. */
export function explanationOf(_name: string, _there: CredentialAnswer, _here: CredentialAnswer): string | undefined {
  return undefined;
}
