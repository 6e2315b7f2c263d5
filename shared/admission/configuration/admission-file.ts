import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { goJson, goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { ConfigurationKind, ConfigurationScheme } from '#shared/configuration/configuration-scheme.ts';
import { ConfigurationError, decodeConfiguration } from '#shared/configuration/decode-configuration.ts';
import { readError } from '#shared/configuration/read-error.ts';
import { parseYaml } from '#shared/serializer/yaml/parse.ts';

const group = 'apiserver.config.k8s.io';

/** Kinds of other configuration files of the same groups. */
function others(apiVersion: string, ...names: readonly string[]): ConfigurationKind[] {
  return names.map((name) => {
    const kind = `${name}Configuration`;
    return { apiVersion, kind, goType: `apiserver.${kind}` };
  });
}

const scheme: ConfigurationScheme = {
  isStrict: true,
  kinds: [
    ...[`${group}/v1`, 'apiserver.k8s.io/v1alpha1'].map((apiVersion) => ({
      apiVersion,
      kind: 'AdmissionConfiguration',
      struct: 'AdmissionConfiguration',
    })),
    ...others(`${group}/v1`, 'Authentication', 'Authorization', 'Encryption', 'Tracing'),
    ...others(`${group}/v1alpha1`, 'Authentication', 'Authorization', 'Tracing'),
    ...others('apiserver.k8s.io/v1alpha1', 'EgressSelector'),
  ],
  types: {
    AdmissionConfiguration: [['plugins', 0, '[]#AdmissionPluginConfiguration', '']],
    AdmissionPluginConfiguration: [
      ['name', 0, 'string', ''],
      ['path', 0, 'string', ''],
      ['configuration', 0, 'json', 'p'],
    ],
  },
};

/** Plugins whose own file may stand in the place of the main one, as it did before there was a main one. */
const unversioned: Readonly<Record<string, string>> = {
  ImagePolicyWebhook: 'imagePolicy',
  PodNodeSelector: 'podNodeSelectorPluginConfig',
};

/** The bytes of a plugin's configuration; undefined where the file has none. */
export type FindConfiguration = (plugin: string) => Uint8Array | undefined;

/**
 * Reads `--admission-control-config-file` (apiserver/pkg/admission/config.go). Entries of plugins that do not exist are
 * not looked at.
 * @throws ConfigurationError
 */
export function readAdmissionFile(file: string): FindConfiguration {
  if (file === '') return () => undefined;
  const bytes = readMainFile(file);
  let plugins;
  try {
    plugins = objectsAt(decodeConfiguration(scheme, bytes), 'plugins');
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    if (!error.isForeign || !isUnversioned(bytes)) throw new ConfigurationError(readFailure(error.message));
    return (plugin) => (Object.hasOwn(unversioned, plugin) ? bytes : undefined);
  }
  return (plugin) => {
    const entry = plugins.find((one) => stringAt(one, 'name') === plugin);
    const inline = entry?.['configuration'];
    if (inline !== undefined && inline !== null) return Buffer.from(goJson(inline));
    const path = stringAt(entry, 'path');
    return path === '' ? undefined : readSeparateFile(isAbsolute(path) ? path : resolve(join(dirname(file), path)));
  };
}

function readFailure(reason: string): string {
  return `failed to read plugin config: ${reason}`;
}

/** @throws ConfigurationError */
function readMainFile(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new ConfigurationError(
      readFailure(`unable to read admission control configuration from ${goQuote(file)} [${readError(error, file)}]`),
    );
  }
}

/** @throws ConfigurationError */
function readSeparateFile(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    const { syscall, errno = 0 } = error as NodeJS.ErrnoException;
    const number = `0x${Math.abs(errno).toString(16)}`;
    throw new ConfigurationError(
      `Couldn't open admission plugin configuration ${path}: &fs.PathError{Op:${goQuote(syscall ?? '')}, Path:${goQuote(path)}, Err:${number}}`,
    );
  }
}

/** Whether a file of no known kind is that of a plugin whose files have no kinds. */
function isUnversioned(bytes: Uint8Array): boolean {
  let value: JsonValue;
  try {
    value = parseYaml(bytes).value;
  } catch {
    return false;
  }
  return isObject(value) && Object.values(unversioned).some((key) => Object.hasOwn(value, key));
}
