/** The file of `--admission-control-config-file` of the servers that the scenario is sent to. */
export const configurationFile = `
apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
- name: PodSecurity
  configuration:
    apiVersion: pod-security.admission.config.k8s.io/v1
    kind: PodSecurityConfiguration
    defaults:
      warn: baseline
    exemptions:
      namespaces: [adm-exempt]
      usernames: [carol]
      runtimeClasses: [adm-exempt]
- name: ResourceQuota
  configuration:
    apiVersion: apiserver.config.k8s.io/v1
    kind: ResourceQuotaConfiguration
    limitedResources:
    - resource: pods
      matchContains: [example.com/limited]
      matchScopes:
      - {scopeName: PriorityClass, operator: In, values: [adm-limited]}
- name: PodNodeSelector
  configuration:
    podNodeSelectorPluginConfig:
      clusterDefaultNodeSelector: adm=default
      adm-allowed: adm=default,zone=a
- name: PodTolerationRestriction
  configuration:
    apiVersion: podtolerationrestriction.admission.k8s.io/v1alpha1
    kind: Configuration
    default:
    - {key: adm-default, operator: Exists, effect: NoSchedule}
`;
