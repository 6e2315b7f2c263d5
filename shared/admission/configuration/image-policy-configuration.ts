import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { booleanAt, int64At, objectAt, stringAt } from '#shared/apimachinery/object.ts';
import { formatDuration } from '#shared/apimachinery/values/duration.ts';
import { ConfigurationError } from '#shared/configuration/decode-configuration.ts';
import { readKubeconfig, type KubeconfigTarget } from '#shared/configuration/kubeconfig.ts';
import { decodeUnversioned } from '#shared/configuration/unversioned-file.ts';

/** Configuration of ImagePolicyWebhook. */
export interface ImagePolicyConfiguration {
  /** Reads the kubeconfig, and the files that it names, again. */
  readonly readTarget: () => KubeconfigTarget;
  /** How long an answer is used again; 0: not at all. */
  readonly allowMs: number;
  readonly denyMs: number;
  /** First pause before another attempt; 0: no pause. */
  readonly retryMs: number;
  /** Whether images are allowed where the webhook cannot be asked. */
  readonly allowsByDefault: boolean;
}

const types = {
  AdmissionConfig: [['imagePolicy', 0, '#imagePolicyWebhookConfig', '', { g: 'ImagePolicyWebhook' }]],
  imagePolicyWebhookConfig: [
    ['kubeConfigFile', 0, 'string', ''],
    ['allowTTL', 0, 'int64', '', { t: 'time.Duration' }],
    ['denyTTL', 0, 'int64', '', { t: 'time.Duration' }],
    ['retryBackoff', 0, 'int64', '', { t: 'time.Duration' }],
    ['defaultAllow', 0, 'bool', ''],
  ],
} as const;

const msInNs = 1_000_000n;
const secondInNs = 1000n * msInNs;
const minuteInNs = 60n * secondInNs;

/** Unit, bounds and default of a time, in nanoseconds. */
interface TimeRule {
  readonly unit: bigint;
  readonly least: bigint;
  readonly most: bigint;
  readonly fallback: bigint;
}

const cacheTime = { unit: secondInNs, least: secondInNs, most: 30n * minuteInNs };
const allowRule: TimeRule = { ...cacheTime, fallback: 5n * minuteInNs };
const denyRule: TimeRule = { ...cacheTime, fallback: 30n * secondInNs };
const retryRule: TimeRule = { unit: msInNs, least: 1n, most: 5n * minuteInNs, fallback: 500n * msInNs };

/**
 * Reads the configuration of ImagePolicyWebhook and the kubeconfig that it names.
 * @throws ConfigurationError
 */
export function readImagePolicyConfiguration(bytes: Uint8Array | undefined): ImagePolicyConfiguration {
  if (bytes === undefined) throw new ConfigurationError('no config specified');
  const said = objectAt(decodeUnversioned(types, 'AdmissionConfig', bytes), 'imagePolicy');
  const retryMs = readTime(said, 'retryBackoff', retryRule);
  const allowMs = readTime(said, 'allowTTL', allowRule);
  const denyMs = readTime(said, 'denyTTL', denyRule);
  const file = stringAt(said, 'kubeConfigFile');
  const readTarget = (): KubeconfigTarget => readKubeconfig(file).target();
  readTarget();
  return {
    readTarget,
    allowMs,
    denyMs,
    retryMs,
    allowsByDefault: booleanAt(said, 'defaultAllow') ?? false,
  };
}

/** A time in milliseconds: -1 turns it off, and 0 stands for the default. */
function readTime(config: JsonObject | undefined, name: string, { unit, least, most, fallback }: TimeRule): number {
  const said = BigInt(int64At(config, name) ?? 0);
  if (said === -1n) return 0;
  if (said === 0n) return Number(fallback / msInNs);
  const value = BigInt.asIntN(64, said * unit);
  if (value < least || value > most) {
    const [low, high, got] = [least, most, value].map(formatDuration);
    throw new ConfigurationError(`valid value is between ${low} and ${high}, got ${got}`);
  }
  return Number(value / msInNs);
}
