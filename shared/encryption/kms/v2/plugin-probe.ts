import { randomUUID } from 'node:crypto';
import { aggregateMessages } from '#shared/apimachinery/errors/field-error.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { hashOf, type EnvelopeMetrics } from '#shared/encryption/kms/plugin/envelope-metrics.ts';
import { keyIdFault } from './encrypted-object.ts';
import type { KmsClient } from './kms-client.ts';
import type { StatusAnswer } from './kms-messages.ts';
import { makeWriteKey, type WriteKey } from './write-key.ts';

export interface PluginProbeOptions {
  readonly name: string;
  readonly client: Pick<KmsClient, 'status' | 'encrypt'>;
  readonly metrics: EnvelopeMetrics;
  /** Told of each new key before values are encrypted by it. */
  readonly onWriteKey: (key: WriteKey) => void;
  /** In milliseconds; runs on while clocks are set. Default: performance.now. */
  readonly now?: () => number;
}

/** Values are encrypted by a key for this long after the plugin confirmed its key id. */
const writeKeyLivesMs = 3 * 60_000;
/** An answer is good for this long. */
const [healthyMs, unhealthyMs] = [20_000, 3_000];
const versions = ['v2', 'v2beta1'];
const neverText = '0001-01-01T00:00:00Z';

/** What the check in progress found, and what is told of it until the next check. */
interface Finding {
  readonly reason: string | undefined;
  readonly repeated: string | undefined;
}

/**
 * Asks a KMS v2 plugin for its status, and has it encrypt a new key when its key id has changed (apiserver's
 * encryptionconfig/config.go). While the plugin is away, reads go on, and writes until the key's time is over: then
 * the plugin's owner may know that no server writes by an old key.
 */
export class PluginProbe {
  readonly #options: PluginProbeOptions;
  readonly #now: () => number;
  #writeKey: WriteKey | undefined;
  #writeKeyUntilMs = 0;
  #version = '';
  #checking: Promise<string | undefined> | undefined;
  #last: { readonly reason: string | undefined; readonly untilMs: number } | undefined;

  constructor(options: PluginProbeOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** What is wrong with the plugin, undefined if nothing. Asks it if the last answer is old. Never rejects. */
  check(): Promise<string | undefined> {
    if (this.#checking !== undefined) return this.#checking;
    if (this.#last !== undefined && this.#now() < this.#last.untilMs) return Promise.resolve(this.#last.reason);
    this.#checking = this.#ask().then(({ reason, repeated }) => {
      this.#checking = undefined;
      this.#last = { reason: repeated, untilMs: this.#now() + (reason === undefined ? healthyMs : unhealthyMs) };
      return reason;
    });
    return this.#checking;
  }

  /** The key of writes, which may be out of its time. Throws if the plugin has not encrypted one yet. */
  get latestKey(): WriteKey {
    if (this.#writeKey === undefined) throw new Error('got unexpected nil transformer');
    return this.#writeKey;
  }

  /** Throws if there is no key, or if its time is over. */
  get writeKey(): WriteKey {
    const key = this.latestKey;
    const nowMs = this.#now();
    if (nowMs <= this.#writeKeyUntilMs) return key;
    throw new Error(
      `encryptedDEKSource with keyID hash ${goQuote(key.keyIdHash)} expired at ${this.#untilText()} (current time is ${dateText(0)})`,
    );
  }

  async #ask(): Promise<Finding> {
    const { name, client } = this.#options;
    let answer;
    try {
      answer = await client.status();
    } catch (error) {
      const repeated = textOf(error);
      const reason = `failed to perform status section of the healthz check for KMS Provider ${name}, error: ${repeated}`;
      return { reason, repeated };
    }
    const faults = [...this.#statusFaults(answer), ...(await this.#keyFaults(answer.keyId))];
    if (faults.length === 0) return { reason: undefined, repeated: undefined };
    const reason = `kmsv2 Provider ${name} is not healthy, error: ${aggregateMessages(faults)}`;
    return { reason, repeated: reason };
  }

  #statusFaults({ healthz, version }: StatusAnswer): string[] {
    const faults: string[] = [];
    if (healthz !== 'ok') faults.push(`got unexpected healthz status: ${healthz}`);
    if (!versions.includes(version)) return [...faults, `expected KMSv2 API version v2, got ${version}`];
    if (this.#version === '') this.#version = version;
    if (this.#version !== version)
      faults.push(
        `KMSv2 API version should not change after the initial status response version ${this.#version}, got ${version}`,
      );
    return faults;
  }

  async #keyFaults(keyId: string): Promise<string[]> {
    const { name, metrics } = this.#options;
    const fault = keyIdFault(keyId);
    if (fault !== undefined) {
      metrics.invalidKeyId(name, fault.code);
      return [`got invalid KMSv2 KeyID hash ${goQuote(hashOf(keyId))}: ${fault.text}`];
    }
    metrics.statusTold(name, hashOf(keyId));
    const rotation = await this.#rotate(keyId);
    return rotation === undefined ? [] : [rotation];
  }

  /** What went wrong. The key that is there stays then, until its time is over. */
  async #rotate(statusKeyId: string): Promise<string | undefined> {
    // Before the call: no write may come later than this after the plugin told its key id.
    const untilMs = this.#now() + writeKeyLivesMs;
    if (this.#writeKey?.source.keyId === statusKeyId) {
      this.#writeKeyUntilMs = untilMs;
      return undefined;
    }
    const uid = randomUUID();
    let key: WriteKey | undefined;
    let reason = '<nil>';
    try {
      key = await makeWriteKey(this.#options.client, uid, this.#options.metrics);
    } catch (error) {
      reason = textOf(error);
    }
    if (key?.source.keyId === statusKeyId) {
      this.#options.onWriteKey(key);
      this.#writeKey = key;
      this.#writeKeyUntilMs = untilMs;
      return undefined;
    }
    const state = this.#writeKey === undefined ? 'got unexpected nil transformer' : '<nil>';
    const hashes = `statusKeyIDHash=${goQuote(hashOf(statusKeyId))}, encryptKeyIDHash=${goQuote(key?.keyIdHash ?? '')}, stateKeyIDHash=${goQuote(this.#writeKey?.keyIdHash ?? '')}`;
    return `failed to rotate DEK uid=${goQuote(uid)}, useSeed=true, errState=${state}, errGen=${reason}, ${hashes}, expirationTimestamp=${this.#untilText()}`;
  }

  #untilText(): string {
    return this.#writeKey === undefined ? neverText : dateText(this.#writeKeyUntilMs - this.#now());
  }
}

/** For messages only. */
function dateText(inMs: number): string {
  return new Date(Date.now() + inMs).toISOString().replace(/\.\d+Z$/, 'Z');
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
