/** Files of PEM for connections to a proxy. */
export interface ProxyTlsFiles {
  /** Empty for the authorities of the system. */
  readonly caBundle: string;
  readonly clientKey: string;
  readonly clientCert: string;
  /** The name that the certificate has to be for; empty for the host of the proxy's address. */
  readonly tlsServerName: string;
}

export interface EgressTransport {
  readonly tcp?: { readonly url: string; readonly tlsConfig?: ProxyTlsFiles };
  readonly uds?: { readonly udsName: string };
}

/** How the connections to one network are made. */
export interface EgressSelection {
  /** As the file has it, but `controlplane` for its older name `master`. */
  readonly name: string;
  readonly proxyProtocol: string;
  readonly transport?: EgressTransport;
}
