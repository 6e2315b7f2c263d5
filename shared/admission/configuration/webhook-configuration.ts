import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { fieldErrorText, forbidden, invalid, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import type { ConfigurationScheme } from '#shared/configuration/configuration-scheme.ts';
import { ConfigurationError, decodeConfiguration } from '#shared/configuration/decode-configuration.ts';
import { readKubeconfig, type Kubeconfig } from '#shared/configuration/kubeconfig.ts';
import { readError } from '#shared/configuration/read-error.ts';

/** Configuration of MutatingAdmissionWebhook or ValidatingAdmissionWebhook. */
export interface WebhookConfiguration {
  /** Its users are the credentials for webhooks, by host: `host`, `host:port`, `*.domain`. */
  readonly kubeconfig?: Kubeconfig;
  /** The folder of the manifests (`staticManifestsDir`). */
  readonly manifests?: string;
}

/** Configuration of MutatingAdmissionPolicy or ValidatingAdmissionPolicy. */
export type PolicyConfiguration = Pick<WebhookConfiguration, 'manifests'>;

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

/**
 * @param readsManifests whether the gate ManifestBasedAdmissionControlConfig is on
 * @throws ConfigurationError
 */
export function readWebhookConfiguration(bytes: Uint8Array | undefined, readsManifests: boolean): WebhookConfiguration {
  const decoded = bytes === undefined ? undefined : decodeConfiguration(webhookScheme, bytes);
  const kubeConfigFile = stringAt(decoded, 'kubeConfigFile');
  if (kubeConfigFile !== '' && !isAbsolute(kubeConfigFile))
    throw fieldFailure(invalid(path('kubeConfigFile'), kubeConfigFile, 'must be an absolute file path'));
  const folder = readManifestFolder(decoded, readsManifests);
  if (kubeConfigFile === '') return folder;
  const kubeconfig = readKubeconfig(kubeConfigFile);
  kubeconfig.refuseExec();
  return { kubeconfig, ...folder };
}

/**
 * Reads the configuration of ValidatingAdmissionPolicy or MutatingAdmissionPolicy, which names a folder of manifests at
 * most.
 * @throws ConfigurationError
 */
export function readPolicyConfiguration(
  bytes: Uint8Array | undefined,
  readsManifests: boolean,
  plugin: 'ValidatingAdmissionPolicy' | 'MutatingAdmissionPolicy',
): PolicyConfiguration {
  if (bytes === undefined) return {};
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
  return readManifestFolder(decoded, readsManifests);
}

function readManifestFolder(configuration: KubeObject | undefined, readsManifests: boolean): PolicyConfiguration {
  const folder = stringAt(configuration, 'staticManifestsDir');
  if (folder === '') return {};
  const field = path('staticManifestsDir');
  if (!readsManifests) {
    const needs = 'staticManifestsDir requires the ManifestBasedAdmissionControlConfig feature gate to be enabled';
    throw fieldFailure(forbidden(field, needs));
  }
  if (!isAbsolute(folder)) throw fieldFailure(invalid(field, folder, 'must be an absolute file path'));
  let isFolder;
  try {
    isFolder = statSync(folder).isDirectory();
  } catch (error) {
    throw fieldFailure(invalid(field, folder, `unable to read: ${readError(error, folder)}`));
  }
  if (!isFolder) throw fieldFailure(invalid(field, folder, 'must be a directory'));
  return { manifests: folder };
}

function fieldFailure(error: FieldError): ConfigurationError {
  return new ConfigurationError(fieldErrorText(error));
}
