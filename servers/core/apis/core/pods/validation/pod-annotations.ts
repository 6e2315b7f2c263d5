import type { Gates } from '#servers/core/gates/gates.ts';
import { validateDescendingPath } from '#servers/core/validation/paths.ts';
import { forbidden, invalid, path, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import { getKey, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, type KubeObject, type ObjectMeta } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { validateAnnotatedTolerations } from './annotated-tolerations.ts';
import { mayCompareTaints } from './pod-rules.ts';

// Annotations of pods and pod templates with a defined meaning (pkg/apis/core/validation,
// ValidatePodSpecificAnnotations).

const mirror = 'kubernetes.io/config.mirror';
const deletionCost = 'controller.kubernetes.io/pod-deletion-cost';
const seccompOfPod = 'seccomp.security.alpha.kubernetes.io/pod';
const seccompOfContainer = 'container.seccomp.security.alpha.kubernetes.io/';
const appArmorOfContainer = 'container.apparmor.security.beta.kubernetes.io/';
const localhost = 'localhost/';
const maxInt32 = 2_147_483_647;
const containerLists = ['initContainers', 'containers', 'ephemeralContainers'];

/** Whether the metadata are of a mirror pod: its kubelet runs it as a static pod, and the server only shows it. */
export function isMirror({ annotations }: ObjectMeta): boolean {
  return Object.hasOwn(annotations ?? {}, mirror);
}

/** What the annotations of a pod or a template are validated beside. */
export interface AnnotationRules {
  readonly spec: JsonObject;
  readonly gates: Gates;
  /** Whether tolerations may compare taints as numbers. */
  readonly comparesTaints: boolean;
  /** The earlier annotations. */
  readonly old: JsonObject | undefined;
}

/** Validates the annotations of a pod or a template. */
export function validatePodAnnotations(
  annotations: JsonObject | undefined,
  { spec, gates, comparesTaints, old }: AnnotationRules,
  field: Path,
): FieldError[] {
  if (annotations === undefined) return [];
  const [mirrored, cost] = [getKey(annotations, mirror), getKey(annotations, deletionCost)];
  const names = Object.keys(annotations).some(isOfAppArmor) ? containerNames(spec) : new Set<string>();
  return [
    ...(mirrored !== undefined && stringAt(spec, 'nodeName') === ''
      ? [invalid(field.key(mirror), mirrored, 'must set spec.nodeName if mirror pod annotation is set')]
      : []),
    ...validateAnnotatedTolerations(annotations, comparesTaints, field),
    ...(gates.PodDeletionCost && typeof cost === 'string' && !isCost(cost) && isCost(costOf(old))
      ? [invalid(field.key(deletionCost), cost, 'must be a 32bit integer')]
      : []),
    ...Object.entries(annotations).flatMap(([key, value]) => validateProfile(key, String(value), names, field)),
  ];
}

/** The rules for the annotations of a pod, or of a template, which replaces `old`. */
export function annotationRules(
  pod: JsonObject | undefined,
  old: JsonObject | undefined,
  gates: Gates,
): AnnotationRules {
  const before = objectAt(old, 'spec');
  return {
    spec: objectAt(pod, 'spec') ?? {},
    gates,
    comparesTaints: mayCompareTaints(before, gates),
    old: objectAt(old, 'metadata', 'annotations'),
  };
}

/** The deletion cost of a pod, `0` if the annotation is absent. */
function costOf(annotations: JsonObject | undefined): string {
  const cost = getKey(annotations ?? {}, deletionCost);
  return typeof cost === 'string' ? cost : '0';
}

/** Whether a text is a 32-bit integer without a leading plus or leading zeros. */
function isCost(text: string): boolean {
  return /^(0|[1-9]\d*|-\d+)$/.test(text) && Number(text) <= maxInt32 && Number(text) >= -maxInt32 - 1;
}

function isOfAppArmor(key: string): boolean {
  return key.startsWith(appArmorOfContainer);
}

function containerNames(spec: JsonObject): ReadonlySet<string> {
  return new Set(
    containerLists.flatMap((list) => objectsAt(spec, list).map((container) => stringAt(container, 'name'))),
  );
}

function validateProfile(key: string, value: string, names: ReadonlySet<string>, field: Path): FieldError[] {
  if (key === seccompOfPod || key.startsWith(seccompOfContainer)) return validateSeccomp(value, field.child(key));
  if (!isOfAppArmor(key)) return [];
  const name = key.slice(appArmorOfContainer.length);
  const isProfile = ['', 'runtime/default', 'unconfined'].includes(value) || value.startsWith(localhost);
  return [
    ...(names.has(name) ? [] : [invalid(field.key(key), name, 'container not found')]),
    ...(isProfile ? [] : [invalid(field.key(key), value, `invalid AppArmor profile name: ${goQuote(value)}`)]),
  ];
}

function validateSeccomp(profile: string, field: Path): FieldError[] {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(profile)) return [];
  return profile.startsWith(localhost)
    ? validateDescendingPath(profile.slice(localhost.length), field)
    : [invalid(field, profile, 'must be a valid seccomp profile')];
}

/** In a new pod or a template, the deprecated profile annotations must agree with the fields that replaced them. */
export function validateAnnotatedProfiles(
  annotations: JsonObject | undefined,
  spec: JsonObject,
  field: Path,
): FieldError[] {
  if (annotations === undefined) return [];
  const seccomp = objectAt(spec, 'securityContext', 'seccompProfile');
  const appArmor =
    stringAt(spec, 'os', 'name') === 'windows' ? undefined : objectAt(spec, 'securityContext', 'appArmorProfile');
  return [
    ...matches(getKey(annotations, seccompOfPod), seccomp, 'seccomp', field.child('securityContext', 'seccompProfile')),
    ...containerErrors(spec, field, (container, at) =>
      matches(
        getKey(annotations, seccompOfContainer + stringAt(container, 'name')),
        objectAt(container, 'securityContext', 'seccompProfile'),
        'seccomp',
        at.child('securityContext', 'seccompProfile'),
      ),
    ),
    ...(stringAt(spec, 'os', 'name') === 'windows'
      ? []
      : containerErrors(spec, field, (container, at) =>
          matches(
            getKey(annotations, appArmorOfContainer + stringAt(container, 'name')),
            objectAt(container, 'securityContext', 'appArmorProfile') ?? appArmor,
            'apparmor',
            at.child('securityContext', 'appArmorProfile'),
          ),
        )),
  ];
}

function containerErrors(
  spec: JsonObject,
  field: Path,
  errors: (container: JsonObject, at: Path) => FieldError[],
): FieldError[] {
  return containerLists.flatMap((list) =>
    objectsAt(spec, list).flatMap((container, index) => errors(container, field.child(list).index(index))),
  );
}

function matches(
  annotation: unknown,
  profile: JsonObject | undefined,
  what: 'seccomp' | 'apparmor',
  field: Path,
): FieldError[] {
  if (typeof annotation !== 'string' || profile === undefined) return [];
  const type = stringAt(profile, 'type');
  const defaults = what === 'seccomp' ? ['runtime/default', 'docker/default'] : ['runtime/default'];
  const fits =
    type === 'Unconfined'
      ? annotation === 'unconfined'
      : type === 'RuntimeDefault'
        ? defaults.includes(annotation)
        : type !== 'Localhost' || annotation.startsWith(localhost);
  if (!fits) return [forbidden(field.child('type'), `${what} type in annotation and field must match`)];
  const isOther = type === 'Localhost' && annotation.slice(localhost.length) !== profile['localhostProfile'];
  return isOther
    ? [forbidden(field.child('localhostProfile'), `${what} profile in annotation and field must match`)]
    : [];
}

/** Validates an update of annotations: some are immutable (ValidatePodSpecificAnnotationUpdates). */
export function validatePodAnnotationUpdate(pod: KubeObject, old: KubeObject, gates: Gates): FieldError[] {
  const field = path('metadata', 'annotations');
  const [now, then]: readonly [JsonObject, JsonObject] = [
    pod.metadata.annotations ?? {},
    old.metadata.annotations ?? {},
  ];
  const kept = (key: string): string =>
    key === mirror ? 'mirror pod annotation' : isOfAppArmor(key) ? 'AppArmor annotations' : '';
  const changed = Object.keys(then).filter((key) => kept(key) !== '' && getKey(now, key) !== then[key]);
  const added = Object.keys(now).filter((key) => kept(key) !== '' && !Object.hasOwn(then, key));
  return [
    ...changed.map((key) => forbidden(field.key(key), `may not remove or update ${kept(key)}`)),
    ...added.map((key) => forbidden(field.key(key), `may not add ${kept(key)}`)),
    ...validatePodAnnotations(pod.metadata.annotations, annotationRules(pod, old, gates), field),
  ];
}
