import type { GatedFields } from '#servers/core/gates/disabled-fields.ts';

/** Gated fields of a claim's spec (pkg/api/resourceclaimspec); `at` is the path of the spec. */
export function gatedClaimFields(at: string): GatedFields[] {
  const requests = `${at}.devices.requests[]`;
  const inRequests = (field: string): string[] => [
    `${requests}.exactly.${field}`,
    `${requests}.firstAvailable[].${field}`,
  ];
  return [
    { gates: ['DRAPrioritizedList'], fields: [`${requests}.firstAvailable`] },
    { gates: ['DRADeviceTaints'], fields: inRequests('tolerations') },
    { gates: ['DRAAdminAccess'], fields: [`${requests}.exactly.adminAccess`] },
    {
      gates: ['DRAConsumableCapacity'],
      fields: [`${at}.devices.constraints[].distinctAttribute`, ...inRequests('capacity')],
    },
  ];
}

const results = 'status.allocation.devices.results[]';

/** Gated fields of a claim's status (pkg/registry/resource/resourceclaim, dropDisabledStatusFields). */
export const gatedClaimStatusFields: readonly GatedFields[] = [
  { gates: ['DRAResourceClaimDeviceStatus'], fields: ['status.devices'] },
  {
    gates: ['DRAAdminAccess'],
    fields: [`${results}.adminAccess`],
    usedBy: ['spec.devices.requests[].exactly.adminAccess', `${results}.adminAccess`],
  },
  {
    gates: ['DRAConsumableCapacity'],
    fields: [`${results}.shareID`, `${results}.consumedCapacity`, 'status.devices[].shareID'],
    usedBy: [
      'spec.devices.constraints[].distinctAttribute',
      'spec.devices.requests[].exactly.capacity',
      'spec.devices.requests[].firstAvailable[].capacity',
      `${results}.shareID`,
      `${results}.consumedCapacity`,
      'status.devices[].shareID',
    ],
  },
  {
    gates: ['DRADeviceBindingConditions'],
    fields: [`${results}.bindingConditions`, `${results}.bindingFailureConditions`],
  },
];

const devices = 'spec.devices[]';

/** Gated fields of a ResourceSlice (pkg/registry/resource/resourceslice). */
export const gatedSliceFields: readonly GatedFields[] = [
  { gates: ['DRADeviceTaints'], fields: [`${devices}.taints`] },
  {
    gates: ['DRAPartitionableDevices'],
    fields: [
      'spec.sharedCounters',
      'spec.perDeviceNodeSelection',
      `${devices}.consumesCounters`,
      `${devices}.nodeName`,
      `${devices}.nodeSelector`,
      `${devices}.allNodes`,
    ],
  },
  {
    gates: ['DRADeviceBindingConditions', 'DRAResourceClaimDeviceStatus'],
    fields: [`${devices}.bindingConditions`, `${devices}.bindingFailureConditions`, `${devices}.bindsToNode`],
  },
  {
    gates: ['DRAConsumableCapacity'],
    fields: [`${devices}.allowMultipleAllocations`, `${devices}.capacity{}.requestPolicy`],
  },
  { gates: ['DRANodeAllocatableResources'], fields: [`${devices}.nodeAllocatableResourceMappings`] },
  {
    gates: ['DRAListTypeAttributes'],
    fields: ['bools', 'ints', 'strings', 'versions'].map((list) => `${devices}.attributes{}.${list}`),
  },
];
