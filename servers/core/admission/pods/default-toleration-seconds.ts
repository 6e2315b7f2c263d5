import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { isPods } from '#shared/admission/contract/attribute-match.ts';
import { appendTo } from '#shared/admission/contract/list-append.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { podSpec } from '#shared/objects/pod-spec.ts';

/** How many seconds pods stay on a node that is not ready or not reachable. */
export interface TolerationSeconds {
  readonly notReady: number;
  readonly unreachable: number;
}

/**
 * Adds default tolerations, so that pods leave a broken node after five minutes
 * (plugin/pkg/admission/defaulttolerationseconds).
 */
export class DefaultTolerationSeconds implements AdmissionPlugin {
  readonly name = 'DefaultTolerationSeconds';
  readonly #defaults: readonly { readonly key: string; readonly tolerationSeconds: number }[];

  constructor({ notReady, unreachable }: TolerationSeconds = { notReady: 300, unreachable: 300 }) {
    this.#defaults = [
      { key: 'node.kubernetes.io/not-ready', tolerationSeconds: notReady },
      { key: 'node.kubernetes.io/unreachable', tolerationSeconds: unreachable },
    ];
  }

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    return isPods(resource) && (operation === 'CREATE' || operation === 'UPDATE');
  }

  admit({ object: pod, subresource }: AdmissionAttributes): void {
    if (pod === undefined || subresource !== '') return;
    const spec = podSpec(pod);
    const present = objectsAt(spec, 'tolerations');
    for (const { key, tolerationSeconds } of this.#defaults) {
      const tolerated = present.some(
        (item) => ['', key].includes(stringAt(item, 'key')) && ['', 'NoExecute'].includes(stringAt(item, 'effect')),
      );
      if (!tolerated)
        appendTo(spec, 'tolerations', { key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds });
    }
  }
}
