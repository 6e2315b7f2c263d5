import type { OperationContext } from '../../../shared/registry/strategy.ts';
import { atOncePace } from '../../../shared/registry/pace.ts';

/** The server itself at work: the loopback identity of the reference, and its name as an owner of fields. */
export function systemContext(namespace = '', fieldManager = 'kube-apiserver'): OperationContext {
  return {
    user: { name: 'system:apiserver', uid: '', groups: ['system:authenticated', 'system:masters'], extra: {} },
    namespace,
    fieldManager,
    dryRun: false,
    subresource: '',
    addWarning: () => undefined,
    auditAnnotations: new Map(),
    pace: atOncePace,
    nowMs: Date.now(),
  };
}
