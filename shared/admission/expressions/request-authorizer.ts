import type {
  AccessAnswer,
  AccessQuestion,
  AuthorizeAccess,
  PathQuestion,
} from '#shared/admission/contract/authorize.ts';
import { parseFieldSelector, type FieldSelector } from '#shared/apimachinery/selectors/fields.ts';
import { SelectorError } from '#shared/apimachinery/selectors/label-selector-parser.ts';
import { atOnce, type Steps } from '#shared/apimachinery/slices/slices.ts';
import type {
  AccessAuthorizer,
  AccessDecision,
  CheckedAccess,
} from '#shared/cel/libraries/authorizer/access-checks.ts';
import { PendingValue } from '#shared/cel/uses/pending-value.ts';
import type { UserInfo } from '#shared/request/user.ts';

/**
 * The authorizer of the expressions of one request. It asks each question once
 * (apiserver/pkg/admission/plugin/authorizer), and throws {@link PendingValue} for an answer that takes a while.
 */
export class RequestAuthorizer implements AccessAuthorizer {
  readonly #authorize: AuthorizeAccess;
  readonly #user: UserInfo;
  /** The service account that an expression asks about; empty for the user of the request. */
  readonly #account: string;
  readonly #answers: Map<string, AccessDecision>;

  constructor(authorize: AuthorizeAccess, user: UserInfo, account = '', answers = new Map<string, AccessDecision>()) {
    this.#authorize = authorize;
    this.#user = user;
    this.#account = account;
    this.#answers = answers;
  }

  decide(access: CheckedAccess): AccessDecision {
    const key = JSON.stringify([this.#account, access]);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const answer = this.#authorize(this.#user, questionOf(access));
    if (answer instanceof Promise) throw new PendingValue(this.#wait(key, answer));
    this.#answers.set(key, answer);
    return answer;
  }

  forServiceAccount(namespace: string, name: string): AccessAuthorizer {
    const account = `system:serviceaccount:${namespace}:${name}`;
    const user: UserInfo = {
      name: account,
      uid: '',
      groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
      extra: {},
    };
    return new RequestAuthorizer(this.#authorize, user, account, this.#answers);
  }

  *#wait(key: string, answer: Promise<AccessAnswer>): Steps<void> {
    let given: AccessAnswer | undefined;
    yield answer.then(
      (value) => (given = value),
      (error: unknown) => (given = { allowed: false, reason: '', error: String(error) }),
    );
    if (given === undefined) throw new Error('an authorizer that answers later needs an evaluation in slices');
    this.#answers.set(key, given);
  }
}

function questionOf(access: CheckedAccess): AccessQuestion | PathQuestion {
  if ('path' in access) return access;
  const { fieldSelector, labelSelector: _, ...resource } = access;
  return { ...resource, version: '*', ...(fieldSelector === '' ? {} : { fieldSelector: readable(fieldSelector) }) };
}

/** A selector that cannot be parsed is left out of the question. */
function readable(text: string): FieldSelector | undefined {
  try {
    return atOnce(parseFieldSelector(text));
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}
