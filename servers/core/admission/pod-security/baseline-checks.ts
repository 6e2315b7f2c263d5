import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import {
  booleanAt,
  numberAt,
  objectAt,
  objectsAt,
  stringAt,
  stringMapAt,
  stringsAt,
} from '#shared/apimachinery/object.ts';
import { goQuote, compareUtf8 } from '#shared/apimachinery/text/go-format.ts';
import { allContainers } from '#shared/objects/pod-spec.ts';
import {
  containerName,
  containersWhere,
  containersWhoseContext,
  countedNames,
  plural,
  quoted,
  settersOf,
  sorted,
  type PodCheck,
} from './pod-check.ts';

const defaultCapabilities: ReadonlySet<string> = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

export const capabilitiesBaseline: PodCheck = (spec) => {
  const added = new Set<string>();
  const bad = containersWhoseContext(spec, (context) => {
    const others = stringsAt(context, 'capabilities', 'add').filter(
      (capability) => !defaultCapabilities.has(capability),
    );
    for (const capability of others) added.add(capability);
    return others.length > 0;
  });
  if (bad.length === 0) return undefined;
  return {
    reason: 'non-default capabilities',
    detail: `${countedNames('container', bad)} must not include ${quoted(sorted(added))} in securityContext.capabilities.add`,
  };
};

export const hostNamespaces: PodCheck = (spec) => {
  const shared = ['hostNetwork', 'hostPID', 'hostIPC'].filter((field) => booleanAt(spec, field) === true);
  return shared.length === 0
    ? undefined
    : { reason: 'host namespaces', detail: shared.map((field) => `${field}=true`).join(', ') };
};

export const hostPathVolumes: PodCheck = (spec) => {
  const volumes = objectsAt(spec, 'volumes')
    .filter((volume) => objectAt(volume, 'hostPath') !== undefined)
    .map((volume) => stringAt(volume, 'name'));
  return volumes.length === 0 ? undefined : { reason: 'hostPath volumes', detail: countedNames('volume', volumes) };
};

export const hostPorts: PodCheck = (spec) => {
  const ports = new Set<string>();
  const bad = containersWhere(spec, (container) => {
    const used = objectsAt(container, 'ports')
      .map((port) => numberAt(port, 'hostPort') ?? 0)
      .filter((port) => port !== 0);
    for (const port of used) ports.add(String(port));
    return used.length > 0;
  });
  if (bad.length === 0) return undefined;
  return {
    reason: 'hostPort',
    detail: `${countedNames('container', bad)} ${bad.length === 1 ? 'uses' : 'use'} ${plural('hostPort', ports.size)} ${sorted(ports).join(', ')}`,
  };
};

const handlers: readonly (readonly string[])[] = [
  ['livenessProbe'],
  ['readinessProbe'],
  ['startupProbe'],
  ['lifecycle', 'postStart'],
  ['lifecycle', 'preStop'],
];

export const hostProbes: PodCheck = (spec) => {
  const hosts = new Set<string>();
  const bad = new Set(
    containersWhere(spec, (container) => {
      const named = handlers
        .flatMap((path) => ['httpGet', 'tcpSocket'].map((kind) => stringAt(container, ...path, kind, 'host')))
        .filter((host) => host !== '');
      for (const host of named) hosts.add(host);
      return named.length > 0;
    }),
  );
  if (bad.size === 0) return undefined;
  const detail = `${countedNames('container', sorted(bad))} ${bad.size === 1 ? 'uses' : 'use'} ${plural('probe or lifecycle host', hosts.size)} ${quoted(sorted(hosts))}`;
  return { reason: 'probe or lifecycle host', detail };
};

export const privileged: PodCheck = (spec) => {
  const bad = containersWhoseContext(spec, (context) => booleanAt(context, 'privileged') === true);
  return bad.length === 0
    ? undefined
    : {
        reason: 'privileged',
        detail: `${countedNames('container', bad)} must not set securityContext.privileged=true`,
      };
};

export const procMount: PodCheck = (spec) => {
  const types = new Set<string>();
  const bad = containersWhoseContext(spec, (context) => {
    const type = context['procMount'];
    if (typeof type !== 'string' || type === 'Default') return false;
    types.add(type);
    return true;
  });
  if (bad.length === 0) return undefined;
  return {
    reason: 'procMount',
    detail: `${countedNames('container', bad)} must not set securityContext.procMount to ${quoted(sorted(types))}`,
  };
};

export function seLinuxOptions(...allowedTypes: readonly string[]): PodCheck {
  return (spec) => {
    const types = new Set<string>();
    const forbidden = new Set<string>();
    const isBad = (context: JsonObject): boolean => {
      const options = objectAt(context, 'seLinuxOptions');
      const type = stringAt(options, 'type');
      const badType = type !== '' && !allowedTypes.includes(type);
      if (badType) types.add(type);
      const set = ['user', 'role'].filter((field) => stringAt(options, field) !== '');
      for (const field of set) forbidden.add(field);
      return badType || set.length > 0;
    };
    const setters = settersOf(isBad(objectAt(spec, 'securityContext') ?? {}), containersWhoseContext(spec, isBad));
    if (setters === undefined) return undefined;
    const data = [
      ...(types.size === 0 ? [] : [countedNames('type', sorted(types))]),
      ...['user', 'role'].filter((field) => forbidden.has(field)).map((field) => `${field} may not be set`),
    ];
    return {
      reason: 'seLinuxOptions',
      detail: `${setters} set forbidden securityContext.seLinuxOptions: ${data.join('; ')}`,
    };
  };
}

export function sysctls(...allowed: readonly string[]): PodCheck {
  return (spec) => {
    const forbidden = objectsAt(spec, 'securityContext', 'sysctls')
      .map((item) => stringAt(item, 'name'))
      .filter((name) => !allowed.includes(name));
    return forbidden.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: forbidden.join(', ') };
  };
}

export const windowsHostProcess: PodCheck = (spec) => {
  const isBad = (context: JsonObject): boolean => booleanAt(context, 'windowsOptions', 'hostProcess') === true;
  const setters = settersOf(isBad(objectAt(spec, 'securityContext') ?? {}), containersWhoseContext(spec, isBad));
  return setters === undefined
    ? undefined
    : { reason: 'hostProcess', detail: `${setters} must not set securityContext.windowsOptions.hostProcess=true` };
};

const appArmorAnnotation = 'container.apparmor.security.beta.kubernetes.io/';

export const appArmorProfile: PodCheck = (spec, metadata) => {
  const types = new Set<string>();
  const isBad = (context: JsonObject): boolean => {
    const profile = objectAt(context, 'appArmorProfile');
    const type = stringAt(profile, 'type');
    if (profile === undefined || type === 'RuntimeDefault' || type === 'Localhost') return false;
    types.add(type);
    return true;
  };
  const setters = settersOf(isBad(objectAt(spec, 'securityContext') ?? {}), containersWhoseContext(spec, isBad));
  const annotations = [...stringMapAt(metadata, 'annotations')]
    .filter(
      ([key, value]) =>
        key.startsWith(appArmorAnnotation) &&
        value !== '' &&
        value !== 'runtime/default' &&
        !value.startsWith('localhost/'),
    )
    .map(([key, value]) => `${key}=${goQuote(value)}`)
    .sort(compareUtf8);
  const who = [
    ...(setters === undefined ? [] : [setters]),
    ...(annotations.length === 0 ? [] : [plural('annotation', annotations.length)]),
  ];
  if (who.length === 0) return undefined;
  const values = [...sorted(types), ...annotations];
  return {
    reason: plural('forbidden AppArmor profile', values.length),
    detail: `${who.join(' and ')} must not set AppArmor profile type to ${quoted(values)}`,
  };
};

const seccompPod = 'seccomp.security.alpha.kubernetes.io/pod';
const seccompContainer = 'container.seccomp.security.alpha.kubernetes.io/';

/** Checks the annotations that held the seccomp profile before there were fields for it. */
export const seccompAnnotations: PodCheck = (spec, metadata) => {
  const annotations = stringMapAt(metadata, 'annotations');
  const keys = [seccompPod, ...allContainers(spec).map((container) => seccompContainer + containerName(container))];
  const forbidden = new Set(
    keys.flatMap((key) => {
      const value = annotations.get(key);
      const isAllowed =
        value === undefined ||
        value === 'runtime/default' ||
        value === 'docker/default' ||
        value.startsWith('localhost/');
      return isAllowed ? [] : [`${key}=${goQuote(value)}`];
    }),
  );
  if (forbidden.size === 0) return undefined;
  return {
    reason: 'seccompProfile',
    detail: `forbidden ${plural('annotation', forbidden.size)} ${sorted(forbidden).join(', ')}`,
  };
};
