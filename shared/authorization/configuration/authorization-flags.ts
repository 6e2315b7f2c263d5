import type { AuthorizerConfiguration } from './authorization-configuration.ts';
import { authorizerTypes, authorizerName } from './validate-authorization.ts';

/** The flags of authorization. Times are milliseconds. */
export interface AuthorizationFlags {
  /** The AuthorizationConfiguration, in place of modes and webhook flags; empty for none. */
  readonly authorizationConfig: string;
  /** Empty means AlwaysAllow, as in kube-apiserver. */
  readonly authorizationMode: readonly string[];
  /** The policies of mode ABAC, as JSON lines. */
  readonly authorizationPolicyFile: string;
  readonly authorizationWebhookCacheAuthorizedTtl: number;
  readonly authorizationWebhookCacheUnauthorizedTtl: number;
  /** The kubeconfig of mode Webhook. */
  readonly authorizationWebhookConfigFile: string;
  readonly authorizationWebhookVersion: string;
}

/** Flags that an AuthorizationConfiguration takes the place of. */
const replaced: readonly (keyof AuthorizationFlags)[] = [
  'authorizationMode',
  'authorizationWebhookConfigFile',
  'authorizationWebhookVersion',
  'authorizationWebhookCacheAuthorizedTtl',
  'authorizationWebhookCacheUnauthorizedTtl',
];

/** How the reference begins the errors that it finds when it makes the authorizers. */
export const invalidAuthorization = 'invalid authorization config: ';

const msInNs = 1e6;
const second = 1_000_000_000n;

/**
 * All errors of the flags, but for those of the files that they name (pkg/kubeapiserver/options).
 * @param given the flags on the command line
 */
export function authorizationFlagErrors(flags: AuthorizationFlags, given: ReadonlySet<string>): string[] {
  const { authorizationPolicyFile: policies, authorizationWebhookConfigFile: webhook } = flags;
  if (flags.authorizationConfig !== '')
    return replaced.some((key) => given.has(key))
      ? [
          '--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined',
        ]
      : [];
  const modes = new Set(flags.authorizationMode);
  const errors = [...modes].flatMap((mode) => modeErrors(mode, flags));
  if (policies !== '' && !modes.has('ABAC'))
    errors.push('cannot specify --authorization-policy-file without mode ABAC');
  if (webhook !== '' && !modes.has('Webhook'))
    errors.push('cannot specify --authorization-webhook-config-file without mode Webhook');
  if (modes.size < flags.authorizationMode.length) {
    const shown = flags.authorizationMode.map((mode) => JSON.stringify(mode)).join(' ');
    errors.push(`authorization-mode [${shown}] has mode specified more than once`);
  }
  return errors;
}

function modeErrors(mode: string, flags: AuthorizationFlags): string[] {
  if (!authorizerTypes.includes(mode)) return [`authorization-mode ${JSON.stringify(mode)} is not a valid mode`];
  if (mode === 'ABAC' && flags.authorizationPolicyFile === '')
    return ["authorization-mode ABAC's authorization policy file not passed"];
  if (mode !== 'Webhook') return [];
  if (flags.authorizationWebhookConfigFile === '')
    return ["authorization-mode Webhook's authorization config file not passed"];
  const version = flags.authorizationWebhookVersion;
  if (version === 'v1' || version === 'v1beta1') return [];
  const shown = JSON.stringify(version);
  return [
    `${invalidAuthorization}unsupported webhook authorizer version ${shown}, supported versions are "v1", "v1beta1"`,
  ];
}

/** The authorizers that the modes name. */
export function authorizersOfFlags(flags: AuthorizationFlags): readonly AuthorizerConfiguration[] {
  const modes = flags.authorizationMode.length === 0 ? ['AlwaysAllow'] : flags.authorizationMode;
  return modes.map((type) => (type === 'Webhook' ? webhookOfFlags(flags) : { type, name: authorizerName(type) }));
}

function webhookOfFlags(flags: AuthorizationFlags): AuthorizerConfiguration {
  const authorizedTtl = nanoseconds(flags.authorizationWebhookCacheAuthorizedTtl);
  const unauthorizedTtl = nanoseconds(flags.authorizationWebhookCacheUnauthorizedTtl);
  return {
    type: 'Webhook',
    name: 'default',
    webhook: {
      authorizedTtl,
      cacheAuthorizedRequests: authorizedTtl !== 0n,
      unauthorizedTtl,
      cacheUnauthorizedRequests: unauthorizedTtl !== 0n,
      timeout: 30n * second,
      subjectAccessReviewVersion: flags.authorizationWebhookVersion,
      matchConditionSubjectAccessReviewVersion: '',
      failurePolicy: 'NoOpinion',
      connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: flags.authorizationWebhookConfigFile },
      matchConditions: [],
    },
  };
}

function nanoseconds(ms: number): bigint {
  return BigInt(Math.round(ms * msInNs));
}
