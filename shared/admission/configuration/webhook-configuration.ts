import { isAbsolute } from 'node:path';
import { fieldErrorText, forbidden, invalid, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import type { ConfigurationScheme } from './configuration-scheme.ts';
import { ConfigurationError, decodeConfiguration } from './decode-configuration.ts';
import { readKubeconfig, type Kubeconfig } from './kubeconfig.ts';

/** Configuration of MutatingAdmissionWebhook or ValidatingAdmissionWebhook. */
export interface WebhookConfiguration {
  /** Its users are the credentials for webhooks, by host: `host`, `host:port`, `*.domain`. */
  readonly kubeconfig?: Kubeconfig;
}

const apiVersion = 'apiserver.config.k8s.io/v1';
const webhookScheme: ConfigurationScheme = {
  isStrict: true,
  kinds: [{ apiVersion, kind: 'WebhookAdmissionConfiguration', struct: 'WebhookAdmission' }],
  types: {
    WebhookAdmission: [
      ['kubeConfigFile', 0, 'string', ''],
      ['staticManifestsDir', 0, 'string', 'e'],
    ],
  },
};

/** @throws ConfigurationError */
export function readWebhookConfiguration(bytes: Uint8Array | undefined): WebhookConfiguration {
  const decoded = bytes === undefined ? undefined : decodeConfiguration(webhookScheme, bytes);
  const kubeConfigFile = stringAt(decoded, 'kubeConfigFile');
  if (kubeConfigFile !== '' && !isAbsolute(kubeConfigFile))
    throw fieldFailure(invalid(path('kubeConfigFile'), kubeConfigFile, 'must be an absolute file path'));
  refuseManifests(stringAt(decoded, 'staticManifestsDir'));
  if (kubeConfigFile === '') return {};
  const kubeconfig = readKubeconfig(kubeConfigFile);
  kubeconfig.refuseExec();
  return { kubeconfig };
}

/**
 * Reads the configuration of ValidatingAdmissionPolicy or MutatingAdmissionPolicy, which names a folder of manifests at
 * most.
 * @throws ConfigurationError
 */
export function checkPolicyConfiguration(
  bytes: Uint8Array | undefined,
  plugin: 'ValidatingAdmissionPolicy' | 'MutatingAdmissionPolicy',
): void {
  if (bytes === undefined) return;
  const own = `${plugin}Configuration`;
  const decoded = decodeConfiguration(
    {
      isStrict: true,
      kinds: ['ValidatingAdmissionPolicyConfiguration', 'MutatingAdmissionPolicyConfiguration'].map((kind) => ({
        apiVersion,
        kind,
        goType: `policyconfig.${kind}`,
        ...(kind === own && { struct: kind }),
      })),
      types: { [own]: [['staticManifestsDir', 0, 'string', 'e']] },
    },
    bytes,
  );
  refuseManifests(stringAt(decoded, 'staticManifestsDir'));
}

/** The gate ManifestBasedAdmissionControlConfig is not among those that act here, hence off. */
function refuseManifests(folder: string): void {
  if (folder === '') return;
  const needs = 'staticManifestsDir requires the ManifestBasedAdmissionControlConfig feature gate to be enabled';
  throw fieldFailure(forbidden(path('staticManifestsDir'), needs));
}

function fieldFailure(error: FieldError): ConfigurationError {
  return new ConfigurationError(fieldErrorText(error));
}
