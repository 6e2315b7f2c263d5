import {
  aggregateMessages,
  duplicate,
  fieldErrorText,
  invalid,
  path,
  type FieldError,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import { isDNS1123Label, isDNS1123Subdomain } from '#shared/apimachinery/validation/names.ts';
import type { ConfigurationScheme } from '#shared/configuration/configuration-scheme.ts';
import { ConfigurationError, decodeConfiguration } from '#shared/configuration/decode-configuration.ts';

/** From the most permissive to the strictest. */
export const policyLevels = ['privileged', 'baseline', 'restricted'] as const;
export type PolicyLevel = (typeof policyLevels)[number];

/** A level as a minor version of Kubernetes 1 defined it; Infinity is the latest. */
export interface LevelVersion {
  readonly level: PolicyLevel;
  readonly minor: number;
}

export const policyModes = ['enforce', 'audit', 'warn'] as const;
export type PolicyMode = (typeof policyModes)[number];

/** Levels of namespaces that have no labels, and what is never checked. */
export interface PodSecurityConfiguration {
  readonly defaults: Readonly<Record<PolicyMode, LevelVersion>>;
  readonly exemptUsers: ReadonlySet<string>;
  readonly exemptNamespaces: ReadonlySet<string>;
  readonly exemptRuntimeClasses: ReadonlySet<string>;
}

export const levelError = `must be one of ${policyLevels.join(', ')}`;
export const versionError = 'must be "latest" or "v1.x"';

/** The minor version of `latest` or `v1.x`; undefined for another text. */
export function parsePolicyVersion(text: string): number | undefined {
  if (text === 'latest') return Infinity;
  const digits = /^v1\.(0|[1-9][0-9]*)$/.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

const group = 'pod-security.admission.config.k8s.io';
const kind = 'PodSecurityConfiguration';
const scheme: ConfigurationScheme = {
  isStrict: true,
  kinds: ['v1', 'v1beta1', 'v1alpha1'].map((version) => ({ apiVersion: `${group}/${version}`, kind, struct: kind })),
  types: {
    [kind]: [
      ['defaults', 0, '#PodSecurityDefaults', ''],
      ['exemptions', 0, '#PodSecurityExemptions', ''],
    ],
    PodSecurityDefaults: policyModes.flatMap((mode) => [
      [mode, 0, 'string', 'e'],
      [`${mode}-version`, 0, 'string', 'e'],
    ]),
    PodSecurityExemptions: [
      ['usernames', 0, '[]string', 'e'],
      ['namespaces', 0, '[]string', 'e'],
      ['runtimeClasses', 0, '[]string', 'e'],
    ],
  },
};

/**
 * Reads the configuration of PodSecurity; without one, nothing is enforced and nothing is exempt.
 * @throws ConfigurationError
 */
export function readPodSecurityConfiguration(bytes: Uint8Array | undefined): PodSecurityConfiguration {
  const decoded = bytes === undefined || bytes.length === 0 ? {} : decodeConfiguration(scheme, bytes);
  const defaults = objectAt(decoded, 'defaults');
  const faults: string[] = [];
  const read = (mode: PolicyMode): LevelVersion => {
    const levelText = stringAt(defaults, mode) || 'privileged';
    const level = policyLevels.find((known) => known === levelText);
    if (level === undefined) faults.push(`${mode}: ${levelError}`);
    const minor = parsePolicyVersion(stringAt(defaults, `${mode}-version`) || 'latest');
    if (minor === undefined) faults.push(`${mode}-version: ${versionError}`);
    return { level: level ?? 'restricted', minor: minor ?? Infinity };
  };
  const levels = { enforce: read('enforce'), audit: read('audit'), warn: read('warn') };
  if (faults.length > 0) throw initializationError(`PodSecurity configuration error: ${aggregateMessages(faults)}`);
  return { defaults: levels, ...readExemptions(objectAt(decoded, 'exemptions')) };
}

/** The error of a plugin that was made from its configuration and then refused it. */
export class InitializationError extends ConfigurationError {}

function initializationError(message: string): InitializationError {
  return new InitializationError(message);
}

function readExemptions(exemptions: JsonObject | undefined): Omit<PodSecurityConfiguration, 'defaults'> {
  const errors: FieldError[] = [];
  const read = (name: string, faultOf: (value: string) => readonly string[]): ReadonlySet<string> => {
    const seen = new Set<string>();
    for (const [index, value] of stringsAt(exemptions, name).entries()) {
      const at = path('exemptions', name).index(index);
      const fault = faultOf(value).join(', ');
      if (fault !== '') errors.push(invalid(at, value, fault));
      else if (seen.has(value)) errors.push(duplicate(at, value));
      else seen.add(value);
    }
    return seen;
  };
  const exemptNamespaces = read('namespaces', isDNS1123Label);
  const exemptRuntimeClasses = read('runtimeClasses', isDNS1123Subdomain);
  const exemptUsers = read('usernames', (value) => (value === '' ? ['username must not be empty'] : []));
  if (errors.length > 0)
    throw initializationError(
      `PodSecurity invalid: ${aggregateMessages(errors.map((error) => fieldErrorText(error)))}`,
    );
  return { exemptUsers, exemptNamespaces, exemptRuntimeClasses };
}
