import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import { booleanAt, numberAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { quantityOf } from '#shared/apimachinery/values/quantity.ts';
import type { Amounts } from '#shared/objects/pod-resources.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';

const names: readonly string[] = ['count/services', 'services', 'services.loadbalancers', 'services.nodeports'];

/** Counts services, and the node ports and load balancers that they use (pkg/quota/v1/evaluator/core/services.go). */
export class ServiceQuota implements QuotaEvaluator {
  handles({ operation, subresource }: AdmissionAttributes): boolean {
    return subresource === '' && (operation === 'CREATE' || operation === 'UPDATE');
  }

  matchingResources(wanted: readonly string[]): string[] {
    return wanted.filter((name) => names.includes(name)).sort();
  }

  matchesScope(): boolean {
    return false;
  }

  missing(): undefined {
    return undefined;
  }

  usage(service: KubeObject): Amounts {
    const type = stringAt(service, 'spec', 'type');
    return new Map([
      ['count/services', quantityOf(1)],
      ['services', quantityOf(1)],
      ['services.loadbalancers', quantityOf(type === 'LoadBalancer' ? 1 : 0)],
      ['services.nodeports', quantityOf(nodePorts(service, type))],
    ]);
  }
}

function nodePorts(service: KubeObject, type: string): number {
  if (type !== 'NodePort' && type !== 'LoadBalancer') return 0;
  const ports = objectsAt(service, 'spec', 'ports');
  const onlyAsked = type === 'LoadBalancer' && booleanAt(service, 'spec', 'allocateLoadBalancerNodePorts') === false;
  return onlyAsked ? ports.filter((port) => (numberAt(port, 'nodePort') ?? 0) !== 0).length : ports.length;
}
