import type { ServiceAccountTokens } from '#shared/authentication/service-account/service-account-tokens.ts';

/** What the server needs to issue tokens, created from its keys and flags. */
export interface TokenIssuing {
  readonly tokens: ServiceAccountTokens;
  /** Audiences of the API server itself, used when the request names none. */
  readonly audiences: readonly string[];
  /** `--service-account-extend-token-expiration`: pod tokens live longer than requested; late use gets a warning. */
  readonly extendExpiration: boolean;
  /** `--service-account-max-token-expiration` in seconds; 0 for any. */
  readonly maxSeconds: number;
  /** How long tokens of pods live where they live longer than requested, in seconds. */
  readonly extendedSeconds: number;
  /** Whether a request for the uid of another service account is refused (gate TokenRequestServiceAccountUIDValidation). */
  readonly validatesUid: boolean;
}
