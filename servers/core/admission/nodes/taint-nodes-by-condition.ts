import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { isCore } from '#shared/admission/contract/attribute-match.ts';
import { appendTo } from '#shared/admission/contract/list-append.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { ensureObject } from '#shared/apimachinery/set-default.ts';

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' } as const;

/** Gives a new node the not-ready taint, so it gets no pods before it is ready (plugin/pkg/admission/nodetaint). */
export class TaintNodesByCondition implements AdmissionPlugin {
  readonly name = 'TaintNodesByCondition';

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    return operation === 'CREATE' && isCore(resource, 'nodes');
  }

  admit({ object: node, subresource }: AdmissionAttributes): void {
    if (node === undefined || subresource !== '') return;
    const spec = ensureObject(node, 'spec');
    const tainted = objectsAt(spec, 'taints').some(
      (taint) => stringAt(taint, 'key') === notReady.key && stringAt(taint, 'effect') === notReady.effect,
    );
    if (!tainted) appendTo(spec, 'taints', { ...notReady });
  }
}
