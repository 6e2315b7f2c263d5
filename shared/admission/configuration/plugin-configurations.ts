import { enabledPlugins, type AdmissionFlags } from '#shared/admission/admission-flags.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { ConfigurationError } from '#shared/configuration/decode-configuration.ts';
import { readAdmissionFile } from './admission-file.ts';
import { readEventRateLimits, type EventLimitRule } from './event-rate-limit-configuration.ts';
import { readImagePolicyConfiguration, type ImagePolicyConfiguration } from './image-policy-configuration.ts';
import { readPodNodeSelectors, type PodNodeSelectorConfiguration } from './pod-node-selector-configuration.ts';
import {
  InitializationError,
  readPodSecurityConfiguration,
  type PodSecurityConfiguration,
} from './pod-security-configuration.ts';
import { readPodTolerationConfiguration, type PodTolerationConfiguration } from './pod-toleration-configuration.ts';
import { readQuotaConfiguration, type LimitedResource } from './quota-configuration.ts';
import {
  readPolicyConfiguration,
  readWebhookConfiguration,
  type PolicyConfiguration,
  type WebhookConfiguration,
} from './webhook-configuration.ts';

/** The configurations of plugins, by their names. A plugin that is not enabled has none. */
export interface PluginConfigurations {
  readonly ImagePolicyWebhook?: ImagePolicyConfiguration;
  readonly PodSecurity?: PodSecurityConfiguration;
  readonly PodNodeSelector?: PodNodeSelectorConfiguration;
  readonly PodTolerationRestriction?: PodTolerationConfiguration;
  readonly EventRateLimit?: readonly EventLimitRule[];
  readonly MutatingAdmissionPolicy?: PolicyConfiguration;
  readonly MutatingAdmissionWebhook?: WebhookConfiguration;
  readonly ValidatingAdmissionPolicy?: PolicyConfiguration;
  readonly ValidatingAdmissionWebhook?: WebhookConfiguration;
  readonly ResourceQuota?: readonly LimitedResource[];
}

type Reader = (bytes: Uint8Array | undefined, readsManifests: boolean) => unknown;

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['ImagePolicyWebhook', readImagePolicyConfiguration],
  ['PodSecurity', readPodSecurityConfiguration],
  ['PodNodeSelector', readPodNodeSelectors],
  ['PodTolerationRestriction', readPodTolerationConfiguration],
  ['EventRateLimit', readEventRateLimits],
  ['MutatingAdmissionPolicy', (bytes, reads) => readPolicyConfiguration(bytes, reads, 'MutatingAdmissionPolicy')],
  ['MutatingAdmissionWebhook', readWebhookConfiguration],
  ['ValidatingAdmissionPolicy', (bytes, reads) => readPolicyConfiguration(bytes, reads, 'ValidatingAdmissionPolicy')],
  ['ValidatingAdmissionWebhook', readWebhookConfiguration],
  ['ResourceQuota', readQuotaConfiguration],
] satisfies [string, Reader][]);

/**
 * Reads the configurations of all enabled plugins in their order, from `--admission-control-config-file` and the files
 * that it names.
 * @param readsManifests whether the gate ManifestBasedAdmissionControlConfig is on
 * @throws ConfigurationError the first error, in the reference's words
 */
export function readPluginConfigurations(flags: AdmissionFlags, readsManifests: boolean): PluginConfigurations {
  const find = prefixed('failed to apply admission: ', () => readAdmissionFile(flags.admissionControlConfigFile));
  return Object.fromEntries(
    enabledPlugins(flags).flatMap((name) => {
      const bytes = find(name);
      const reader = readers.get(name);
      return reader === undefined ? [] : [[name, readOne(name, () => reader(bytes, readsManifests))]];
    }),
  );
}

/** Runs what makes a plugin of its configuration; its errors name the plugin. */
export function readOne<T>(plugin: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const what = error instanceof InitializationError ? 'failed to initialize' : "couldn't init";
    throw new ConfigurationError(
      `failed to apply admission: ${what} admission plugin ${goQuote(plugin)}: ${error.message}`,
    );
  }
}

function prefixed<T>(prefix: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof ConfigurationError ? new ConfigurationError(prefix + error.message) : error;
  }
}

/** The error of the configurations as a list, for the flags; empty if there is none. */
export function configurationErrors(flags: AdmissionFlags, readsManifests: boolean): string[] {
  try {
    readPluginConfigurations(flags, readsManifests);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return [error.message];
    throw error;
  }
}
