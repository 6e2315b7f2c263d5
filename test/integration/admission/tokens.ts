import { adminToken as startersToken } from '#test/tokens.ts';

export const adminToken = 'tok-admin';
export const nodeToken = 'tok-node';
export const bobToken = 'tok-bob';
export const carolToken = 'tok-carol';

/** The token file of the servers that the scenario is sent to. Who starts the reference has a token of its own. */
export const tokenFile = `${adminToken},admin,u1,"system:masters"\n${bobToken},bob,u2,"dev"\n${nodeToken},system:node:n1,u3,"system:nodes"\n${carolToken},carol,u4,"system:masters"\n${startersToken},starter,u5,"system:masters"\n`;

/** Plugins beside the default ones that the scenario needs. */
export const enabledPlugins = [
  'AlwaysPullImages',
  'DenyServiceExternalIPs',
  'ExtendedResourceToleration',
  'LimitPodHardAntiAffinityTopology',
  'NamespaceAutoProvision',
  'NamespaceExists',
  'NodeRestriction',
  'OwnerReferencesPermissionEnforcement',
  'PodNodeSelector',
  'PodTolerationRestriction',
].join(',');
