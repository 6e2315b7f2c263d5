import { clientKeys } from './client-keys.ts';
import { factsFreshness } from './facts-freshness.ts';
import { fileSizes } from './file-sizes.ts';
import { flagsRead } from './flags-read.ts';
import { folderMaps } from './folder-maps.ts';
import { importArrows } from './import-arrows.ts';
import { lineWidths } from './line-widths.ts';
import { pluginNames } from './plugin-names.ts';
import { readmePaths } from './readme-paths.ts';
import { repeatSearches } from './repeat-searches.ts';
import type { Rule } from './rule.ts';
import { topLevel } from './top-level.ts';
import { types } from './types.ts';
import { uniqueExports } from './unique-exports.ts';
import { unrunSteps } from './unrun-steps.ts';
import { wallClock } from './wall-clock.ts';

/** Every rule of `npm run check` by its name, which is that of its file. */
export const rules: Readonly<Record<string, Rule>> = {
  'top-level': topLevel,
  'import-arrows': importArrows,
  'folder-maps': folderMaps,
  'plugin-names': pluginNames,
  'readme-paths': readmePaths,
  'flags-read': flagsRead,
  'file-sizes': fileSizes,
  'unique-exports': uniqueExports,
  'line-widths': lineWidths,
  'facts-freshness': factsFreshness,
  types,
  'client-keys': clientKeys,
  'repeat-searches': repeatSearches,
  'unrun-steps': unrunSteps,
  'wall-clock': wallClock,
};
