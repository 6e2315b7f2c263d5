import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Int64 } from '#shared/apimachinery/values/int64.ts';
import type { PodRules } from './pod-rules.ts';

/** The parts of a pod that the validation of its containers needs. */
export interface ContainerScope {
  readonly volumes: ReadonlyMap<string, JsonObject>;
  readonly claimNames: ReadonlySet<string>;
  readonly graceSeconds: Int64 | undefined;
  readonly hostUsers: boolean;
  readonly podRestartPolicy: string;
  /** `os` of the pod. */
  readonly os: JsonObject | undefined;
  readonly rules: PodRules;
}
