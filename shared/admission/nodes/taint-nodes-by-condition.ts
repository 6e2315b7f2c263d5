import type { GroupResource } from '../../apimachinery/gvk.ts';
import { objectsAt, stringAt } from '../../apimachinery/object.ts';
import { ensureObject } from '../../apimachinery/set-default.ts';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '../admission.ts';
import { isCore } from '../attribute-match.ts';
import { appendTo } from '../list-append.ts';

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' } as const;

/** A new node takes no pods before it says that it is ready (plugin/pkg/admission/nodetaint). */
export class TaintNodesByCondition implements AdmissionPlugin {
  readonly name = 'TaintNodesByCondition';

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    return operation === 'CREATE' && isCore(resource, 'nodes');
  }

  admit({ object: node, subresource }: AdmissionAttributes): void {
    if (node === undefined || subresource !== '') return;
    const spec = ensureObject(node, 'spec');
    const tainted = objectsAt(spec, 'taints').some((taint) => stringAt(taint, 'key') === notReady.key && stringAt(taint, 'effect') === notReady.effect);
    if (!tainted) appendTo(spec, 'taints', { ...notReady });
  }
}
