import { applyClaimSpecDefaults } from '#servers/core/apis/core/volumes/claim-defaults.ts';
import { defaultVolumeDrivers } from '#servers/core/apis/core/volumes/volume-driver-defaults.ts';
import { roundAmounts, roundResources } from '#servers/core/defaults/round-amounts.ts';
import type { Gates } from '#servers/core/gates/gates.ts';
import { setKey, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { ensureObject, setDefault, setDefaultNumber, setDefaultText } from '#shared/apimachinery/set-default.ts';
import { pullPolicyFor } from './image-reference.ts';
import { applyPodLevelDefaults } from './pod-level-defaults.ts';

// Defaults of a PodSpec that are not generated from `+default` markers (pkg/apis/core/v1/defaults.go).

const volumeModes = { secret: 420, configMap: 420, downwardAPI: 420, projected: 420 };

/** Defaults that hold in pods and in every pod template. */
export function applyPodSpecDefaults(spec: JsonObject, gates: Gates): void {
  setDefaultText(spec, 'dnsPolicy', 'ClusterFirst');
  setDefaultText(spec, 'restartPolicy', 'Always');
  setDefaultText(spec, 'schedulerName', 'default-scheduler');
  setDefault(spec, 'terminationGracePeriodSeconds', 30);
  ensureObject(spec, 'securityContext');
  mirrorServiceAccount(spec);
  roundAmounts(objectAt(spec, 'overhead'));
  roundResources(objectAt(spec, 'resources'));
  for (const volume of objectsAt(spec, 'volumes')) defaultVolume(volume, gates);
  for (const list of ['initContainers', 'containers', 'ephemeralContainers']) {
    for (const container of objectsAt(spec, list)) defaultContainer(container);
  }
}

/** Defaults that hold in pods only: they are not written into templates. */
export function applyPodOnlyDefaults(spec: JsonObject, gates: Gates): void {
  setDefault(spec, 'enableServiceLinks', true);
  if (spec['hostNetwork'] === true) defaultHostPorts(spec);
  for (const list of ['initContainers', 'containers']) {
    for (const container of objectsAt(spec, list)) requestsFromLimits(container);
  }
  if (gates.PodLevelResources) applyPodLevelDefaults(spec);
}

/** Template of a workload: `spec.template` of the parent's spec. */
export function applyPodTemplateDefaults(template: JsonObject | undefined, gates: Gates): void {
  if (template) applyPodSpecDefaults(ensureObject(template, 'spec'), gates);
}

/** `serviceAccount` is the old name of `serviceAccountName`; both are always served with the same value. */
function mirrorServiceAccount(spec: JsonObject): void {
  const name = stringAt(spec, 'serviceAccountName') || stringAt(spec, 'serviceAccount');
  if (name === '') return;
  spec['serviceAccountName'] = name;
  spec['serviceAccount'] = name;
}

function defaultVolume(volume: JsonObject, gates: Gates): void {
  const sources = Object.keys(volume).filter((key) => key !== 'name');
  if (sources.length === 0) volume['emptyDir'] = {};
  for (const [source, mode] of Object.entries(volumeModes)) {
    const body = objectAt(volume, source);
    if (body) setDefault(body, 'defaultMode', mode);
  }
  defaultVolumeDrivers(volume);
  for (const item of objectsAt(objectAt(volume, 'downwardAPI'), 'items')) defaultFieldRef(objectAt(item, 'fieldRef'));
  for (const source of objectsAt(objectAt(volume, 'projected'), 'sources')) {
    const token = objectAt(source, 'serviceAccountToken');
    if (token) setDefault(token, 'expirationSeconds', 3600);
    for (const item of objectsAt(objectAt(source, 'downwardAPI'), 'items')) defaultFieldRef(objectAt(item, 'fieldRef'));
  }
  const claim = objectAt(volume, 'ephemeral', 'volumeClaimTemplate');
  if (claim) applyClaimSpecDefaults(ensureObject(claim, 'spec'));
  const image = objectAt(volume, 'image');
  if (image && gates.ImageVolume) setDefaultText(image, 'pullPolicy', pullPolicyFor(stringAt(image, 'reference')));
}

function defaultContainer(container: JsonObject): void {
  setDefaultText(container, 'imagePullPolicy', pullPolicyFor(stringAt(container, 'image')));
  setDefaultText(container, 'terminationMessagePath', '/dev/termination-log');
  setDefaultText(container, 'terminationMessagePolicy', 'File');
  for (const variable of objectsAt(container, 'env')) {
    defaultFieldRef(objectAt(variable, 'valueFrom', 'fieldRef'));
  }
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) defaultProbe(objectAt(container, name));
  for (const hook of ['postStart', 'preStop']) defaultHttpGet(objectAt(container, 'lifecycle', hook, 'httpGet'));
  roundResources(objectAt(container, 'resources'));
}

function defaultProbe(probe: JsonObject | undefined): void {
  if (!probe) return;
  setDefaultNumber(probe, 'timeoutSeconds', 1);
  setDefaultNumber(probe, 'periodSeconds', 10);
  setDefaultNumber(probe, 'successThreshold', 1);
  setDefaultNumber(probe, 'failureThreshold', 3);
  defaultHttpGet(objectAt(probe, 'httpGet'));
}

function defaultHttpGet(action: JsonObject | undefined): void {
  if (!action) return;
  setDefaultText(action, 'path', '/');
  setDefaultText(action, 'scheme', 'HTTP');
}

function defaultFieldRef(reference: JsonObject | undefined): void {
  if (reference) setDefaultText(reference, 'apiVersion', 'v1');
}

function requestsFromLimits(container: JsonObject): void {
  const limits = objectAt(container, 'resources', 'limits');
  if (!limits) return;
  const requests = ensureObject(ensureObject(container, 'resources'), 'requests');
  for (const [name, amount] of Object.entries(limits)) {
    if (!Object.hasOwn(requests, name)) setKey(requests, name, amount);
  }
}

function defaultHostPorts(spec: JsonObject): void {
  for (const list of ['initContainers', 'containers']) {
    for (const container of objectsAt(spec, list)) {
      for (const port of objectsAt(container, 'ports')) {
        const number = port['containerPort'];
        if (number !== undefined) setDefaultNumber(port, 'hostPort', Number(number));
      }
    }
  }
}
