import { adminToken } from '#test/tokens.ts';

export const configMaps = '/api/v1/namespaces/default/configmaps';
export const json = { accept: 'application/json', 'content-type': 'application/json' };
export const admin = { authorization: `Bearer ${adminToken}`, ...json };
export const protobuf = 'application/vnd.kubernetes.protobuf';
