/** Flags that choose what is served, by name. */
export const flagForms: Readonly<Record<string, readonly string[]>> = {
  'nothing said': [],
  all: ['--runtime-config=api/all=true'],
  'all with every gate': ['--runtime-config=api/all=true', '--feature-gates=AllAlpha=true,AllBeta=true'],
  betas: ['--runtime-config=api/beta=true'],
  alphas: ['--runtime-config=api/alpha=true'],
  'no general ones but core': [
    '--runtime-config=api/ga=false,v1=true,rbac.authorization.k8s.io/v1=true,authorization.k8s.io/v1=true,authentication.k8s.io/v1=true,flowcontrol.apiserver.k8s.io/v1=true,admissionregistration.k8s.io/v1=true,coordination.k8s.io/v1=true,networking.k8s.io/v1=true,scheduling.k8s.io/v1=true,discovery.k8s.io/v1=true,storage.k8s.io/v1=true,node.k8s.io/v1=true,apiregistration.k8s.io/v1=true,apiextensions.k8s.io/v1=true,resource.k8s.io/v1=true',
  ],
  'a version': ['--runtime-config=storage.k8s.io/v1beta1=true,batch/v1=false,resource.k8s.io/v1beta1'],
  'a resource on': ['--runtime-config=networking.k8s.io/v1beta1/ipaddresses=true'],
  'a resource off': [
    '--runtime-config=autoscaling/v1/horizontalpodautoscalers=false,apps/v1/daemonsets=false,/v1/podtemplates=false',
  ],
  'a resource off in a version that is on': [
    '--runtime-config=resource.k8s.io/v1beta2=true,resource.k8s.io/v1beta2/resourceslices=false,api/beta=false',
  ],
  gates: [
    '--runtime-config=api/all=true',
    '--feature-gates=ClusterTrustBundle=true,PodCertificateRequest=true,GenericWorkload=true',
  ],
  'no beta gates': ['--feature-gates=AllBeta=false'],
  'emulated 1.35': ['--emulated-version=1.35'],
  'emulated 1.35, all': ['--emulated-version=1.35', '--runtime-config=api/all=true'],
  'emulated 1.34, all': ['--emulated-version=kube=1.34', '--runtime-config=api/all=true'],
  'emulated 1.33, all': ['--emulated-version=1.33', '--runtime-config=api/all=true'],
  // Both betas of the group are named: of a version that is off by default and that an older one would bring along,
  // the reference decides by the order of a Go map (apiserver/pkg/server/resourceconfig/helpers.go).
  'emulated 1.33, forward compatible': [
    '--emulated-version=1.33',
    '--emulation-forward-compatible',
    '--runtime-config=resource.k8s.io/v1beta1=true,resource.k8s.io/v1beta2=true,networking.k8s.io/v1beta1/ipaddresses=true',
  ],
  'emulated 1.33, one by name': [
    '--emulated-version=1.33',
    '--runtime-config-emulation-forward-compatible',
    '--runtime-config=resource.k8s.io/v1=true',
  ],
  'compatible with 1.34': ['--min-compatibility-version=1.34'],
};
