import { aggregateMessages } from '#shared/apimachinery/errors/field-error.ts';
import { atOnceUntilWait, waitFor, type Steps } from '#shared/apimachinery/slices/slices.ts';
import type {
  Authorization,
  Authorizer,
  AuthorizerAttributes,
  ResolvedRules,
  RuleResolver,
} from '#shared/authorization/contract/authorizer.ts';
import type { AuthorizationMetrics } from '#shared/authorization/metrics/authorization-metrics.ts';
import type { KnowsKind } from '#shared/webhooks/kubeconfig/answered-review.ts';
import type { KubeconfigWebhook } from '#shared/webhooks/kubeconfig/kubeconfig-webhook.ts';
import { readAccessStatus, type AccessStatus } from './access-status.ts';
import { askedAccess, accessReviewBody, specText, type AccessReviewVersion } from './asked-access.ts';
import { CallRecord } from './call-record.ts';
import { KeptAnswers, type AnswerTimes } from './kept-answers.ts';
import type { AccessConditions } from './match-conditions.ts';

export interface WebhookAuthorizerOptions {
  readonly name: string;
  readonly client: Pick<KubeconfigWebhook, 'post' | 'close'>;
  readonly version: AccessReviewVersion;
  readonly times: AnswerTimes;
  /** Whether the gate AuthorizeWithSelectors is on. */
  readonly sendsSelectors: boolean;
  /** The decision where the webhook, or whether to ask it, fails. */
  readonly onFailure: 'deny' | 'noOpinion';
  /** Undefined: the webhook is always asked. */
  readonly conditions: AccessConditions | undefined;
  readonly knowsKind: KnowsKind;
  readonly metrics: AuthorizationMetrics;
  readonly reportError: (message: string, error: unknown) => void;
}

/** Selectors of more characters are parsed in slices. */
const shortSelector = 1000;
/** Answers to questions with more characters that a client chooses are not kept. */
const maxKeptCharacters = 10_000;
const noOpinion: Authorization = Object.freeze({ decision: 'noOpinion', reason: '' });

/** Asks a webhook by SubjectAccessReviews (plugin/pkg/authorizer/webhook). Kept answers are given synchronously. */
export class WebhookAuthorizer implements Authorizer, RuleResolver {
  readonly #options: WebhookAuthorizerOptions;
  readonly #answers: KeptAnswers;

  constructor(options: WebhookAuthorizerOptions) {
    this.#options = options;
    this.#answers = new KeptAnswers(options.times);
  }

  authorize(attributes: AuthorizerAttributes): Authorization | Promise<Authorization> {
    return atOnceUntilWait(this.#authorize(attributes));
  }

  rulesFor(): ResolvedRules {
    return {
      resourceRules: [],
      nonResourceRules: [],
      incomplete: true,
      evaluationError: 'webhook authorizer does not support user rule resolution',
    };
  }

  close(): void {
    this.#options.client.close();
  }

  *#authorize(attributes: AuthorizerAttributes): Steps<Authorization> {
    const { conditions, version, onFailure, sendsSelectors } = this.#options;
    // From here on in slices.
    if (conditions !== undefined || hasLongSelector(attributes)) yield Promise.resolve();
    const question = yield* askedAccess(attributes, sendsSelectors);
    if (conditions !== undefined) {
      const { isExcluded, errors } = yield* this.#matched(conditions.match(question));
      if (isExcluded) return noOpinion;
      if (errors.length > 0) return { decision: onFailure, reason: '', error: aggregateMessages(errors) };
    }
    const spec = specText(question, version);
    const kept = this.#answers.get(spec);
    if (kept !== undefined) return decisionOf(kept);
    try {
      const status = yield* waitFor(this.#ask(spec, attributes));
      if (mayKeep(attributes)) this.#answers.add(spec, status);
      return decisionOf(status);
    } catch (error) {
      return { decision: onFailure, reason: '', error: error instanceof Error ? error.message : String(error) };
    }
  }

  *#matched(evaluation: ReturnType<AccessConditions['match']>): ReturnType<AccessConditions['match']> {
    const { name, metrics } = this.#options;
    const startMs = performance.now();
    const outcome = yield* evaluation;
    metrics.conditionsEvaluated(name, (performance.now() - startMs) / 1000, outcome);
    return outcome;
  }

  /** @throws Error if there is no good answer after all attempts */
  async #ask(spec: string, { onEnd }: AuthorizerAttributes): Promise<AccessStatus> {
    const { name, client, version, knowsKind, metrics, onFailure, reportError } = this.#options;
    const ending = new AbortController();
    onEnd?.(() => ending.abort());
    const record = new CallRecord(name, metrics, ending.signal);
    try {
      const answer = await client.post(accessReviewBody(spec, version), {
        signal: ending.signal,
        onAttempt: (_code, seconds, fault) => record.attempted(seconds, fault),
      });
      return record.read(() => readAccessStatus(answer, version, knowsKind));
    } catch (error) {
      reportError('Failed to make webhook authorizer request', error);
      if (onFailure === 'noOpinion') record.failedOpen();
      throw error;
    }
  }
}

function hasLongSelector({ labelSelector, fieldSelector }: AuthorizerAttributes): boolean {
  return (labelSelector?.length ?? 0) > shortSelector || (fieldSelector?.length ?? 0) > shortSelector;
}

function mayKeep(attributes: AuthorizerAttributes): boolean {
  const { namespace, verb, apiGroup, apiVersion, resource, subresource, name, path } = attributes;
  const chosen = [namespace, verb, apiGroup, apiVersion, resource, subresource, name, path];
  return chosen.reduce((length, text) => length + text.length, 0) < maxKeptCharacters;
}

function decisionOf({ allowed, denied, reason }: AccessStatus): Authorization {
  if (denied && allowed)
    return {
      decision: 'deny',
      reason,
      error: 'webhook subject access review returned both allow and deny response',
    };
  return { decision: denied ? 'deny' : allowed ? 'allow' : 'noOpinion', reason };
}
