/** The parts of the target in the path: `name`, `name:port` or `scheme:name:port`. */
export interface TargetId {
  readonly scheme: '' | 'http' | 'https';
  readonly name: string;
  /** A port number or name; empty if there is none. */
  readonly port: string;
}

/**
 * Parses `name`, `name:port` or `scheme:name:port`; undefined for anything else
 * (apimachinery/pkg/util/net/port_split.go).
 */
export function parseTargetId(id: string): TargetId | undefined {
  const parts = id.split(':');
  if (parts.length > 3) return undefined;
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts];
  if (name === '' || (scheme !== '' && scheme !== 'http' && scheme !== 'https')) return undefined;
  return { scheme, name, port };
}
