import { intKind, stringKind, stringsKind } from './flag-kinds.ts';
import { flag } from './flag-set.ts';

const section = 'Quarterdeck';

/** Flags by which the processes find each other. None of them is a flag of kube-apiserver. */
export const replicaFlags = {
  coreServers: flag(
    stringsKind,
    section,
    [],
    'Where the gateway finds core servers: unix:///path or host:port, with mutual TLS; all addresses of a name are used. Without any, the socket in --data-dir.',
  ),
  extensionsServers: flag(stringsKind, section, [], 'Where the gateway finds extensions servers, in the same form.'),
  internalListenAddress: flag(
    stringKind,
    section,
    '',
    'Where core or extensions takes requests of gateways: unix:///path or address:port, with mutual TLS. Without it the socket in --data-dir.',
  ),
  internalCertFile: flag(
    stringKind,
    section,
    '',
    'Certificate (PEM) of --internal-listen-address for backend.quarterdeck.internal, by a CA of --requestheader-client-ca-file. Without it that of --data-dir.',
  ),
  internalKeyFile: flag(stringKind, section, '', 'Private key of --internal-cert-file.'),
  coreReplicas: flag(intKind, section, 1, 'Core processes that are started together.'),
  extensionsReplicas: flag(intKind, section, 1, 'Extensions processes that are started together.'),
  gatewayReplicas: flag(intKind, section, 1, 'Gateway processes that are started together; they share --secure-port.'),
};
