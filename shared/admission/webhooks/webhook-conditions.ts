import type { AuthorizeAccess } from '#shared/admission/contract/authorize.ts';
import type { VersionedAttributes } from '#shared/admission/contract/versioned-attributes.ts';
import {
  compileMatchConditions,
  type ConditionHook,
  type MatchOutcome,
} from '#shared/admission/expressions/match-conditions.ts';
import { RequestAuthorizer } from '#shared/admission/expressions/request-authorizer.ts';
import { RequestValues } from '#shared/admission/expressions/request-values.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { ownRelease } from '#shared/apimachinery/release-version.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { baseEnvironments } from '#shared/cel/environment/base-environment.ts';
import { ConditionCompiler } from '#shared/cel/uses/admission.ts';

/** Evaluates the match conditions of one webhook for a request in the version that the webhook gets. */
export type WebhookConditions = (versioned: VersionedAttributes, authorize: AuthorizeAccess) => Steps<MatchOutcome>;

/** Stored expressions may use what any release offers, so that the emulated release does not matter. */
export function newCompiler(): ConditionCompiler {
  return new ConditionCompiler(baseEnvironments(Number(ownRelease.split('.')[1])));
}

export function* compileConditions(
  conditions: readonly JsonObject[],
  hook: ConditionHook,
  compiler: ConditionCompiler,
): Steps<WebhookConditions | undefined> {
  const compiled = yield* compileMatchConditions(conditions, hook, compiler);
  if (compiled === undefined) return undefined;
  return (versioned, authorize) => {
    const authorizer = new RequestAuthorizer(authorize, versioned.attributes.user);
    return compiled.match(new RequestValues(versioned, authorizer), null);
  };
}
