import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { CredentialAnswer } from './credential.ts';

interface Explanation {
  readonly why: string;
  readonly explains: (name: string, there: CredentialAnswer, here: CredentialAnswer) => boolean;
}

/** Where an answer may differ from the reference's. */
const explanations: readonly Explanation[] = [
  {
    why: 'Go ends the handshake over a certificate that it cannot read; here it is a 401',
    explains: (name, there, here) => name.startsWith('certificate: ') && there.status === 0 && here.status === 401,
  },
  {
    why: 'stricter: a token webhook that names nobody lets nobody in (plugin/pkg/authenticator/token/webhook)',
    explains: (name, there, here) =>
      name.startsWith('webhook: ') && here.status === 401 && isObject(there.told) && !('username' in there.told),
  },
  {
    why:
      'the reference panics: anonymous conditions look at the URL of a request that TokenReview makes up without one ' +
      '(pkg/registry/authentication/tokenreview, authentication/request/anonymous)',
    explains: (_name, there, here) =>
      Object.values(there.reviews).every((review) => isObject(review) && review['status'] === 0) &&
      Object.values(here.reviews).every((review) => isObject(review) && review['authenticated'] !== true),
  },
  {
    why:
      'the reference documents split() for groups, but takes no list of it ' +
      '(plugin/pkg/authenticator/token/oidc, convertCELValueToStringList)',
    explains: (name, there) =>
      name.startsWith('rules: ') &&
      JSON.stringify(there.reviews).includes('group claim expression: expression must return a string or a list of'),
  },
  {
    why: "a token is refused by both; how Go's parsers call its fault, and its clock, are their own affair",
    explains: (_name, there, here) =>
      there.status !== 201 && isDeepStrictEqual(withoutFaults(there), withoutFaults(here)),
  },
];

/** Why an answer may differ from the reference's; undefined where it may not. */
export function explanationOf(name: string, there: CredentialAnswer, here: CredentialAnswer): string | undefined {
  return explanations.find(({ explains }) => explains(name, there, here))?.why;
}

/** What Go's decoders of base64 and JSON say of a token, and the times of its clock. */
const faultOfToken =
  /(?<=oidc: verify token: oidc: (?:malformed jwt|failed to unmarshal claims: |current time |token is expired )).*$/;

/** The same answer, whose errors end where the fault of the token begins. */
function withoutFaults(answer: CredentialAnswer): CredentialAnswer {
  const reviews = Object.entries(answer.reviews).map(([audiences, review]): [string, JsonValue] => {
    const error = isObject(review) ? review['error'] : undefined;
    return [audiences, typeof error === 'string' ? { error: error.replace(faultOfToken, '') } : review];
  });
  return { ...answer, reviews: Object.fromEntries(reviews) };
}
