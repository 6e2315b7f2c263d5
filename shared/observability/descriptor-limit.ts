import { close, open, readFileSync } from 'node:fs';

const probeEveryMs = 5_000;
const tellAgainMs = 10 * 60_000;
/** A server of fewer descriptors is full with some thousand watches. */
const fewDescriptors = 4096;

const remedy =
  'Raise the limit: "ulimit -n" of the shell, LimitNOFILE= of systemd, "--ulimit nofile=" of docker; Node.js uses all of the hard one';

/** The number of descriptors that this process may have; undefined where the system does not provide it. */
export function descriptorLimit(): number | undefined {
  try {
    const [, soft = ''] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? [];
    return soft === '' ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}

/** A line for the operator if the limit is low; undefined otherwise. */
export function fewDescriptorsLine(limit = descriptorLimit()): string | undefined {
  if (limit === undefined || limit >= fewDescriptors) return undefined;
  return `each process may have ${limit} files and connections open, which some hundred watches use up. ${remedy}`;
}

/** Opens something and closes it again; calls back with the code of the error, if there was one. */
export type DescriptorProbe = (done: (code: string | undefined) => void) => void;

const probeDescriptor: DescriptorProbe = (done) =>
  open('/dev/null', (error, file) => {
    if (error === null) close(file, () => undefined);
    done(error?.code);
  });

/**
 * Tells the operator when this process has no descriptor left. Nothing else shows it: the kernel keeps new connections
 * waiting, or libuv accepts and closes them.
 */
export function watchDescriptors(
  say: (line: string) => void,
  probe = probeDescriptor,
  limit = descriptorLimit(),
): void {
  let saidMs = Number.NEGATIVE_INFINITY;
  setInterval(() => {
    probe((code) => {
      if ((code !== 'EMFILE' && code !== 'ENFILE') || performance.now() - saidMs < tellAgainMs) return;
      saidMs = performance.now();
      const whose =
        code === 'EMFILE' ? `this process may have ${limit ?? 'no more'}` : 'this machine has no more (fs.file-max)';
      say(`all file descriptors are in use, ${whose}: new connections wait or are closed, open ones go on. ${remedy}`);
    });
  }, probeEveryMs).unref();
}
