import type { CoreContext } from '#servers/core/context/core-context.ts';
import { systemPriorityClasses } from '#shared/api/bootstrap-objects.ts';
import { asKubeObject } from '#shared/apimachinery/object.ts';
import { ensureStored } from './ensure-object.ts';

const group = 'scheduling.k8s.io';

/** Post-start hook `scheduling/bootstrap-system-priority-classes`. */
export async function ensurePriorityClasses(core: CoreContext): Promise<void> {
  await Promise.all(
    systemPriorityClasses().map((facts) =>
      ensureStored(
        core,
        group,
        'priorityclasses',
        asKubeObject({ apiVersion: `${group}/v1`, kind: 'PriorityClass', ...facts }),
      ),
    ),
  );
}
