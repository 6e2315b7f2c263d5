/** What pods may ask of their nodes (pkg/capabilities). */
export interface Capabilities {
  /** Privileged containers and host processes of Windows, by `--allow-privileged`. */
  readonly allowPrivileged: boolean;
}

const settled = { allowPrivileged: false };

/** Those of this process, which is one server. As by default until {@link useCapabilities}. */
export const capabilities: Capabilities = settled;

/** Settles them once, at the start. */
export function useCapabilities({ allowPrivileged }: Capabilities): void {
  settled.allowPrivileged = allowPrivileged;
}
