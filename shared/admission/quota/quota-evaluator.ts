import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { Amounts } from '#shared/objects/pod-resources.ts';

/** Measures what objects of one resource use of a quota (apiserver/pkg/quota/v1 Evaluator). */
export interface QuotaEvaluator {
  /** Whether the operation may change the usage. */
  handles(attributes: AdmissionAttributes): boolean;
  /** Filters `names` to the quota resources that objects of this resource use, sorted. */
  matchingResources(names: readonly string[]): string[];
  /** Whether the object is in the scope that a requirement of a quota names. */
  matchesScope(requirement: JsonObject, object: KubeObject): boolean;
  /** The required quota resources that the object does not specify; undefined if it specifies all. */
  missing(required: readonly string[], object: KubeObject): string | undefined;
  usage(object: KubeObject): Amounts;
}
