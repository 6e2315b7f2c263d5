/** Every feature of built-in types that can be off. */
// Without all versions the reference waits for one.
export const everyGate = ['--feature-gates=AllAlpha=true,AllBeta=true', '--runtime-config=api/all=true'];
export const noGate = ['--feature-gates=AllAlpha=false,AllBeta=false'];

/**
 * Flags that switch features of built-in types, by name. Versions that are off by default are served where a gate needs
 * them.
 */
export const flagSets: Readonly<Record<string, readonly string[]>> = {
  'by default': [],
  'emulated 1.35': ['--emulated-version=1.35'],
  'emulated 1.34': ['--emulated-version=1.34', '--runtime-config=resource.k8s.io/v1=true,resource.k8s.io/v1beta2=true'],
  'emulated 1.33': ['--emulated-version=1.33', '--runtime-config=api/beta=true'],
  'every alpha and beta': everyGate,
  'no beta': ['--feature-gates=AllBeta=false'],
  'single gates': [
    '--feature-gates=ContainerStopSignals=true,HPAScaleToZero=true,MaxUnavailableStatefulSet=true,DRAListTypeAttributes=true,StrictIPCIDRValidation=false,PodLevelResources=false,InPlacePodLevelResourcesVerticalScaling=false,EnvFiles=false,DRADeviceTaints=false,VolumeLimitScaling=true',
    '--allow-privileged=false',
  ],
};
