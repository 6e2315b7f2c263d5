import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationFile } from './configuration.ts';
import { enabledPlugins, tokenFile } from './tokens.ts';

/** Writes the files of a server of the scenario to the folder, and returns the flags that name them. */
export function prepareFlags(folder: string): string[] {
  const [tokens, configuration] = [join(folder, 'tokens.csv'), join(folder, 'admission.yaml')];
  writeFileSync(tokens, tokenFile);
  writeFileSync(configuration, configurationFile);
  return [
    `--token-auth-file=${tokens}`,
    `--enable-admission-plugins=${enabledPlugins}`,
    `--admission-control-config-file=${configuration}`,
  ];
}
