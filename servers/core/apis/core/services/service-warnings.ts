import { addressWarnings, cidrWarnings, listWarnings } from '#servers/core/warnings/addresses.ts';
import { path } from '#shared/apimachinery/errors/field-error.ts';
import { objectAt, stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { isHeadless } from './service-address-validation.ts';

/** Warns about fields of a Service that have no effect, or will have none (pkg/api/service/warnings.go). */
export function serviceWarnings(service: KubeObject): string[] {
  const [spec, field] = [objectAt(service, 'spec'), path('spec')];
  const isExternalName = stringAt(service, 'spec', 'type') === 'ExternalName';
  const hasExternalIps = stringsAt(service, 'spec', 'externalIPs').length > 0;
  return [
    ...(service.metadata.annotations?.['service.kubernetes.io/topology-aware-hints'] === undefined
      ? []
      : [
          'annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead',
        ]),
    ...(['', 'None'].includes(stringAt(spec, 'clusterIP'))
      ? []
      : listWarnings(spec, 'clusterIPs', addressWarnings, field)),
    ...(isHeadless(service) ? headlessWarnings(service, hasExternalIps) : []),
    ...listWarnings(spec, 'externalIPs', addressWarnings, field),
    ...(hasExternalIps && !isHeadless(service) && !isExternalName
      ? ['spec.externalIPs is deprecated and may no longer be implemented in some clusters']
      : []),
    ...addressWarnings(stringAt(spec, 'loadBalancerIP'), field.child('loadBalancerIP')),
    ...listWarnings(spec, 'loadBalancerSourceRanges', cidrWarnings, field),
    ...(hasExternalIps && isExternalName ? ['spec.externalIPs is ignored when spec.type is "ExternalName"'] : []),
    ...(!isExternalName && stringAt(service, 'spec', 'externalName') !== ''
      ? ['spec.externalName is ignored when spec.type is not "ExternalName"']
      : []),
    ...(stringAt(service, 'spec', 'trafficDistribution') === 'PreferClose'
      ? ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"']
      : []),
  ];
}

function headlessWarnings(service: KubeObject, hasExternalIps: boolean): string[] {
  return [
    ...(stringAt(service, 'spec', 'loadBalancerIP') === ''
      ? []
      : ['spec.loadBalancerIP is ignored for headless services']),
    ...(hasExternalIps ? ['spec.externalIPs is ignored for headless services'] : []),
    ...(stringAt(service, 'spec', 'sessionAffinity') === 'None'
      ? []
      : ['spec.SessionAffinity is ignored for headless services']),
  ];
}
