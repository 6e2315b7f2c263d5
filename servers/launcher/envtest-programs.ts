import { join } from 'node:path';

/** What one of the programs of envtest's folder runs. */
interface EnvtestProgram {
  readonly module: 'store' | 'host';
  readonly argv: readonly string[];
}

/**
 * The program behind `quarterdeck envtest PROGRAM FOLDER FLAGS`, as the files in the folder call it; undefined for any
 * other words. The etcd listens on a Unix socket in the folder, too, by whose name the kube-apiserver finds it.
 */
export function envtestProgram([name, folder, ...flags]: readonly string[]): EnvtestProgram | undefined {
  if (folder === undefined) return undefined;
  if (name === 'kube-apiserver') return { module: 'host', argv: [name, folder, ...flags] };
  if (name !== 'etcd') return undefined;
  const [url = ''] = (valueOf(flags, '--listen-client-urls') ?? '').split(',');
  const socket = envtestSocket(folder, url);
  return { module: 'store', argv: [...flags, ...(socket === undefined ? [] : ['--listen-unix-socket', socket])] };
}

/** The socket of the etcd that serves this address; undefined where it chooses its port itself. */
export function envtestSocket(folder: string, url: string): string | undefined {
  const { port } = URL.canParse(url) ? new URL(url) : { port: '' };
  return port === '' || port === '0' ? undefined : join(folder, `${port}.sock`);
}

/** The value of `--flag=value` or `--flag value`; of several the last. */
function valueOf(argv: readonly string[], flag: string): string | undefined {
  const at = argv.findLastIndex((argument) => argument === flag || argument.startsWith(`${flag}=`));
  const argument = argv[at];
  return argument === flag ? argv[at + 1] : argument?.slice(flag.length + 1);
}
