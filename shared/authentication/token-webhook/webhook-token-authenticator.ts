import {
  AuthenticationError,
  type AuthenticationAnswer,
  type TokenAuthenticator,
} from '#shared/authentication/contract/authenticator.ts';
import type { KnowsKind } from '#shared/webhooks/kubeconfig/answered-review.ts';
import type { KubeconfigWebhook } from '#shared/webhooks/kubeconfig/kubeconfig-webhook.ts';
import { readTokenReview, tokenReviewOf, type TokenReviewStatus, type TokenReviewVersion } from './token-review.ts';

/** A token waits no longer for its webhook, however often that is asked again. */
const lookUpMs = 30_000;

export interface WebhookTokenOptions {
  readonly webhook: Pick<KubeconfigWebhook, 'post'>;
  readonly version: TokenReviewVersion;
  /** The server's own audiences, which apply to requests, and to answers that name none. */
  readonly apiAudiences: readonly string[];
  readonly knowsKind: KnowsKind;
  readonly reportError: (message: string, error: unknown) => void;
}

/** Asks a webhook whose a token is (apiserver/plugin/pkg/authenticator/token/webhook). */
export class WebhookTokenAuthenticator implements TokenAuthenticator {
  readonly #options: WebhookTokenOptions;

  constructor(options: WebhookTokenOptions) {
    this.#options = options;
  }

  async authenticateToken(token: string, audiences: readonly string[]): Promise<AuthenticationAnswer> {
    const { apiAudiences } = this.#options;
    const wanted = audiences.length === 0 ? apiAudiences : audiences;
    const status = await this.#ask(token, wanted);
    const named = status.audiences.length === 0 ? apiAudiences : status.audiences;
    const asked = new Set(wanted);
    // In the order of the answer, as the reference tells them.
    const matching = named.filter((audience) => asked.has(audience));
    if (wanted.length > 0 && matching.length === 0) return undefined;
    if (!status.isAuthenticated) {
      if (status.error !== '') throw new AuthenticationError(status.error);
      return undefined;
    }
    // Stricter than the reference, for which somebody without a name is authenticated.
    if (status.user.name === '') throw new AuthenticationError('the webhook authenticated a user without a name');
    return { user: status.user, audiences: matching };
  }

  async #ask(token: string, audiences: readonly string[]): Promise<TokenReviewStatus> {
    const { webhook, version, knowsKind, reportError } = this.#options;
    try {
      const signal = AbortSignal.timeout(lookUpMs);
      const answer = await webhook.post(tokenReviewOf(version, token, audiences), { signal });
      return readTokenReview(answer, version, knowsKind);
    } catch (error) {
      reportError('Failed to make webhook authenticator request', error);
      throw new AuthenticationError(error instanceof Error ? error.message : String(error));
    }
  }
}
