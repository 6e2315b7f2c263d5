import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import type { Quantity } from '#shared/apimachinery/values/quantity-parse.ts';
import { compareQuantities, parseQuantity, quantityOf, roundUpQuantity } from '#shared/apimachinery/values/quantity.ts';
import { claimClass } from '#shared/objects/claim-class.ts';
import type { Amounts } from '#shared/objects/pod-resources.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';
import { meetsRequirement } from './scope-requirement.ts';

const names: readonly string[] = ['persistentvolumeclaims', 'requests.storage'];
const countOfClaims = 'count/persistentvolumeclaims';
const classSuffix = '.storageclass.storage.k8s.io/';

/**
 * Counts claims and the storage that they request, in total and by class
 * (pkg/quota/v1/evaluator/core/persistent_volume_claims.go).
 */
export class ClaimQuota implements QuotaEvaluator {
  handles({ operation, subresource, object, oldObject }: AdmissionAttributes): boolean {
    if (subresource === '') return operation === 'CREATE' || operation === 'UPDATE';
    if (subresource !== 'status' || object === undefined || oldObject === undefined) return false;
    const [before, after] = [attributeClasses(oldObject), attributeClasses(object)];
    return (
      allocatedOf(object) !== allocatedOf(oldObject) ||
      before.size !== after.size ||
      [...before].some((name) => !after.has(name))
    );
  }

  matchingResources(wanted: readonly string[]): string[] {
    return wanted.filter(
      (name) => name === countOfClaims || names.some((own) => name === own || name.endsWith(classSuffix + own)),
    );
  }

  matchesScope(requirement: JsonObject, claim: KubeObject): boolean {
    if (stringAt(requirement, 'scopeName') !== 'VolumeAttributesClass') return false;
    const classes = [...attributeClasses(claim)];
    if (stringAt(requirement, 'operator') === 'Exists') return classes.length > 0;
    return classes.length === 0
      ? meetsRequirement(requirement, undefined)
      : classes.some((name) => meetsRequirement(requirement, name));
  }

  missing(): undefined {
    return undefined;
  }

  usage(claim: KubeObject): Amounts {
    const own = new Map<string, Quantity>([['persistentvolumeclaims', quantityOf(1)]]);
    const storage = storageOf(claim);
    if (storage !== undefined) own.set('requests.storage', storage);
    const className = claimClass(claim);
    const byClass =
      className === '' ? [] : [...own].map(([name, quantity]) => [className + classSuffix + name, quantity] as const);
    return new Map([...own, [countOfClaims, quantityOf(1)], ...byClass]);
  }
}

function allocatedOf(claim: KubeObject): string {
  return stringAt(claim, 'status', 'allocatedResources', 'storage');
}

/** The requested storage, or the allocated storage if that is more (after a failed expansion). */
function storageOf(claim: KubeObject): Quantity | undefined {
  const asked = stringAt(claim, 'spec', 'resources', 'requests', 'storage');
  if (asked === '') return undefined;
  const requested = roundUpQuantity(parseQuantity(asked), 0);
  const allocated = roundUpQuantity(parseQuantity(allocatedOf(claim) || '0'), 0);
  return compareQuantities(allocated, requested) > 0 ? allocated : requested;
}

function attributeClasses(claim: KubeObject): ReadonlySet<string> {
  const found = [
    stringAt(claim, 'spec', 'volumeAttributesClassName'),
    stringAt(claim, 'status', 'currentVolumeAttributesClassName'),
    stringAt(claim, 'status', 'modifyVolumeStatus', 'targetVolumeAttributesClassName'),
  ];
  return new Set(found.filter((name) => name !== ''));
}
