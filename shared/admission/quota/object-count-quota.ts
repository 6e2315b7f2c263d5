import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import { formatGroupResource, type GroupResource } from '#shared/apimachinery/gvk.ts';
import type { Quantity } from '#shared/apimachinery/values/quantity-parse.ts';
import { quantityOf } from '#shared/apimachinery/values/quantity.ts';
import type { Amounts } from '#shared/objects/pod-resources.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';

const one: Quantity = quantityOf(1);

/** Resources that a quota may also name without the prefix `count/`. */
const aliases: ReadonlySet<string> = new Set(['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets']);

/** `count/deployments.apps`. */
export function countName(resource: GroupResource): string {
  return `count/${formatGroupResource(resource)}`;
}

/** Counts the objects of a resource. */
export class ObjectCountQuota implements QuotaEvaluator {
  readonly #names: readonly string[];
  readonly #usage: Amounts;

  constructor(resource: GroupResource) {
    const alias = resource.group === '' && aliases.has(resource.resource) ? [resource.resource] : [];
    this.#names = [countName(resource), ...alias];
    this.#usage = new Map(this.#names.map((name) => [name, one]));
  }

  handles({ operation, subresource }: AdmissionAttributes): boolean {
    return operation === 'CREATE' && subresource === '';
  }

  matchingResources(names: readonly string[]): string[] {
    return names.filter((name) => this.#names.includes(name)).sort();
  }

  matchesScope(): boolean {
    return false;
  }

  missing(): undefined {
    return undefined;
  }

  usage(): Amounts {
    return this.#usage;
  }
}
