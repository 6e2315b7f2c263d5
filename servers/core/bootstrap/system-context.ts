import type { OperationContext } from '../../../shared/registry/strategy.ts';

/** The server itself at work: the loopback identity of the reference. */
export function systemContext(namespace = ''): OperationContext {
  return {
    user: { name: 'system:apiserver', uid: '', groups: ['system:authenticated', 'system:masters'], extra: {} },
    namespace,
    dryRun: false,
    subresource: '',
    addWarning: () => undefined,
    auditAnnotations: new Map(),
    nowMs: Date.now(),
  };
}
