import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createStorage } from '#shared/storage/create/create-storage.ts';
import { startOurs, startTheirs, type Side } from '#test/compare/pair.ts';
import { controllerManagerFlags } from '#test/e2e/controllers/control-plane.ts';
import { startProgram, type Program } from '#test/program.ts';
import { referenceProgram } from '#test/reference.ts';

/** A server with an encryption file of its own, and the controller manager that migrates what it stores. */
export interface MigratedSide extends Side {
  readonly name: SideName;
  /** Replaces the file, which the server follows. */
  writeFile(contents: string): void;
  /** Values as they are stored, by key. */
  stored(prefix: string): Promise<ReadonlyMap<string, string>>;
}

export type SideName = 'ours' | 'theirs';

/** Where the data of both lie: this server's in its own store, the reference's in an etcd. */
export interface Places {
  readonly folder: string;
  readonly etcdUrl: string;
}

const controllers = 'garbage-collector-controller,storage-version-migrator-controller';

/** Starts one of the two on data that outlive it. Rejects with its output when it does not come up. */
export async function startMigrated(name: SideName, contents: string, places: Places): Promise<MigratedSide> {
  const file = join(places.folder, `${name}.yaml`);
  writeFileSync(file, contents);
  const dataDir = join(places.folder, 'data');
  const flags = [
    `--encryption-provider-config=${file}`,
    '--encryption-provider-config-automatic-reload=true',
    '--feature-gates=StorageVersionMigrator=true',
    '--runtime-config=storagemigration.k8s.io/v1beta1=true',
  ];
  const side = await (name === 'ours' ? startOurs({ flags, dataDir }) : startTheirs(flags, places.etcdUrl));
  const manager = await startManager(side, join(places.folder, `${name}-controllers.log`));
  return {
    ...side,
    name,
    writeFile: (next) => writeFileSync(file, next),
    async stored(prefix) {
      const storage = createStorage(
        name === 'ours' ? { framesSocketPath: join(dataDir, 'run', 'store.sock') } : { endpoints: [places.etcdUrl] },
      );
      try {
        const { items } = await storage.list(prefix);
        return new Map(items.map(({ key, value }) => [key, Buffer.from(value).toString('latin1')]));
      } finally {
        await storage.close();
      }
    },
    async close() {
      await manager.close();
      await side.json.close();
      await side.close();
    },
  };
}

async function startManager(side: Side, log: string): Promise<Program> {
  const flags = [
    ...(await controllerManagerFlags(side)),
    '--leader-elect=false',
    `--controllers=${controllers}`,
    '--feature-gates=StorageVersionMigrator=true',
    '-v=4',
  ];
  return startProgram(referenceProgram('kube-controller-manager') ?? '', flags, log);
}
