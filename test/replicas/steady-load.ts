import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { http1Client, type ApiClient, type ClusterAddress } from '#test/api-client.ts';
import { adminToken } from '#test/tokens.ts';
import { ResumingWatch } from './resuming-watch.ts';

const watches = 20;
const maps = '/api/v1/namespaces/default/configmaps';

/**
 * What clients of a cluster do all the time: kbench (get, create, list500; several connections each) and watches that
 * resume as informers do.
 */
export class SteadyLoad {
  readonly #cluster: ClusterAddress;
  readonly #kbench: string;
  #over = false;
  #failures: Promise<string[][]> = Promise.resolve([]);

  /** `kbench` is the path of the program. Its token must be known to the cluster. */
  constructor(cluster: ClusterAddress, kbench: string) {
    this.#cluster = cluster;
    this.#kbench = kbench;
  }

  /** Resolves when the load runs. */
  async start(): Promise<void> {
    // Namespace and objects first, so that the loads do not make them at the same time.
    await this.#run('get', '1s');
    this.#failures = Promise.all([this.#again('get'), this.#again('list500'), this.#again('create'), this.#watchAll()]);
  }

  /** Resolves with what failed. */
  async stop(): Promise<string[]> {
    this.#over = true;
    return (await this.#failures).flat();
  }

  async #again(run: string): Promise<string[]> {
    let lines = '';
    do lines += await this.#run(run, '4s');
    while (!this.#over);
    console.log(lines.trimEnd());
    return lines.split('\n').filter((line) => /ERRORS|failed [1-9]|failed$/.test(line));
  }

  async #run(run: string, duration: string): Promise<string> {
    const flags = [
      '-server',
      this.#cluster.url,
      '-token',
      adminToken,
      '-run',
      run,
      '-d',
      duration,
      '-c',
      '4',
      '-objects',
      '500',
    ];
    return (await promisify(execFile)(this.#kbench, flags)).stdout;
  }

  /** Watches with a writer of their own. */
  async #watchAll(): Promise<string[]> {
    let client: ApiClient = http1Client(this.#cluster);
    const { json } = await client.send('GET', `${maps}?limit=1`);
    const version = (json as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
    const all = Array.from({ length: watches }, () => new ResumingWatch(this.#cluster, maps, version));
    const written: string[] = [];
    const failures: string[] = [];
    for (let count = 0; !this.#over; count++) {
      const name = `watched-${count}`;
      try {
        const { status, text } = await client.send('POST', maps, { body: { metadata: { name } } });
        if (status === 201) written.push(name);
        else failures.push(`create ${name}: ${status} ${text}`);
      } catch (error) {
        failures.push(`create ${name}: ${String(error)}`);
        client.close();
        client = http1Client(this.#cluster);
      }
      await sleep(20);
    }
    client.close();
    const until = performance.now() + 10_000;
    while (all.some(({ added }) => added.length < written.length) && performance.now() < until) await sleep(20);
    await Promise.all(all.map((watch) => watch.stop()));
    const wrong = all.filter(({ added }) => added.join() !== written.join());
    if (wrong.length > 0)
      failures.push(
        `${wrong.length} of ${watches} watches missed, doubled or mixed up events: ${wrong[0]?.added.length} of ${written.length}`,
      );
    const cut = all.reduce((sum, watch) => sum + watch.cut, 0);
    const refused = all.flatMap((watch) => watch.refused);
    if (cut > 0) failures.push(`${cut} watches were cut off instead of ended`);
    if (refused.length > 0) failures.push(`${refused.length} watches were refused: ${refused[0]}`);
    console.log(
      `${watches} watches, opened ${all.reduce((sum, watch) => sum + watch.opened, 0)} times, ${written.length} events each, ${cut} cut off, ${refused.length} refused`,
    );
    return failures;
  }
}
