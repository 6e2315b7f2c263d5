import { setKey } from '#shared/apimachinery/json/json.ts';
import { inSlices } from '#shared/apimachinery/slices/slices.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { credentialIdKey } from '#shared/authentication/client-certificates/x509.ts';
import type {
  JwtAuthenticatorConfiguration,
  PrefixedClaimOrExpression,
} from '#shared/authentication/configuration/authentication-configuration.ts';
import type { CompiledJwtAuthenticator } from '#shared/authentication/configuration/validate-authentication-configuration.ts';
import type { ClaimExpressions, LabelledExpression } from '#shared/authentication/configuration/validate-claims.ts';
import { AuthenticationError } from '#shared/authentication/contract/authenticator.ts';
import type { Bindings } from '#shared/cel/eval/frame.ts';
import type { CompiledExpression } from '#shared/cel/uses/compile-expression.ts';
import { CelError, CelList, type Value } from '#shared/cel/values/value.ts';
import type { UserInfo } from '#shared/request/user.ts';
import { ClaimsValue, userValue } from './claims-value.ts';
import type { RawClaims } from './raw-claims.ts';

/** Makes users of the claims of verified tokens, by the mappings and rules of an issuer. */
export class UserMapper {
  readonly #configuration: JwtAuthenticatorConfiguration;
  readonly #expressions: ClaimExpressions;

  constructor({ configuration, expressions }: CompiledJwtAuthenticator) {
    this.#configuration = configuration;
    this.#expressions = expressions;
  }

  /** @throws AuthenticationError (as a rejection) if a mapping fails or a rule refuses the token */
  async map(claims: RawClaims): Promise<UserInfo> {
    const bindings = new Map([['claims', new ClaimsValue(claims)]]);
    const user: UserInfo = {
      name: await this.#name(claims, bindings),
      groups: await this.#groups(claims, bindings),
      uid: await this.#uid(claims, bindings),
      extra: await this.#extra(claims, bindings),
    };
    this.#requireClaims(claims);
    await checkRules(this.#expressions.claimRules, bindings, 'claim validation expression');
    if (this.#expressions.userRules.length > 0)
      await checkRules(this.#expressions.userRules, new Map([['user', userValue(user)]]), 'user info validation rule');
    return user;
  }

  async #name(claims: RawClaims, bindings: Bindings): Promise<string> {
    const { username: expression } = this.#expressions;
    if (expression !== undefined) {
      const name = await evaluateText(expression, bindings, 'username');
      if (name === '') throw new AuthenticationError('oidc: empty username via CEL expression is not allowed');
      return name;
    }
    const { username } = this.#configuration.claimMappings;
    const name = reading(`oidc: parse username claims ${goQuote(username.claim)}`, () => claims.text(username.claim));
    if (username.claim === 'email' && claims.has('email_verified')) {
      const isVerified = reading("oidc: parse 'email_verified' claim", () => claims.bool('email_verified'));
      if (!isVerified) throw new AuthenticationError('oidc: email not verified');
    }
    return (username.prefix ?? '') + name;
  }

  async #groups(claims: RawClaims, bindings: Bindings): Promise<readonly string[]> {
    const { groups } = this.#configuration.claimMappings;
    if (groups.claim !== '' && claims.has(groups.claim)) return claimedGroups(claims, groups);
    const { groups: expression } = this.#expressions;
    if (expression === undefined) return [];
    return await evaluateTexts(expression, bindings, 'group claim expression');
  }

  async #uid(claims: RawClaims, bindings: Bindings): Promise<string> {
    const { claim } = this.#configuration.claimMappings.uid;
    if (claim !== '') return reading(`oidc: parse uid claim ${goQuote(claim)}`, () => claims.text(claim));
    const { uid: expression } = this.#expressions;
    return expression === undefined ? '' : await evaluateText(expression, bindings, 'uid');
  }

  async #extra(claims: RawClaims, bindings: Bindings): Promise<UserInfo['extra']> {
    const extra: Record<string, readonly string[]> = {};
    const id = claims.value('jti');
    if (typeof id === 'string' && id !== '') extra[credentialIdKey] = [`JTI=${id}`];
    for (const expression of this.#expressions.extra) {
      const values = await evaluateTexts(expression, bindings, `extra claim expression: ${expression.text}`);
      if (values.length > 0) setKey(extra, expression.label, values);
    }
    return extra;
  }

  #requireClaims(claims: RawClaims): void {
    for (const { claim, requiredValue } of this.#configuration.claimValidationRules) {
      if (claim === '') continue;
      if (!claims.has(claim)) throw new AuthenticationError(`oidc: required claim ${claim} not present in ID token`);
      const value = reading(`oidc: parse claim ${claim}`, () => claims.text(claim));
      if (value !== requiredValue)
        throw new AuthenticationError(
          `oidc: required claim ${claim} value does not match. Got = ${value}, want = ${requiredValue}`,
        );
    }
  }
}

function claimedGroups(claims: RawClaims, { claim, prefix = '' }: PrefixedClaimOrExpression): readonly string[] {
  const groups = reading(`oidc: parse groups claim ${goQuote(claim)}`, () => claims.texts(claim));
  return groups.map((group) => prefix + group);
}

async function evaluate({ text, program }: CompiledExpression, bindings: Bindings, what: string): Promise<Value> {
  const { value } = await inSlices(program.evaluateInSteps(bindings));
  if (value instanceof CelError)
    throw new AuthenticationError(
      `oidc: error evaluating ${what}: expression '${text}' resulted in error: ${value.message}`,
    );
  return value;
}

async function evaluateText(expression: CompiledExpression, bindings: Bindings, claim: string): Promise<string> {
  const what = `${claim} claim expression`;
  const value = await evaluate(expression, bindings, what);
  if (typeof value !== 'string')
    throw new AuthenticationError(`oidc: error evaluating ${what}: ${what} must return a string`);
  return value;
}

/** A text, or a list of texts; empty ones count as absent. */
async function evaluateTexts(
  expression: CompiledExpression,
  bindings: Bindings,
  what: string,
): Promise<readonly string[]> {
  const value = await evaluate(expression, bindings, what);
  if (value === null) return [];
  const items = value instanceof CelList ? Array.from({ length: value.size }, (_, at) => value.get(at)) : [value];
  if (!items.every((item) => typeof item === 'string'))
    throw new AuthenticationError(
      `oidc: error evaluating ${what}: expression must return a string or a list of strings`,
    );
  return items.filter((item) => item !== '');
}

async function checkRules(rules: readonly LabelledExpression[], bindings: Bindings, what: string): Promise<void> {
  // All are evaluated before one may refuse: an error in any of them counts first.
  const values: Value[] = [];
  for (const rule of rules) values.push(await evaluate(rule, bindings, what));
  const failed = rules.find((_, index) => values[index] !== true);
  if (failed !== undefined)
    throw new AuthenticationError(
      `oidc: error evaluating ${what}: validation expression '${failed.text}' failed: ${failed.label}`,
    );
}

/** Puts words before the message of the AuthenticationError that a reader throws. */
function reading<T>(words: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error;
    throw new AuthenticationError(`${words}: ${error.message}`);
  }
}
