import { objectNowMs } from '#shared/apimachinery/chance/object-clock.ts';
import { apiServerUser } from '#shared/request/user.ts';
import { atOncePace } from './pace.ts';
import type { OperationContext } from './strategy.ts';

interface SystemOperation {
  /** Default: no namespace. */
  readonly namespace?: string;
  /** Default: the object itself. */
  readonly subresource?: string;
  /** Default: `kube-apiserver`. */
  readonly fieldManager?: string | undefined;
}

/** The context of reads and writes of the server itself: bootstrap, controllers, admission plugins. */
export function systemContext(operation: SystemOperation = {}): OperationContext {
  const { namespace = '', subresource = '', fieldManager = 'kube-apiserver' } = operation;
  return {
    user: apiServerUser,
    namespace,
    fieldManager,
    dryRun: false,
    subresource,
    addWarning: () => undefined,
    pace: atOncePace,
    nowMs: objectNowMs(),
  };
}
