import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { booleanAt, int64At, objectAt, objectsAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import {
  containersWhoseContext,
  countedNames,
  plural,
  quoted,
  settersOf,
  sorted,
  type PodCheck,
  type PolicyViolation,
} from './pod-check.ts';

export const allowPrivilegeEscalation: PodCheck = (spec) => {
  const bad = containersWhoseContext(spec, (context) => booleanAt(context, 'allowPrivilegeEscalation') !== false);
  return bad.length === 0
    ? undefined
    : {
        reason: 'allowPrivilegeEscalation != false',
        detail: `${countedNames('container', bad)} must set securityContext.allowPrivilegeEscalation=false`,
      };
};

export const capabilitiesRestricted: PodCheck = (spec) => {
  const keeping = containersWhoseContext(
    spec,
    (context) => !stringsAt(context, 'capabilities', 'drop').includes('ALL'),
  );
  const added = new Set<string>();
  const adding = containersWhoseContext(spec, (context) => {
    const others = stringsAt(context, 'capabilities', 'add').filter((capability) => capability !== 'NET_BIND_SERVICE');
    for (const capability of others) added.add(capability);
    return others.length > 0;
  });
  const details = [
    ...(keeping.length === 0
      ? []
      : [`${countedNames('container', keeping)} must set securityContext.capabilities.drop=["ALL"]`]),
    ...(adding.length === 0
      ? []
      : [
          `${countedNames('container', adding)} must not include ${quoted(sorted(added))} in securityContext.capabilities.add`,
        ]),
  ];
  return details.length === 0 ? undefined : { reason: 'unrestricted capabilities', detail: details.join('; ') };
};

const allowedVolumes = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
] as const;
/** Volume sources that the restricted level forbids, in the order in which the reference checks them. */
const otherVolumes = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'gitRepo',
  'nfs',
  'iscsi',
  'glusterfs',
  'rbd',
  'flexVolume',
  'cinder',
  'cephfs',
  'flocker',
  'fc',
  'azureFile',
  'vsphereVolume',
  'quobyte',
  'azureDisk',
  'photonPersistentDisk',
  'portworxVolume',
  'scaleIO',
  'storageos',
] as const;

export const restrictedVolumes: PodCheck = (spec) => {
  const bad = objectsAt(spec, 'volumes').filter(
    (volume) => !allowedVolumes.some((type) => objectAt(volume, type) !== undefined),
  );
  if (bad.length === 0) return undefined;
  const types = new Set(
    bad.map((volume) => otherVolumes.find((type) => objectAt(volume, type) !== undefined) ?? 'unknown'),
  );
  const volumes = countedNames(
    'volume',
    bad.map((volume) => stringAt(volume, 'name')),
  );
  return {
    reason: 'restricted volume types',
    detail: `${volumes} ${bad.length === 1 ? 'uses' : 'use'} ${plural('restricted volume type', types.size)} ${quoted(sorted(types))}`,
  };
};

export const runAsNonRoot: PodCheck = (spec) => {
  const ofPod = booleanAt(spec, 'securityContext', 'runAsNonRoot');
  const reason = 'runAsNonRoot != true';
  const setters = settersOf(
    ofPod === false,
    containersWhoseContext(spec, (context) => booleanAt(context, 'runAsNonRoot') === false),
  );
  if (setters !== undefined) return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` };
  const silent =
    ofPod === true ? [] : containersWhoseContext(spec, (context) => booleanAt(context, 'runAsNonRoot') === undefined);
  return silent.length === 0
    ? undefined
    : { reason, detail: `pod or ${countedNames('container', silent)} must set securityContext.runAsNonRoot=true` };
};

export const runAsUser: PodCheck = (spec) => {
  const setters = settersOf(
    int64At(spec, 'securityContext', 'runAsUser') === 0,
    containersWhoseContext(spec, (context) => int64At(context, 'runAsUser') === 0),
  );
  return setters === undefined ? undefined : { reason: 'runAsUser=0', detail: `${setters} must not set runAsUser=0` };
};

/** The baseline level refuses a wrong profile. */
export const seccompProfileBaseline: PodCheck = (spec) => wrongSeccomp(spec);

/** The restricted level also requires a profile. */
export const seccompProfileRestricted: PodCheck = (spec) => {
  const wrong = wrongSeccomp(spec);
  if (wrong !== undefined) return wrong;
  const silent =
    objectAt(spec, 'securityContext', 'seccompProfile') !== undefined
      ? []
      : containersWhoseContext(spec, (context) => objectAt(context, 'seccompProfile') === undefined);
  if (silent.length === 0) return undefined;
  return {
    reason: 'seccompProfile',
    detail: `pod or ${countedNames('container', silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  };
};

function wrongSeccomp(spec: JsonObject): PolicyViolation | undefined {
  const types = new Set<string>();
  const isBad = (context: JsonObject): boolean => {
    const profile = objectAt(context, 'seccompProfile');
    const type = stringAt(profile, 'type');
    if (profile === undefined || type === 'RuntimeDefault' || type === 'Localhost') return false;
    types.add(type);
    return true;
  };
  const setters = settersOf(isBad(objectAt(spec, 'securityContext') ?? {}), containersWhoseContext(spec, isBad));
  return setters === undefined
    ? undefined
    : {
        reason: 'seccompProfile',
        detail: `${setters} must not set securityContext.seccompProfile.type to ${quoted(sorted(types))}`,
      };
}
