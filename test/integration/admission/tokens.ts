export const adminToken = 'tok-admin';
export const nodeToken = 'tok-node';
export const bobToken = 'tok-bob';

/** The token file of the servers that the scenario is sent to. */
export const tokenFile = `${adminToken},admin,u1,"system:masters"\n${bobToken},bob,u2,"dev"\n${nodeToken},system:node:n1,u3,"system:nodes"\n`;

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
].join(',');
