import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { isPods } from '#shared/admission/contract/attribute-match.ts';
import { refuseAdmission } from '#shared/admission/contract/refusal.ts';
import {
  aggregateMessages,
  fieldErrorText,
  notSupported,
  path,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import { failureStatus, StatusError } from '#shared/apimachinery/errors/status.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { allContainers, containerLists, podSpec } from '#shared/objects/pod-spec.ts';

const always = 'Always';

interface PullPolicy {
  readonly holder: JsonObject;
  readonly field: 'imagePullPolicy' | 'pullPolicy';
  readonly path: Path;
}

/**
 * Sets the pull policy to Always, so that no pod uses an image that was pulled with the secret of another pod
 * (plugin/pkg/admission/alwayspullimages).
 */
export class AlwaysPullImages implements AdmissionPlugin {
  readonly name = 'AlwaysPullImages';

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    return isPods(resource) && (operation === 'CREATE' || operation === 'UPDATE');
  }

  admit({ object: pod, oldObject, subresource }: AdmissionAttributes): void {
    if (pod === undefined || subresource !== '' || hasNoNewImage(pod, oldObject)) return;
    for (const { holder, field } of pullPolicies(podSpec(pod))) holder[field] = always;
  }

  validate(attributes: AdmissionAttributes): void {
    const { object: pod, oldObject, subresource } = attributes;
    if (pod === undefined || subresource !== '' || hasNoNewImage(pod, oldObject)) return;
    const wrong = pullPolicies(podSpec(pod)).filter(({ holder, field }) => stringAt(holder, field) !== always);
    if (wrong.length === 0) return;
    const errors = wrong.map(({ holder, field, path: where }) =>
      refuseAdmission(attributes, fieldErrorText(notSupported(where.child(field), stringAt(holder, field), [always]))),
    );
    // An aggregate of errors has no Status of its own, so the response is a 500.
    throw new StatusError(failureStatus(500, '', aggregateMessages(errors.map((error) => error.message))));
  }
}

function pullPolicies(spec: JsonObject): readonly PullPolicy[] {
  const ofContainers = containerLists.flatMap((list) =>
    objectsAt(spec, list).map((holder, index): PullPolicy => ({
      holder,
      field: 'imagePullPolicy',
      path: path('spec', list).index(index),
    })),
  );
  const ofVolumes = objectsAt(spec, 'volumes').flatMap((volume, index): PullPolicy[] => {
    const holder = objectAt(volume, 'image');
    return holder === undefined
      ? []
      : [{ holder, field: 'pullPolicy', path: path('spec', 'volumes').index(index).child('image') }];
  });
  return [...ofContainers, ...ofVolumes];
}

function hasNoNewImage(pod: KubeObject, old: KubeObject | undefined): boolean {
  if (old === undefined) return false;
  const before = new Set(allContainers(podSpec(old)).map((container) => stringAt(container, 'image')));
  return allContainers(podSpec(pod)).every((container) => before.has(stringAt(container, 'image')));
}
