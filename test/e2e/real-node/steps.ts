import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { CommandOptions, Outcome, RealNode } from './node.ts';
import { debugImage, namespace } from './objects.ts';

/** One version of kubectl and one of its two ways to stream. */
export interface Client {
  readonly kubectl: string;
  readonly transport: 'WebSocket' | 'SPDY';
}

/** What is done, and how its outcome is told. */
export type Step = readonly [name: string, run: () => Promise<Outcome | string>];

const size = 30_000_000;
const bytes = randomBytes(size);
const pods = `/api/v1/namespaces/${namespace}`;

/** The list for one client; `own` is a folder of its own. */
export function steps(node: RealNode, { kubectl, transport }: Client, own: string): Step[] {
  const byWebSocket = String(transport === 'WebSocket');
  const env = { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: byWebSocket, KUBECTL_PORT_FORWARD_WEBSOCKETS: byWebSocket };
  const command = async (args: readonly string[], options: CommandOptions = {}): Promise<Outcome> =>
    await node.run([kubectl, '-n', namespace, ...args], { env, ...options });
  const run = (name: string, ...args: string[]): Step => [name, async () => await command(args)];
  /** By a shell beside the node, in which `$kubectl` is the command. */
  const script = (name: string, text: string, options: CommandOptions = {}): Step => [
    name,
    async () =>
      await node.run(['bash', '-c', text], { ...options, env: { ...env, kubectl: `${kubectl} -n ${namespace}` } }),
  ];
  return [
    ...logSteps(run, command),
    run('exec: exit code 3', 'exec', 'shell', '-c', 'c', '--', 'sh', '-c', 'echo out; sleep 0.3; echo err >&2; exit 3'),
    run('exec: a command that there is not', 'exec', 'shell', '-c', 'c', '--', '/nope'),
    run('exec: a container that there is not', 'exec', 'shell', '-c', 'nope', '--', 'true'),
    run('exec: a pod that there is not', 'exec', 'nope', '--', 'true'),
    [
      'exec: 30 MB in, their sum',
      async () => await command(['exec', '-i', 'shell', '-c', 'c', '--', 'md5sum'], { input: bytes }),
    ],
    run('exec: 30 MB out', 'exec', 'shell', '-c', 'c', '--', 'head', '-c', String(size), '/dev/zero'),
    [
      'exec: 30 MB in and out',
      async () => await command(['exec', '-i', 'shell', '-c', 'c', '--', 'cat'], { input: bytes }),
    ],
    ...terminalSteps(script),
    [
      'attach: what is typed comes back',
      async () =>
        await node.run(
          ['bash', '-c', '(sleep 2; echo typed; sleep 3) | timeout 4 $kubectl attach -i shell -c c 2>&1 | grep typed'],
          { env: { ...env, kubectl: `${kubectl} -n ${namespace}` } },
        ),
    ],
    script('cp: there', `head -c 3000000 /dev/zero > ${own}/file && $kubectl cp ${own}/file shell:/tmp/there -c c`),
    run('cp: its sum there', 'exec', 'shell', '-c', 'c', '--', 'md5sum', '/tmp/there'),
    script('cp: and back', `$kubectl cp shell:/tmp/there ${own}/back -c c && cmp ${own}/file ${own}/back && echo same`),
    // kubectl ends without waiting for what tar says of it.
    script('cp: what there is not', `$kubectl cp shell:/nope ${own}/nope -c c > /dev/null; ls ${own}`),
    script('port-forward: 20 connections at once', forwarding(join(own, 'forward'))),
    run('port-forward: a port that is none', 'port-forward', 'pod/web', '0:99999'),
    run('debug: a container is added', 'debug', 'shell', ...addedContainer(own)),
    script(
      'debug: its log',
      `for i in $(seq 100); do [ "$($kubectl logs shell -c ${debuggerName(own)} 2>/dev/null)" ] && break; sleep 0.2; done; $kubectl logs shell -c ${debuggerName(own)}`,
    ),
    run('proxy to a pod', 'get', '--raw', `${pods}/pods/web:8080/proxy/echo?msg=hello`),
    run('proxy to a Service', 'get', '--raw', `${pods}/services/web:http/proxy/hostname`),
    run('proxy to a node', 'get', '--raw', '/api/v1/nodes/n0/proxy/healthz'),
    run('proxy to a port that nobody has', 'get', '--raw', `${pods}/pods/web:81/proxy/`),
    topStep('top of pods', command, ['top', 'pods', '--no-headers']),
    topStep('top of nodes', command, ['top', 'nodes', '--no-headers']),
  ];
}

/** The end of a client's own folder tells it from others. */
function debuggerName(own: string): string {
  return `debugger-${own
    .slice(own.lastIndexOf('/') + 1)
    .toLowerCase()
    .replaceAll('.', '-')}`;
}

function addedContainer(own: string): string[] {
  return [
    '--image',
    debugImage,
    '--attach=false',
    '-c',
    debuggerName(own),
    '--',
    'sh',
    '-c',
    'echo debugs; sleep 3600',
  ];
}

function logSteps(
  run: (name: string, ...args: string[]) => Step,
  command: (args: readonly string[], options?: CommandOptions) => Promise<Outcome>,
): Step[] {
  return [
    run('logs', 'logs', 'shell', '-c', 'c', '--limit-bytes=56'),
    run('logs: the end', 'logs', 'web', '--tail=0'),
    run('logs: the beginning', 'logs', 'shell', '-c', 'c', '--limit-bytes=9'),
    run('logs: of the init container', 'logs', 'shell', '-c', 'before'),
    run('logs: of the run before', 'logs', 'again', '--previous'),
    run('logs: of this run', 'logs', 'again'),
    run('logs: of a run that there was not', 'logs', 'web', '--previous'),
    run('logs: of a container that there is not', 'logs', 'shell', '-c', 'nope'),
    run('logs: of a pod that there is not', 'logs', 'nope'),
    run('logs: since a time to come', 'logs', 'shell', '-c', 'before', '--since-time=2099-01-02T03:04:05Z'),
    run('logs: since an hour', 'logs', 'shell', '-c', 'before', '--since=1h'),
    run('logs: since both', 'logs', 'shell', '-c', 'before', '--since=1h', '--since-time=2024-01-02T03:04:05Z'),
    [
      'logs: followed, four lines in a row come as they are written',
      async () => {
        const { stdout, ...rest } = await command(['logs', 'shell', '-c', 'talks', '-f', '--tail=1'], {
          endAfterMs: 5_500,
        });
        const numbers = stdout.split('\n').filter(Boolean).map(Number);
        const inARow = numbers.length >= 4 && numbers.every((each, at) => each === (numbers[0] ?? 0) + at);
        return JSON.stringify({ ...rest, stdout: inARow ? 'in a row' : stdout });
      },
    ],
  ];
}

function terminalSteps(script: (name: string, text: string, options?: CommandOptions) => Step): Step[] {
  /** `script` of util-linux gives the command a terminal; `$kubectl` is for the shell in it. */
  const inTerminal = (text: string): string => `script -qec ${JSON.stringify(text).replaceAll('$', '\\$')} /dev/null`;
  const shell = '$kubectl exec -it shell -c c -- sh -c';
  const resizing = 'stty rows 30 cols 90; (sleep 3; stty -F /dev/tty rows 41 cols 101) &';
  return [
    script(
      'exec: a terminal that is resized, exit code 5',
      inTerminal(`${resizing} ${shell} 'sleep 1; stty size; sleep 4; stty size; exit 5'`),
    ),
    script(
      'exec: what is left of a command whose terminal is closed',
      `${inTerminal(`${shell} 'exec sleep 54321'`)} > /dev/null & disown; sleep 4; kill -9 $!; sleep 3
       $kubectl exec shell -c c -- sh -c 'cat /proc/[0-9]*/cmdline | tr "\\0" "\\n" | grep -c "5432[1]"'`,
    ),
  ];
}

function forwarding(file: string): string {
  return `$kubectl port-forward pod/web :8080 > ${file} 2>&1 & forward=$!
    for i in $(seq 100); do grep -q Forwarding ${file} && break; sleep 0.1; done
    port=$(sed -n 's/.*127.0.0.1:\\([0-9]*\\) ->.*/\\1/p' ${file})
    for i in $(seq 20); do curl -s -m 20 "http://127.0.0.1:$port/echo?msg=$i" > ${file}.$i & pids="$pids $!"; done
    wait $pids; for i in $(seq 20); do cat ${file}.$i; echo; done; kill $forward`;
}

/** Figures differ; there are none before the second time that the kubelet was asked. */
function topStep(name: string, command: (args: readonly string[]) => Promise<Outcome>, args: readonly string[]): Step {
  return [
    name,
    async () => {
      let outcome = await command(args);
      for (let at = 0; at < 40 && outcome.code !== 0; at++) {
        await new Promise((resolve) => setTimeout(resolve, 2000));
        outcome = await command(args);
      }
      return JSON.stringify({ ...outcome, stdout: outcome.stdout.replaceAll(/\s+\d+(?:m|Mi|%)/g, ' N') });
    },
  ];
}
