import type { AnonymousConfiguration } from '#shared/authentication/configuration/authentication-configuration.ts';
import type { OpenedConfiguration } from '#shared/authentication/configuration/open-configuration.ts';
import type { TokenAuthenticator } from '#shared/authentication/contract/authenticator.ts';
import { registerReloadMetrics } from '#shared/configuration/reload-metrics.ts';
import { ReloadedConfiguration } from '#shared/configuration/reloaded-configuration.ts';
import type { Logger } from '#shared/observability/logger.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import { MetricsRegistry } from '#shared/observability/metrics/registry.ts';
import type { EgressLookup } from './jwt-authenticator.ts';

/** The issuers of JWTs of a process. */
export interface OpenedJwt {
  readonly tokens: TokenAuthenticator & {
    /** Knows the tokens that were accepted a while ago, and asks nobody. */
    readonly known: TokenAuthenticator;
  };
  /** Undefined where `--anonymous-auth` decides. */
  readonly anonymous: AnonymousConfiguration | undefined;
  metrics(): readonly Family[];
  close(): void;
}

export interface OpenJwtOptions {
  readonly apiAudiences: readonly string[];
  /** Whether fetches of keys are counted (gate StructuredAuthenticationConfigurationJWKSMetrics). */
  readonly countsFetches: boolean;
  /** Absent if there is no egress selector. */
  readonly egress?: EgressLookup | undefined;
  /** The identity of this process in metrics. */
  readonly serverId: string;
  readonly logger: Pick<Logger, 'info' | 'error'>;
}

/**
 * Authenticates by a configuration, and follows its file. The code is loaded here: few servers have issuers of JWTs.
 * @throws Error (as a rejection) if an authenticator cannot be made
 */
export async function openJwtTokens(
  opened: OpenedConfiguration,
  { serverId, logger, ...options }: OpenJwtOptions,
): Promise<OpenedJwt> {
  const { JwtTokens } = await import('./jwt-tokens.ts');
  const { JwtMetrics } = await import('./jwt-metrics.ts');
  const registry = new MetricsRegistry();
  const reportError = (message: string, error: unknown): void => logger.error(message, error);
  const tokens = new JwtTokens({ ...options, opened, metrics: new JwtMetrics(registry, serverId), reportError });
  const { file } = opened;
  const reloaded =
    file &&
    new ReloadedConfiguration({
      file: file.path,
      applied: file.bytes,
      async apply(bytes) {
        await tokens.replace(bytes);
        logger.info(0, 'reloaded authentication config');
        return true;
      },
      onReload: registerReloadMetrics(registry, 'authentication', serverId, file.bytes),
      reportError,
    });
  return {
    tokens,
    anonymous: opened.anonymous,
    metrics: () => registry.families(),
    close() {
      void reloaded?.close();
      tokens.close();
    },
  };
}
