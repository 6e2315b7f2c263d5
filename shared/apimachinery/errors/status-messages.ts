import { goQuote } from '#shared/apimachinery/text/go-format.ts';

/** Reason and message that a client derives from a response without a Status (`NewGenericServerResponse`). */
export function genericServerMessage(
  code: number,
  verb: string,
  serverMessage: string,
): { reason: string; message: string } {
  const known = BY_CODE.get(code);
  if (known !== undefined) return known(verb, serverMessage);
  if (code >= 500) {
    return {
      reason: 'InternalError',
      message: `an error on the server (${goQuote(serverMessage)}) has prevented the request from succeeding`,
    };
  }
  return {
    reason: '',
    message: `the server responded with the status code ${code} but did not return more information`,
  };
}

type Answer = (verb: string, serverMessage: string) => { reason: string; message: string };

function fixed(reason: string, message: string): Answer {
  return () => ({ reason, message });
}

const NOT_ACCEPTABLE = 'the server was unable to respond with a content type that the client supports';

const BY_CODE: ReadonlyMap<number, Answer> = new Map([
  [400, fixed('BadRequest', 'the server rejected our request for an unknown reason')],
  [401, fixed('Unauthorized', 'the server has asked for the client to provide credentials')],
  [403, (_verb, text) => ({ reason: 'Forbidden', message: text })],
  [404, fixed('NotFound', 'the server could not find the requested resource')],
  [405, fixed('MethodNotAllowed', 'the server does not allow this method on the requested resource')],
  [
    406,
    (_verb, text) => ({ reason: 'NotAcceptable', message: text === '' || text === 'unknown' ? NOT_ACCEPTABLE : text }),
  ],
  [
    409,
    (verb) => ({ reason: verb === 'POST' ? 'AlreadyExists' : 'Conflict', message: 'the server reported a conflict' }),
  ],
  [415, (_verb, text) => ({ reason: 'UnsupportedMediaType', message: text })],
  [422, fixed('Invalid', 'the server rejected our request due to an error in our request')],
  [429, fixed('TooManyRequests', 'the server has received too many requests and has asked us to try again later')],
  [503, fixed('ServiceUnavailable', 'the server is currently unable to handle the request')],
  [
    504,
    fixed(
      'Timeout',
      'the server was unable to return a response in the time allotted, but may still be processing the request',
    ),
  ],
]);
